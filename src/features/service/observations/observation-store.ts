import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OBSERVATIONS, type Observation } from './observation-table.ts';

/**
 * One range of an index: the private or the shared observations of one account, or the shared ones of all accounts
 * (`accountId` null). `topic` null: of all topics.
 */
export type Run = { topic: string | null } & (
  | { accountId: string; shared: boolean }
  | { accountId: null; shared: true }
);

export const insertObservation = OBSERVATIONS.insert();
export const findObservation = OBSERVATIONS.find();
export const deleteObservation = OBSERVATIONS.remove();

const sql = tables<{ observations: RowOf<typeof OBSERVATIONS> }>();

/** A range of ids. */
export interface Range {
  /** Inclusive. */
  from: string;
  /** Exclusive. */
  before: string;
  limit: number;
}

/** `shared` is a literal, because the planner uses a partial index only if it can see the value. */
const ofAll = sql((q, p: Range) =>
  q
    .selectFrom('observations')
    .select(OBSERVATIONS.names)
    .where((eb) => eb('shared', '=', eb.lit(1)))
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const ofTopic = sql((q, p: Range & { topic: string }) =>
  q
    .selectFrom('observations')
    .select(OBSERVATIONS.names)
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
    .select(OBSERVATIONS.names)
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
    .select(OBSERVATIONS.names)
    .where('account_id', '=', p.account_id)
    .where('topic', '=', p.topic)
    .where('shared', '=', p.shared)
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Lists a run, newest first, with ids in [`from`, `before`). */
export async function listRun(
  reader: Reader,
  { accountId, shared, topic }: Run,
  { from, before, limit }: Range,
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
  return rows.map(OBSERVATIONS.fromRow);
}
