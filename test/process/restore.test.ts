import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { eventually } from '../support/eventually.ts';
import { describeInAll, itInAll } from '../support/full-run.ts';
import { runSql } from '../support/harness.ts';
import { createDatabase, startPostgres } from '../support/postgres.ts';
import { createAccount, type Env, refuses, root, signet, succeeds } from './command-line.ts';
import { blockOf } from './guide.ts';
import { launch, ROOMY_LIMITS, startService } from './service.ts';

/** Runs the commands of a block in bash, in a folder of its own, with the paths of the page below `folder`. */
async function follow(name: string, folder: string, env: Env): Promise<void> {
  const commands = blockOf('backup.md', name).replaceAll(/(?<![\w.])\/(srv|backups|run)\//g, `${folder}/$1/`);
  const { PATH, HOME } = process.env;
  const shell = {
    cwd: join(folder, 'elsewhere'),
    env: {
      HOME,
      PORT: '0',
      SMTP_PORT: '0',
      IMAP_PORT: '0',
      SUBMISSION_PORT: '0',
      ...env,
      PATH: [join(folder, 'bin'), env.PATH, PATH].join(':'),
    },
  };
  await new Promise<void>((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', commands], shell, (err, out, said) =>
      err ? reject(new Error(`${name}: ${out}${said}`)) : resolve(),
    );
  });
}

describe('signet restore', () => {
  let folder: string;
  let env: Env;
  const there = (name: string): string => join(folder, name);
  const inData = (name: string): string => join(env.DATA_DIR as string, name);
  /** Every file of the data folder with its content. */
  const state = (): [string, string][] =>
    readdirSync(env.DATA_DIR as string, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(inData(name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(inData(name), 'latin1')]);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signet-restore-'));
    env = { LIMITS: ROOMY_LIMITS, DATA_DIR: there('data') };
    writeFileSync(there('passphrase'), 'correct horse battery\n', { mode: 0o600 });
    writeFileSync(there('wrong'), 'something else entirely\n', { mode: 0o600 });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('brings back what a copy made under load holds, refuses beside a service, and keeps what was there', async () => {
    const service = await startService(env);
    const keys = [(await createAccount(service)).key];
    const load = { on: true };
    const clients = Array.from({ length: 4 }, async () => {
      while (load.on) keys.push((await createAccount(service)).key);
    });
    await eventually(() => keys.length >= 20);
    const known = [...keys];
    await succeeds(env, 'backup', there('copy.db'), '--include-key-with', there('passphrase'));
    await refuses(env, 1, /another service runs on this folder/, 'restore', there('copy.db'));
    load.on = false;
    await Promise.all(clients);
    const late = (await createAccount(service)).key;
    await service.kill('SIGTERM');
    // What a mail program saw of a folder before the copy: its numbers must not be given again.
    const copy = new DatabaseSync(there('copy.db'));
    copy.exec("insert into mailbox_folders values ('ada@agents.localhost', 'inbox', 1, 2, 1, 0, 1)");
    copy.exec("insert into mailbox_uids values ('ada@agents.localhost', 'inbox', 1, 'msg_1', 1, '[]')");
    copy.exec("insert into mailbox_vanished values ('ada@agents.localhost', 'inbox', 1, 1, 0)");
    copy.close();
    const later = state();

    const { path, kept, integrity, audit } = (await succeeds(env, 'restore', there('copy.db'), '--json')).json();
    assert.deepEqual([path, integrity], [inData('signet.db'), 'ok']);
    assert.ok(audit.chains >= known.length && audit.entries >= audit.chains, JSON.stringify(audit));
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(kept), ['signet.db']);
    assert.equal(readFileSync(join(kept, 'signet.db'), 'latin1'), later.find(([name]) => name === 'signet.db')?.[1]);
    assert.ok(!readFileSync(path, 'latin1').includes('scrypt'), 'the sealed key of the copy does not stay');
    const restored = new DatabaseSync(path, { readOnly: true });
    for (const name of ['mailbox_folders', 'mailbox_uids', 'mailbox_vanished'])
      assert.deepEqual(restored.prepare(`select * from ${name}`).all(), [], name);
    restored.close();
    const again = await startService(env);
    for (const key of known) assert.equal((await again.api(key).get('/v1/account/me')).status, 200);
    assert.equal((await again.api(late).get('/v1/account/me')).status, 401);
    await createAccount(again);
    await again.kill('SIGKILL');
  });

  it('after a crash: what only the log held is in the kept file, and nothing of a killed restore stays', async () => {
    const dataDir = env.DATA_DIR as string;
    assert.ok(existsSync(inData('signet.db-wal')));
    mkdirSync(inData(`.restore-${randomUUID()}`));
    const accounts = async (folder: string): Promise<number> =>
      Number((await runSql(readConfig({ DATA_DIR: folder }), 'select count(*) as n from accounts', []))[0]?.n);
    chmodSync(there('copy.db'), 0o400);
    const { kept } = (await succeeds(env, 'restore', there('copy.db'), '--json')).json();
    assert.deepEqual(readdirSync(kept), ['signet.db']);
    assert.equal(await accounts(kept), (await accounts(dataDir)) + 1);
    assert.ok(!readdirSync(dataDir).some((name) => name.startsWith('.restore-')));

    // A copy that others may read, beside a command that uses the database.
    chmodSync(there('copy.db'), 0o644);
    const other = openDatabase({ databaseUrl: null, dataDir });
    await refuses(env, 1, /another signet command uses this database/, 'restore', there('copy.db'));
    await other.close();
    // Each keeps what it found in a folder of its own, also in one second.
    const after = (await succeeds(env, 'restore', there('copy.db'), '--json')).json();
    assert.ok(after.kept !== kept && existsSync(kept));
    assert.equal(statSync(after.path).mode & 0o777, 0o600);
  });

  it('changes nothing when a check fails, and says which', async () => {
    const copy = there('copy.db');
    const changed = async (name: string, work: (path: string) => unknown): Promise<string> => {
      mkdirSync(there(name));
      const path = join(there(name), 'signet.db');
      copyFileSync(copy, path);
      await work(path);
      return path;
    };
    const sqlOn = (path: string, text: string) => runSql(readConfig({ DATA_DIR: join(path, '..') }), text, []);
    const damaged = await changed('damaged', (path) => {
      const bytes = readFileSync(path);
      // Whole pages in the middle.
      bytes.fill(0x5a, 40 * 4096, 60 * 4096);
      writeFileSync(path, bytes);
    });
    const altered = await changed('altered', (path) =>
      sqlOn(path, `update audit_entries set entry = replace(entry, '"actor"', '"actress"') where seq = 1`),
    );
    const newer = await changed('newer', (path) =>
      sqlOn(path, `insert into schema_migrations (id) values ('9999-later')`),
    );
    writeFileSync(there('text.db'), 'not a database at all');
    const before = state();
    for (const [said, ...args] of [
      [/damaged/, damaged],
      [/audit log of acc_\w+ in this copy is altered at entry 1/, altered],
      [/newer version of signet.*9999-later/, newer],
      [/not a copy of a Signet database/, there('text.db')],
      [/there is no file/, there('nothing.db')],
      [/is the database itself/, inData('signet.db')],
      [/passphrase does not open/, copy, '--key-with', there('wrong')],
    ] as const)
      await refuses(env, 1, said, 'restore', ...args);
    assert.deepEqual(state(), before);
    await refuses({ ...env, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }, 1, /wrong key/, 'restore', copy);
    // A folder that nobody named is not made.
    const nowhere = { ...env, DATA_DIR: there('nowhere') };
    await refuses(nowhere, 1, /there is no folder .*nowhere; .*--to/, 'restore', copy);
    assert.ok(!existsSync(there('nowhere')));
    await refuses(
      { ...env, DATABASE_URL: 'postgres://u:hush@h/d' },
      1,
      /pg_restore .*"\$DATABASE_URL"/,
      'restore',
      copy,
    );
    assert.deepEqual(state(), before);
  });

  it('on another machine: needs the key, takes it from the copy with the passphrase, and the service starts', async () => {
    const away = { ...env, DATA_DIR: there('away') };
    await refuses(away, 1, /MASTER_KEY is missing.*--key-with/, 'restore', there('copy.db'), '--to', away.DATA_DIR);
    await succeeds(away, 'restore', there('copy.db'), '--to', away.DATA_DIR, '--key-with', there('passphrase'));
    assert.equal(readFileSync(join(away.DATA_DIR, 'master.key'), 'utf8'), readFileSync(inData('master.key'), 'utf8'));
    // Another key in its place is kept, too.
    writeFileSync(join(away.DATA_DIR, 'master.key'), `${Buffer.alloc(32, 9).toString('base64')}\n`);
    const { stdout } = await succeeds(away, 'restore', there('copy.db'), '--key-with', there('passphrase'));
    const kept = /what was there before is in (\S+)/.exec(stdout)?.[1] as string;
    assert.deepEqual(readdirSync(kept), ['master.key', 'signet.db']);
    assert.ok((await succeeds(away, 'account', 'list', '--json')).json().accounts.length >= 20);
  });

  itInAll(
    'the recipes of docs/backup.md, run from another folder: the database is where the service looks',
    async () => {
      // A root of the file system in which the paths of the page exist, made by replacing them.
      for (const name of ['srv/signet', 'backups', 'run/secrets', 'bin', 'elsewhere'])
        mkdirSync(there(name), { recursive: true });
      cpSync(env.DATA_DIR as string, there('srv/signet/data'), { recursive: true });
      for (const name of ['signet.db', 'whole.db']) copyFileSync(there('copy.db'), there(`backups/${name}`));
      copyFileSync(there('passphrase'), there('run/secrets/backup-passphrase'));
      symlinkSync(join(root, 'bin/signet'), there('bin/signet'));
      for (const name of ['restore', 'another machine']) await follow(name, folder, {});
      assert.deepEqual(readdirSync(there('elsewhere')), []);
      for (const name of ['data', 'new']) {
        const at = { ...env, DATA_DIR: there(`srv/signet/${name}`) };
        assert.equal((await succeeds(at, 'audit', 'verify', '--json')).json().ok, true);
        assert.ok((await succeeds(at, 'account', 'list', '--json')).json().accounts.length >= 20);
      }
    },
  );
});

describe('signet backup --every', () => {
  it('copies until it is stopped, keeps the newest, deletes nothing of others, and goes on after a failure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signet-copies-'));
    const env = { DATA_DIR: join(folder, 'data') };
    await succeeds(env, 'migrate');
    const copies = join(folder, 'copies');
    mkdirSync(copies);
    for (const name of ['mine.db', 'signet-2020-01-01T00-00-00Z.db', 'signet-2020-01-02T00-00-00Z.db'])
      appendFileSync(join(copies, name), 'x');
    // Copies by a clock that was wrong, and what copies leave that were killed, long ago and just now.
    const future = ['signet-2999-01-01T00-00-00Z.db', 'signet-2999-01-01T01-00-00Z.db'];
    const partial = (day: number): string => `.signet-2020-01-0${day}T00-00-00Z.db.${randomUUID()}.partial`;
    const [stale, fresh] = [partial(3), partial(4)];
    for (const name of [...future, stale, fresh]) appendFileSync(join(copies, name), 'x');
    utimesSync(join(copies, stale), 1, 1);
    const command = ['sh', 'bin/signet', 'backup', copies, '--every', '1s', '--keep', '2', '--json'];
    const run = launch(env, command);
    const made = () =>
      run
        .stdout()
        .split('\n')
        .filter((line) => line.includes('"path"'))
        .map((line) => JSON.parse(line));
    /** One that ended does nothing more; what is asserted below says why. */
    const until = (isSo: () => boolean) => eventually(() => isSo() || run.child.exitCode !== null);
    await until(() => made().length >= 2);
    // While the database is away no copy is made, and none is deleted.
    const elsewhere = join(folder, 'elsewhere');
    cpSync(env.DATA_DIR, elsewhere, { recursive: true });
    rmSync(env.DATA_DIR, { recursive: true });
    await until(() => run.stderr().includes('no copy was made'));
    const left = readdirSync(copies);
    // Nor while the folder of the copies is.
    const warnings = () => run.stderr().split('no copy was made: ENOENT').length;
    const warned = warnings();
    renameSync(copies, `${copies}-away`);
    await until(() => warnings() !== warned);
    assert.ok(!existsSync(copies));
    renameSync(`${copies}-away`, copies);
    cpSync(elsewhere, env.DATA_DIR, { recursive: true });
    const count = made().length;
    await until(() => made().length > count);
    run.child.kill('SIGTERM');
    assert.deepEqual(await run.exited, { code: 0, signal: null });
    const last = made()
      .slice(-2)
      .map(({ path }) => path.slice(copies.length + 1));
    assert.deepEqual(readdirSync(copies), [fresh, 'mine.db', ...last, ...future]);
    assert.equal(left.length, 6);
    assert.ok(made()[0].deleted.includes('signet-2020-01-01T00-00-00Z.db'));
    for (const args of [['--every', '1h', '--force'], ['--keep', '3', 'x.db'], ['--every', 'soon'], []])
      assert.equal((await signet(env, 'backup', ...args)).code, 2);
    rmSync(folder, { recursive: true });
  });
});

/** A whole PostgreSQL of the system, newest first: its pg_dump must match its server. */
const SERVERS = globSync('/usr/lib/postgresql/*/bin')
  .filter((bin) => ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'].every((tool) => existsSync(join(bin, tool))))
  .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
const skip = SERVERS.length === 0 && 'SKIPPED: no PostgreSQL with pg_dump is installed, so its recipe was not run';

describeInAll('backup and restore of PostgreSQL', { skip }, () => {
  it('the recipe of docs/backup.md: a dump made under load comes back into a service that had gone on', async () => {
    const [tools = ''] = SERVERS;
    const server = await startPostgres({ tools });
    const folder = mkdtempSync(join(tmpdir(), 'signet-dump-'));
    for (const name of ['backups', 'bin', 'elsewhere']) mkdirSync(join(folder, name));
    symlinkSync(join(root, 'bin/signet'), join(folder, 'bin/signet'));
    const url = await createDatabase(server.url, 'signet');
    const env = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: url,
      MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
    };
    const service = await startService({ ...env, LIMITS: ROOMY_LIMITS });
    const keys = [(await createAccount(service)).key];
    const load = { on: true };
    const clients = Array.from({ length: 4 }, async () => {
      while (load.on) keys.push((await createAccount(service)).key);
    });
    await eventually(() => keys.length >= 20);
    const known = [...keys];
    await follow('postgresql backup', folder, { ...env, PATH: tools });
    load.on = false;
    await Promise.all(clients);
    const late = (await createAccount(service)).key;
    await service.kill('SIGTERM');
    // What an upgrade after the dump brought.
    const upgraded = 'create table later (account_id text references accounts (id))';
    for (let times = 0; times < 2; times++) {
      await runSql(readConfig(env), upgraded, []);
      await follow('postgresql restore', folder, { ...env, PATH: tools });
      // The second dump is of what the first restore made.
      if (times === 0) await follow('postgresql backup', folder, { ...env, PATH: tools });
    }
    await runSql(readConfig(env), upgraded, []);
    const again = await startService({ ...env, LIMITS: ROOMY_LIMITS });
    for (const key of known) assert.equal((await again.api(key).get('/v1/account/me')).status, 200);
    assert.equal((await again.api(late).get('/v1/account/me')).status, 401);
    await again.kill('SIGTERM');
    await server.stop();
    rmSync(folder, { recursive: true });
  });
});
