import {
  ENDED_KINDS,
  type EndedCounts,
  type LockdownHook,
  type PausedWebhook,
  type RecentChange,
  type Securing,
} from '../../../api/account/lockdown-parts.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import { replaceKeys } from '../keys/backup-key.ts';
import type { KeyRules, MintedKey } from '../keys/key.ts';
import type { CredentialEnded } from '../keys/named-key.ts';
import { type ChangeRow, rowsOfChanges } from './change-rows.ts';

export interface SecureDeps {
  keys: Pick<KeyRules, 'issue'>;
  notices: Notices;
  /** The parts of all features. Read at each call, because features are still being built when this is made. */
  secureParts: readonly LockdownHook[];
  appendEvent: AppendEvent<Tx>;
  /** Drops the cached credentials of an account, and checks its streams again on every instance. */
  credentials: { credentialEnded: CredentialEnded };
}

/** What was ended and changed. The texts of key and secrets are known only now. */
export interface SecuredAccount {
  minted: MintedKey;
  ended: EndedCounts;
  webhooks: PausedWebhook[];
  /** Newest first. */
  changes: ChangeRow[];
  /** The old backup key that stays. `endsAt`: the administrator is removing it. */
  backup: { createdAt: number; endsAt: number | null } | null;
}

const toldText = (accountId: string, by: string): string => `\
Account ${accountId} was secured with ${by}. It has a new key. Its former keys, its other sessions and its tokens ended.

If this was not you, log in and call POST /v1/account/secure yourself.
`;

/** Takes an account back from a thief of its key. */
export class SecureRules {
  readonly #deps: SecureDeps;

  constructor(deps: SecureDeps) {
    this.#deps = deps;
  }

  /**
   * Issues a new key and ends everything that a thief may hold or have planted. One transaction: all of it, or nothing.
   * @throws ApiError `confirmed_address_required` for a session of another address, `unauthorized` when the key ended
   */
  async secure(tx: Tx, principal: Principal, revert: boolean, now: number): Promise<SecuredAccount> {
    const { notices } = this.#deps;
    const { accountId, parentId, keyHash, sessionHash, lineage } = principal;
    await lockAccounts(tx, [accountId]);
    const by = await notices.askerOf(tx, principal);
    if (sessionHash !== null && by.confirmedSince === null) throw new ApiError('confirmed_address_required');
    // Before anything is taken back, so that a young address learns of it too.
    await notices.notify(
      tx,
      accountId,
      { subject: 'Your account was secured', text: toldText(accountId, by.actor) },
      now,
    );
    const kind = parentId === null ? 'platform' : 'pod';
    const asked = { accountId, kind, usedKey: keyHash, lineage: keyHash === null ? null : lineage } as const;
    const done = await this.#replace(
      tx,
      { ...asked, whole: false },
      { accountId, keptSession: sessionHash, revert, now, caller: { principal, asker: by }, whole: false },
    );
    const reverted = done.changes.filter(({ at }) => at === now).map(({ what, detail }) => `${what} ${detail}`);
    const data = { key_prefix: done.minted.prefix, reverted };
    await this.#deps.appendEvent(tx, { accountId, type: 'account.secured', data, now });
    return done;
  }

  /** Gives a pod a new key for its platform. Nothing that the former holder set up stays, whatever its age. */
  async replacePodKey(tx: Tx, accountId: string, now: number): Promise<MintedKey> {
    await lockAccounts(tx, [accountId]);
    const asked = { accountId, kind: 'pod', usedKey: null, lineage: null, whole: true } as const;
    const { minted } = await this.#replace(tx, asked, {
      accountId,
      caller: null,
      keptSession: null,
      revert: true,
      now,
      whole: true,
    });
    const data = { key_prefix: minted.prefix, reason: 'rotated' } as const;
    await this.#deps.appendEvent(tx, { accountId, type: 'key.rotated', data, now });
    return minted;
  }

  async #replace(tx: Tx, asked: Parameters<typeof replaceKeys>[2], securing: Securing): Promise<SecuredAccount> {
    const { keys, notices, secureParts, credentials } = this.#deps;
    const { accountId, now } = securing;
    const { minted, ended: keysEnded, backup } = await replaceKeys(tx, keys, asked, now);
    const cancelled = await notices.cancelAll(tx, accountId, now);
    const ended = Object.fromEntries(ENDED_KINDS.map((kind) => [kind, 0])) as EndedCounts;
    ended.keys = keysEnded;
    const webhooks: PausedWebhook[] = [];
    const changes: RecentChange[] = cancelled.map(({ what, target }) => ({
      at: now,
      what: 'removal_cancelled',
      detail: `${what} ${target}`,
    }));
    for (const part of secureParts) {
      const done = await part(tx, securing);
      for (const kind of ENDED_KINDS) ended[kind] += done.ended?.[kind] ?? 0;
      webhooks.push(...(done.webhooks ?? []));
      changes.push(...(done.changes ?? []));
    }
    credentials.credentialEnded(tx, accountId);
    const left = backup && (await notices.find(tx, { accountId, what: 'backup_key', target: backup.prefix }));
    return {
      minted,
      ended,
      webhooks,
      changes: rowsOfChanges(changes),
      backup: backup && { createdAt: backup.createdAt, endsAt: left?.endsAt ?? null },
    };
  }
}
