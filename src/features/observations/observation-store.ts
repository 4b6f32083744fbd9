import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  id: string;
  account_id: string;
  display_name: string | null;
  topic: string;
  content: string;
  shared: number;
  created_at: number;
}

export interface Observation {
  id: string;
  accountId: string;
  displayName: string | null;
  topic: string;
  content: string;
  shared: boolean;
  createdAt: number;
}

/** One run of an index: what one account keeps or shares, or what all share (`accountId` null); of one topic or of all. */
export type Run = { topic: string | null } & (
  | { accountId: string; shared: boolean }
  | { accountId: null; shared: true }
);

const sql = tables<{ observations: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('observations').values({
    id: p.id,
    account_id: p.account_id,
    display_name: p.display_name,
    topic: p.topic,
    content: p.content,
    shared: p.shared,
    created_at: p.created_at,
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('observations').selectAll().where('id', '=', p.id));

interface Range {
  /** Ids from here, inclusive. */
  from: string;
  /** Ids below this. */
  before: string;
  limit: number;
}

/** `shared` is written into the text: bound, it would hide from the planner that a partial index serves. */
const ofAll = sql((q, p: Range) =>
  q
    .selectFrom('observations')
    .selectAll()
    .where((eb) => eb('shared', '=', eb.lit(1)))
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const ofTopic = sql((q, p: Range & { topic: string }) =>
  q
    .selectFrom('observations')
    .selectAll()
    .where('topic', '=', p.topic)
    .where((eb) => eb('shared', '=', eb.lit(1)))
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const ofAccount = sql((q, p: Range & { shared: number; account_id: string }) =>
  q
    .selectFrom('observations')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('shared', '=', p.shared)
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const ofAccountAndTopic = sql((q, p: Range & { shared: number; account_id: string; topic: string }) =>
  q
    .selectFrom('observations')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('topic', '=', p.topic)
    .where('shared', '=', p.shared)
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const toObservation = (row: Row): Observation => ({
  id: row.id,
  accountId: row.account_id,
  displayName: row.display_name,
  topic: row.topic,
  content: row.content,
  shared: row.shared === 1,
  createdAt: row.created_at,
});

export const insertObservation = async (tx: Tx, observation: Observation): Promise<void> =>
  void (await tx.run(insertRow, {
    id: observation.id,
    account_id: observation.accountId,
    display_name: observation.displayName,
    topic: observation.topic,
    content: observation.content,
    shared: observation.shared ? 1 : 0,
    created_at: observation.createdAt,
  }));

export async function findObservation(reader: Reader, id: string): Promise<Observation | null> {
  const row = await reader.first(byId, { id });
  return row ? toObservation(row) : null;
}

/** The newest of a run with ids in [`from`, `before`), newest first. */
export async function listRun(
  reader: Reader,
  { accountId, shared, topic }: Run,
  { from, before, limit }: { from: string; before: string; limit: number },
): Promise<Observation[]> {
  const range = { from, before, limit };
  const own = { ...range, shared: shared ? 1 : 0 };
  const rows = await (accountId === null
    ? topic === null
      ? reader.all(ofAll, range)
      : reader.all(ofTopic, { ...range, topic })
    : topic === null
      ? reader.all(ofAccount, { ...own, account_id: accountId })
      : reader.all(ofAccountAndTopic, { ...own, account_id: accountId, topic }));
  return rows.map(toObservation);
}
