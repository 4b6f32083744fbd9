import { type Factor, isTrusted } from '../../../api/account/factor.ts';
import type { NoticeHandler, Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import type { KeyRules, MintedKey, PrimaryKind } from './key.ts';
import { findBackup, findKey, revokeActiveKey, revokeBackup } from './key-store.ts';
import type { StoredKey } from './key-table.ts';
import { deleteNamedKeys } from './named-key.ts';

/** A removal that happened, or is announced for `endsAt`. */
export interface Removal {
  status: 'ended' | 'scheduled';
  endsAt: number;
}

const factorOf = ({ createdAt, trustedFromStart }: StoredKey): Factor => ({ since: createdAt, trustedFromStart });

/** Removes the backup key: at once while it is young, otherwise with notice. */
export class BackupRules {
  readonly #notices: Notices;
  /** Drops the cached credentials of an account, on every instance. */
  readonly #credentialEnded: (tx: Tx, accountId: string) => void;

  constructor(notices: Notices, credentialEnded: (tx: Tx, accountId: string) => void) {
    this.#notices = notices;
    this.#credentialEnded = credentialEnded;
  }

  /** @throws ApiError `not_found` without a backup key, `removal_disputed` */
  async remove(tx: Tx, principal: Principal, now: number): Promise<Removal & { prefix: string }> {
    const { accountId } = principal;
    await lockAccounts(tx, [accountId]);
    const backup = await findBackup(tx, accountId);
    if (!backup) throw new ApiError('not_found', { message: 'This account has no backup key.' });
    const by = await this.#notices.askerOf(tx, principal);
    const target = { accountId, what: 'backup_key' as const, target: backup.prefix };
    if (!this.#notices.removesAtOnce({ ...factorOf(backup), address: null }, by, now)) {
      const { endsAt } = await this.#notices.start(tx, { ...target, by, now });
      return { status: 'scheduled', endsAt, prefix: backup.prefix };
    }
    await this.#notices.drop(tx, target);
    await this.#revoke(tx, accountId, now);
    return { status: 'ended', endsAt: now, prefix: backup.prefix };
  }

  /** What the notices do about a backup key. */
  readonly handler: NoticeHandler = {
    find: async (reader: Reader, accountId: string, target: string) => {
      const backup = await findBackup(reader, accountId);
      return backup?.prefix === target ? { ...factorOf(backup), address: null } : null;
    },
    carryOut: async (tx, { accountId, target }, now) => {
      if ((await findBackup(tx, accountId))?.prefix === target) await this.#revoke(tx, accountId, now);
    },
  };

  async #revoke(tx: Tx, accountId: string, now: number): Promise<void> {
    await revokeBackup(tx, accountId, now);
    this.#credentialEnded(tx, accountId);
  }
}

/** Whose keys are replaced, and by which credential. */
export interface KeyReplacement {
  accountId: string;
  kind: PrimaryKind;
  /** Hash of the key that asks; null for a session or a platform. */
  usedKey: string | null;
  /** The line of rotations that the new key continues; null: it begins one. */
  lineage: string | null;
  /** Whether an old backup key goes too. */
  whole: boolean;
}

/**
 * Issues a new primary key and ends all others, except a backup key that is old. The caller holds the account's lock and
 * drops its cached credentials.
 * @throws ApiError `unauthorized` when the key that asks has ended in the meantime
 */
export async function replaceKeys(
  tx: Tx,
  keys: Pick<KeyRules, 'issue'>,
  { accountId, kind, usedKey, lineage, whole }: KeyReplacement,
  now: number,
): Promise<{ minted: MintedKey; ended: number; backup: StoredKey | null }> {
  // Of two calls at once, the second finds its key revoked and must not replace the new key of the first.
  if (usedKey !== null && (await findKey(tx, usedKey)) === null) throw new ApiError('unauthorized');
  const backup = await findBackup(tx, accountId);
  await revokeActiveKey(tx, accountId, now);
  const isUsed = backup !== null && backup.hash === usedKey;
  const stays = backup !== null && !isUsed && !whole && isTrusted(factorOf(backup), now);
  if (!stays) await revokeBackup(tx, accountId, now);
  const named = await deleteNamedKeys(tx, accountId, now);
  const minted = await keys.issue(tx, accountId, kind, now, isUsed ? null : lineage);
  const planted = backup !== null && !stays && !isUsed ? 1 : 0;
  return { minted, ended: named + planted, backup: stays ? backup : null };
}

/** Names a backup key that is young: a thief may have made it. */
export async function youngBackup(reader: Reader, accountId: string, now: number): Promise<string[]> {
  const backup = await findBackup(reader, accountId);
  return backup && !isTrusted(factorOf(backup), now) ? [`backup key ${backup.prefix}`] : [];
}
