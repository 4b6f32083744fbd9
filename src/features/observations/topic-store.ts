import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface TopicRow {
  account_id: string;
  topic: string;
  private_count: number;
  shared_count: number;
  private_latest_at: number;
}

interface SharedRow {
  topic: string;
  slot: number;
  used: number;
  latest_at: number;
}

interface InputRow {
  account_id: string;
  observations: number;
  shared: number;
  topics: number;
  peer_reports: number;
  latest_at: number;
}

export interface TopicCount {
  topic: string;
  count: number;
  latestAt: number;
}

/** What trust is computed from: counters, kept in the transaction that records an observation. */
export interface TrustInputs {
  observations: number;
  shared: number;
  /** Distinct ones. */
  topics: number;
  /** Telemetry of other accounts that names this one. */
  peerReports: number;
  /** 0 for none. */
  latestAt: number;
}

const sql = tables<{ observation_topics: TopicRow; shared_topics: SharedRow; trust_inputs: InputRow }>();

/** Private ones move `private_latest_at`; what is shared has its time in shared_topics. */
const countTopic = sql((q, p: TopicRow) =>
  q
    .insertInto('observation_topics')
    .values({
      account_id: p.account_id,
      topic: p.topic,
      private_count: p.private_count,
      shared_count: p.shared_count,
      private_latest_at: p.private_latest_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'topic']).doUpdateSet((eb) => ({
        private_count: eb('observation_topics.private_count', '+', eb.ref('excluded.private_count')),
        shared_count: eb('observation_topics.shared_count', '+', eb.ref('excluded.shared_count')),
        private_latest_at: eb
          .case()
          .when('excluded.private_latest_at', '>', eb.ref('observation_topics.private_latest_at'))
          .then(eb.ref('excluded.private_latest_at'))
          .else(eb.ref('observation_topics.private_latest_at'))
          .end(),
      })),
    )
    .returning(['private_count', 'shared_count']),
);

const countShared = sql((q, p: SharedRow) =>
  q
    .insertInto('shared_topics')
    .values({ topic: p.topic, slot: p.slot, used: p.used, latest_at: p.latest_at })
    .onConflict((conflict) =>
      conflict.columns(['topic', 'slot']).doUpdateSet((eb) => ({
        used: eb('shared_topics.used', '+', eb.ref('excluded.used')),
        latest_at: eb
          .case()
          .when('excluded.latest_at', '>', eb.ref('shared_topics.latest_at'))
          .then(eb.ref('excluded.latest_at'))
          .else(eb.ref('shared_topics.latest_at'))
          .end(),
      })),
    ),
);

const countInputs = sql((q, p: InputRow) =>
  q
    .insertInto('trust_inputs')
    .values({
      account_id: p.account_id,
      observations: p.observations,
      shared: p.shared,
      topics: p.topics,
      peer_reports: p.peer_reports,
      latest_at: p.latest_at,
    })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        observations: eb('trust_inputs.observations', '+', eb.ref('excluded.observations')),
        shared: eb('trust_inputs.shared', '+', eb.ref('excluded.shared')),
        topics: eb('trust_inputs.topics', '+', eb.ref('excluded.topics')),
        peer_reports: eb('trust_inputs.peer_reports', '+', eb.ref('excluded.peer_reports')),
        latest_at: eb
          .case()
          .when('excluded.latest_at', '>', eb.ref('trust_inputs.latest_at'))
          .then(eb.ref('excluded.latest_at'))
          .else(eb.ref('trust_inputs.latest_at'))
          .end(),
      })),
    ),
);

const inputsOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('trust_inputs').selectAll().where('account_id', '=', p.account_id),
);

const privateTopics = sql((q, p: { account_id: string; after: string; limit: number }) =>
  q
    .selectFrom('observation_topics')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('topic', '>', p.after)
    .orderBy('topic')
    .limit(p.limit),
);

const sharedTopics = sql((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('shared_topics')
    .select((eb) => ['topic', eb.fn.sum<number>('used').as('count'), eb.fn.max('latest_at').as('latest_at')])
    .where('topic', '>', p.after)
    .groupBy('topic')
    .orderBy('topic')
    .limit(p.limit),
);

export interface TopicTally {
  accountId: string;
  topic: string;
  private: number;
  shared: number;
  /** Of the slots that a shared topic is counted in. */
  slot: number;
  now: number;
}

/** @returns true when the account never used the topic before */
export async function addToTopic(tx: Tx, tally: TopicTally): Promise<boolean> {
  const counts = await tx.first(countTopic, {
    account_id: tally.accountId,
    topic: tally.topic,
    private_count: tally.private,
    shared_count: tally.shared,
    private_latest_at: tally.private > 0 ? tally.now : 0,
  });
  return Number(counts?.private_count) === tally.private && Number(counts?.shared_count) === tally.shared;
}

export const addToSharedTopic = async (tx: Tx, { topic, slot, shared, now }: TopicTally): Promise<void> =>
  void (await tx.run(countShared, { topic, slot, used: shared, latest_at: now }));

export const addTrustInputs = async (tx: Tx, accountId: string, added: TrustInputs): Promise<void> =>
  void (await tx.run(countInputs, {
    account_id: accountId,
    observations: added.observations,
    shared: added.shared,
    topics: added.topics,
    peer_reports: added.peerReports,
    latest_at: added.latestAt,
  }));

export async function readTrustInputs(reader: Reader, accountId: string): Promise<TrustInputs> {
  const row = await reader.first(inputsOf, { account_id: accountId });
  if (!row) return { observations: 0, shared: 0, topics: 0, peerReports: 0, latestAt: 0 };
  const { observations, shared, topics, peer_reports, latest_at } = row;
  return { observations, shared, topics, peerReports: peer_reports, latestAt: latest_at };
}

/** What the account keeps to itself, by topic; a count of 0 where all of a topic is shared. */
export const listPrivateTopics = async (
  reader: Reader,
  accountId: string,
  after: string,
  limit: number,
): Promise<TopicCount[]> =>
  (await reader.all(privateTopics, { account_id: accountId, after, limit })).map((row) => ({
    topic: row.topic,
    count: row.private_count,
    latestAt: row.private_latest_at,
  }));

/** What all accounts share, by topic. */
export const listSharedTopics = async (reader: Reader, after: string, limit: number): Promise<TopicCount[]> =>
  (await reader.all(sharedTopics, { after, limit })).map((row) => ({
    topic: row.topic,
    count: Number(row.count),
    latestAt: Number(row.latest_at),
  }));
