import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { FIXED_LIMITS, type Limits, windowRule } from '../../kernel/limits.ts';
import type { Principal } from '../../kernel/principal.ts';
import { hashSecret } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { type Account, findAccount } from '../accounts/account-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import { findLink } from './link-store.ts';
import { denialReason } from './request-rules.ts';
import {
  type CredentialRequest,
  countWrongCode,
  findByUserCode,
  type ResolvedBy,
  resolveRequest,
  setViewed,
} from './request-store.ts';
import { sealCredential } from './seal-rules.ts';

/** What an operator shows to be one. */
export type Shown = { token: string } | { session: string };

/** Who is proven, and for what: a mailed link for one request, a session for all of its account and its pods. */
export interface Proof {
  operatorId: string;
  /** Null: any of the operator's. */
  requestId: string | null;
  by: ResolvedBy;
  /** The session; null for a mailed link. */
  principal: Principal | null;
}

/** A request as the operator is shown it. */
export interface AskedCredential {
  request: CredentialRequest;
  agent: Account;
  /** The agent's first address; null when it has none. */
  address: string | null;
}

export interface DecisionRules {
  /** Has a link mailed to the operator of the request with this code, if there is one; does the same work if not. */
  requestLink(tx: Tx, codeHash: string, network: string, now: number): Promise<void>;
  /** @throws ApiError `invalid_token`, `operator_required`, `account_suspended` */
  prove(reader: Reader, shown: Shown, now: number): Promise<Proof>;
  /**
   * The request of the code if the proof covers it, else null.
   * @throws ApiError `already_resolved`, `expired`
   */
  match(reader: Reader, proof: Proof, codeHash: string, now: number): Promise<CredentialRequest | null>;
  /** Counts a wrong code against every request that could have been meant; ends those that had too many. */
  countWrong(tx: Tx, proof: Proof, now: number): Promise<void>;
  describe(reader: Reader, request: CredentialRequest): Promise<AskedCredential>;
  recordView(tx: Tx, request: CredentialRequest, now: number): Promise<void>;
  /** @throws ApiError `already_resolved`, `sealed_value_required`, `credential_value_required` */
  decide(tx: Tx, proof: Proof, request: CredentialRequest, answer: Answer, now: number): Promise<Decided>;
}

export interface Answer {
  approve: boolean;
  credentialValue: string | null;
  sealedValue: string | null;
  /** Where to keep it, if not where the agent said. */
  vaultKey: string | null;
}

export interface Decided {
  status: 'approved' | 'denied';
  vaultKey: string | null;
}

export interface DecisionDeps {
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  /** Who a session belongs to, or null. */
  authenticate(token: string, now: number): Promise<Principal | null>;
  firstAddress(reader: Reader, accountId: string): Promise<string | null>;
}

export function createDecisionRules(deps: DecisionDeps): DecisionRules {
  const { limits, appendEvent, enqueueJob, authenticate, firstAddress } = deps;

  async function proveByLink(reader: Reader, token: string, now: number): Promise<Proof> {
    const hash = hashSecret(token);
    const link = await findLink(reader, hash, now);
    const operator = link && (await findAccount(reader, link.operatorId));
    // A link that was mailed to an operator of before proves nothing any more.
    if (!link || operator?.operatorEmail !== link.email || operator.status !== 'active')
      throw new ApiError('invalid_token');
    return { operatorId: operator.id, requestId: link.requestId, by: 'mail_link', principal: null };
  }

  async function proveBySession(session: string, now: number): Promise<Proof> {
    const principal = await authenticate(session, now);
    if (principal?.credential !== 'session')
      throw new ApiError('invalid_token', { message: 'The session is unknown or has ended. Log in again.' });
    if (!principal.operator) throw new ApiError('operator_required');
    return { operatorId: principal.accountId, requestId: null, by: 'session', principal };
  }

  /** What is kept: never anything that the service could read by itself. */
  function sealedAnswer(request: CredentialRequest, { credentialValue, sealedValue }: Answer): string {
    if (request.ownKey) {
      if (sealedValue === null || credentialValue !== null) throw new ApiError('sealed_value_required');
      return sealedValue;
    }
    if (credentialValue === null || sealedValue !== null) throw new ApiError('credential_value_required');
    return sealCredential(request.publicKey, request.id, credentialValue);
  }

  async function resolved(
    tx: Tx,
    request: CredentialRequest,
    status: 'approved' | 'denied',
    by: ResolvedBy,
    now: number,
  ) {
    const { id, accountId, vaultKey } = request;
    const data = { request_id: id, status, reason: denialReason(by), vault_key: vaultKey };
    await appendEvent(tx, { accountId, type: 'credential.resolved', data, now });
  }

  return {
    async requestLink(tx, codeHash, network, now) {
      const perHour = [windowRule(limits, 'credential_links_per_ip_per_hour')];
      await takeWindow(tx, `credential-link-from:${network}`, perHour, now);
      const perLife = {
        name: 'credential_links_per_code',
        limit: FIXED_LIMITS.credential_links_per_code.value,
        windowMs: limits.credential_ttl_seconds * 1000,
      } as const;
      await takeWindow(tx, `credential-link:${codeHash}`, [perLife], now);
      await enqueueJob(tx, { kind: 'mail.credential', payload: { codeHash }, runAt: now });
    },

    prove: (reader, shown, now) =>
      'token' in shown ? proveByLink(reader, shown.token, now) : proveBySession(shown.session, now),

    async match(reader, { operatorId, requestId }, codeHash, now) {
      const request = await findByUserCode(reader, codeHash);
      if (request?.operatorId !== operatorId || (requestId !== null && request.id !== requestId)) return null;
      if (request.status !== 'pending') {
        const isEnded = request.resolvedBy === 'wrong_codes';
        throw new ApiError(
          'already_resolved',
          isEnded ? { message: 'This request ended after too many wrong codes.' } : {},
        );
      }
      if (request.expiresAt <= now) throw new ApiError('expired');
      return request;
    },

    async countWrong(tx, { operatorId, requestId }, now) {
      const of = requestId === null ? { operatorId } : { requestId };
      for (const { request, wrongCodes } of await countWrongCode(tx, of, now)) {
        if (wrongCodes < limits.credential_wrong_codes) continue;
        const { id, vaultKey, expiresAt } = request;
        const by = 'wrong_codes';
        if (await resolveRequest(tx, id, { status: 'denied', sealedValue: null, vaultKey, by, now, expiresAt }))
          await resolved(tx, request, 'denied', by, now);
      }
    },

    async describe(reader, request) {
      const agent = await findAccount(reader, request.accountId);
      if (!agent) throw new Error(`request ${request.id} has no account`);
      return { request, agent, address: await firstAddress(reader, request.accountId) };
    },

    recordView: (tx, { id }, now) => setViewed(tx, id, now),

    async decide(tx, { by }, request, answer, now) {
      const { approve } = answer;
      const status = approve ? 'approved' : 'denied';
      const vaultKey = (approve ? answer.vaultKey : null) ?? request.vaultKey;
      const sealedValue = approve ? sealedAnswer(request, answer) : null;
      const expiresAt = approve ? now + limits.credential_ttl_seconds * 1000 : request.expiresAt;
      const done = await resolveRequest(tx, request.id, { status, sealedValue, vaultKey, by, now, expiresAt });
      if (!done) throw new ApiError('already_resolved');
      await resolved(tx, { ...request, vaultKey }, status, by, now);
      return { status, vaultKey };
    },
  };
}
