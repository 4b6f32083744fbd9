import { ApiError } from '../../../api/errors.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import { isId, newId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { Sealer } from '../../../base/sealing.ts';
import { randomBase62 } from '../../../base/secret.ts';
import type { DkimKey } from '../../../mail/smtp-out/dkim.ts';
import { makeDkimPair } from '../../../mail/smtp-out/dkim-key.ts';
import type { DnsLookup } from '../../../mail/smtp-out/dns-lookup.ts';
import { checkRecords, type DnsCheck } from './dns-records.ts';
import { type OwnNames, requireDomain } from './domain.ts';
import {
  deleteStack,
  findHolder,
  findStack,
  findStackOfDomain,
  insertStack,
  listStacks,
  markFailed,
  releaseDomain,
  saveCheck,
  stackSlots,
  takeDomain,
} from './stack-store.ts';
import { PURPOSES, STACK_DKIM_KEY, type Stack, type StackStatus } from './stack-table.ts';

/** A domain that is not verified within this time counts as failed. It can still be verified later. */
const PROVISIONING_MS = 3 * DAY_MS;
const SELECTOR = 'signet';

/** A valid domain with its new token and key pair, not stored yet. */
export type NewStack = Pick<Stack, 'domain' | 'token' | 'dkimPublicKey'> & {
  /** PEM. */
  privateKey: string;
};

/** How many stacks count against the limit of a platform. */
export const countStacks = stackSlots.used;

/** The account that receives mail of a domain, or null when no account here has verified it. */
export const ownerOfDomain: (reader: Reader, domain: string) => Promise<string | null> = findHolder;

/** The key that signs mail from an account's domain, or null when the account has not verified it. */
export async function dkimKeyOf(
  reader: Reader,
  sealer: Sealer,
  accountId: string,
  domain: string,
): Promise<DkimKey | null> {
  if ((await findHolder(reader, domain)) !== accountId) return null;
  const stack = await findStackOfDomain(reader, accountId, domain);
  if (!stack) return null;
  const privateKey = sealer.open(STACK_DKIM_KEY, stack.id, stack.dkimPrivateKey);
  return { domainName: domain, keySelector: stack.dkimSelector, privateKey };
}

/** The status at `now`: a stack fails after three days without success, even when it was never checked. */
export const statusAt = ({ status, createdAt }: Stack, now: number): StackStatus =>
  status === 'provisioning' && now >= createdAt + PROVISIONING_MS ? 'failed' : status;

/** The status after a check. A complete set of records activates a stack; only a lost ownership record undoes that. */
function statusAfter(stack: Stack, { findings }: DnsCheck, now: number): StackStatus {
  if (PURPOSES.every((purpose) => findings[purpose].status === 'found')) return 'active';
  const isLost = ['missing', 'different'].includes(findings.ownership.status);
  if (stack.status === 'active') return isLost ? 'failed' : 'active';
  return statusAt(stack, now);
}

/** How many stacks the tier allows: none where it allows fewer DNS records than a domain needs. */
const stacksAllowed = ({ limits }: Principal): number => (limits.dns_records < PURPOSES.length ? 0 : limits.stacks);

async function stackLimitReached(reader: Reader, { limits, quotaAccountId }: Principal): Promise<ApiError> {
  const { stacks, dns_records: records } = limits;
  if (records < PURPOSES.length)
    return limitReached('dns_records', { used: PURPOSES.length, max: records }, { fields: { limit: 0 } });
  const used = await stackSlots.used(reader, quotaAccountId);
  return limitReached('stacks', { used, max: stacks }, { fields: { limit: stacks } });
}

/** What stacks need. Each part takes what it uses of this. */
export interface StackDeps {
  database: Reader;
  gate: Gate;
  own(): OwnNames;
  lookup: DnsLookup;
  sealer: Sealer;
}

export class StackRules {
  readonly #deps: StackDeps;

  constructor(deps: StackDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a domain and makes its key pair. This is slow, so call it before opening a transaction.
   * @throws ApiError `invalid_domain`, `stack_limit`
   */
  async prepare(principal: Principal, text: string): Promise<NewStack> {
    const { database, own } = this.#deps;
    const domain = requireDomain(text, own());
    if ((await stackSlots.used(database, principal.quotaAccountId)) >= stacksAllowed(principal))
      throw await stackLimitReached(database, principal);
    const { privateKey, publicKey } = await makeDkimPair();
    const token = `signet-verification=${randomBase62(32)}`;
    return { domain, token, privateKey, dkimPublicKey: publicKey };
  }

  /** @throws ApiError `stack_limit`, `stack_exists` */
  async create(tx: Tx, principal: Principal, wanted: NewStack, now: number): Promise<Stack> {
    // A pod's stacks count against its platform's limit, because the tier is the platform's.
    if (!(await stackSlots.take(tx, principal.quotaAccountId, stacksAllowed(principal))))
      throw await stackLimitReached(tx, principal);
    const id = newId('stk', now);
    const { privateKey, ...named } = wanted;
    const stack: Stack = {
      ...named,
      id,
      dkimPrivateKey: this.#deps.sealer.seal(STACK_DKIM_KEY, id, privateKey),
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
    const known = await findStackOfDomain(tx, principal.accountId, stack.domain);
    throw new ApiError('stack_exists', { fields: { id: known?.id } });
  }

  /** @throws ApiError `not_found` */
  async read(reader: Reader, accountId: string, id: string): Promise<Stack> {
    const stack = isId('stk', id) ? await findStack(reader, accountId, id) : null;
    if (!stack) throw new ApiError('not_found');
    return stack;
  }

  /** Lists stacks, newest first. @throws ApiError `invalid_cursor` */
  list(accountId: string, page: { cursor: string | undefined; limit: number }): Promise<Page<Stack>> {
    return newestFirst(
      'stk',
      page,
      (before, many) => listStacks(this.#deps.database, { accountId }, { id: before }, many),
      ({ id }) => id,
    );
  }

  /** Queries the DNS. Stores nothing. */
  checkDns(stack: Stack): Promise<DnsCheck> {
    return checkRecords(this.#deps.lookup, stack, this.#deps.own());
  }

  /** Stores the result of a check and updates the status. @throws ApiError `not_found`, `domain_unavailable` */
  async applyCheck(tx: Tx, accountId: string, id: string, check: DnsCheck, now: number): Promise<Stack> {
    const stack = await this.read(tx, accountId, id);
    const status = statusAfter(stack, check, now);
    const verifiedAt = status !== 'active' ? null : (stack.verifiedAt ?? now);
    const { findings, nameservers } = check;
    const next: Stack = { ...stack, status, findings, nameservers, checkedAt: now, verifiedAt };
    // First, for the lock: a stack that is being deleted must not take its domain with it.
    if (!(await saveCheck(tx, next))) throw new ApiError('not_found');
    if (status === 'active') {
      const taken = await takeDomain(tx, stack, check.tokens);
      if (taken === 'refused')
        throw new ApiError('domain_unavailable', {
          message: `Another account has verified ${stack.domain}. Remove its record from _signet.${stack.domain} first.`,
        });
      if (taken.loser !== null) await markFailed(tx, taken.loser);
    }
    if (status === 'failed') await releaseDomain(tx, stack);
    return next;
  }

  /** @throws ApiError `not_found` */
  async remove(tx: Tx, principal: Principal, id: string): Promise<void> {
    const stack = await this.read(tx, principal.accountId, id);
    if (!(await deleteStack(tx, principal.accountId, id))) throw new ApiError('not_found');
    await releaseDomain(tx, stack);
    await stackSlots.giveBack(tx, principal.quotaAccountId);
  }
}
