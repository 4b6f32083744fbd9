import { hash } from 'node:crypto';
import { ApiError, invalidField } from '../api/errors.ts';
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
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  throw invalidField(
    '/header/idempotency-key',
    'invalid_format',
    'Idempotency-Key must be 1 to 255 printable ASCII characters.',
  );
}

/** Identifies a request for comparison with its repeat. Ignores `verbose`, which only changes the form of the reply. */
export const fingerprintOf = (method: string, url: string, body: unknown): string =>
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
export const paidRequestKey = (payment: string, fingerprint: string): string =>
  ` payment ${hash('sha256', `${payment}\n${fingerprint}`, 'hex')}`;

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
