import type { Database, Reader, Tx } from '../api/transaction.ts';
import { type SealedColumn, Sealer, type Secrets } from '../base/sealing.ts';
import { column, type RecordOf } from './column-map.ts';
import { sealColumn } from './sealed-values.ts';
import { ensureServiceKey, findFormerKey, findServiceKey } from './settings.ts';
import { table } from './table.ts';

/** The master keys that may have sealed a value. */
const MASTER_KEYS = table(
  'master_keys',
  {
    keyId: column.text('key_id'),
    checkValue: column.sealed('check_value'),
    createdAt: column.integer('created_at'),
  },
  { key: ['keyId'], account: [], erase: { keep: 'belongs to no account' } },
);
type MasterKey = RecordOf<typeof MASTER_KEYS>;

const CHECK: SealedColumn = { purpose: 'check', table: 'master_keys', column: 'check_value', id: 'key_id' };
const CHECK_TEXT = 'signet';

const listKeys = MASTER_KEYS.list([]);
const insertKey = MASTER_KEYS.insertNew();
const deleteKey = MASTER_KEYS.remove();

/** The master key does not fit the database. The message is one line for the operator. */
export class MasterKeyError extends Error {
  readonly code = 'MASTER_KEY';
}

export interface GivenKeys {
  /** `MASTER_KEY`, or the key file of the data folder. Null: there is none. */
  current: Buffer | null;
  /** `MASTER_KEY_PREVIOUS`. */
  previous: Buffer | null;
  /** Makes the key file for a new database. Null where `MASTER_KEY` must be set. */
  make: (() => Promise<Buffer>) | null;
  /** A service that seals with a new key beside the one before. Commands seal nothing, and only open. */
  seals: boolean;
}

/** Returns the key to seal with. Makes one for a database without sealed values only: no other key opens those. */
async function currentKey({ current, make }: GivenKeys, known: readonly MasterKey[]): Promise<Buffer> {
  if (current) return current;
  if (known[0])
    throw new MasterKeyError(
      `MASTER_KEY is missing: the secrets in this database are sealed by the key ${known[0].keyId}. Set MASTER_KEY to that key, or put its file back as master.key in DATA_DIR`,
    );
  if (make) return make();
  throw new MasterKeyError(
    'MASTER_KEY is not set; on PostgreSQL in production it must be 32 random bytes in base64, such as from openssl rand -base64 32, or file:PATH',
  );
}

/** @throws MasterKeyError when a key that sealed values is not given */
function requireKnown(sealer: Sealer, known: readonly MasterKey[]): void {
  for (const { keyId, checkValue } of known) {
    if (!sealer.keyIds.includes(keyId))
      throw new MasterKeyError(
        `MASTER_KEY is the wrong key: it is ${sealer.keyId}, but secrets in this database are sealed by ${keyId}. Set MASTER_KEY or MASTER_KEY_PREVIOUS to that key`,
      );
    if (sealer.open(CHECK, keyId, checkValue) !== CHECK_TEXT)
      throw new MasterKeyError(`MASTER_KEY does not open the check value of the key ${keyId}`);
  }
}

/** Records the key before anything is sealed by it. Instances that start first together take turns at the service's key. */
async function recordKey(tx: Tx, sealer: Sealer, now: number): Promise<void> {
  await ensureServiceKey(tx, sealer, now).catch(async (err: unknown) => {
    requireKnown(sealer, await listKeys(tx));
    throw err;
  });
  requireKnown(sealer, await listKeys(tx));
  const { keyId } = sealer;
  const checkValue = sealer.seal(CHECK, keyId, CHECK_TEXT);
  await insertKey(tx, { keyId, checkValue, createdAt: now });
}

/**
 * Checks the master keys against the database, and makes what a new one needs. Takes no write lock once the key is known:
 * a command that only reads must not wait for a writer.
 * @throws MasterKeyError
 */
export async function openSecrets(database: Database, given: GivenKeys, now: number): Promise<Secrets> {
  const known = await listKeys(database);
  const sealer = new Sealer(await currentKey(given, known), given.previous ? [given.previous] : []);
  requireKnown(sealer, known);
  const isNew = !known.some(({ keyId }) => keyId === sealer.keyId);
  if (isNew && (given.seals || known.length === 0)) await database.transaction((tx) => recordKey(tx, sealer, now));
  const service = await findServiceKey(database, sealer);
  if (!service) throw new Error('service_settings has no service_key, but master_keys has a key');
  return { sealer, serviceKey: service.key, formerKey: await findFormerKey(database, sealer, service.madeAt) };
}

/** Compares the master keys with the database, and changes nothing. `problem`: why a service would not start. */
export async function examineKeys(
  reader: Reader,
  { current, previous, make }: GivenKeys,
): Promise<{ current: string | null; known: string[]; problem: string | null }> {
  const known = await listKeys(reader);
  const ids = known.map(({ keyId }) => keyId);
  if (!current && known.length === 0 && make) return { current: null, known: ids, problem: null };
  try {
    const key = await currentKey({ current, previous, make: null, seals: false }, known);
    const sealer = new Sealer(key, previous ? [previous] : []);
    requireKnown(sealer, known);
    return { current: sealer.keyId, known: ids, problem: null };
  } catch (err) {
    return { current: null, known: ids, problem: (err as Error).message };
  }
}

/** How many secrets a rotation sealed anew, and how many no key opens. */
export interface RotationReport {
  keyId: string;
  sealed: number;
  unreadable: number;
}

/**
 * Seals every secret under the current key, beside running services, and then forgets the other keys. A killed run is
 * repeated from where it was.
 * @throws MasterKeyError when no service has been started with the new key: a running one could not open what this seals
 */
export async function rotateMasterKey(
  database: Database,
  given: GivenKeys,
  columns: readonly SealedColumn[],
): Promise<RotationReport> {
  const known = await listKeys(database);
  if (!given.current || !given.previous)
    throw new MasterKeyError(
      'MASTER_KEY_PREVIOUS is not set: set MASTER_KEY to the new key and MASTER_KEY_PREVIOUS to the present one, restart the service with both, then run this command',
    );
  const sealer = new Sealer(given.current, [given.previous]);
  requireKnown(sealer, known);
  if (!known.some(({ keyId }) => keyId === sealer.keyId))
    throw new MasterKeyError(
      `MASTER_KEY is ${sealer.keyId}, and no service has been started with it: restart the service with MASTER_KEY and MASTER_KEY_PREVIOUS first`,
    );
  const report = { keyId: sealer.keyId, sealed: 0, unreadable: 0 };
  for (let sealed = 1; sealed > 0; report.sealed += sealed) {
    // Until a whole pass finds nothing: a service that still restarts may seal under the key before.
    const passes = [];
    for (const column of columns) passes.push(await sealColumn(database, sealer, column, 'all'));
    sealed = passes.reduce((sum, pass) => sum + pass.sealed, 0);
    report.unreadable = passes.reduce((sum, pass) => sum + pass.unreadable, 0);
  }
  await database.transaction(async (tx) => {
    for (const { keyId } of known) if (keyId !== sealer.keyId) await deleteKey(tx, keyId);
  });
  return report;
}
