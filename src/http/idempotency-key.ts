import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../api/endpoint.ts';
import { ApiError, invalidField } from '../api/errors.ts';
import type { Principal } from '../api/principal.ts';
import type { Reader, Tx } from '../api/transaction.ts';
import { within } from '../base/deadline.ts';

/** A request that carries an `Idempotency-Key`. */
export interface IdempotentRequest {
  /** The caller. Keys of different callers are independent. */
  scope: string;
  key: string;
  /** SHA-256 over method, path, query and body. */
  fingerprint: string;
  now: number;
}

export interface StoredReply {
  status: number;
  body: unknown;
}

/** Stores replies. The feature `idempotency` implements it. */
export interface IdempotencyPort {
  /** Returns the stored reply, or null. @throws ApiError `idempotency_mismatch`, `idempotency_secret_spent` */
  find(reader: Reader, request: IdempotentRequest): Promise<StoredReply | null>;
  /** Takes the key, or returns the reply of the request that took it first. */
  begin(tx: Tx, request: IdempotentRequest): Promise<StoredReply | null>;
  /** Releases a key that {@link begin} took in this transaction. */
  release(tx: Tx, request: IdempotentRequest): Promise<void>;
  /** Stores the reply. A null body stands for one with a secret, which is not stored. */
  finish(tx: Tx, request: IdempotentRequest, reply: { status: number; body: unknown | null }): Promise<void>;
}

/**
 * Reads the `Idempotency-Key` header.
 * @throws ApiError `invalid_request` unless it is 1 to 255 printable ASCII characters
 */
function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  throw invalidField(
    '/header/idempotency-key',
    'invalid_format',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
  );
}

/** Identifies a request for comparison with its repeat. Ignores `verbose`, which only changes the form of the reply. */
const fingerprintOf = (method: string, url: string, body: unknown): string =>
  hash(
    'sha256',
    `${method} ${url.replace(/([?&])verbose=[^&]*&?/, '$1').replace(/[?&]$/, '')}\n${body === undefined ? '' : JSON.stringify(body)}`,
    'hex',
  );

/**
 * Makes the key of a request with a payment and without a key, so that its repeat with the same payment is the same
 * purchase. A different request gets a different key and finds the payment spent. Keys of clients never begin with a
 * space, this one does.
 */
const paidRequestKey = (payment: string, fingerprint: string): string =>
  ` payment ${hash('sha256', `${payment}\n${fingerprint}`, 'hex')}`;

/** What an idempotent repeat of a request is known by; null for a request that names no key. */
export function idempotentRequest(
  endpoint: Endpoint,
  request: FastifyRequest,
  context: { principal: Principal | null; now: number },
  hashIp: (ip: string) => string,
): IdempotentRequest | null {
  if (endpoint.method !== 'POST' && endpoint.method !== 'PUT') return null;
  const given = readIdempotencyKey(request.headers['idempotency-key'] as string | undefined);
  const payment = endpoint.payable ? paymentHeader(request) : undefined;
  if (given === null && payment === undefined) return null;
  const scope = context.principal ? replyScope(context.principal, endpoint) : `ip:${hashIp(request.ip)}`;
  const fingerprint = fingerprintOf(request.method, request.url, request.body);
  return { scope, key: given ?? paidRequestKey(payment as string, fingerprint), fingerprint, now: context.now };
}

/**
 * Who may read a stored reply again. The credentials of an account share their replies; one that is limited to addresses
 * reads only its own, because another's may show more. A delegate reads those of its delegation, also with its next token,
 * and a person what is about the person: an account may have several.
 */
function replyScope(
  { accountId, addresses, namedKeyId, lineage, delegation, grant, person }: Principal,
  { auth }: Endpoint,
) {
  if (auth === 'person') return `person:${person}`;
  if (delegation !== null) return `${accountId}:${delegation.id}`;
  if (grant !== null) return `${accountId}:${grant.id}`;
  return addresses === null ? accountId : `${accountId}:${namedKeyId ?? lineage}`;
}

const paymentHeader = ({ headers }: FastifyRequest): string | undefined =>
  (headers['payment-signature'] ?? headers['x-payment']) as string | undefined;

const WAIT_MS = 10_000;

/** Makes a second request with the same key wait for the first one in this process. It then gets the same reply. */
export class InFlight {
  readonly #running = new Map<string, Promise<void>>();

  /** Runs `work` when no other work with the same id runs. @throws ApiError `idempotency_in_progress` after 10 seconds */
  async run(id: string, work: () => Promise<void>): Promise<void> {
    for (let first = this.#running.get(id); first !== undefined; first = this.#running.get(id)) await waitFor(first);
    const done = work();
    const settled = done.catch(() => {}).finally(() => this.#running.delete(id));
    this.#running.set(id, settled);
    await done;
  }
}

const waitFor = (first: Promise<void>): Promise<void> =>
  within(WAIT_MS, first, () => {
    throw new ApiError('idempotency_in_progress', { headers: { 'retry-after': '1' } });
  });
