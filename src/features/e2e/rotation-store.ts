import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface AccountRow {
  account_id: string;
  /** SHA-256 of the master seed, hex. */
  seed_hash: string;
  public_key: string;
  updated_at: number;
}

interface KeyRow {
  account_id: string;
  public_key: string;
  /** 1 for the account's first. */
  n: number;
  created_at: number;
}

export interface AccountEncryption {
  seedHash: string;
  /** X25519, base64url: seals mail to every address of the account. */
  publicKey: string;
}

const sql = tables<{ e2e_accounts: AccountRow; e2e_keys: KeyRow }>();

const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('e2e_accounts').selectAll().where('account_id', '=', p.account_id),
);

const upsert = sql((q, p: AccountRow) =>
  q
    .insertInto('e2e_accounts')
    .values({ account_id: p.account_id, seed_hash: p.seed_hash, public_key: p.public_key, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ public_key: p.public_key, updated_at: p.updated_at }),
    ),
);

const insertKey = sql((q, p: KeyRow) =>
  q
    .insertInto('e2e_keys')
    .values({ account_id: p.account_id, public_key: p.public_key, n: p.n, created_at: p.created_at }),
);

const byKey = sql((q, p: { account_id: string; public_key: string }) =>
  q.selectFrom('e2e_keys').select('n').where('account_id', '=', p.account_id).where('public_key', '=', p.public_key),
);

const latest = sql((q, p: { account_id: string }) =>
  q.selectFrom('e2e_keys').select('n').where('account_id', '=', p.account_id).orderBy('n', 'desc').limit(1),
);

export async function findEncryption(reader: Reader, accountId: string): Promise<AccountEncryption | null> {
  const row = await reader.first(byAccount, { account_id: accountId });
  return row ? { seedHash: row.seed_hash, publicKey: row.public_key } : null;
}

/** The seed's hash is written once and never replaced. */
export const saveEncryption = async (
  tx: Tx,
  accountId: string,
  encryption: AccountEncryption,
  now: number,
): Promise<void> =>
  void (await tx.run(upsert, {
    account_id: accountId,
    seed_hash: encryption.seedHash,
    public_key: encryption.publicKey,
    updated_at: now,
  }));

/** How many keys the account has had. */
export const countHistory = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(latest, { account_id: accountId }))?.n ?? 0;

/** Remembers a key; one that is known already stays as it is. The caller holds the account. */
export async function rememberKey(tx: Tx, accountId: string, publicKey: string, now: number): Promise<void> {
  if (await tx.first(byKey, { account_id: accountId, public_key: publicKey })) return;
  const n = (await countHistory(tx, accountId)) + 1;
  await tx.run(insertKey, { account_id: accountId, public_key: publicKey, n, created_at: now });
}
