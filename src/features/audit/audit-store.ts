import { jsonRows } from '../../db/json-rows.ts';
import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import { type Reader, type Tx, together } from '../../kernel/transaction.ts';
import { AUDIT_ENTRIES, type StoredEntry } from './audit-data.ts';

type Row = RowOf<typeof AUDIT_ENTRIES>;

interface Tables {
  audit_chains: { account_id: string; last_seq: number; last_hash: string };
  audit_entries: Row;
}

const sql = tables<Tables>();

/** Locks the row of the chain on PostgreSQL, so that appends to one chain run one after another. */
const headForUpdate = sql((q, p: { account_id: string }, engine) => {
  const query = q.selectFrom('audit_chains').select(['last_seq', 'last_hash']).where('account_id', '=', p.account_id);
  return engine === 'postgres' ? query.forUpdate() : query;
});

const startChain = sql((q, p: { account_id: string; last_hash: string }) =>
  q
    .insertInto('audit_chains')
    .values({ account_id: p.account_id, last_seq: 0, last_hash: p.last_hash })
    .onConflict((c) => c.doNothing()),
);

const insertEntry = sql((q, p: Row) => q.insertInto('audit_entries').values(AUDIT_ENTRIES.values(p)));

/** The types of the columns, for {@link jsonRows}. */
const TYPES = {
  account_id: 'text',
  seq: 'integer',
  entry: 'text',
  action: 'text',
  created_at: 'integer',
  prev_hash: 'text',
  hash: 'text',
} as const satisfies Record<keyof Row, string>;
const NAMES = Object.keys(TYPES) as (keyof Row)[];

const insertEntries = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('audit_entries')
    .columns(NAMES)
    .expression((eb) => eb.selectFrom(jsonRows(engine, p.rows, TYPES).as('given')).select(NAMES)),
);

const moveHead = sql((q, p: { account_id: string; last_seq: number; last_hash: string }) =>
  q
    .updateTable('audit_chains')
    .set({ last_seq: p.last_seq, last_hash: p.last_hash })
    .where('account_id', '=', p.account_id),
);

const entriesAfter = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('audit_entries')
    .select(['seq', 'entry', 'prev_hash', 'hash'])
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
);

export interface ChainHead {
  seq: number;
  hash: string;
}

/** Returns the last entry of the chain and locks it. An empty chain ends in the genesis hash. */
export async function lockHead(tx: Tx, accountId: string, genesis: string): Promise<ChainHead> {
  let head = await tx.first(headForUpdate, { account_id: accountId });
  if (!head) {
    await tx.run(startChain, { account_id: accountId, last_hash: genesis });
    head = await tx.first(headForUpdate, { account_id: accountId });
  }
  return { seq: head?.last_seq ?? 0, hash: head?.last_hash ?? genesis };
}

/** Appends entries to one chain, in their order, and moves its head to the last. */
export async function appendEntries(tx: Tx, entries: readonly StoredEntry[]): Promise<void> {
  const rows = entries.map(AUDIT_ENTRIES.toRow);
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) return;
  const cells = (): string => JSON.stringify(rows.map((row) => NAMES.map((name) => row[name])));
  await together([
    rows.length === 1 ? tx.run(insertEntry, first) : tx.run(insertEntries, { rows: cells() }),
    tx.run(moveHead, { account_id: last.account_id, last_seq: last.seq, last_hash: last.hash }),
  ]);
}

/** Reads a page of a chain, oldest first. */
export async function readEntries(reader: Reader, accountId: string, afterSeq: number, limit: number) {
  const rows = await reader.all(entriesAfter, { account_id: accountId, seq: afterSeq, limit });
  return rows.map((row) => ({ seq: row.seq, entry: row.entry, prevHash: row.prev_hash, hash: row.hash }));
}

const headById = sql((q, p: { account_id: string }) =>
  q.selectFrom('audit_chains').select(['last_seq', 'last_hash']).where('account_id', '=', p.account_id),
);

const chainsAfter = sql((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('audit_chains')
    .select('account_id')
    .where('account_id', '>', p.after)
    .orderBy('account_id')
    .limit(p.limit),
);

/** Returns the recorded end of a chain, or null without a chain. */
export async function readHead(reader: Reader, accountId: string): Promise<ChainHead | null> {
  const row = await reader.first(headById, { account_id: accountId });
  return row ? { seq: row.last_seq, hash: row.last_hash } : null;
}

/** Lists a page of the accounts that have a chain, in order. */
export const listChains = async (reader: Reader, after: string, limit: number): Promise<string[]> =>
  (await reader.all(chainsAfter, { after, limit })).map((row) => row.account_id);

const headsAfter = sql((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('audit_chains')
    .select(['account_id', 'last_seq', 'last_hash'])
    .where('account_id', '>', p.after)
    .orderBy('account_id')
    .limit(p.limit),
);

/** Lists a page of chains with their ends, in order. */
export async function listHeads(
  reader: Reader,
  after: string,
  limit: number,
): Promise<(ChainHead & { accountId: string })[]> {
  const rows = await reader.all(headsAfter, { after, limit });
  return rows.map((row) => ({ accountId: row.account_id, seq: row.last_seq, hash: row.last_hash }));
}

const entriesBefore = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('audit_entries')
    .select(['seq', 'entry', 'prev_hash', 'hash'])
    .where('account_id', '=', p.account_id)
    .where('seq', '<', p.seq)
    .orderBy('seq', 'desc')
    .limit(p.limit),
);

const timeOf = sql((q, p: { account_id: string; seq: number }) =>
  q.selectFrom('audit_entries').select('created_at').where('account_id', '=', p.account_id).where('seq', '=', p.seq),
);

/** Reads a page of a chain, newest first. */
export async function readEntriesBefore(reader: Reader, accountId: string, beforeSeq: number, limit: number) {
  const rows = await reader.all(entriesBefore, { account_id: accountId, seq: beforeSeq, limit });
  return rows.map((row) => ({ seq: row.seq, entry: row.entry, prevHash: row.prev_hash, hash: row.hash }));
}

/** Returns when an entry was written, or null when it is missing. */
export const entryTime = async (reader: Reader, accountId: string, seq: number): Promise<number | null> =>
  (await reader.first(timeOf, { account_id: accountId, seq }))?.created_at ?? null;

const erase = sql((q, p: { account_id: string; after: number; to: number }) =>
  q
    .updateTable('audit_entries')
    .set({ entry: '', action: '', created_at: 0 })
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.after)
    .where('seq', '<=', p.to),
);

/** Erases the content of the entries after `after`, up to `to`. Their hashes stay. */
export const eraseEntries = async (tx: Tx, accountId: string, after: number, to: number): Promise<void> =>
  void (await tx.run(erase, { account_id: accountId, after, to }));

type Progress = Tables['audit_chains'] & { exported_seq: number };
const progress = tables<{ audit_chains: Progress }>();
const exported = progress((q, p: { account_id: string }) =>
  q.selectFrom('audit_chains').select('exported_seq').where('account_id', '=', p.account_id),
);
/** Never back: another instance may be further. */
const moveExported = progress((q, p: { account_id: string; exported_seq: number }) =>
  q
    .updateTable('audit_chains')
    .set({ exported_seq: p.exported_seq })
    .where('account_id', '=', p.account_id)
    .where('exported_seq', '<', p.exported_seq),
);
const behind = progress((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('audit_chains')
    .select('account_id')
    .where('account_id', '>', p.after)
    .whereRef('last_seq', '>', 'exported_seq')
    .orderBy('account_id')
    .limit(p.limit),
);

/** The last entry of a chain that was exported; 0 for none. */
export const exportedSeq = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(exported, { account_id: accountId }))?.exported_seq ?? 0;

export const saveExportedSeq = async (tx: Tx, accountId: string, seq: number): Promise<void> =>
  void (await tx.run(moveExported, { account_id: accountId, exported_seq: seq }));

/** A page of the chains that were not exported to their end, in order. */
export const chainsBehind = async (reader: Reader, after: string, limit: number): Promise<string[]> =>
  (await reader.all(behind, { after, limit })).map((row) => row.account_id);
