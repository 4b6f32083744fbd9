import { hash } from 'node:crypto';
import type { RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { type Limits, type Tier, windowRule } from '../../../api/limits.ts';
import type { Principal } from '../../../api/principal.ts';
import { SCOPE_NAMES, type Scope } from '../../../api/scopes.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { idOf } from '../../../base/ids.ts';
import { hashSecret, type KeyKind, keyPrefix, mintKey } from '../../../base/secret.ts';
import { takeNetworkWindow } from '../../service/limits/rate-window.ts';
import { createAccount, lockAccounts } from '../accounts/account-lifecycle.ts';
import { nameAtSignUp } from '../people/person.ts';
import {
  activateBackupKey,
  activePrefixOf,
  addKey,
  findBackup,
  findKey,
  findKeys,
  keyStatus,
  keyStatuses,
  listKeys,
  listLiveKeys,
  revokeActiveKey,
  revokeKey,
} from './key-store.ts';
import type { StoredKey } from './key-table.ts';
import type { KeyUses } from './key-use.ts';
import { type CredentialEnded, isExpired, listNamedKeys } from './named-key.ts';

export { activePrefixOf, findKey, findKeys, keyStatus, keyStatuses };

/** A new key. This is the only time its text is known. */
export interface MintedKey {
  key: string;
  prefix: string;
  accountId: string;
  createdAt: number;
}

/** Called after a change of keys: drops cached credentials of the account and ends its sessions, except `sessionHash`. */
export type KeysChanged = (tx: Tx, change: { accountId: string; sessionHash: string | null }) => Promise<void>;

/** Decides whether a caller may sign up. @throws ApiError `signup_closed`, `invite_required` */
export type AdmitSignUp = (tx: Tx, invite: string | undefined, now: number) => Promise<void>;

export type PrimaryKind = Exclude<KeyKind, 'backup'>;

export interface Rotation {
  accountId: string;
  kind: PrimaryKind;
  /** Hash of the key that asks. Null when a session asks, which acts for the account. */
  keyHash: string | null;
  /** Hash of the session that asks. This session stays open. */
  sessionHash: string | null;
  /** The line of rotations that the key continues. A session begins a new one. */
  lineage: string;
}

export interface SignUp {
  name: string | null;
  email: string | null;
  backup: boolean;
  invite: string | undefined;
  /** Those of the client. */
  networks: ClientNetworks;
}

const KEYS_LISTED_MAX = 200;

/** A key that works, or a named key that has expired. */
export interface StandingKey {
  id: string;
  kind: 'primary' | 'backup' | 'named';
  prefix: string;
  /** The label of a backup key. */
  name: string | null;
  scopes: readonly Scope[];
  /** The addresses that a named key is limited to. Null: every address. */
  addresses: readonly string[] | null;
  /** A named key's, in percent. */
  requestsShare: number | null;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  expired: boolean;
}

/** Shows a primary or backup key in the form of a named one. Its id is derived, and reveals nothing of the key. */
export function asStanding(key: StoredKey): StandingKey {
  const isBackup = key.status === 'backup';
  return {
    id: idOf('key', key.createdAt, hash('sha256', `id ${key.hash}`, 'buffer').subarray(0, 10)),
    kind: isBackup ? 'backup' : 'primary',
    prefix: key.prefix,
    name: key.label,
    scopes: isBackup ? [] : SCOPE_NAMES,
    addresses: null,
    requestsShare: null,
    createdAt: key.createdAt,
    expiresAt: null,
    lastUsedAt: null,
    expired: false,
  };
}

/** Lists the primary, the backup, then the named keys, newest first. Revoked and deleted keys are not listed. */
export async function listStandingKeys(reader: Reader, accountId: string, now: number): Promise<StandingKey[]> {
  const live = await listLiveKeys(reader, accountId);
  const named = await listNamedKeys(reader, accountId);
  return [
    ...live.map(asStanding),
    ...named.map((key) => ({ ...key, kind: 'named' as const, expired: isExpired(key, now) })),
  ];
}

/** What keys need. Each part takes what it uses of this. */
export interface KeyDeps {
  database: Reader;
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  admit: AdmitSignUp;
  notices: Notices;
  credentials: {
    endOthers: KeysChanged;
    credentialEnded: CredentialEnded;
    /** What each key was used for. */
    keyUses: Pick<KeyUses, 'read'>;
  };
  networksOf(ip: string): ClientNetworks;
  /** What of the account is young and stays. */
  youngParts: readonly RecentlyAdded[];
}

/** Issues, rotates and revokes API keys. */
export class KeyRules {
  readonly #deps: KeyDeps;

  constructor(deps: KeyDeps) {
    this.#deps = deps;
  }

  /**
   * Creates an account and its key, and a backup key on request.
   * @throws ApiError `rate_limited` per client network; `signup_closed`, `invite_required`
   */
  async signUp(
    tx: Tx,
    { name, email, backup, invite, networks }: SignUp,
    now: number,
  ): Promise<{ primary: MintedKey; backup: MintedKey | null; tier: Tier }> {
    await takeNetworkWindow(tx, 'signup', networks, [windowRule(this.#deps.limits, 'signups_per_ip_per_hour')], now);
    await this.#deps.admit(tx, invite, now);
    const account = await createAccount(tx, { name }, now);
    const { id: accountId } = account;
    if (email !== null)
      await nameAtSignUp(tx, this.#deps.enqueueJob, { accountId, role: 'email', address: email }, now);
    const primary = await this.issue(tx, account.id, 'platform', now);
    return {
      primary,
      backup: backup ? await this.#addBackup(tx, account.id, 'backup', true, now) : null,
      tier: account.tier,
    };
  }

  /** Adds the first key of an account. */
  async issue(
    tx: Tx,
    accountId: string,
    kind: PrimaryKind,
    now: number,
    lineage: string | null = null,
  ): Promise<MintedKey> {
    const minted = await this.#add(tx, { accountId, kind, label: null, lineage, trustedFromStart: false }, now);
    // Happens only when two rotations commit in the same moment. The client may retry.
    if (!minted) throw new ApiError('storage_unavailable', { cause: 'two keys were issued at once' });
    return minted;
  }

  /** Replaces the active key. The old key is refused as soon as the transaction commits. */
  async rotate(tx: Tx, { accountId, kind, keyHash, sessionHash, lineage }: Rotation, now: number): Promise<MintedKey> {
    await lockAccounts(tx, [accountId]);
    // Of two rotations with one key, the second finds the key revoked. It must not replace the new key of the first.
    if (keyHash === null) await revokeActiveKey(tx, accountId, now);
    else if (!(await revokeKey(tx, keyHash, now))) throw new ApiError('unauthorized');
    const minted = await this.issue(tx, accountId, kind, now, keyHash === null ? null : lineage);
    await this.#changed(tx, { accountId, sessionHash }, { key_prefix: minted.prefix, reason: 'rotated' }, now);
    return minted;
  }

  /** @throws ApiError `backup_exists` */
  async generateBackup(tx: Tx, principal: Principal, label: string, now: number): Promise<MintedKey> {
    const trustedFromStart = await this.#deps.notices.isTrustedFromStart(tx, principal, now);
    return this.#addBackup(tx, principal.accountId, label, trustedFromStart, now);
  }

  /** @returns the prefix of the key that is active now. @throws ApiError `not_found` without a backup key */
  async activateBackup(tx: Tx, accountId: string, sessionHash: string | null, now: number): Promise<string> {
    await lockAccounts(tx, [accountId]);
    const backup = await findBackup(tx, accountId);
    if (!backup) throw new ApiError('not_found', { message: 'This account has no backup key.' });
    // Its use is its owner's answer to an announced removal.
    await this.#deps.notices.undoOf(tx, { accountId, what: 'backup_key', target: backup.prefix }, backup.prefix, now);
    // A unique index allows one active key, so the primary is revoked first. The transaction makes it both or neither.
    await revokeActiveKey(tx, accountId, now);
    const prefix = await activateBackupKey(tx, accountId, now);
    if (prefix === null) throw new ApiError('not_found', { message: 'This account has no backup key.' });
    await this.#changed(tx, { accountId, sessionHash }, { key_prefix: prefix, reason: 'backup_activated' }, now);
    return prefix;
  }

  /** Lists the newest keys of an account, revoked keys included. */
  list(reader: Reader, accountId: string): Promise<StoredKey[]> {
    return listKeys(reader, accountId, KEYS_LISTED_MAX);
  }

  async #addBackup(
    tx: Tx,
    accountId: string,
    label: string,
    trustedFromStart: boolean,
    now: number,
  ): Promise<MintedKey> {
    const minted = await this.#add(tx, { accountId, kind: 'backup', label, lineage: null, trustedFromStart }, now);
    if (!minted) throw new ApiError('backup_exists');
    return minted;
  }

  /** @returns null when the account already has a key of that status */
  async #add(
    tx: Tx,
    {
      accountId,
      kind,
      label,
      lineage,
      trustedFromStart,
    }: Pick<StoredKey, 'accountId' | 'kind' | 'label' | 'lineage' | 'trustedFromStart'>,
    now: number,
  ): Promise<MintedKey | null> {
    const key = mintKey(kind);
    const prefix = keyPrefix(key, kind);
    const isBackup = kind === 'backup';
    const added = await addKey(tx, {
      hash: hashSecret(key),
      accountId,
      kind,
      status: isBackup ? 'backup' : 'active',
      prefix,
      label,
      createdAt: now,
      activatedAt: isBackup ? null : now,
      lineage,
      revokedAt: null,
      trustedFromStart,
    });
    return added ? { key, prefix, accountId, createdAt: now } : null;
  }

  async #changed(
    tx: Tx,
    change: { accountId: string; sessionHash: string | null },
    data: { key_prefix: string; reason: 'rotated' | 'backup_activated' },
    now: number,
  ): Promise<void> {
    await this.#deps.appendEvent(tx, { accountId: change.accountId, type: 'key.rotated', data, now });
    await this.#deps.credentials.endOthers(tx, change);
  }
}
