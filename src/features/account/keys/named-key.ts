import { ApiError, invalidField } from '../../../api/errors.ts';
import type { TierLimits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { SCOPE_NAMES, type Scope } from '../../../api/scopes.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import { hashSecret, keyPrefix, mintKey } from '../../../base/secret.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import {
  changeKey,
  deleteNamedKey,
  findNamedKey,
  findPresentedKey,
  insertNamedKey,
  listNamedKeys,
  purgeNamedKeys,
  replaceSecret,
  saveAddresses,
  saveLastUse,
} from './named-key-store.ts';
import type { NamedKey } from './named-key-table.ts';

export { findNamedKey, findPresentedKey, listNamedKeys, saveLastUse };

export interface NamedKeyRequest {
  name: string;
  scopes: readonly Scope[];
  /** The addresses that the key is limited to. Null: every address. */
  addresses: readonly string[] | null;
  /** In percent of the requests that named keys and clients share. Null: all of them. */
  requestsShare: number | null;
  /** Null: no end. */
  expiresInSeconds: number | null;
}

/** What is changed of a key. What is absent stays. */
export interface NamedKeyChanges {
  name?: string | undefined;
  scopes?: readonly Scope[] | undefined;
  requestsShare?: number | null | undefined;
  /** Counted from now. Null: no end. */
  expiresInSeconds?: number | null | undefined;
}

/** A named key with its text, which is known only now. */
export interface MintedNamedKey {
  key: string;
  stored: NamedKey;
}

/** Drops the cached credentials of an account and checks its streams again, on every instance. */
export type CredentialEnded = (tx: Tx, accountId: string) => void;

/** The addresses of accounts, and how a request may write one. A port: addresses tell the keys when one is released. */
export interface AddressNames {
  list(reader: Reader, accountId: string): Promise<readonly { address: string }[]>;
  parse(text: string): string | null;
  onReleased(released: (tx: Tx, accountId: string, address: string) => Promise<void>): void;
}

/** What named keys delegated. */
export interface KeyDelegations {
  /** Ends what a named key delegated, and the access tokens that it got. */
  endOfKey(tx: Tx, keyId: string, now: number): Promise<void>;
  /** Takes an address out of what the named keys of an account delegated. */
  addressReleased(tx: Tx, accountId: string, address: string): Promise<void>;
}

/** Whose key is made. */
interface KeyOwner {
  accountId: string;
  limits: Pick<TierLimits, 'named_keys'>;
}

/** Called after a named key was deleted, in the transaction that locks its account. */
export type NamedKeyDeleted = (tx: Tx, accountId: string, keyId: string, now: number) => Promise<void>;

/** How long the list shows an expired key. */
const EXPIRED_SHOWN_DAYS = 30;

export const isExpired = ({ expiresAt }: NamedKey, now: number): boolean => expiresAt !== null && expiresAt <= now;

/** Creates, rotates and deletes named keys. */
export class NamedKeyRules {
  readonly #credentialEnded: CredentialEnded;
  readonly #addresses: AddressNames;
  readonly #delegations: KeyDelegations;
  #deleted: NamedKeyDeleted = async () => {};

  constructor(credentialEnded: CredentialEnded, addresses: AddressNames, delegations: KeyDelegations) {
    this.#credentialEnded = credentialEnded;
    this.#addresses = addresses;
    this.#delegations = delegations;
  }

  /** @throws ApiError `limit_reached`, `invalid_request` for an address that the account does not have */
  async create(
    tx: Tx,
    { accountId, limits }: KeyOwner,
    { name, scopes, addresses, requestsShare, expiresInSeconds }: NamedKeyRequest,
    now: number,
  ): Promise<MintedNamedKey> {
    await lockAccounts(tx, [accountId]);
    const own = addresses === null ? null : await this.#requireOwn(tx, accountId, addresses);
    await makeRoom(tx, accountId, limits.named_keys, now);
    const { key, secret } = mint(newId('key', now));
    const stored: NamedKey = {
      id: secret.keyId,
      accountId,
      prefix: secret.prefix,
      name,
      scopes: inOrder(scopes),
      addresses: own,
      requestsShare,
      createdAt: now,
      expiresAt: endIn(expiresInSeconds, now),
      lastUsedAt: null,
    };
    await insertNamedKey(tx, stored, secret);
    return { key, stored };
  }

  /**
   * Replaces the text of a key. The former text works for `graceSeconds`, and not longer than the key itself. A text
   * from before that ends now.
   * @throws ApiError `not_found`, also for an expired key
   */
  async rotate(
    tx: Tx,
    accountId: string,
    id: string,
    graceSeconds: number,
    now: number,
  ): Promise<{ key: string; prefix: string; formerEndsAt: number }> {
    await lockAccounts(tx, [accountId]);
    const stored = await findNamedKey(tx, accountId, id);
    if (!stored || isExpired(stored, now)) throw noSuchKey();
    const { key, secret } = mint(id);
    const formerEndsAt = Math.min(now + graceSeconds * 1000, stored.expiresAt ?? Number.POSITIVE_INFINITY);
    await replaceSecret(tx, secret, graceSeconds === 0 ? null : formerEndsAt);
    this.#credentialEnded(tx, accountId);
    return { key, prefix: secret.prefix, formerEndsAt };
  }

  /**
   * Changes a key. With a scope less or an earlier end, what it delegated ends: it may hold what the key has no more.
   * @throws ApiError `not_found`, also for an expired key
   */
  async change(
    tx: Tx,
    accountId: string,
    id: string,
    changes: NamedKeyChanges,
    now: number,
  ): Promise<{ before: NamedKey; changed: NamedKey }> {
    await lockAccounts(tx, [accountId]);
    const stored = await findNamedKey(tx, accountId, id);
    if (!stored || isExpired(stored, now)) throw noSuchKey();
    const { name = stored.name, scopes = stored.scopes, requestsShare = stored.requestsShare } = changes;
    const expiresAt = changes.expiresInSeconds === undefined ? stored.expiresAt : endIn(changes.expiresInSeconds, now);
    const changed = { ...stored, name, scopes: inOrder(scopes), requestsShare, expiresAt };
    await changeKey(tx, changed);
    const isLess = stored.scopes.some((scope) => !scopes.includes(scope));
    const endsEarlier = (expiresAt ?? Number.POSITIVE_INFINITY) < (stored.expiresAt ?? Number.POSITIVE_INFINITY);
    if (isLess || endsEarlier) await this.#delegations.endOfKey(tx, id, now);
    this.#credentialEnded(tx, accountId);
    return { before: stored, changed };
  }

  /** @throws ApiError `not_found` */
  async delete(tx: Tx, accountId: string, id: string, now: number): Promise<void> {
    await lockAccounts(tx, [accountId]);
    if (!(await this.end(tx, accountId, id, now))) throw noSuchKey();
    await this.#deleted(tx, accountId, id, now);
  }

  /** Tells who gave a key away of its deletion. */
  onDeleted(deleted: NamedKeyDeleted): void {
    this.#deleted = deleted;
  }

  /** Ends a key whose account is locked, with what it delegated. @returns false when it is gone already */
  async end(tx: Tx, accountId: string, id: string, now: number): Promise<boolean> {
    if (!(await findNamedKey(tx, accountId, id))) return false;
    await deleteNamedKey(tx, id);
    await this.#delegations.endOfKey(tx, id, now);
    this.#credentialEnded(tx, accountId);
    return true;
  }

  /** Takes an address out of every key of the account, and of what it delegated, for good: a key does not get it back with a later claim. */
  async addressReleased(tx: Tx, accountId: string, address: string): Promise<void> {
    await lockAccounts(tx, [accountId]);
    for (const { id, addresses } of await listNamedKeys(tx, accountId))
      if (addresses?.includes(address))
        await saveAddresses(tx, { id, addresses: addresses.filter((other) => other !== address) });
    await this.#delegations.addressReleased(tx, accountId, address);
    this.#credentialEnded(tx, accountId);
  }

  /** Returns the addresses as they are stored, each once. @throws ApiError `invalid_request` naming the first other one */
  async #requireOwn(tx: Tx, accountId: string, addresses: readonly string[]): Promise<string[]> {
    const own = new Set((await this.#addresses.list(tx, accountId)).map(({ address }) => address));
    const names = addresses.map((text, i) => {
      const name = this.#addresses.parse(text);
      if (name !== null && own.has(name)) return name;
      const path = `/body/addresses/${i}`;
      throw invalidField(path, 'not_found', `${path} is not an address of this account.`);
    });
    return [...new Set(names)];
  }
}

const inOrder = (scopes: readonly Scope[]): Scope[] => SCOPE_NAMES.filter((scope) => scopes.includes(scope));

const endIn = (seconds: number | null, now: number): number | null => (seconds === null ? null : now + seconds * 1000);

const noSuchKey = (): ApiError =>
  new ApiError('not_found', { message: 'There is no named key with this id, or it has expired.' });

function mint(keyId: string) {
  const key = mintKey('named');
  return { key, secret: { hash: hashSecret(key), keyId, prefix: keyPrefix(key, 'named'), validUntil: null } };
}

/** Expired keys stay in the list until their place is needed. @throws ApiError `limit_reached` */
async function makeRoom(tx: Tx, accountId: string, max: number, now: number): Promise<void> {
  const keys = await listNamedKeys(tx, accountId);
  const live = keys.filter((key) => !isExpired(key, now));
  if (live.length >= max) throw limitReached('named_keys', { used: live.length, max });
  if (keys.length >= max) for (const key of keys) if (isExpired(key, now)) await deleteNamedKey(tx, key.id);
}

/** Deletes every named key of an account. The caller drops its cached credentials. @returns how many still worked */
export async function deleteNamedKeys(tx: Tx, accountId: string, now: number): Promise<number> {
  const keys = await listNamedKeys(tx, accountId);
  for (const { id } of keys) await deleteNamedKey(tx, id);
  return keys.filter((key) => !isExpired(key, now)).length;
}

/** Deletes keys that expired long ago, and former texts that no longer work. */
export const expireNamedKeys = (tx: Tx, now: number): Promise<void> =>
  purgeNamedKeys(tx, now - EXPIRED_SHOWN_DAYS * DAY_MS, now);
