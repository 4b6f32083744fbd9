import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Stack, StackStatus } from './stack-data.ts';

interface Row {
  id: string;
  account_id: string;
  domain: string;
  status: string;
  token: string;
  dkim_selector: string;
  dkim_private_key: string;
  dkim_public_key: string;
  findings: string | null;
  nameservers: string;
  checked_at: number | null;
  verified_at: number | null;
  created_at: number;
}

interface Holder {
  domain: string;
  account_id: string;
  stack_id: string;
  token: string;
}

interface Tables {
  stacks: Row;
  stack_counts: { account_id: string; used: number };
  verified_domains: Holder;
}

const sql = tables<Tables>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('stacks')
    .values({
      id: p.id,
      account_id: p.account_id,
      domain: p.domain,
      status: p.status,
      token: p.token,
      dkim_selector: p.dkim_selector,
      dkim_private_key: p.dkim_private_key,
      dkim_public_key: p.dkim_public_key,
      findings: p.findings,
      nameservers: p.nameservers,
      checked_at: p.checked_at,
      verified_at: p.verified_at,
      created_at: p.created_at,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'domain']).doNothing()),
);

const byId = sql((q, p: { id: string; account_id: string }) =>
  q.selectFrom('stacks').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

const byDomain = sql((q, p: { domain: string; account_id: string }) =>
  q.selectFrom('stacks').selectAll().where('account_id', '=', p.account_id).where('domain', '=', p.domain),
);

/** Newest first. */
const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('stacks')
    .selectAll()
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

const setStatus = sql((q, p: { id: string; status: string }) =>
  q.updateTable('stacks').set({ status: p.status }).where('id', '=', p.id),
);

const deleteRow = sql((q, p: { id: string; account_id: string }) =>
  q.deleteFrom('stacks').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** One more, unless there are as many as may be: checked and counted in one statement. */
const takeSlot = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('stack_counts')
    .values({ account_id: p.account_id, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ used: eb('stack_counts.used', '+', 1) }))
        .where('stack_counts.used', '<', p.limit),
    ),
);

const giveSlotBack = sql((q, p: { account_id: string }) =>
  q
    .updateTable('stack_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id),
);

const usedBy = sql((q, p: { account_id: string }) =>
  q.selectFrom('stack_counts').select('used').where('account_id', '=', p.account_id),
);

const holderOf = sql((q, p: { domain: string }) =>
  q.selectFrom('verified_domains').selectAll().where('domain', '=', p.domain),
);

const lockHolder = sql((q, p: { domain: string }, engine) => {
  const query = q.selectFrom('verified_domains').selectAll().where('domain', '=', p.domain);
  return engine === 'postgres' ? query.forUpdate() : query;
});

const insertHolder = sql((q, p: Holder) =>
  q
    .insertInto('verified_domains')
    .values({ domain: p.domain, account_id: p.account_id, stack_id: p.stack_id, token: p.token })
    .onConflict((conflict) => conflict.doNothing()),
);

const replaceHolder = sql((q, p: Holder) =>
  q
    .updateTable('verified_domains')
    .set({ account_id: p.account_id, stack_id: p.stack_id, token: p.token })
    .where('domain', '=', p.domain),
);

const deleteHolder = sql((q, p: { domain: string; stack_id: string }) =>
  q.deleteFrom('verified_domains').where('domain', '=', p.domain).where('stack_id', '=', p.stack_id),
);

const toStack = (row: Row): Stack => ({
  id: row.id,
  accountId: row.account_id,
  domain: row.domain,
  status: row.status as StackStatus,
  token: row.token,
  dkimSelector: row.dkim_selector,
  dkimPrivateKey: row.dkim_private_key,
  dkimPublicKey: row.dkim_public_key,
  findings: row.findings === null ? null : (JSON.parse(row.findings) as Stack['findings']),
  nameservers: JSON.parse(row.nameservers) as string[],
  checkedAt: row.checked_at,
  verifiedAt: row.verified_at,
  createdAt: row.created_at,
});

const checkColumns = (stack: Stack) => ({
  id: stack.id,
  status: stack.status,
  findings: stack.findings === null ? null : JSON.stringify(stack.findings),
  nameservers: JSON.stringify(stack.nameservers),
  checked_at: stack.checkedAt,
  verified_at: stack.verifiedAt,
});

/** @returns false when the account has this domain already */
export const insertStack = async (tx: Tx, stack: Stack): Promise<boolean> =>
  (await tx.run(insertRow, {
    ...checkColumns(stack),
    account_id: stack.accountId,
    domain: stack.domain,
    token: stack.token,
    dkim_selector: stack.dkimSelector,
    dkim_private_key: stack.dkimPrivateKey,
    dkim_public_key: stack.dkimPublicKey,
    created_at: stack.createdAt,
  })) === 1;

export async function findStack(reader: Reader, accountId: string, id: string): Promise<Stack | null> {
  const row = await reader.first(byId, { id, account_id: accountId });
  return row ? toStack(row) : null;
}

export async function findStackOfDomain(reader: Reader, accountId: string, domain: string): Promise<Stack | null> {
  const row = await reader.first(byDomain, { domain, account_id: accountId });
  return row ? toStack(row) : null;
}

export const listStacks = async (reader: Reader, accountId: string, before: string, limit: number): Promise<Stack[]> =>
  (await reader.all(page, { account_id: accountId, before, limit })).map(toStack);

/** What a check found. @returns false when the stack was deleted meanwhile */
export const saveCheck = async (tx: Tx, stack: Stack): Promise<boolean> =>
  (await tx.run(saveRow, checkColumns(stack))) === 1;

export const markFailed = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.run(setStatus, { id, status: 'failed' }));

export const deleteStack = async (tx: Tx, accountId: string, id: string): Promise<boolean> =>
  (await tx.run(deleteRow, { id, account_id: accountId })) === 1;

export const takeStackSlot = async (tx: Tx, accountId: string, limit: number): Promise<boolean> =>
  limit > 0 && (await tx.run(takeSlot, { account_id: accountId, limit })) === 1;

export const returnStackSlot = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(giveSlotBack, { account_id: accountId }));

export const countStacks = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(usedBy, { account_id: accountId }))?.used ?? 0;

/** The account that has verified a domain, null when none has. */
export const findHolder = async (reader: Reader, domain: string): Promise<string | null> =>
  (await reader.first(holderOf, { domain }))?.account_id ?? null;

/**
 * Makes a stack the one that holds its domain, unless another holds it whose ownership record is still there.
 * @returns the stack that held it before, or `refused`
 */
export async function takeDomain(
  tx: Tx,
  { domain, accountId, id, token }: Stack,
  foundTokens: readonly string[],
): Promise<{ loser: string | null } | 'refused'> {
  const holder = { domain, account_id: accountId, stack_id: id, token };
  await tx.run(insertHolder, holder);
  const held = await tx.first(lockHolder, { domain });
  if (!held || held.stack_id === id) return { loser: null };
  if (foundTokens.includes(held.token)) return 'refused';
  await tx.run(replaceHolder, holder);
  return { loser: held.stack_id };
}

export const releaseDomain = async (tx: Tx, { domain, id }: Stack): Promise<void> =>
  void (await tx.run(deleteHolder, { domain, stack_id: id }));
