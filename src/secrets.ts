import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from './api/transaction.ts';
import { makePrivateFile, readIfThere } from './base/private-file.ts';
import { makeMasterKey, parseMasterKey, type SealedColumn, type Secrets } from './base/sealing.ts';
import type { Config } from './config/service-config.ts';
import { examineKeys, type GivenKeys, MasterKeyError, openSecrets } from './db/master-keys.ts';
import { openDatabase } from './db/open.ts';
import { hasUnsealed, sealColumn } from './db/sealed-values.ts';
import { SETTING_VALUES } from './db/settings.ts';
import type { FeatureContext, FeatureParts } from './feature.ts';

/**
 * The key of development servers on PostgreSQL. Everyone can know it, so it protects nothing. It lets several instances
 * and the command line work on one database without a setting.
 */
const DEVELOPMENT_KEY = createHash('sha256').update('signet development master key').digest();

/** The master keys that the configuration or the key file of the data folder gives. */
export async function masterKeysOf(config: Config, { seals }: Pick<GivenKeys, 'seals'>): Promise<GivenKeys> {
  const { masterKey, masterKeyPrevious: previous, dataDir, databaseUrl, development } = config;
  const path = join(dataDir, 'master.key');
  const read = async (): Promise<Buffer | null> => {
    const text = await readIfThere(path);
    const key = text === null ? null : parseMasterKey(text);
    if (text !== null && key === null)
      throw new MasterKeyError(
        `the master key ${path} is not 32 bytes in base64; put the right file back, or set MASTER_KEY`,
      );
    return key;
  };
  const make = async (): Promise<Buffer> => {
    await makePrivateFile(path, `${makeMasterKey().toString('base64')}\n`);
    return (await read()) as Buffer;
  };
  const current = masterKey ?? (await read());
  if (databaseUrl === null) return { current, previous, make, seals };
  // Instances on one PostgreSQL share no data folder, so none of them may make a key.
  return { current: current ?? (development ? DEVELOPMENT_KEY : null), previous, make: null, seals };
}

/** The columns in which the service keeps sealed secrets. */
export const sealedColumnsOf = (parts: readonly FeatureParts[]): SealedColumn[] => [
  SETTING_VALUES,
  ...parts.flatMap(({ sealed }) => sealed ?? []),
];

/** Looks at the master keys and at what they sealed, for `signet doctor`. Changes nothing. */
export async function examineSecrets(config: Config, database: Database, columns: readonly SealedColumn[]) {
  const given = await masterKeysOf(config, { seals: false });
  const report = await examineKeys(database, given);
  const { current } = report;
  const placesWith = async (keyId: string | null): Promise<string[]> => {
    if (current === null) return [];
    const found = await Promise.all(columns.map((column) => hasUnsealed(database, column, keyId)));
    return columns.filter((_, at) => found[at]).map(({ table, column }) => `${table}.${column}`);
  };
  const plain = await placesWith(null);
  const other = await placesWith(current);
  return { ...report, hasPrevious: given.previous !== null, plain, older: other.filter((one) => !plain.includes(one)) };
}

/** Seals what an earlier version stored in the clear. */
export async function sealPlainValues(
  config: Config,
  { database, secrets }: FeatureContext,
  parts: readonly FeatureParts[],
): Promise<void> {
  const columns = sealedColumnsOf(parts);
  const found = await Promise.all(columns.map((column) => hasUnsealed(database, column, null)));
  if (!found.includes(true)) return;
  // A connection that overwrites what it replaces: free space in the file and the log would still hold the secrets.
  const eraser = openDatabase(config, { secureDelete: true });
  try {
    for (const column of columns) await sealColumn(eraser, secrets.sealer, column, 'plain');
  } finally {
    await eraser.close();
  }
}

/** Opens the secrets of a service that starts. @throws MasterKeyError */
export const openServiceSecrets = async (config: Config, database: Database, now: number): Promise<Secrets> =>
  openSecrets(database, await masterKeysOf(config, { seals: true }), now);
