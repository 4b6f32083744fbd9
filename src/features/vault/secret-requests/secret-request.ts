import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { iso } from '../../../base/clock.ts';
import { newId } from '../../../base/ids.ts';
import { DAY_MS, secondsUntil } from '../../../base/period.ts';
import type { Sealer } from '../../../base/sealing.ts';
import { hashSecret, mintToken } from '../../../base/secret.ts';
import { lockAccounts } from '../../account/accounts/account-lifecycle.ts';
import { parsePublicKey } from '../../account/e2e/mail-sealer.ts';
import { mintUserCode, userCodeHash } from '../../account/grants/device/user-code.ts';
import { confirmedOperators } from '../../account/people/person.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { devicePublicKey, openCredential } from './device-seal.ts';
import {
  findByDevice,
  insertRequest,
  openExpiries,
  purgeRequests,
  setTold,
  takeValue,
} from './secret-request-store.ts';
import { CREDENTIAL_VALUE, type CredentialRequest, type ResolvedBy } from './secret-request-table.ts';

export { parsePublicKey, userCodeHash };

const DEVICE_PREFIX = 'device_';

/** What requests for a credential need. Each part takes what it uses of this. */
export interface SecretRequestDeps {
  database: Database;
  limits: Limits;
  sealer: Sealer;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  credentials: Pick<Credentials, 'authenticate' | 'confirm'>;
  mailer: LinkMailer;
  baseUrl(): string;
  networksOf(ip: string): ClientNetworks;
}

/** What an agent asks for. */
export interface RequestInput {
  description: string;
  vaultKey: string | null;
  /** X25519, base64url; null: the service derives a key from the device code. */
  publicKey: string | null;
}

export interface OpenedRequest {
  id: string;
  /** Shown once, as is `userCode`. */
  deviceCode: string;
  userCode: string;
  expiresAt: number;
}

/** What a poll finds. A `ready` value waits to be collected. */
export type PollState =
  | { state: 'pending' | 'expired' | 'ready'; request: CredentialRequest }
  | { state: 'denied'; request: CredentialRequest; reason: 'operator' | 'wrong_codes' };

export type Collected = { sealedValue: string } | { credentialValue: string };

/** Why a request was denied. */
export const denialReason = (by: ResolvedBy | null): 'operator' | 'wrong_codes' =>
  by === 'wrong_codes' ? 'wrong_codes' : 'operator';

/** The agent's side: opens requests and collects their values. */
export class RequestRules {
  readonly #deps: SecretRequestDeps;

  constructor(deps: SecretRequestDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `operator_email_required`, `credential_limit` */
  async open(tx: Tx, principal: Principal, input: RequestInput, now: number): Promise<OpenedRequest> {
    const { accountId } = principal;
    const operatorId = await operatorOf(principal, tx);
    await this.#requireSlot(tx, accountId, now);
    const deviceCode = mintToken(DEVICE_PREFIX);
    const expiresAt = now + this.#deps.limits.credential_ttl_seconds * 1000;
    const id = newId('crd', now);
    const request: Omit<CredentialRequest, 'userCodeHash'> = {
      ...NEW_REQUEST,
      ...input,
      id,
      accountId,
      operatorId,
      deviceHash: hashSecret(deviceCode),
      publicKey: input.publicKey ?? devicePublicKey(deviceCode),
      ownKey: input.publicKey !== null,
      createdAt: now,
      expiresAt,
    };
    let userCode = mintUserCode();
    while (!(await insertRequest(tx, { ...request, userCodeHash: userCodeHash(userCode) }))) userCode = mintUserCode();
    const { description, vaultKey } = input;
    const data = { request_id: id, description, vault_key: vaultKey, expires_at: iso(expiresAt) };
    await this.#deps.appendEvent(tx, { accountId, type: 'credential.requested', data, now });
    return { id, deviceCode, userCode, expiresAt };
  }

  /** @throws ApiError `not_found`, the same for an unknown code and for another account's */
  async poll(reader: Reader, accountId: string, deviceCode: string, now: number): Promise<PollState> {
    const request = await findByDevice(reader, hashSecret(deviceCode));
    if (request?.accountId !== accountId)
      throw new ApiError('not_found', { message: 'This account has no request with this device code.' });
    if (request.status === 'denied') return { state: 'denied', request, reason: denialReason(request.resolvedBy) };
    if (request.status === 'delivered' || request.expiresAt <= now) return { state: 'expired', request };
    return { state: request.status === 'approved' ? 'ready' : 'pending', request };
  }

  /** Whether a request was decided and its agent does not know. */
  isUntold({ status, toldAt }: CredentialRequest): boolean {
    return toldAt === null && (status === 'approved' || status === 'denied');
  }

  /** Notes that the agent knows how a request ended. */
  async tell(tx: Tx, { id }: CredentialRequest, now: number): Promise<void> {
    await setTold(tx, { id, toldAt: now });
  }

  /** Returns the value, once. @returns null when another poll got it */
  async collect(tx: Tx, { id, ownKey }: CredentialRequest, deviceCode: string, now: number): Promise<Collected | null> {
    const stored = await takeValue(tx, id, now);
    if (stored === null) return null;
    const sealed = this.#deps.sealer.open(CREDENTIAL_VALUE, id, stored);
    return ownKey ? { sealedValue: sealed } : { credentialValue: openCredential(deviceCode, id, sealed) };
  }

  /** @throws ApiError `credential_limit` */
  async #requireSlot(tx: Tx, accountId: string, now: number): Promise<void> {
    // Two parallel requests must not both take the last slot.
    await lockAccounts(tx, [accountId]);
    const max = this.#deps.limits.credential_requests;
    const open = await openExpiries(tx, accountId, now, max + 1);
    if (open.length < max) return;
    const headers = { 'retry-after': String(secondsUntil(open[0] ?? now, now)) };
    throw limitReached('credential_requests', { used: open.length, max }, { headers });
  }
}

const NEW_REQUEST = {
  status: 'pending',
  wrongCodes: 0,
  sealedValue: null,
  viewedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  toldAt: null,
} as const;

/** Returns the account whose operator decides. @throws ApiError `operator_email_required` */
async function operatorOf({ accountId, parentId }: Principal, tx: Tx): Promise<string> {
  const operatorId = parentId ?? accountId;
  if ((await confirmedOperators(tx, operatorId)).length > 0) return operatorId;
  const owner = parentId === null ? 'This account' : 'The platform of this pod';
  throw new ApiError('operator_email_required', {
    message: `${owner} has no confirmed operator to ask. Name one with POST /v1/account/operator-email, then try again.`,
  });
}

/** Deletes values that were not collected, and a week later their requests: until then an answer waits for its agent. */
export const purgeCredentials = (tx: Tx, now: number): Promise<void> => purgeRequests(tx, now, now - 7 * DAY_MS);
