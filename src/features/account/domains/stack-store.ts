import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { STACKS, type Stack, VERIFIED_DOMAINS } from './stack-table.ts';

export const findStack = STACKS.find(['accountId', 'id']);
export const findStackOfDomain = STACKS.find(['accountId', 'domain']);
export const listStacks = STACKS.page(['accountId']);
/** Stores the result of a check. @returns false when the stack has been deleted */
export const saveCheck = STACKS.patch(['status', 'findings', 'nameservers', 'checkedAt', 'verifiedAt']);
export const deleteStack = STACKS.remove(['accountId', 'id']);
const setStatus = STACKS.patch(['status']);

const holderOf = VERIFIED_DOMAINS.find();
const lockHolder = VERIFIED_DOMAINS.lock();
const replaceHolder = VERIFIED_DOMAINS.patch(['accountId', 'stackId', 'token']);
const removeHolder = VERIFIED_DOMAINS.remove(['domain', 'stackId']);

type HolderRow = RowOf<typeof VERIFIED_DOMAINS>;

const sql = tables<{ stacks: RowOf<typeof STACKS>; verified_domains: HolderRow }>();

/** How many stacks each platform has, its pods' included. */
export const stackSlots = slotCounter('stacks');

const insertRow = sql((q, p: RowOf<typeof STACKS>) =>
  q
    .insertInto('stacks')
    .values(STACKS.values(p))
    .onConflict((conflict) => conflict.columns(['account_id', 'domain']).doNothing()),
);

const insertHolder = sql((q, p: HolderRow) =>
  q
    .insertInto('verified_domains')
    .values(VERIFIED_DOMAINS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);

/** @returns false when the account has this domain already */
export const insertStack = async (tx: Tx, stack: Stack): Promise<boolean> =>
  (await tx.run(insertRow, STACKS.toRow(stack))) === 1;

export const markFailed = (tx: Tx, id: string): Promise<boolean> => setStatus(tx, { id, status: 'failed' });

/** The account that has verified a domain, or null. */
export const findHolder = async (reader: Reader, domain: string): Promise<string | null> =>
  (await holderOf(reader, domain))?.accountId ?? null;

/**
 * Assigns a domain to a stack. Refuses while another stack holds the domain and its ownership record still exists.
 * @returns the stack that held the domain before, or `refused`
 */
export async function takeDomain(
  tx: Tx,
  { domain, accountId, id, token }: Stack,
  foundTokens: readonly string[],
): Promise<{ loser: string | null } | 'refused'> {
  const holder = { domain, accountId, stackId: id, token };
  await tx.run(insertHolder, VERIFIED_DOMAINS.toRow(holder));
  const held = await lockHolder(tx, domain);
  if (!held || held.stackId === id) return { loser: null };
  if (foundTokens.includes(held.token)) return 'refused';
  await replaceHolder(tx, holder);
  return { loser: held.stackId };
}

export const releaseDomain = (tx: Tx, { domain, id }: Stack): Promise<number> => removeHolder(tx, domain, id);
