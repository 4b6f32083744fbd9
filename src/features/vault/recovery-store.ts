import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Tables {
  vault_recoveries: { account_id: string; email: string; encrypted_seed: string; stored_at: number };
  vault_seeds: { id: string; email: string; encrypted_seed: string; created_at: number };
  vault_recovery_links: {
    hash: string;
    email: string;
    after_account: string | null;
    after_key: string | null;
    expires_at: number;
    used_at: number | null;
  };
}

const sql = tables<Tables>();

// ---- Seeds of accounts: one each, found again by the address.

const setRecovery = sql((q, p: Tables['vault_recoveries']) =>
  q
    .insertInto('vault_recoveries')
    .values({ account_id: p.account_id, email: p.email, encrypted_seed: p.encrypted_seed, stored_at: p.stored_at })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        email: eb.ref('excluded.email'),
        encrypted_seed: eb.ref('excluded.encrypted_seed'),
        stored_at: eb.ref('excluded.stored_at'),
      })),
    ),
);

const recoveriesFrom = sql((q, p: { email: string; account_id: string; limit: number }) =>
  q
    .selectFrom('vault_recoveries')
    .select(['account_id', 'encrypted_seed'])
    .where('email', '=', p.email)
    .where('account_id', '>=', p.account_id)
    .orderBy('account_id')
    .limit(p.limit),
);

export interface AccountSeed {
  accountId: string;
  encryptedSeed: string;
}

export const storeRecovery = async (
  tx: Tx,
  { accountId, email, encryptedSeed, now }: AccountSeed & { email: string; now: number },
): Promise<void> =>
  void (await tx.run(setRecovery, { account_id: accountId, email, encrypted_seed: encryptedSeed, stored_at: now }));

/** A page of the accounts that an address recovers, from `accountId` on, that one included. */
export const listRecoveries = async (
  reader: Reader,
  email: string,
  accountId: string,
  limit: number,
): Promise<AccountSeed[]> =>
  (await reader.all(recoveriesFrom, { email, account_id: accountId, limit })).map((row) => ({
    accountId: row.account_id,
    encryptedSeed: row.encrypted_seed,
  }));

// ---- Seeds without an account.

const insertSeed = sql((q, p: Tables['vault_seeds']) =>
  q
    .insertInto('vault_seeds')
    .values({ id: p.id, email: p.email, encrypted_seed: p.encrypted_seed, created_at: p.created_at }),
);

const seedIds = sql((q, p: { email: string; limit: number }) =>
  q.selectFrom('vault_seeds').select('id').where('email', '=', p.email).orderBy('id').limit(p.limit),
);

const seedsOf = sql((q, p: { email: string; limit: number }) =>
  q
    .selectFrom('vault_seeds')
    .select(['id', 'encrypted_seed', 'created_at'])
    .where('email', '=', p.email)
    .orderBy('id')
    .limit(p.limit),
);

export interface LooseSeed {
  id: string;
  encryptedSeed: string;
  createdAt: number;
}

export const storeSeed = async (tx: Tx, email: string, { id, encryptedSeed, createdAt }: LooseSeed): Promise<void> =>
  void (await tx.run(insertSeed, { id, email, encrypted_seed: encryptedSeed, created_at: createdAt }));

/** How many seeds an address has, `most` at most. */
export const countSeeds = async (reader: Reader, email: string, most: number): Promise<number> =>
  (await reader.all(seedIds, { email, limit: most })).length;

/** Oldest first. */
export const listSeeds = async (reader: Reader, email: string, limit: number): Promise<LooseSeed[]> =>
  (await reader.all(seedsOf, { email, limit })).map((row) => ({
    id: row.id,
    encryptedSeed: row.encrypted_seed,
    createdAt: row.created_at,
  }));

// ---- Links.

const insertRow = sql((q, p: Omit<Tables['vault_recovery_links'], 'used_at'>) =>
  q.insertInto('vault_recovery_links').values({
    hash: p.hash,
    email: p.email,
    after_account: p.after_account,
    after_key: p.after_key,
    expires_at: p.expires_at,
    used_at: null,
  }),
);

/** Check and use in one statement: of any number of parallel uses one gets the row. */
const useLink = sql((q, p: { hash: string; now: number }) =>
  q
    .updateTable('vault_recovery_links')
    .set({ used_at: p.now })
    .where('hash', '=', p.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning(['email', 'after_account', 'after_key']),
);

const forgetExpired = sql((q, p: { now: number }) =>
  q.deleteFrom('vault_recovery_links').where('expires_at', '<=', p.now),
);

/** How far a recovery has come: the account, and the last of its keys that was shown ('' for none). */
export interface Place {
  accountId: string;
  key: string;
}

export interface RecoveryLink {
  email: string;
  /** Null: from the beginning. */
  after: Place | null;
}

export const insertRecoveryLink = async (
  tx: Tx,
  hash: string,
  { email, after }: RecoveryLink,
  expiresAt: number,
): Promise<void> =>
  void (await tx.run(insertRow, {
    hash,
    email,
    after_account: after?.accountId ?? null,
    after_key: after?.key ?? null,
    expires_at: expiresAt,
  }));

/** @returns whose link it was, or null when it is unknown, used or expired */
export async function takeRecoveryLink(tx: Tx, hash: string, now: number): Promise<RecoveryLink | null> {
  const row = await tx.first(useLink, { hash, now });
  if (!row) return null;
  const { email, after_account: accountId, after_key: key } = row;
  return { email, after: accountId === null ? null : { accountId, key: key ?? '' } };
}

export const purgeRecoveryLinks = (tx: Tx, now: number): Promise<number> => tx.run(forgetExpired, { now });
