import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { type Limits, type Tier, windowRule } from '../../kernel/limits.ts';
import { hashSecret, type KeyKind, keyPrefix, mintKey } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { createAccount, lockAccounts } from '../accounts/account-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import {
  activateBackupKey,
  activePrefixOf,
  addKey,
  findKey,
  hasBackupKey,
  keyStatus,
  listKeys,
  revokeActiveKey,
  revokeAllKeys,
  revokeKey,
  type StoredKey,
} from './key-store.ts';

export { activePrefixOf, findKey, keyStatus };

/** A key as it is shown, once. */
export interface MintedKey {
  key: string;
  prefix: string;
  accountId: string;
  createdAt: number;
}

/** What follows a change of keys: the authenticator forgets the account, and its sessions end, save the one that asks. */
export type KeysChanged = (tx: Tx, change: { accountId: string; sessionHash: string | null }) => Promise<void>;

export interface KeyRules {
  /** A new account with its key; `backup` adds a backup key. @throws ApiError `rate_limited` per client network */
  signUp(tx: Tx, signup: SignUp, now: number): Promise<{ primary: MintedKey; backup: MintedKey | null; tier: Tier }>;
  /** Adds an account's first key. */
  issue(tx: Tx, accountId: string, kind: Exclude<KeyKind, 'backup'>, now: number): Promise<MintedKey>;
  /** Replaces the active key; the old one is refused from the moment this is durable. */
  rotate(tx: Tx, rotation: Rotation, now: number): Promise<MintedKey>;
  /** A key for an account whose other keys, a backup included, and sessions end: for whoever manages it. */
  replaceAll(tx: Tx, accountId: string, kind: Exclude<KeyKind, 'backup'>, now: number): Promise<MintedKey>;
  /** @throws ApiError `backup_exists` */
  generateBackup(tx: Tx, accountId: string, label: string, now: number): Promise<MintedKey>;
  /** @throws ApiError `not_found` when there is no backup key. @returns the prefix of the key now active */
  activateBackup(tx: Tx, accountId: string, sessionHash: string | null, now: number): Promise<string>;
  list(reader: Reader, accountId: string): Promise<StoredKey[]>;
}

export interface Rotation {
  accountId: string;
  kind: Exclude<KeyKind, 'backup'>;
  /** Hash of the key that asks; null for a session, which speaks for the account. */
  keyHash: string | null;
  /** Hash of the session that asks, and is spared. */
  sessionHash: string | null;
}

export interface SignUp {
  name: string | null;
  email: string | null;
  backup: boolean;
  /** Keyed hash of the client's network. */
  network: string;
}

const KEYS_LISTED_MAX = 200;

export function createKeyRules(limits: Limits, appendEvent: AppendEvent<Tx>, keysChanged: KeysChanged): KeyRules {
  async function add(
    tx: Tx,
    accountId: string,
    kind: KeyKind,
    label: string | null,
    now: number,
  ): Promise<MintedKey | null> {
    const key = mintKey(kind);
    const prefix = keyPrefix(key, kind);
    const status = kind === 'backup' ? 'backup' : 'active';
    const activatedAt = status === 'active' ? now : null;
    const added = await addKey(tx, {
      hash: hashSecret(key),
      accountId,
      kind,
      status,
      prefix,
      label,
      createdAt: now,
      activatedAt,
    });
    return added ? { key, prefix, accountId, createdAt: now } : null;
  }

  async function issue(tx: Tx, accountId: string, kind: Exclude<KeyKind, 'backup'>, now: number): Promise<MintedKey> {
    const minted = await add(tx, accountId, kind, null, now);
    // Only a second rotation in the same moment gets here; it may simply be tried again.
    if (!minted) throw new ApiError('storage_unavailable', { cause: 'two keys were issued at once' });
    return minted;
  }

  async function generateBackup(tx: Tx, accountId: string, label: string, now: number): Promise<MintedKey> {
    const minted = await add(tx, accountId, 'backup', label, now);
    if (!minted) throw new ApiError('backup_exists');
    return minted;
  }

  return {
    signUp: async (tx, { name, email, backup, network }, now) => {
      await takeWindow(tx, `signup:${network}`, [windowRule(limits, 'signups_per_ip_per_hour')], now);
      const account = await createAccount(tx, { name, email }, now);
      const primary = await issue(tx, account.id, 'platform', now);
      return {
        primary,
        backup: backup ? await generateBackup(tx, account.id, 'backup', now) : null,
        tier: account.tier,
      };
    },
    issue,
    rotate: async (tx, { accountId, kind, keyHash, sessionHash }, now) => {
      await lockAccounts(tx, [accountId]);
      // Two rotations with one key: the second finds it revoked, and must not take the winner's new key away.
      if (keyHash === null) await revokeActiveKey(tx, accountId, now);
      else if (!(await revokeKey(tx, keyHash, now))) throw new ApiError('unauthorized');
      const minted = await issue(tx, accountId, kind, now);
      await appendEvent(tx, {
        accountId,
        type: 'key.rotated',
        data: { key_prefix: minted.prefix, reason: 'rotated' },
        now,
      });
      await keysChanged(tx, { accountId, sessionHash });
      return minted;
    },
    replaceAll: async (tx, accountId, kind, now) => {
      await lockAccounts(tx, [accountId]);
      await revokeAllKeys(tx, accountId, now);
      const minted = await issue(tx, accountId, kind, now);
      const data = { key_prefix: minted.prefix, reason: 'rotated' } as const;
      await appendEvent(tx, { accountId, type: 'key.rotated', data, now });
      await keysChanged(tx, { accountId, sessionHash: null });
      return minted;
    },
    generateBackup,
    activateBackup: async (tx, accountId, sessionHash, now) => {
      await lockAccounts(tx, [accountId]);
      if (!(await hasBackupKey(tx, accountId)))
        throw new ApiError('not_found', { message: 'This account has no backup key.' });
      // The unique index allows one active key, so the primary goes first; both or neither, by the transaction.
      await revokeActiveKey(tx, accountId, now);
      const prefix = await activateBackupKey(tx, accountId, now);
      if (prefix === null) throw new ApiError('not_found', { message: 'This account has no backup key.' });
      await appendEvent(tx, {
        accountId,
        type: 'key.rotated',
        data: { key_prefix: prefix, reason: 'backup_activated' },
        now,
      });
      await keysChanged(tx, { accountId, sessionHash });
      return prefix;
    },
    list: (reader, accountId) => listKeys(reader, accountId, KEYS_LISTED_MAX),
  };
}
