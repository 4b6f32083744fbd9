import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { freshDatabase } from '../../test/support/harness.ts';
import { readConfig } from '../config.ts';
import { migrate, openDatabase, sqlitePath } from './open.ts';
import { hashKeyOf } from './settings.ts';

it('a setting that exists is read while another process holds the write lock', async () => {
  const { env, drop } = await freshDatabase('sqlite');
  const config = readConfig(env);
  await migrate(config);
  const database = openDatabase(config);
  const writer = new DatabaseSync(sqlitePath(config.dataDir));
  try {
    const made = await hashKeyOf(database);
    writer.exec('BEGIN IMMEDIATE');
    assert.equal(await hashKeyOf(database), made);
  } finally {
    writer.close();
    await database.close();
    await drop();
  }
});
