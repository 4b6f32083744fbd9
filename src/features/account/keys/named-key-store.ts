import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import {
  NAMED_KEY_SECRETS,
  NAMED_KEYS,
  type NamedKey,
  type NamedKeySecret,
  type PresentedKey,
} from './named-key-table.ts';

export const findNamedKey = NAMED_KEYS.find(['accountId', 'id']);
/** Replaces the addresses that a key is limited to. */
export const saveAddresses = NAMED_KEYS.patch(['addresses']);
/** Changes what a key may be changed in. */
export const changeKey = NAMED_KEYS.patch(['name', 'scopes', 'requestsShare', 'expiresAt']);
const byAccount = NAMED_KEYS.list(['accountId']);
const insertKey = NAMED_KEYS.insert();
const setPrefix = NAMED_KEYS.patch(['prefix']);
const removeKey = NAMED_KEYS.remove();

const insertSecret = NAMED_KEY_SECRETS.insert();
const removeSecrets = NAMED_KEY_SECRETS.remove(['keyId']);
const endCurrent = NAMED_KEY_SECRETS.patch(['validUntil'], { validUntil: null }, ['keyId']);
const purgeFormer = NAMED_KEY_SECRETS.purge('validUntil');

const sql = tables<{ named_keys: RowOf<typeof NAMED_KEYS>; named_key_secrets: RowOf<typeof NAMED_KEY_SECRETS> }>();

const byHash = sql((q, p: { hash: string }) =>
  q
    .selectFrom('named_key_secrets as s')
    .innerJoin('named_keys as k', 'k.id', 's.key_id')
    .select(['k.id', 'k.account_id', 'k.name', 'k.scopes', 'k.addresses', 'k.requests_share', 'k.expires_at'])
    .select(['s.prefix', 's.valid_until'])
    .where('s.hash', '=', p.hash),
);

/** Removes what a former rotation left, so that at most one former key works. */
const deleteFormer = sql((q, p: { key_id: string }) =>
  q.deleteFrom('named_key_secrets').where('key_id', '=', p.key_id).where('valid_until', 'is not', null),
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

const expiring = sql((q, p: Pick<WaitingParams, 'ids' | 'now'> & { until: number }, engine) =>
  q
    .selectFrom('named_keys')
    .select(NAMED_KEYS.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('expires_at', '>', p.now)
    .where('expires_at', '<=', p.until),
);

/** Lists the named keys of these accounts that end before a time, in no order. */
export const expiringKeys = async (
  reader: Reader,
  { ids, now }: Pick<WaitingParams, 'ids' | 'now'>,
  until: number,
): Promise<NamedKey[]> => (await reader.all(expiring, { ids, now, until })).map(NAMED_KEYS.fromRow);

/** Finds the key of a presented text, whether or not it has ended. */
export async function findPresentedKey(reader: Reader, hash: string): Promise<PresentedKey | null> {
  const row = await reader.first(byHash, { hash });
  if (!row) return null;
  const endsAt = Math.min(row.expires_at ?? Number.POSITIVE_INFINITY, row.valid_until ?? Number.POSITIVE_INFINITY);
  const scopes = NAMED_KEYS.columns.scopes.read(row.scopes);
  const addresses = NAMED_KEYS.columns.addresses.read(row.addresses);
  const { id, account_id: accountId, name, requests_share: requestsShare, prefix } = row;
  return { id, accountId, name, scopes, addresses, requestsShare, prefix, endsAt };
}

/** Lists the named keys of an account, newest first. */
export const listNamedKeys = async (reader: Reader, accountId: string): Promise<NamedKey[]> =>
  (await byAccount(reader, accountId)).reverse();

export async function insertNamedKey(tx: Tx, key: NamedKey, secret: NamedKeySecret): Promise<void> {
  await insertKey(tx, key);
  await insertSecret(tx, secret);
}

export async function deleteNamedKey(tx: Tx, id: string): Promise<void> {
  await removeSecrets(tx, id);
  await removeKey(tx, id);
}

/** Replaces the current key. The former one works until `formerEndsAt`; null: it ends now. */
export async function replaceSecret(tx: Tx, secret: NamedKeySecret, formerEndsAt: number | null): Promise<void> {
  const { keyId, prefix } = secret;
  if (formerEndsAt === null) await removeSecrets(tx, keyId);
  else {
    await tx.run(deleteFormer, { key_id: keyId });
    await endCurrent(tx, { keyId, validUntil: formerEndsAt });
  }
  await insertSecret(tx, secret);
  await setPrefix(tx, { id: keyId, prefix });
}

export const saveLastUse = async (tx: Tx, id: string, at: number): Promise<void> =>
  void (await tx.run(setLastUsed, { id, at }));

/** Deletes keys that expired before `before`, and former keys whose grace period is over. */
export async function purgeNamedKeys(tx: Tx, before: number, now: number): Promise<void> {
  await purgeFormer(tx, now);
  for (const { id } of await tx.all(expired, { before })) await deleteNamedKey(tx, id);
}
