import { randomBytes } from 'node:crypto';
import type { Reader, Tx } from '../api/transaction.ts';
import { type FormerKey, type Sealed, type SealedColumn, type Sealer, sealedBy } from '../base/sealing.ts';
import { column } from './column-map.ts';
import { table } from './table.ts';

/** All settings are secrets. */
export const SETTING_VALUES: SealedColumn = {
  purpose: 'service-key',
  table: 'service_settings',
  column: 'value',
  id: 'name',
};

const SETTINGS = table(
  'service_settings',
  { name: column.text('name'), value: column.sealed('value') },
  { key: ['name'], account: [], erase: { keep: 'belongs to no account' } },
);
const insertSetting = SETTINGS.insertNew();
const findSetting = SETTINGS.find();

/** The key of this version. */
const SERVICE_KEY = 'service_key';
/** The key of earlier versions, which kept it in the clear and derived feed links and return paths from it. */
const FORMER_KEY = 'hash_key';

interface ServiceKey {
  key: string;
  /** Milliseconds. */
  madeAt: number;
}

/** Returns the service's key, or null before the first start with a master key. @throws Error when it does not open */
export async function findServiceKey(reader: Reader, sealer: Sealer): Promise<ServiceKey | null> {
  const row = await findSetting(reader, SERVICE_KEY);
  return row ? (JSON.parse(sealer.open(SETTING_VALUES, SERVICE_KEY, row.value)) as ServiceKey) : null;
}

/** Returns the service's key. The first instance that asks makes it, and others wait for that transaction. */
export async function ensureServiceKey(tx: Tx, sealer: Sealer, now: number): Promise<ServiceKey> {
  const made: ServiceKey = { key: randomBytes(32).toString('hex'), madeAt: now };
  const value = sealer.seal(SETTING_VALUES, SERVICE_KEY, JSON.stringify(made));
  await insertSetting(tx, { name: SERVICE_KEY, value });
  return (await findServiceKey(tx, sealer)) ?? made;
}

/** Returns the key of earlier versions, in the clear until this start seals it, or null. */
export async function findFormerKey(reader: Reader, sealer: Sealer, until: number): Promise<FormerKey | null> {
  const row = await findSetting(reader, FORMER_KEY);
  if (!row) return null;
  const stored: string = row.value;
  const key = sealedBy(stored) === null ? stored : sealer.open(SETTING_VALUES, FORMER_KEY, stored as Sealed);
  return { key, until };
}
