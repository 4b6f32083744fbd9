import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { freshDatabase } from '../../test/support/harness.ts';
import { makeMasterKey } from '../base/sealing.ts';
import { readConfig } from '../config/service-config.ts';
import { openSecrets } from './master-keys.ts';
import { migrate, openDatabase, sqlitePath } from './open.ts';

it('a setting that exists is read while another process holds the write lock', async () => {
  const { env, drop } = await freshDatabase('sqlite');
  const config = readConfig(env);
  await migrate(config);
  const database = openDatabase(config);
  const writer = new DatabaseSync(sqlitePath(config.dataDir));
  const given = { current: makeMasterKey(), previous: null, make: null, seals: true };
  try {
    const { serviceKey } = await openSecrets(database, given, 1);
    writer.exec('BEGIN IMMEDIATE');
    assert.equal((await openSecrets(database, given, 2)).serviceKey, serviceKey);
  } finally {
    writer.close();
    await database.close();
    await drop();
  }
});
