import type { Reader, Tx } from '../../../api/transaction.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { STACKS, type Stack, VERIFIED_DOMAINS } from './stack-table.ts';

export const findStack = STACKS.find(['accountId', 'id']);
export const findStackOfDomain = STACKS.find(['accountId', 'domain']);
export const listStacks = STACKS.page(['accountId']);
/** Stores the result of a check. @returns false when the stack has been deleted */
export const saveCheck = STACKS.patch(['status', 'findings', 'nameservers', 'checkedAt', 'verifiedAt']);
export const deleteStack = STACKS.remove(['accountId', 'id']);
const setStatus = STACKS.patch(['status']);

const holderOf = VERIFIED_DOMAINS.find();
const insertHolder = VERIFIED_DOMAINS.insertNew();
const lockHolder = VERIFIED_DOMAINS.lock();
const replaceHolder = VERIFIED_DOMAINS.patch(['accountId', 'stackId', 'token']);
const removeHolder = VERIFIED_DOMAINS.remove(['domain', 'stackId']);

/** How many stacks each platform has, its pods' included. */
export const stackSlots = slotCounter('stacks');

/** @returns false when the account has this domain already */
export const insertStack = STACKS.insertNew(['accountId', 'domain']);

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
  await insertHolder(tx, holder);
  const held = await lockHolder(tx, domain);
  if (!held || held.stackId === id) return { loser: null };
  if (foundTokens.includes(held.token)) return 'refused';
  await replaceHolder(tx, holder);
  return { loser: held.stackId };
}

export const releaseDomain = (tx: Tx, { domain, id }: Stack): Promise<number> => removeHolder(tx, domain, id);
