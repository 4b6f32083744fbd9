import { ApiError } from '../../../api/errors.ts';
import { windowRule } from '../../../api/limits.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import type { ActingPerson, Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import { askerOf } from '../../account/addresses/address-asker.ts';
import { actingOperator, isOperator } from '../../account/people/person.ts';
import { takeNetworkWindow, takeWindow } from '../../service/limits/rate-window.ts';
import { findLink } from '../../service/mailer/mailed-link.ts';
import { requireBeyondMail, requireLoginMethod } from '../../service/settings/operator-settings.ts';
import { sealCredential } from './device-seal.ts';
import { denialReason, type SecretRequestDeps } from './secret-request.ts';
import { countWrongCode, type Decision, findByUserCode, resolveRequest, setViewed } from './secret-request-store.ts';
import { CREDENTIAL_VALUE, type CredentialRequest, type ResolvedBy } from './secret-request-table.ts';

/** What an operator sends as proof. */
export type ProofInput = { token: string } | SessionProof;

/** A session, and the account that it acts for. Undefined: its own. */
interface SessionProof {
  session: string;
  account: string | undefined;
}

/** Who is proven, and for what: a mailed link for one request, a session for all of its account and its pods. */
export interface Proof {
  operatorId: string;
  /** Null: any of the operator's. */
  requestId: string | null;
  by: ResolvedBy;
  /** The address that the link was mailed to; null for a session. */
  mailedTo: string | null;
  /** The operator whom it proves. */
  person: ActingPerson;
  /** The session; null for a mailed link. */
  principal: Principal | null;
}

/** What the operator decides. */
export interface DecisionInput {
  approve: boolean;
  credentialValue: string | null;
  sealedValue: string | null;
  /** Where to keep it; null: where the agent said. */
  vaultKey: string | null;
}

type Result = Pick<Decision, 'status' | 'vaultKey'>;

/** The operator's side: proves the operator, shows a request and decides it. */
export class DecisionRules {
  readonly #deps: SecretRequestDeps;

  constructor(deps: SecretRequestDeps) {
    this.#deps = deps;
  }

  /** Queues a link for the operator of the request with this code. The work is the same for an unknown code. */
  async requestLink(tx: Tx, codeHash: string, networks: ClientNetworks, now: number): Promise<void> {
    const { limits, enqueueJob } = this.#deps;
    const perHour = [windowRule(limits, 'credential_links_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'credential-link-from', networks, perHour, now);
    const perLife = {
      name: 'credential_links_per_code',
      limit: FIXED_LIMITS.credential_links_per_code.value,
      windowMs: limits.credential_ttl_seconds * 1000,
    } as const;
    await takeWindow(tx, `credential-link:${codeHash}`, [perLife], now);
    await enqueueJob(tx, { kind: 'mail.credential', payload: { codeHash }, runAt: now });
  }

  /** @throws ApiError `invalid_token`, `operator_required`, `account_suspended` */
  prove(reader: Reader, input: ProofInput, now: number): Promise<Proof> {
    return 'token' in input ? proveByLink(reader, input.token, now) : this.#proveBySession(input, now);
  }

  /**
   * Finds the request of a code.
   * @throws ApiError `already_resolved`, `expired`
   * @returns null when the proof does not cover the request
   */
  async match(reader: Reader, proof: Proof, codeHash: string, now: number): Promise<CredentialRequest | null> {
    const { operatorId, requestId } = proof;
    const request = await findByUserCode(reader, codeHash);
    if (request?.operatorId !== operatorId || (requestId !== null && request.id !== requestId)) return null;
    if (request.status !== 'pending') {
      const isEnded = request.resolvedBy === 'wrong_codes';
      const reason = isEnded ? { message: 'This request ended after too many wrong codes.' } : {};
      throw new ApiError('already_resolved', reason);
    }
    if (request.expiresAt <= now) throw new ApiError('expired');
    return request;
  }

  /** Counts a wrong code for every request that the proof covers. Denies those with too many. */
  async countWrong(tx: Tx, { operatorId, requestId }: Proof, now: number): Promise<void> {
    const of = requestId === null ? { operatorId } : { requestId };
    const by = 'wrong_codes';
    for (const request of await countWrongCode(tx, of, now)) {
      if (request.wrongCodes < this.#deps.limits.credential_wrong_codes) continue;
      const { vaultKey, expiresAt } = request;
      await this.#resolve(tx, request, { status: 'denied', sealedValue: null, vaultKey, by, now, expiresAt });
    }
  }

  /** Who asks, and since when it is there. */
  async describe(reader: Reader, { id, accountId }: CredentialRequest) {
    const account = await findAccount(reader, accountId);
    if (!account) throw new Error(`request ${id} has no account`);
    return { agent: await askerOf(reader, accountId), registeredAt: account.createdAt };
  }

  async recordView(tx: Tx, { id }: CredentialRequest, now: number): Promise<void> {
    await setViewed(tx, { id, viewedAt: now });
  }

  /** @throws ApiError `passkey_required`, `already_resolved`, `sealed_value_required`, `credential_value_required` */
  async decide(tx: Tx, proof: Proof, request: CredentialRequest, input: DecisionInput, now: number): Promise<Result> {
    const { by, mailedTo, principal } = proof;
    if (mailedTo !== null) await requireBeyondMail(tx, mailedTo);
    if (principal) await requireLoginMethod(tx, principal);
    const { approve } = input;
    const status = approve ? 'approved' : 'denied';
    const vaultKey = (approve ? input.vaultKey : null) ?? request.vaultKey;
    const { limits, sealer } = this.#deps;
    const sealedValue = approve ? sealer.seal(CREDENTIAL_VALUE, request.id, sealedValueOf(request, input)) : null;
    const expiresAt = approve ? now + limits.credential_ttl_seconds * 1000 : request.expiresAt;
    if (!(await this.#resolve(tx, request, { status, sealedValue, vaultKey, by, now, expiresAt })))
      throw new ApiError('already_resolved');
    return { status, vaultKey };
  }

  async #proveBySession({ session, account }: SessionProof, now: number): Promise<Proof> {
    const principal = await this.#deps.credentials.authenticate(session, now, { account });
    if (principal?.credential !== 'session')
      throw new ApiError('invalid_token', { message: 'The session is unknown or has ended. Log in again.' });
    const { accountId: operatorId, operator, person } = principal;
    if (!operator || person === null) throw new ApiError('operator_required');
    const proof = { by: 'session', mailedTo: null, person: actingOperator(person), principal } as const;
    return { operatorId, requestId: null, ...proof };
  }

  /** Stores a decision and appends its event. @returns false when the request was decided before or has expired */
  async #resolve(tx: Tx, { id, accountId }: CredentialRequest, decision: Decision): Promise<boolean> {
    if (!(await resolveRequest(tx, id, decision))) return false;
    const { status, by, vaultKey, now } = decision;
    const data = { request_id: id, status, reason: denialReason(by), vault_key: vaultKey };
    await this.#deps.appendEvent(tx, { accountId, type: 'credential.resolved', data, now });
    return true;
  }
}

async function proveByLink(reader: Reader, token: string, now: number): Promise<Proof> {
  const link = await findLink(reader, 'credential', token, now);
  const operator = link && (await findAccount(reader, link.accountId));
  // A link to a former operator's address proves nothing.
  if (!link || operator?.status !== 'active' || !(await isOperator(reader, operator.id, link.email)))
    throw new ApiError('invalid_token');
  const proof = { by: 'mail_link', mailedTo: link.email, person: actingOperator(link.email), principal: null } as const;
  return { operatorId: operator.id, requestId: link.subject, ...proof };
}

/** Returns the value to keep: always sealed to the agent, so that the service cannot read it on its own. */
function sealedValueOf(request: CredentialRequest, { credentialValue, sealedValue }: DecisionInput): string {
  if (request.ownKey) {
    if (sealedValue === null || credentialValue !== null) throw new ApiError('sealed_value_required');
    return sealedValue;
  }
  if (credentialValue === null || sealedValue !== null) throw new ApiError('credential_value_required');
  return sealCredential(request.publicKey, request.id, credentialValue);
}
