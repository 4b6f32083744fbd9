import { ApiError } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Limits } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import { DAY_MS } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import { randomBase62 } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { DkimKey } from '../../mail/dkim.ts';
import { makeDkimPair } from '../../mail/dkim-key.ts';
import type { DnsLookup } from '../../mail/dns-lookup.ts';
import { type OwnNames, requireDomain } from './domain-rules.ts';
import { checkRecords, type DnsCheck, recordsOf } from './record-rules.ts';
import { PURPOSES, type Stack, type StackStatus } from './stack-data.ts';
import {
  countStacks,
  deleteStack,
  findHolder,
  findStack,
  findStackOfDomain,
  insertStack,
  listStacks,
  markFailed,
  releaseDomain,
  returnStackSlot,
  saveCheck,
  takeDomain,
  takeStackSlot,
} from './stack-store.ts';

/** A domain that is not verified by then has failed; it may be verified all the same. */
const PROVISIONING_MS = 3 * DAY_MS;
const SELECTOR = 'signet';
/** Sorts behind every id. */
const BEYOND_ALL = `stk_${'z'.repeat(26)}`;

/** A domain checked, and the key pair made for it, not yet kept. */
export type NewStack = Pick<Stack, 'domain' | 'token' | 'dkimPrivateKey' | 'dkimPublicKey'>;

export interface StackRules {
  /** All that takes its time, before a transaction is opened. @throws ApiError `invalid_domain`, `stack_limit` */
  prepare(reader: Reader, principal: Principal, domain: string): Promise<NewStack>;
  /** @throws ApiError `stack_limit`, `stack_exists` */
  create(tx: Tx, principal: Principal, wanted: NewStack, now: number): Promise<Stack>;
  /** @throws ApiError `not_found` */
  read(reader: Reader, accountId: string, id: string): Promise<Stack>;
  /** Newest first. @throws ApiError `invalid_cursor` */
  list(
    reader: Reader,
    accountId: string,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ stacks: Stack[]; nextCursor: string | null }>;
  /** Asks the DNS; writes nothing. */
  look(stack: Stack): Promise<DnsCheck>;
  /** Keeps what was found, and what follows from it. @throws ApiError `not_found`, `domain_unavailable` */
  settle(tx: Tx, accountId: string, id: string, check: DnsCheck, now: number): Promise<Stack>;
  /** @throws ApiError `not_found` */
  remove(tx: Tx, principal: Principal, id: string): Promise<void>;
}

export { countStacks };

/** The account that mail of a domain is for, null for a domain nobody here has verified. */
export const ownerOfDomain: (reader: Reader, domain: string) => Promise<string | null> = findHolder;

/** What signs mail that an account sends from its domain; null when it has not verified it. */
export async function dkimKeyOf(reader: Reader, accountId: string, domain: string): Promise<DkimKey | null> {
  if ((await findHolder(reader, domain)) !== accountId) return null;
  const stack = await findStackOfDomain(reader, accountId, domain);
  return stack && { domainName: domain, keySelector: stack.dkimSelector, privateKey: stack.dkimPrivateKey };
}

/** As it is told: three days without success are a failure, whether or not anybody looked. */
export const statusAt = ({ status, createdAt }: Stack, now: number): StackStatus =>
  status === 'provisioning' && now >= createdAt + PROVISIONING_MS ? 'failed' : status;

async function read(reader: Reader, accountId: string, id: string): Promise<Stack> {
  const stack = isId('stk', id) ? await findStack(reader, accountId, id) : null;
  if (!stack) throw new ApiError('not_found');
  return stack;
}

async function list(reader: Reader, accountId: string, cursor: string | undefined, limit: number) {
  const before = cursor === undefined ? BEYOND_ALL : String(decodeCursor(cursor, ['string'])?.[0]);
  if (!isId('stk', before)) throw new ApiError('invalid_cursor');
  const found = await listStacks(reader, accountId, before, limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
  return { stacks: rows, nextCursor };
}

/** What a check makes of a stack. The whole set makes it active; the loss of the ownership record alone undoes that. */
function judged(stack: Stack, { findings }: DnsCheck, now: number): StackStatus {
  if (PURPOSES.every((purpose) => findings[purpose].status === 'found')) return 'active';
  const isLost = ['missing', 'different'].includes(findings.ownership.status);
  if (stack.status === 'active') return isLost ? 'failed' : 'active';
  return statusAt(stack, now);
}

async function settle(tx: Tx, accountId: string, id: string, check: DnsCheck, now: number): Promise<Stack> {
  const stack = await read(tx, accountId, id);
  const status = judged(stack, check, now);
  const verifiedAt = status !== 'active' ? null : (stack.verifiedAt ?? now);
  const { findings, nameservers } = check;
  const next: Stack = { ...stack, status, findings, nameservers, checkedAt: now, verifiedAt };
  // First, for the lock: a stack that is being deleted must not take its domain with it.
  if (!(await saveCheck(tx, next))) throw new ApiError('not_found');
  if (status === 'active') {
    const taken = await takeDomain(tx, stack, check.tokens);
    if (taken === 'refused')
      throw new ApiError('domain_unavailable', {
        message: `Another account has verified ${stack.domain}; take its record off _signet.${stack.domain} first.`,
      });
    if (taken.loser !== null) await markFailed(tx, taken.loser);
  }
  if (status === 'failed') await releaseDomain(tx, stack);
  return next;
}

export interface StackDeps {
  limits: Limits;
  own(): OwnNames;
  lookup: DnsLookup;
}

export function createStackRules({ limits, own, lookup }: StackDeps): StackRules {
  /** Beside the number of stacks the number of records of one is limited. */
  function limitOf({ tier }: Principal): number {
    const { stacks, dns_records: records } = limits[tier];
    return records < PURPOSES.length ? 0 : stacks;
  }

  async function full(reader: Reader, { tier, quotaAccountId }: Principal): Promise<ApiError> {
    const { stacks, dns_records: records } = limits[tier];
    if (records < PURPOSES.length)
      return limitReached('dns_records', { used: PURPOSES.length, max: records }, { facts: { limit: 0 } });
    const used = await countStacks(reader, quotaAccountId);
    return limitReached('stacks', { used, max: stacks }, { facts: { limit: stacks } });
  }

  return {
    prepare: async (reader, principal, text) => {
      const domain = requireDomain(text, own());
      if ((await countStacks(reader, principal.quotaAccountId)) >= limitOf(principal))
        throw await full(reader, principal);
      const { privateKey, publicKey } = await makeDkimPair();
      const token = `signet-verification=${randomBase62(32)}`;
      return { domain, token, dkimPrivateKey: privateKey, dkimPublicKey: publicKey };
    },
    create: async (tx, principal, wanted, now) => {
      // A pod's count with its platform's: the tier is the platform's.
      if (!(await takeStackSlot(tx, principal.quotaAccountId, limitOf(principal)))) throw await full(tx, principal);
      const stack: Stack = {
        ...wanted,
        id: newId('stk', now),
        accountId: principal.accountId,
        status: 'provisioning',
        dkimSelector: SELECTOR,
        findings: null,
        nameservers: [],
        checkedAt: null,
        verifiedAt: null,
        createdAt: now,
      };
      if (await insertStack(tx, stack)) return stack;
      const { id } = (await findStackOfDomain(tx, principal.accountId, stack.domain)) ?? {};
      throw new ApiError('stack_exists', { facts: { id } });
    },
    read,
    list,
    look: (stack) => checkRecords(lookup, stack, own().mailDomain),
    settle,
    remove: async (tx, principal, id) => {
      const stack = await read(tx, principal.accountId, id);
      if (!(await deleteStack(tx, principal.accountId, id))) throw new ApiError('not_found');
      await releaseDomain(tx, stack);
      await returnStackSlot(tx, principal.quotaAccountId);
    },
  };
}

export { recordsOf };
