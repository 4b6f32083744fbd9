import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { Verdict } from '../../kernel/findings.ts';
import type { Principal } from '../../kernel/principal.ts';
import { requireWhole } from '../../kernel/scopes.ts';
import type { Database, Reader, Tx } from '../../kernel/transaction.ts';
import { confirmedOperators } from '../people/person-rules.ts';
import type { SettingHistory } from '../settings/setting-history-rules.ts';
import { judge, mayReject } from './inbound-policy.ts';
import {
  type MailPolicy,
  OPEN_POLICY,
  type PolicyChange,
  type StoredPolicy,
  WHOLE_ACCOUNT,
} from './mail-policy-data.ts';
import { policiesFor, policiesOf, savePolicy, saveSuspiciousRead } from './mail-policy-store.ts';
import { listEntry } from './recipient-policy.ts';
import { fieldsOf } from './secure-policy-rules.ts';

export { judge, mayReject };

const merged = (policies: readonly PolicyChange[]): MailPolicy => ({
  inbound: Object.assign({}, OPEN_POLICY.inbound, ...policies.map(({ inbound }) => inbound)),
  outbound: Object.assign({}, OPEN_POLICY.outbound, ...policies.map(({ outbound }) => outbound)),
});

/** The policy of an address: what it sets itself, else what the account sets, else the default. */
export const policyFor = async (reader: Reader, accountId: string, address: string): Promise<MailPolicy> =>
  merged(await policiesFor(reader, accountId, address));

/**
 * The policy for what an address sends, and how many recipients a day the account (empty address) and the address may
 * have. Both hold: who claims more addresses must not get more recipients.
 */
export async function sendingPolicyFor(reader: Reader, from: { accountId: string; address: string }) {
  const policies = await policiesFor(reader, from.accountId, from.address);
  const maxima = policies.flatMap(({ address, outbound: { maxRecipientsPerDay: max = null } }) =>
    max === null ? [] : [{ address, max }],
  );
  return { outbound: merged(policies).outbound, maxima };
}

/** More addresses than any account has. */
const POLICIES_MAX = 1000;

/** Whether the account, or one of its addresses, writes only to recipients on a list. */
async function isOutboundListed(reader: Reader, accountId: string): Promise<boolean> {
  return (await policiesOf(reader, accountId, POLICIES_MAX)).some(({ outbound }) => outbound.to === 'list');
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

const quarantines = ({ unauthenticated, suspicious, dangerous }: PolicyChange['inbound']): boolean =>
  [unauthenticated, suspicious, dangerous].includes('quarantine');

const asksOperators = ({ hold = 'never', secrets }: PolicyChange['outbound']): boolean =>
  hold !== 'never' || secrets === 'hold';

export interface MailPolicyDeps {
  /** @throws ApiError `operator_required` */
  requireAuthority(tx: Tx, principal: Principal): Promise<void>;
  authorityOf(reader: Reader, accountId: string): Promise<'account' | 'operator'>;
  history: Pick<SettingHistory, 'note'>;
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
   * @throws ApiError `operator_required`; `operator_email_required` when nobody could release what the policy keeps
   *   back; `invalid_request` for an entry of a list
   */
  async change(
    tx: Tx,
    principal: Principal,
    address: string | null,
    given: PolicyChange,
    now: number,
  ): Promise<MailPolicy> {
    const { accountId } = principal;
    await this.#deps.requireAuthority(tx, principal);
    const change = {
      inbound: partOf(given.inbound, '/body/inbound'),
      outbound: partOf(given.outbound, '/body/outbound'),
    };
    await this.#requireReleaser(tx, accountId, change);
    const key = address ?? WHOLE_ACCOUNT;
    const found = await policiesFor(tx, accountId, key);
    const before = found.find((stored) => stored.address === key);
    const stored: StoredPolicy = {
      ...{ accountId, address: key, updatedAt: now },
      inbound: { ...before?.inbound, ...change.inbound },
      outbound: { ...before?.outbound, ...change.outbound },
    };
    await savePolicy(tx, stored);
    const fields = { before: fieldsOf(before), given: fieldsOf(change) };
    await this.#deps.history.note(tx, principal, { setting: 'mail_policy', target: key, ...fields }, now);
    return merged([...found.filter((other) => other !== before), stored]);
  }

  /**
   * Checks that the caller may open another way out of the account, while it writes only to recipients on a list.
   * @throws ApiError `operator_required`, or `insufficient_scope` for a named key or access token
   */
  async requireWayOut(tx: Tx, principal: Principal): Promise<void> {
    if (!(await isOutboundListed(tx, principal.accountId))) return;
    requireWhole(principal, 'account:manage');
    await this.#deps.requireAuthority(tx, principal);
  }

  /**
   * Checks that the caller may see and release mail in quarantine: an operator, or where the account has the authority its
   * primary key or a session. @throws ApiError `operator_required`
   */
  async requireReleaser(reader: Reader, { accountId, operator }: Principal): Promise<void> {
    if (!operator && (await this.#deps.authorityOf(reader, accountId)) === 'operator')
      throw new ApiError('operator_required');
  }

  /** Notes that an account was shown messages, if one of them is not clean. */
  async noteRead(
    database: Database,
    messages: readonly { accountId: string; safetyVerdict: Verdict | null }[],
    now: number,
  ): Promise<void> {
    const read = messages.find(({ safetyVerdict }) => safetyVerdict === 'suspicious' || safetyVerdict === 'dangerous');
    if (read) await database.transaction((tx) => saveSuspiciousRead(tx, read.accountId, now));
  }

  async #requireReleaser(tx: Tx, accountId: string, { inbound, outbound }: PolicyChange): Promise<void> {
    const byOperator = asksOperators(outbound);
    const byAuthority = quarantines(inbound) && (await this.#deps.authorityOf(tx, accountId)) === 'operator';
    if (!byOperator && !byAuthority) return;
    if ((await confirmedOperators(tx, accountId)).length === 0) throw new ApiError('operator_email_required');
  }
}
