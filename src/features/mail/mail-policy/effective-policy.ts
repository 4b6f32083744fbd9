import type { Authority } from '../../../api/authority.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import type { Verdict } from '../../../mail/mime/screening-result.ts';
import { isFreeMail } from '../../../mail/screening/free-mail.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import { confirmedOperators } from '../../account/people/person.ts';
import type { SettingHistory } from '../../service/settings/setting-history.ts';
import { fieldsOf } from './mail-policy-lockdown.ts';
import {
  findPolicy,
  ownPolicies,
  policiesFor,
  policiesOf,
  savePolicy,
  saveSuspiciousRead,
} from './mail-policy-store.ts';
import {
  BY_PLATFORM,
  type Counter,
  type MailPolicy,
  OPEN_POLICY,
  type OutboundPolicy,
  type PolicyChange,
  type Sender,
  type StoredPolicy,
  WHOLE_ACCOUNT,
} from './mail-policy-table.ts';
import { comparable, listEntry, recipientListedIn } from './recipient-list.ts';

const merged = (policies: readonly PolicyChange[]): MailPolicy => ({
  inbound: Object.assign({}, OPEN_POLICY.inbound, ...policies.map(({ inbound }) => inbound)),
  outbound: Object.assign({}, OPEN_POLICY.outbound, ...policies.map(({ outbound }) => outbound)),
});

/** The policy of an address: what it sets itself, else what the account sets, else the default. */
export const policyFor = async (reader: Reader, accountId: string, address: string): Promise<MailPolicy> =>
  merged(await ownPolicies(reader, accountId, address));

/** A policy that judges a mail alone. */
export interface Layer {
  /** Whose policy it is, and whose contacts are known. */
  accountId: string;
  /** What is held by another account's policy is refused, because its operators may not read the mail. */
  setBy: 'account' | 'platform' | 'delegate';
  outbound: OutboundPolicy;
}

/**
 * The policies for what an address sends: its own, that of a pod's platform and what it set for the pod, and those of the
 * accounts that send by delegation; and how many recipients a day each may have. All hold: who claims more addresses, makes
 * more pods or acts for others must not get more recipients.
 */
export async function sendingPolicyFor(reader: Reader, from: Sender) {
  const policies = await policiesFor(reader, from);
  const isOwn = ({ accountId, address }: StoredPolicy) => accountId === from.accountId && address !== BY_PLATFORM;
  const maxOf = (counter: Counter, { outbound: { maxRecipientsPerDay: max = null } }: StoredPolicy) =>
    max === null ? [] : [{ counter, max }];
  const others = policies
    .filter((stored) => !isOwn(stored))
    .map((stored): Layer => ({ accountId: from.platformId, setBy: 'platform', outbound: merged([stored]).outbound }));
  for (const actor of from.actors ?? []) {
    const platformId = (await findAccount(reader, actor))?.parentId ?? actor;
    for (const stored of await policiesFor(reader, { accountId: actor, address: WHOLE_ACCOUNT, platformId }))
      others.push({
        accountId: stored.address === BY_PLATFORM ? platformId : stored.accountId,
        setBy: 'delegate',
        outbound: merged([stored]).outbound,
      });
  }
  const own: Layer = {
    accountId: from.accountId,
    setBy: 'account',
    outbound: merged(policies.filter(isOwn)).outbound,
  };
  return {
    own,
    others,
    // In one order, so that senders do not wait for each other in a circle.
    maxima: [
      ...policies.flatMap((stored) => (stored.accountId === from.accountId ? maxOf(stored.address, stored) : [])),
      ...policies.flatMap((stored) =>
        stored.accountId === from.accountId ? [] : maxOf({ platformId: from.platformId }, stored),
      ),
    ],
  };
}

/** More addresses than any account has. */
const POLICIES_MAX = 1000;

/** Whether an account, or one of its addresses, writes only to recipients on a list; and whether its platform wants it so. */
export async function isListedFor(reader: Reader, accountId: string): Promise<{ own: boolean; byPlatform: boolean }> {
  const listed = (await policiesOf(reader, accountId, POLICIES_MAX)).filter(({ outbound }) => outbound.to === 'list');
  const byPlatform = listed.some(({ address }) => address === BY_PLATFORM);
  return { own: listed.some(({ address }) => address !== BY_PLATFORM), byPlatform };
}

/** The entries of a list in their stored form, each once. @throws ApiError `invalid_request` naming the entry */
function entriesOf(texts: readonly string[], path: string): string[] {
  const entries = texts.map((text, i) => {
    const entry = listEntry(text);
    const message = `${JSON.stringify(text.slice(0, 100))} is no address, domain or *.domain.`;
    if (entry === null) throw invalidField(`${path}/${i}`, 'invalid_format', message);
    return entry;
  });
  return [...new Set(entries)];
}

/** One part of a change, with its lists in their stored form. */
function partOf<T extends { allow?: string[]; block?: string[] }>(part: T, path: string): T {
  const lists = (['allow', 'block'] as const).flatMap((list) => {
    const texts = part[list];
    return texts === undefined ? [] : [[list, entriesOf(texts, `${path}/${list}`)]];
  });
  return { ...part, ...Object.fromEntries(lists) };
}

/** What the platform of a pod set for it. */
export const outboundByPlatform = async (reader: Reader, accountId: string): Promise<PolicyChange['outbound']> =>
  (await findPolicy(reader, accountId, BY_PLATFORM))?.outbound ?? {};

/**
 * Sets fields of what a platform sets for its pod, without asking who may. Null: all are absent from now on.
 * @throws ApiError `invalid_request` for an entry of a list
 */
export async function setPlatformPolicy(
  tx: Tx,
  accountId: string,
  given: PolicyChange['outbound'] | null,
  now: number,
): Promise<void> {
  const before = await outboundByPlatform(tx, accountId);
  const outbound = given === null ? {} : { ...before, ...partOf(given, '/body/policy/outbound') };
  await savePolicy(tx, { accountId, address: BY_PLATFORM, inbound: {}, outbound, updatedAt: now });
}

const quarantines = ({ unauthenticated, suspicious, dangerous }: PolicyChange['inbound']): boolean =>
  [unauthenticated, suspicious, dangerous].includes('quarantine');

const asksOperators = ({ hold = 'never', secrets, otherwise }: PolicyChange['outbound']): boolean =>
  hold !== 'never' || secrets === 'hold' || otherwise === 'review';

export interface MailPolicyDeps {
  database: Reader;
  config: { mailDomain: string };
  addresses: Pick<AddressRules, 'requireOwned'>;
  /** @throws ApiError `operator_required` */
  requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
  authority: { of(reader: Reader, accountId: string): Promise<Authority> };
  settingHistory: SettingHistory;
}

/** Stores whom an account writes to and hears from. Only the authority of the account changes it. */
export class MailPolicyRules {
  readonly #deps: MailPolicyDeps;

  constructor(deps: MailPolicyDeps) {
    this.#deps = deps;
  }

  /**
   * Sets fields of the policy of an account, or of one of its addresses.
   * @param address null: of the account
   * @returns the whole policy after the change
   * @throws ApiError `operator_required`; `operator_email_required` when no operator could release what the policy
   *   keeps back; `invalid_request` for an entry of a list, and for a review that a pod asks for
   */
  async change(
    tx: Tx,
    principal: Principal,
    address: string | null,
    given: PolicyChange,
    now: number,
  ): Promise<MailPolicy> {
    const { accountId } = principal;
    await this.#deps.requireAddressAuthority(tx, principal);
    if (principal.parentId !== null && given.outbound.otherwise === 'review')
      throw invalidField('/body/outbound/otherwise', 'not_for_pods', 'A pod cannot have such mail reviewed.');
    const change = {
      inbound: partOf(given.inbound, '/body/inbound'),
      outbound: partOf(given.outbound, '/body/outbound'),
    };
    await this.#requireReleaser(tx, accountId, change);
    const key = address ?? WHOLE_ACCOUNT;
    const found = await ownPolicies(tx, accountId, key);
    const before = found.find((stored) => stored.address === key);
    const stored: StoredPolicy = {
      accountId,
      address: key,
      updatedAt: now,
      inbound: { ...before?.inbound, ...change.inbound },
      outbound: { ...before?.outbound, ...change.outbound },
    };
    await savePolicy(tx, stored);
    const fields = { before: fieldsOf(before), given: fieldsOf(change) };
    await this.#deps.settingHistory.note(tx, principal, { setting: 'mail_policy', target: key, ...fields }, now);
    return merged([...found.filter((other) => other !== before), stored]);
  }

  /**
   * Adds the domains of recipients to the list of whom an address may write to: where that list is set, else to the
   * account's.
   * @throws ApiError as {@link change}; `public_domain` where everyone can have an address
   */
  async allowDomains(tx: Tx, principal: Principal, address: string, recipients: readonly string[], now: number) {
    // The lock of a change, before the list is read that it adds to.
    await this.#deps.requireAddressAuthority(tx, principal);
    const stored = await ownPolicies(tx, principal.accountId, address);
    const { outbound } = merged(stored);
    const others = recipients.filter((recipient) => recipientListedIn(outbound, recipient) !== 'allow');
    const domains = others.map((recipient) => domainOf(comparable(recipient)));
    const isPublic = (domain: string): boolean => domain === this.#deps.config.mailDomain || isFreeMail(domain);
    const found = domains.find(isPublic);
    if (found !== undefined) throw new ApiError('public_domain', { fields: { domain: found } });
    const allow = [...new Set([...outbound.allow, ...domains])];
    if (allow.length === outbound.allow.length) return;
    const max = FIXED_LIMITS.mail_policy_entries.value;
    if (allow.length > max)
      throw invalidField('/body/remember', 'too_many_items', `\`allow\` has ${max} entries at most.`);
    const holder = stored.findLast((policy) => policy.outbound.allow !== undefined)?.address || null;
    await this.change(tx, principal, holder, { inbound: {}, outbound: { allow } }, now);
  }

  /**
   * Checks that the caller may see and release mail in quarantine: an operator, or where the account has the authority its
   * primary key or a session. @throws ApiError `operator_required`
   */
  async requireReleaser(reader: Reader, { accountId, operator }: Principal): Promise<void> {
    if (!operator && (await this.#deps.authority.of(reader, accountId)) === 'operator')
      throw new ApiError('operator_required');
  }

  /** Notes that an account was shown messages, if one of them is not clean. */
  async noteRead(
    database: Database,
    messages: readonly { accountId: string; safetyVerdict: Verdict | null }[],
    now: number,
  ): Promise<void> {
    const read = messages.find(({ safetyVerdict }) => safetyVerdict === 'suspicious' || safetyVerdict === 'dangerous');
    if (read) await database.transaction((tx) => saveSuspiciousRead(tx, { accountId: read.accountId, readAt: now }));
  }

  async #requireReleaser(tx: Tx, accountId: string, { inbound, outbound }: PolicyChange): Promise<void> {
    const byOperator = asksOperators(outbound);
    const byAuthority = quarantines(inbound) && (await this.#deps.authority.of(tx, accountId)) === 'operator';
    if (!byOperator && !byAuthority) return;
    if ((await confirmedOperators(tx, accountId)).length === 0) throw new ApiError('operator_email_required');
  }
}
