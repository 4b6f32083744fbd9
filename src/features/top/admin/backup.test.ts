import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { sqlitePath } from '../../../db/open.ts';
import { BackupRefused, backupSqlite } from './backup-store.ts';

describe('a backup of SQLite', () => {
  let t: TestApp;
  let folder: string;
  let live: string;

  before(async () => {
    t = await startTestApp('sqlite');
    folder = mkdtempSync(join(tmpdir(), 'signet-backup-'));
    live = sqlitePath(t.config.dataDir);
  });
  after(async () => {
    await t?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const refused = (said: RegExp) => (err: unknown) => err instanceof BackupRefused && said.test(err.message);

  it('does not replace an existing file; with --force it does, with mode 0600 and no leftovers', async () => {
    const file = join(folder, 'there.db');
    writeFileSync(file, 'mine', { mode: 0o644 });
    await assert.rejects(
      backupSqlite(live, file, { force: false, sealedKey: null }),
      refused(/there already.*--force/),
    );
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    const { path, sizeBytes } = await backupSqlite(live, file, { force: true, sealedKey: null });
    assert.deepEqual([path, sizeBytes], [file, statSync(file).size]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['there.db']);
  });

  it('never writes to the live database under any name, even with --force', async () => {
    const link = join(folder, 'link.db');
    symlinkSync(live, link);
    for (const name of [live, `${live}-wal`, `${live}-shm`, link])
      await assert.rejects(backupSqlite(live, name, { force: true, sealedKey: null }), refused(/live database/));
    rmSync(link);
    assert.equal((await t.createAccount()).accountId.slice(0, 4), 'acc_');
  });

  it('explains why it cannot write to a path', async () => {
    const nowhere = join(folder, 'nowhere', 'copy.db');
    await assert.rejects(backupSqlite(live, nowhere, { force: false, sealedKey: null }), refused(/no folder/));
    await assert.rejects(backupSqlite(live, folder, { force: true, sealedKey: null }), refused(/is not a file/));
  });
});
