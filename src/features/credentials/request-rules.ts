import { iso } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Limits } from '../../kernel/limits.ts';
import { DAY_MS, secondsUntil } from '../../kernel/period.ts';
import type { Principal } from '../../kernel/principal.ts';
import { hashSecret, mintToken } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { findAccount, lockAccounts } from '../accounts/account-rules.ts';
import { purgeLinks } from './link-store.ts';
import {
  type CredentialRequest,
  findByDevice,
  insertRequest,
  openExpiries,
  purgeRequests,
  type ResolvedBy,
  takeValue,
} from './request-store.ts';
import { devicePublicKey, openCredential } from './seal-rules.ts';
import { mintUserCode, userCodeHash } from './user-code-rules.ts';

const DEVICE_PREFIX = 'device_';

export interface Wish {
  description: string;
  vaultKey: string | null;
  /** X25519, base64url; null: the service makes one from the device code. */
  publicKey: string | null;
}

export interface OpenedRequest {
  id: string;
  /** These two are shown once. */
  deviceCode: string;
  userCode: string;
  expiresAt: number;
}

/** What a poll finds. */
export type Standing =
  | { state: 'pending' | 'expired' | 'collectable'; request: CredentialRequest }
  | { state: 'denied'; request: CredentialRequest; reason: 'operator' | 'wrong_codes' };

export interface RequestRules {
  /** @throws ApiError `operator_email_required`, `credential_limit` */
  open(tx: Tx, principal: Principal, wish: Wish, now: number): Promise<OpenedRequest>;
  /** @throws ApiError `not_found`, alike for a code that nobody has and for another account's */
  standing(reader: Reader, accountId: string, deviceCode: string, now: number): Promise<Standing>;
  /** Hands the value out, once; null when another poll had it. */
  collect(tx: Tx, request: CredentialRequest, deviceCode: string, now: number): Promise<Collected | null>;
}

export type Collected = { sealedValue: string } | { credentialValue: string };

/** Why a request was denied. */
export const denialReason = (by: ResolvedBy | null): 'operator' | 'wrong_codes' =>
  by === 'wrong_codes' ? 'wrong_codes' : 'operator';

export function createRequestRules(limits: Limits, appendEvent: AppendEvent<Tx>): RequestRules {
  async function requireRoom(tx: Tx, accountId: string, now: number): Promise<void> {
    // Two that ask at once must not both see the last place free.
    await lockAccounts(tx, [accountId]);
    const open = await openExpiries(tx, accountId, now, limits.credential_requests + 1);
    if (open.length < limits.credential_requests) return;
    throw limitReached(
      'credential_requests',
      { used: open.length, max: limits.credential_requests },
      { headers: { 'retry-after': String(secondsUntil(open[0] ?? now, now)) } },
    );
  }

  /** The account whose operator decides. */
  async function operatorOf({ accountId, parentId }: Principal, tx: Tx): Promise<string> {
    const operatorId = parentId ?? accountId;
    const operator = await findAccount(tx, operatorId);
    if (operator?.operatorEmail) return operatorId;
    const who = parentId === null ? 'This account' : 'The platform of this pod';
    throw new ApiError('operator_email_required', {
      message: `${who} has no operator, so nobody could be asked. Name one with POST /v1/account/operator-email, then ask again.`,
    });
  }

  return {
    async open(tx, principal, { description, vaultKey, publicKey }, now) {
      const { accountId } = principal;
      const operatorId = await operatorOf(principal, tx);
      await requireRoom(tx, accountId, now);
      const id = newId('crd', now);
      const deviceCode = mintToken(DEVICE_PREFIX);
      const expiresAt = now + limits.credential_ttl_seconds * 1000;
      const request = {
        id,
        accountId,
        operatorId,
        deviceHash: hashSecret(deviceCode),
        publicKey: publicKey ?? devicePublicKey(deviceCode),
        ownKey: publicKey !== null,
        description,
        vaultKey,
        createdAt: now,
        expiresAt,
      };
      let userCode = mintUserCode();
      while (!(await insertRequest(tx, { ...request, userCodeHash: userCodeHash(userCode) })))
        userCode = mintUserCode();
      const data = { request_id: id, description, vault_key: vaultKey, expires_at: iso(expiresAt) };
      await appendEvent(tx, { accountId, type: 'credential.requested', data, now });
      return { id, deviceCode, userCode, expiresAt };
    },

    async standing(reader, accountId, deviceCode, now) {
      const request = await findByDevice(reader, hashSecret(deviceCode));
      if (request?.accountId !== accountId)
        throw new ApiError('not_found', { message: 'No request of this account has that device code.' });
      if (request.status === 'denied') return { state: 'denied', request, reason: denialReason(request.resolvedBy) };
      if (request.status === 'delivered' || request.expiresAt <= now) return { state: 'expired', request };
      return { state: request.status === 'approved' ? 'collectable' : 'pending', request };
    },

    async collect(tx, { id, ownKey }, deviceCode, now) {
      const sealed = await takeValue(tx, id, now);
      if (sealed === null) return null;
      return ownKey ? { sealedValue: sealed } : { credentialValue: openCredential(deviceCode, id, sealed) };
    },
  };
}

/** Forgets values that were not collected, and a day later the requests themselves, with their links. */
export async function purgeCredentials(tx: Tx, now: number): Promise<void> {
  await purgeLinks(tx, now);
  await purgeRequests(tx, now, now - DAY_MS);
}
