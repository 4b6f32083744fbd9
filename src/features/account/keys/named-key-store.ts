import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import {
  NAMED_KEY_SECRETS,
  NAMED_KEYS,
  type NamedKey,
  type NamedKeySecret,
  type PresentedKey,
} from './named-key-table.ts';

type Row = RowOf<typeof NAMED_KEYS>;
type SecretRow = RowOf<typeof NAMED_KEY_SECRETS>;

const sql = tables<{ named_keys: Row; named_key_secrets: SecretRow }>();

const insertRow = sql((q, p: Row) => q.insertInto('named_keys').values(NAMED_KEYS.values(p)));
const insertSecretRow = sql((q, p: SecretRow) => q.insertInto('named_key_secrets').values(NAMED_KEY_SECRETS.values(p)));

const byHash = sql((q, p: { hash: string }) =>
  q
    .selectFrom('named_key_secrets as s')
    .innerJoin('named_keys as k', 'k.id', 's.key_id')
    .select(['k.id', 'k.account_id', 'k.scopes', 'k.addresses', 'k.expires_at', 's.prefix', 's.valid_until'])
    .where('s.hash', '=', p.hash),
);

const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('named_keys').select(NAMED_KEYS.names).where('account_id', '=', p.account_id).orderBy('id', 'desc'),
);

const byId = sql((q, p: { account_id: string; id: string }) =>
  q.selectFrom('named_keys').select(NAMED_KEYS.names).where('account_id', '=', p.account_id).where('id', '=', p.id),
);

const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('named_keys').where('id', '=', p.id));
const deleteSecrets = sql((q, p: { key_id: string }) =>
  q.deleteFrom('named_key_secrets').where('key_id', '=', p.key_id),
);

/** Removes what a former rotation left, so that at most one former key works. */
const deleteFormer = sql((q, p: { key_id: string }) =>
  q.deleteFrom('named_key_secrets').where('key_id', '=', p.key_id).where('valid_until', 'is not', null),
);
const endCurrent = sql((q, p: { key_id: string; valid_until: number }) =>
  q
    .updateTable('named_key_secrets')
    .set({ valid_until: p.valid_until })
    .where('key_id', '=', p.key_id)
    .where('valid_until', 'is', null),
);
const setPrefix = sql((q, p: { id: string; prefix: string }) =>
  q.updateTable('named_keys').set({ prefix: p.prefix }).where('id', '=', p.id),
);
const setAddresses = sql((q, p: { id: string; addresses: string | null }) =>
  q.updateTable('named_keys').set({ addresses: p.addresses }).where('id', '=', p.id),
);
const setLastUsed = sql((q, p: { id: string; at: number }) =>
  q
    .updateTable('named_keys')
    .set({ last_used_at: p.at })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p.at)])),
);

const expired = sql((q, p: { before: number }) =>
  q.selectFrom('named_keys').select('id').where('expires_at', '<=', p.before),
);
const forgetFormer = sql((q, p: { now: number }) =>
  q.deleteFrom('named_key_secrets').where('valid_until', '<=', p.now),
);

/** Finds the key of a presented text, whether or not it has ended. */
export async function findPresentedKey(reader: Reader, hash: string): Promise<PresentedKey | null> {
  const row = await reader.first(byHash, { hash });
  if (!row) return null;
  const endsAt = Math.min(row.expires_at ?? Number.POSITIVE_INFINITY, row.valid_until ?? Number.POSITIVE_INFINITY);
  const scopes = NAMED_KEYS.columns.scopes.read(row.scopes);
  const addresses = NAMED_KEYS.columns.addresses.read(row.addresses);
  return { id: row.id, accountId: row.account_id, scopes, addresses, prefix: row.prefix, endsAt };
}

/** Lists the named keys of an account, newest first. */
export const listNamedKeys = async (reader: Reader, accountId: string): Promise<NamedKey[]> =>
  (await reader.all(byAccount, { account_id: accountId })).map(NAMED_KEYS.fromRow);

export async function findNamedKey(reader: Reader, accountId: string, id: string): Promise<NamedKey | null> {
  const row = await reader.first(byId, { account_id: accountId, id });
  return row ? NAMED_KEYS.fromRow(row) : null;
}

export async function insertNamedKey(tx: Tx, key: NamedKey, secret: NamedKeySecret): Promise<void> {
  await tx.run(insertRow, NAMED_KEYS.toRow(key));
  await tx.run(insertSecretRow, NAMED_KEY_SECRETS.toRow(secret));
}

export async function deleteNamedKey(tx: Tx, id: string): Promise<void> {
  await tx.run(deleteSecrets, { key_id: id });
  await tx.run(deleteRow, { id });
}

/** Replaces the current key. The former one works until `formerEndsAt`; null: it ends now. */
export async function replaceSecret(tx: Tx, secret: NamedKeySecret, formerEndsAt: number | null): Promise<void> {
  const { keyId, prefix } = secret;
  if (formerEndsAt === null) await tx.run(deleteSecrets, { key_id: keyId });
  else {
    await tx.run(deleteFormer, { key_id: keyId });
    await tx.run(endCurrent, { key_id: keyId, valid_until: formerEndsAt });
  }
  await tx.run(insertSecretRow, NAMED_KEY_SECRETS.toRow(secret));
  await tx.run(setPrefix, { id: keyId, prefix });
}

export const saveLastUse = async (tx: Tx, id: string, at: number): Promise<void> =>
  void (await tx.run(setLastUsed, { id, at }));

/** Deletes keys that expired before `before`, and former keys whose grace period is over. */
export async function purgeNamedKeys(tx: Tx, before: number, now: number): Promise<void> {
  await tx.run(forgetFormer, { now });
  for (const { id } of await tx.all(expired, { before })) await deleteNamedKey(tx, id);
}

/** Replaces the addresses that a key is limited to. */
export const saveAddresses = async (tx: Tx, { id, addresses }: Pick<NamedKey, 'id' | 'addresses'>): Promise<void> =>
  void (await tx.run(setAddresses, { id, addresses: NAMED_KEYS.columns.addresses.write(addresses) }));
