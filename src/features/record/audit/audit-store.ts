import { type Generated, type Kysely, sql as raw } from 'kysely';
import { type AccountLog, changeOf, type Reader, type Tx, type Writer } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonRows, jsonTexts, newestOfEach } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { AUDIT_CHAINS, AUDIT_ENTRIES, type StoredEntry } from './audit-table.ts';

type Row = RowOf<typeof AUDIT_ENTRIES>;

interface Tables {
  audit_chains: Omit<RowOf<typeof AUDIT_CHAINS>, 'exported_seq'> & { exported_seq: Generated<number> };
  audit_entries: Row;
}

/** Reads the recorded end of a chain. */
export const readHead = AUDIT_CHAINS.find();
/** Lists chains with their ends, in the order of their accounts. */
export const listHeads = AUDIT_CHAINS.after([]);
export const findEntry = AUDIT_ENTRIES.find();
/** Reads a page of a chain, oldest first. */
export const readEntries = AUDIT_ENTRIES.after(['accountId']);
/** Reads a page of a chain, newest first. */
export const readEntriesBefore = AUDIT_ENTRIES.page(['accountId']);

const sql = tables<Tables>();

/** Locks the row of the chain on PostgreSQL, so that appends to one chain run one after another. */
const headForUpdate = sql((q, p: { account_id: string }, engine) => {
  const query = q.selectFrom('audit_chains').select(['last_seq', 'last_hash']).where('account_id', '=', p.account_id);
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** Skips chains that another transaction has locked. */
const freeHeads = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('audit_chains')
    .select(['account_id', 'last_seq', 'last_hash'])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids));
  return engine === 'postgres' ? query.forUpdate().skipLocked() : query;
});

const startChain = sql((q, p: { account_id: string; last_hash: string }) =>
  q
    .insertInto('audit_chains')
    .values({ account_id: p.account_id, last_seq: 0, last_hash: p.last_hash })
    .onConflict((c) => c.doNothing()),
);

const insertEntry = sql((q, p: Row) => q.insertInto('audit_entries').values(AUDIT_ENTRIES.values(p)));

/** Decisions that one call reads. */
const DECISIONS_MAX = 1000;

const CHANGE = ['seq', 'entry', 'created_at as at'] as const;

const insertEntries = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('audit_entries')
    .columns(AUDIT_ENTRIES.names)
    .expression((eb) =>
      eb.selectFrom(jsonRows(engine, p.rows, AUDIT_ENTRIES.jsonTypes()).as('given')).select(AUDIT_ENTRIES.names),
    ),
);

const moveHead = sql((q, p: { account_id: string; last_seq: number; last_hash: string }) =>
  q
    .insertInto('audit_chains')
    .values({ account_id: p.account_id, last_seq: p.last_seq, last_hash: p.last_hash })
    .onConflict((c) => c.column('account_id').doUpdateSet({ last_seq: p.last_seq, last_hash: p.last_hash })),
);

/** Each row of a chain exists once its end was locked. */
const moveHeads = sql((q, p: { rows: string }, engine) =>
  q
    .updateTable('audit_chains')
    .from(jsonRows(engine, p.rows, { for_account: 'text', to_seq: 'integer', to_hash: 'text' }).as('given'))
    .set((eb) => ({ last_seq: eb.ref('given.to_seq'), last_hash: eb.ref('given.to_hash') }))
    .whereRef('account_id', '=', 'given.for_account'),
);

export interface ChainHead {
  seq: number;
  hash: string;
}

/** Returns the last entry of the chain and locks it. Null: the chain is empty. */
async function lockHead(tx: Writer, accountId: string): Promise<ChainHead | null> {
  let head = await tx.first(headForUpdate, { account_id: accountId });
  if (!head && tx.engine === 'postgres') {
    // A missing row cannot be locked.
    await tx.run(startChain, { account_id: accountId, last_hash: '' });
    head = await tx.first(headForUpdate, { account_id: accountId });
  }
  return head ? endOf(head) : null;
}

const endOf = (row: { last_seq: number; last_hash: string }): ChainHead | null =>
  row.last_seq > 0 ? { seq: row.last_seq, hash: row.last_hash } : null;

const listOf = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => [id]));

/** The audit chains of accounts. */
export const CHAINS: AccountLog<ChainHead | null, StoredEntry> = {
  tables: ['audit_entries', 'audit_chains'],
  lock: lockHead,
  lockFree: async (tx, accountIds) => {
    const rows = await tx.all(freeHeads, { ids: listOf(accountIds) });
    // An account has a chain from its first entry on, which is its own creation.
    return { ends: new Map(rows.map((row) => [row.account_id, endOf(row)])), missing: [] };
  },
  changes: (engine, appended) => {
    const heads = new Map(appended.map(({ row }) => [row.accountId, row]));
    const ends = [...heads.values()].map(({ accountId, seq, hash }) => [accountId, seq, hash]);
    const rows = appended.map(({ row }) => row);
    return [
      // One by one is faster where nothing has to travel.
      ...(engine === 'sqlite' || rows.length === 1
        ? rows.map((row) => changeOf(insertEntry, AUDIT_ENTRIES.toRow(row)))
        : [changeOf(insertEntries, { rows: AUDIT_ENTRIES.json(rows) })]),
      ...(engine === 'sqlite' || ends.length === 1
        ? [...heads.values()].map(({ accountId, seq, hash }) =>
            changeOf(moveHead, { account_id: accountId, last_seq: seq, last_hash: hash }),
          )
        : [changeOf(moveHeads, { rows: JSON.stringify(ends) })]),
    ];
  },
};

const headsOf = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('audit_chains')
    .select(['account_id', 'last_seq', 'last_hash'])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);

/** Returns the recorded ends of chains, with their accounts. */
export async function readHeads(
  reader: Reader,
  accountIds: readonly string[],
): Promise<(ChainHead & { accountId: string })[]> {
  const rows = await reader.all(headsOf, { ids: listOf(accountIds) });
  return rows.map((row) => ({ accountId: row.account_id, seq: row.last_seq, hash: row.last_hash }));
}

/**
 * What people decide, or let pass, about accounts. An index holds these entries alone, in the same words, and none of what was
 * refused or tried: else an agent would hide them behind its own calls.
 */
const DECISIONS = [
  ...['account.deletion_cancelled', 'account.notice_undone', 'account.resumed', 'account.suspended'],
  ...['approval.approved', 'approval.decided', 'approval.expired', 'approval.rejected', 'credential.resolved'],
  ...['person.confirmed', 'quarantine.deleted', 'quarantine.released'],
  ...['review.approved', 'review.decided', 'review.expired', 'review.rejected'],
];
const named = raw.join(DECISIONS.map((action) => raw.lit(action)));
const isDecision = raw<boolean>`action in (${named}) and entry like '%"result":"success","seq":%'`;
const DECIDED = { table: 'audit_entries', owner: 'account_id', order: 'seq', names: ['seq', 'created_at', 'entry'] };
const decided = sql((q, p: { ids: string; each: number }, engine) =>
  newestOfEach(q as never, engine, DECIDED, p, (query) => query.where(isDecision) as never)
    .clearOrderBy()
    .orderBy('t.created_at' as never, 'desc')
    .orderBy('t.seq' as never, 'desc')
    .limit(DECISIONS_MAX),
);

/** The newest decisions about each of these accounts, as they are written, newest first. */
export const newestDecisions = async (reader: Reader, accountIds: readonly string[], each: number): Promise<string[]> =>
  (await reader.all(decided, { ids: jsonTexts(accountIds), each })).map(({ entry }) => entry as string);

const changes = (q: Kysely<Tables>, p: { account_id: string; since: number }) =>
  q.selectFrom('audit_entries').where('account_id', '=', p.account_id).where('changed_at', '>=', p.since);
const newestChanges = sql((q, p: { account_id: string; since: number; limit: number }) =>
  changes(q, p).select(CHANGE).orderBy('changed_at', 'desc').orderBy('seq', 'desc').limit(p.limit),
);
/** Counted in the index alone. */
const kindsBefore = sql((q, p: { account_id: string; since: number; at: number; seq: number }) =>
  q
    .selectFrom(
      changes(q, p)
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('seq').as('last')])
        .where((eb) => eb(eb.refTuple('changed_at', 'seq'), '<', eb.tuple(p.at, p.seq)))
        .groupBy('action')
        .as('kind'),
    )
    .innerJoin('audit_entries', (join) =>
      join.on('audit_entries.account_id', '=', p.account_id).onRef('audit_entries.seq', '=', 'kind.last'),
    )
    .select([...CHANGE, 'count']),
);

/** Reads the newest changes for the owner of an account. */
export const readChanges = (reader: Reader, accountId: string, since: number, limit: number) =>
  reader.all(newestChanges, { account_id: accountId, since, limit });
/** Counts those before one of them by their actions, and reads the newest of each. */
export const readKindsBefore = (reader: Reader, accountId: string, since: number, one: { at: number; seq: number }) =>
  reader.all(kindsBefore, { account_id: accountId, since, ...one });

const erase = sql((q, p: { account_id: string; after: number; to: number }) =>
  q
    .updateTable('audit_entries')
    .set({ entry: '', action: '', created_at: 0, changed_at: null, network: null })
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.after)
    .where('seq', '<=', p.to),
);

/** Erases the content of the entries after `after`, up to `to`. Their hashes stay. */
export const eraseEntries = async (tx: Tx, accountId: string, after: number, to: number): Promise<void> =>
  void (await tx.run(erase, { account_id: accountId, after, to }));

const forget = sql((q, p: { before: number; limit: number }, engine) => {
  const old = q
    .selectFrom('audit_entries')
    .select(['account_id', 'seq'])
    .where('network', 'is not', null)
    .where('created_at', '<=', p.before)
    .orderBy('created_at')
    .limit(p.limit);
  return q
    .updateTable('audit_entries')
    .set({ network: null })
    .where((eb) =>
      eb(eb.refTuple('account_id', 'seq'), 'in', (engine === 'postgres' ? old.forUpdate().skipLocked() : old) as never),
    );
});

/** Forgets from which networks old entries came, a limited number at a time. @returns how many */
export const forgetNetworks = (tx: Tx, before: number, limit: number): Promise<number> =>
  tx.run(forget, { before, limit });

/** Never back: another instance may be further. */
const moveExported = sql((q, p: { account_id: string; exported_seq: number }) =>
  q
    .updateTable('audit_chains')
    .set({ exported_seq: p.exported_seq })
    .where('account_id', '=', p.account_id)
    .where('exported_seq', '<', p.exported_seq),
);
const behind = sql((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('audit_chains')
    .select('account_id')
    .where('account_id', '>', p.after)
    .whereRef('last_seq', '>', 'exported_seq')
    .orderBy('account_id')
    .limit(p.limit),
);

export const saveExportedSeq = async (tx: Tx, accountId: string, seq: number): Promise<void> =>
  void (await tx.run(moveExported, { account_id: accountId, exported_seq: seq }));

/** A page of the chains that were not exported to their end, in order. */
export const chainsBehind = async (reader: Reader, after: string, limit: number): Promise<string[]> =>
  (await reader.all(behind, { after, limit })).map((row) => row.account_id);
