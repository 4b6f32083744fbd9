import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { STACKS, type Stack, type StackStatus, VERIFIED_DOMAINS } from './stack-table.ts';

type Row = RowOf<typeof STACKS>;
type HolderRow = RowOf<typeof VERIFIED_DOMAINS>;

const sql = tables<{ stacks: Row; verified_domains: HolderRow }>();

/** How many stacks each platform has, its pods' included. */
export const stackSlots = slotCounter('stack_counts');

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('stacks')
    .values(STACKS.values(p))
    .onConflict((conflict) => conflict.columns(['account_id', 'domain']).doNothing()),
);

const byId = sql((q, p: { id: string; account_id: string }) =>
  q.selectFrom('stacks').select(STACKS.names).where('id', '=', p.id).where('account_id', '=', p.account_id),
);

const byDomain = sql((q, p: { domain: string; account_id: string }) =>
  q.selectFrom('stacks').select(STACKS.names).where('account_id', '=', p.account_id).where('domain', '=', p.domain),
);

/** Newest first. */
const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('stacks')
    .select(STACKS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const saveRow = sql((q, p: Pick<Row, 'id' | 'status' | 'findings' | 'nameservers' | 'checked_at' | 'verified_at'>) =>
  q
    .updateTable('stacks')
    .set({
      status: p.status,
      findings: p.findings,
      nameservers: p.nameservers,
      checked_at: p.checked_at,
      verified_at: p.verified_at,
    })
    .where('id', '=', p.id),
);

const setStatus = sql((q, p: { id: string; status: StackStatus }) =>
  q.updateTable('stacks').set({ status: p.status }).where('id', '=', p.id),
);

const deleteRow = sql((q, p: { id: string; account_id: string }) =>
  q.deleteFrom('stacks').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

const holderOf = sql((q, p: { domain: string }) =>
  q.selectFrom('verified_domains').select(VERIFIED_DOMAINS.names).where('domain', '=', p.domain),
);

const lockHolder = sql((q, p: { domain: string }, engine) => {
  const query = q.selectFrom('verified_domains').select(VERIFIED_DOMAINS.names).where('domain', '=', p.domain);
  return engine === 'postgres' ? query.forUpdate() : query;
});

const insertHolder = sql((q, p: HolderRow) =>
  q
    .insertInto('verified_domains')
    .values(VERIFIED_DOMAINS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);

const replaceHolder = sql((q, p: HolderRow) =>
  q
    .updateTable('verified_domains')
    .set({ account_id: p.account_id, stack_id: p.stack_id, token: p.token })
    .where('domain', '=', p.domain),
);

const deleteHolder = sql((q, p: { domain: string; stack_id: string }) =>
  q.deleteFrom('verified_domains').where('domain', '=', p.domain).where('stack_id', '=', p.stack_id),
);

/** @returns false when the account has this domain already */
export const insertStack = async (tx: Tx, stack: Stack): Promise<boolean> =>
  (await tx.run(insertRow, STACKS.toRow(stack))) === 1;

export async function findStack(reader: Reader, accountId: string, id: string): Promise<Stack | null> {
  const row = await reader.first(byId, { id, account_id: accountId });
  return row ? STACKS.fromRow(row) : null;
}

export async function findStackOfDomain(reader: Reader, accountId: string, domain: string): Promise<Stack | null> {
  const row = await reader.first(byDomain, { domain, account_id: accountId });
  return row ? STACKS.fromRow(row) : null;
}

export const listStacks = async (reader: Reader, accountId: string, before: string, limit: number): Promise<Stack[]> =>
  (await reader.all(page, { account_id: accountId, before, limit })).map(STACKS.fromRow);

/** Stores the result of a check. @returns false when the stack has been deleted */
export const saveCheck = async (tx: Tx, stack: Stack): Promise<boolean> =>
  (await tx.run(saveRow, STACKS.toRow(stack))) === 1;

export const markFailed = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.run(setStatus, { id, status: 'failed' }));

export const deleteStack = async (tx: Tx, accountId: string, id: string): Promise<boolean> =>
  (await tx.run(deleteRow, { id, account_id: accountId })) === 1;

/** The account that has verified a domain, or null. */
export const findHolder = async (reader: Reader, domain: string): Promise<string | null> =>
  (await reader.first(holderOf, { domain }))?.account_id ?? null;

/**
 * Assigns a domain to a stack. Refuses while another stack holds the domain and its ownership record still exists.
 * @returns the stack that held the domain before, or `refused`
 */
export async function takeDomain(
  tx: Tx,
  { domain, accountId, id, token }: Stack,
  foundTokens: readonly string[],
): Promise<{ loser: string | null } | 'refused'> {
  const holder = VERIFIED_DOMAINS.toRow({ domain, accountId, stackId: id, token });
  await tx.run(insertHolder, holder);
  const held = await tx.first(lockHolder, { domain });
  if (!held || held.stack_id === id) return { loser: null };
  if (foundTokens.includes(held.token)) return 'refused';
  await tx.run(replaceHolder, holder);
  return { loser: held.stack_id };
}

export const releaseDomain = async (tx: Tx, { domain, id }: Stack): Promise<void> =>
  void (await tx.run(deleteHolder, { domain, stack_id: id }));
