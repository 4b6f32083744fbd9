import { type Kysely, sql as raw, type SqlBool } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OBSERVATIONS, type Observation } from './observation-table.ts';

/**
 * One range of an index: the private or the shared observations of one account, or the shared ones of all accounts
 * (`accountId` null). `topic` null: of all topics. `about` names the account that they are about; null: any.
 */
export type Run = { topic: string | null; about: string | null } & (
  | { accountId: string; shared: boolean }
  | { accountId: null; shared: true }
);

export const insertObservation = OBSERVATIONS.insert();
export const findObservation = OBSERVATIONS.find();
export const deleteObservation = OBSERVATIONS.remove();

type Tables = { observations: RowOf<typeof OBSERVATIONS> };

const sql = tables<Tables>();

/** A range of ids. */
export interface Range {
  /** Inclusive. */
  from: string;
  /** Exclusive. */
  before: string;
  limit: number;
}

const inRange = (q: Kysely<Tables>, p: Range) =>
  q
    .selectFrom('observations')
    .select(OBSERVATIONS.names)
    .where('id', '>=', p.from)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit);

/** `shared` is a literal, because the planner uses a partial index only if it can see the value. */
const ofAll = sql((q, p: Range) => inRange(q, p).where((eb) => eb('shared', '=', eb.lit(1))));

const ofTopic = sql((q, p: Range & { topic: string }) =>
  inRange(q, p)
    .where('topic', '=', p.topic)
    .where((eb) => eb('shared', '=', eb.lit(1))),
);

const ofAccount = sql((q, p: Range & { shared: number; account_id: string }) =>
  inRange(q, p).where('account_id', '=', p.account_id).where('shared', '=', p.shared),
);

const ofAccountAndTopic = sql((q, p: Range & { shared: number; account_id: string; topic: string }) =>
  inRange(q, p).where('account_id', '=', p.account_id).where('topic', '=', p.topic).where('shared', '=', p.shared),
);

/** What is about one account, by the account `by` and of the topic, unless these are empty. */
const ofSubject = sql((q, p: Range & { about: string; by: string; topic: string; shared: number }) =>
  inRange(q, p)
    .where('subject_id', '=', p.about)
    .where('shared', '=', p.shared)
    .where(raw<SqlBool>`(${p.by} = '' or account_id = ${p.by})`)
    .where(raw<SqlBool>`(${p.topic} = '' or topic = ${p.topic})`),
);

const dropSubject = sql((q, p: { subject_id: string }) =>
  q.updateTable('observations').set({ subject_id: null }).where('subject_id', '=', p.subject_id),
);

/** Takes the id of an account that is deleted from what others observed of it. */
export const forgetSubject = async (tx: Tx, subjectId: string): Promise<void> =>
  void (await tx.run(dropSubject, { subject_id: subjectId }));

/** Lists a run, newest first, with ids in [`from`, `before`). */
export async function listRun(
  reader: Reader,
  { accountId, shared, topic, about }: Run,
  { from, before, limit }: Range,
): Promise<Observation[]> {
  const range = { from, before, limit };
  const own = { ...range, shared: shared ? 1 : 0 };
  if (about !== null)
    return (await reader.all(ofSubject, { ...own, about, by: accountId ?? '', topic: topic ?? '' })).map(
      OBSERVATIONS.fromRow,
    );
  const rows = await (accountId === null
    ? topic === null
      ? reader.all(ofAll, range)
      : reader.all(ofTopic, { ...range, topic })
    : topic === null
      ? reader.all(ofAccount, { ...own, account_id: accountId })
      : reader.all(ofAccountAndTopic, { ...own, account_id: accountId, topic }));
  return rows.map(OBSERVATIONS.fromRow);
}
