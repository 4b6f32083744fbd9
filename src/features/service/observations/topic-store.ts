import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import {
  NO_TRUST_INPUTS,
  OBSERVATION_TOPICS,
  SHARED_TOPICS,
  TRUST_INPUTS,
  type TrustInputs,
} from './observation-table.ts';

type TopicRow = RowOf<typeof OBSERVATION_TOPICS>;
type SharedRow = RowOf<typeof SHARED_TOPICS>;
type InputRow = RowOf<typeof TRUST_INPUTS>;

export interface TopicCount {
  topic: string;
  count: number;
  latestAt: number;
}

const sql = tables<{ observation_topics: TopicRow; shared_topics: SharedRow; trust_inputs: InputRow }>();

const topicsAfter = OBSERVATION_TOPICS.after(['accountId']);
const findInputs = TRUST_INPUTS.find();

/** The later of the time in a row and the one that is added. */
const later = (table: string, column: string) => {
  const [kept, added] = [raw.ref(`${table}.${column}`), raw.ref(`excluded.${column}`)];
  return raw<number>`case when ${added} > ${kept} then ${added} else ${kept} end`;
};

const countTopic = sql((q, p: TopicRow) =>
  q
    .insertInto('observation_topics')
    .values(OBSERVATION_TOPICS.values(p))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'topic']).doUpdateSet((eb) => ({
        private_count: eb('observation_topics.private_count', '+', eb.ref('excluded.private_count')),
        shared_count: eb('observation_topics.shared_count', '+', eb.ref('excluded.shared_count')),
        private_latest_at: later('observation_topics', 'private_latest_at'),
      })),
    )
    .returning(['private_count', 'shared_count']),
);

const countShared = sql((q, p: SharedRow) =>
  q
    .insertInto('shared_topics')
    .values(SHARED_TOPICS.values(p))
    .onConflict((conflict) =>
      conflict.columns(['topic', 'slot']).doUpdateSet((eb) => ({
        used: eb('shared_topics.used', '+', eb.ref('excluded.used')),
        latest_at: later('shared_topics', 'latest_at'),
      })),
    ),
);

const countInputs = sql((q, p: InputRow) =>
  q
    .insertInto('trust_inputs')
    .values(TRUST_INPUTS.values(p))
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        observations: eb('trust_inputs.observations', '+', eb.ref('excluded.observations')),
        shared: eb('trust_inputs.shared', '+', eb.ref('excluded.shared')),
        topics: eb('trust_inputs.topics', '+', eb.ref('excluded.topics')),
        peer_reports: eb('trust_inputs.peer_reports', '+', eb.ref('excluded.peer_reports')),
        latest_at: later('trust_inputs', 'latest_at'),
      })),
    ),
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
  /** The slot that the account counts shared topics in. */
  slot: number;
  now: number;
}

/** @returns true when the topic is new to the account */
export async function addToTopic(tx: Tx, tally: TopicTally): Promise<boolean> {
  const added = {
    accountId: tally.accountId,
    topic: tally.topic,
    privateCount: tally.private,
    sharedCount: tally.shared,
    privateLatestAt: tally.private > 0 ? tally.now : 0,
  };
  const counts = await tx.first(countTopic, OBSERVATION_TOPICS.toRow(added));
  return Number(counts?.private_count) === tally.private && Number(counts?.shared_count) === tally.shared;
}

export const addToSharedTopic = async (tx: Tx, { topic, slot, shared, now }: TopicTally): Promise<void> =>
  void (await tx.run(countShared, SHARED_TOPICS.toRow({ topic, slot, used: shared, latestAt: now })));

export const addTrustInputs = async (tx: Tx, accountId: string, added: TrustInputs): Promise<void> =>
  void (await tx.run(countInputs, TRUST_INPUTS.toRow({ accountId, ...added })));

/** Reads the counters that trust is computed from. */
export const readTrustInputs = async (reader: Reader, accountId: string): Promise<TrustInputs> =>
  (await findInputs(reader, accountId)) ?? NO_TRUST_INPUTS;

/** The account's private observations by topic; a count of 0 where all are shared. */
export const listPrivateTopics = async (
  reader: Reader,
  accountId: string,
  after: string,
  limit: number,
): Promise<TopicCount[]> =>
  (await topicsAfter(reader, { accountId }, { topic: after }, limit)).map((row) => ({
    topic: row.topic,
    count: row.privateCount,
    latestAt: row.privateLatestAt,
  }));

/** The shared observations of all accounts by topic. */
export const listSharedTopics = async (reader: Reader, after: string, limit: number): Promise<TopicCount[]> =>
  (await reader.all(sharedTopics, { after, limit })).map((row) => ({
    topic: row.topic,
    count: Number(row.count),
    latestAt: Number(row.latest_at),
  }));

const takeBack = sql((q, p: { topic: string; slot: number }) =>
  q
    .updateTable('shared_topics')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('topic', '=', p.topic)
    .where('slot', '=', p.slot),
);
const deleteUnused = sql((q, p: { topic: string; slot: number }) =>
  q.deleteFrom('shared_topics').where('topic', '=', p.topic).where('slot', '=', p.slot).where('used', '<=', 0),
);

/** Counts one shared observation of a topic less. A topic that nobody uses any more is forgotten. */
export async function takeFromSharedTopic(tx: Tx, topic: string, slot: number): Promise<void> {
  await tx.run(takeBack, { topic, slot });
  await tx.run(deleteUnused, { topic, slot });
}
