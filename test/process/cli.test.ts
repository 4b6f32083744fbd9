import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { MIGRATION_IDS } from '../../src/db/migrate.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { createAccount, type Env, operatorEntries, refuses, signet, succeeds } from './command-line.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const UNKNOWN = `acc_${'0'.repeat(26)}`;

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`signet beside a running service [${engine}]`, () => {
    let env: Env;
    let service: Service;
    let drop: () => Promise<void>;
    let folder: string;

    before(async () => {
      const database = await freshDatabase(engine);
      env = { LIMITS: ROOMY_LIMITS, ...database.env };
      drop = database.drop;
      folder = mkdtempSync(join(tmpdir(), 'signet-cli-'));
      service = await startService(env);
    });
    after(async () => {
      await service?.kill('SIGTERM');
      await drop?.();
      rmSync(folder, { recursive: true, force: true });
    });

    /** On SQLite the next request shows a change. On PostgreSQL the signal can take longer. */
    const follows = async (holds: () => Promise<boolean>): Promise<void> =>
      engine === 'sqlite' ? assert.ok(await holds()) : void (await eventually(holds));

    it('account set-tier: the API shows the tier at once (PostgreSQL: within 5 s), and the account’s chain has one entry by the operator', async () => {
      const { id, api } = await createAccount(service);
      assert.equal((await api.get('/v1/account/me')).body.tier, 'free');
      assert.match((await succeeds(env, 'account', 'set-tier', id, 'paid')).stdout, /^acc_\w+ now has tier paid\n$/);
      await follows(async () => (await api.get('/v1/account/me')).body.tier === 'paid');
      const again = (await succeeds(env, 'account', 'set-tier', id, 'paid', '--json')).json();
      assert.equal(again.changed, false);
      assert.deepEqual(await operatorEntries(env, id), ['account.tier_set']);
    });

    it('account suspend and unsuspend: 403 account_suspended at once (PostgreSQL: within 5 s), and 200 again', async () => {
      const { id, api } = await createAccount(service);
      assert.equal((await api.get('/v1/account/me')).status, 200);
      await succeeds(env, 'account', 'suspend', id);
      await follows(async () => (await api.get('/v1/account/me')).status === 403);
      assert.equal((await api.get('/v1/account/me')).body.error, 'account_suspended');
      await succeeds(env, 'account', 'unsuspend', id);
      await follows(async () => (await api.get('/v1/account/me')).status === 200);
      assert.deepEqual(await operatorEntries(env, id), ['account.suspended', 'account.unsuspended']);
    });

    it('account set-scopes: sets the ceiling, each scope once; --none removes it', async () => {
      const { id } = await createAccount(service);
      const scopes = async () => (await succeeds(env, 'account', 'show', id, '--json')).json().account.allowed_scopes;
      const longest = `a${'b'.repeat(127)}`;
      assert.equal(await scopes(), null);
      await succeeds(env, 'account', 'set-scopes', id, 'mail:read', longest, 'mail:read');
      assert.deepEqual(await scopes(), ['mail:read', longest]);
      await succeeds(env, 'account', 'set-scopes', id, '--none');
      assert.equal(await scopes(), null);
      assert.deepEqual(await operatorEntries(env, id), ['account.scopes_set', 'account.scopes_set']);
    });

    it('account create: the key works at once, the account has its name and email, and its chain one entry', async () => {
      const closed = { ...env, SIGNUP: 'closed' };
      const made = (
        await succeeds(closed, 'account', 'create', '--name', 'Ada', '--email', 'Ada@Example.com', '--json')
      ).json();
      assert.deepEqual(Object.keys(made), ['account_id', 'api_key']);
      const me = (await service.api(made.api_key).get('/v1/account/me')).body;
      assert.deepEqual([me.id, me.name, me.email], [made.account_id, 'Ada', 'ada@example.com']);
      assert.deepEqual(await operatorEntries(env, made.account_id), ['account.created']);
      const [id = '', key = '', ...rest] = (await succeeds(env, 'account', 'create')).stdout.split('\n');
      assert.equal((await service.api(key).get('/v1/account/me')).body.id, id);
      assert.deepEqual(rest, ['']);
      await refuses(env, 2, /email address/, 'account', 'create', '--email', 'ada');
      await refuses(env, 2, /one line/, 'account', 'create', '--name', 'Ada\nBcc');
    });

    it('account invite: the invite admits one sign-up, and the service’s own chain has its entry', async () => {
      const fresh = await freshDatabase(engine);
      await succeeds(fresh.env, 'migrate');
      const { invite, expires_at: expiresAt } = (await succeeds(fresh.env, 'account', 'invite', '--json')).json();
      assert.ok(Date.parse(expiresAt) > Date.now());
      const another = (await succeeds(fresh.env, 'account', 'invite')).stdout.split('\n')[0];
      const invitesOnly = await startService({ LIMITS: ROOMY_LIMITS, ...fresh.env, SIGNUP: 'invite' });
      try {
        assert.equal((await invitesOnly.api().post('/v1/auth/keys')).body.error, 'invite_required');
        for (const given of [invite, another])
          assert.equal((await invitesOnly.api().post('/v1/auth/keys', { invite: given })).status, 201);
        assert.equal((await invitesOnly.api().post('/v1/auth/keys', { invite })).body.error, 'invite_required');
        assert.deepEqual(await operatorEntries(fresh.env, 'service'), ['invite.created', 'invite.created']);
        const report = (await succeeds(fresh.env, 'audit', 'verify', '--json')).json();
        assert.deepEqual([report.ok, report.chains], [true, 3]);
      } finally {
        await invitesOnly.kill('SIGTERM');
        await fresh.drop();
      }
    });

    it('audit anchor: a hash of the list of heads, which changes with every entry', async () => {
      const { id, api } = await createAccount(service, 'Anchored');
      const file = join(folder, 'heads.txt');
      const first = (await succeeds(env, 'audit', 'anchor', '--heads', file, '--json')).json();
      const lines = readFileSync(file, 'utf8');
      assert.equal(first.anchor, createHash('sha256').update(lines).digest('hex'));
      const heads = lines.trim().split('\n');
      assert.deepEqual(heads, heads.toSorted());
      assert.equal(heads.length, first.chains);
      const [row] = await runSql(readConfig(env), 'select hash from audit_entries where account_id = ? and seq = 1', [
        id,
      ]);
      assert.ok(heads.includes(`${id} 1 ${row?.hash}`));
      assert.equal(
        heads.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0),
        first.entries,
      );
      assert.ok(Math.abs(Date.parse(first.at) - Date.now()) < 60_000);
      await refuses(env, 1, /EEXIST/, 'audit', 'anchor', '--heads', file);
      assert.equal((await succeeds(env, 'audit', 'anchor')).stdout.split('\n')[0], first.anchor);
      await api.post('/v1/account/recovery-email', { email: 'ada@example.com' });
      assert.notEqual((await succeeds(env, 'audit', 'anchor')).stdout.split('\n')[0], first.anchor);
    });

    it('account list: pages through every account once, in order, as JSON and as a table', async () => {
      for (let i = 0; i < 3; i++) await createAccount(service, `lister ${i}`);
      const all = (await succeeds(env, 'account', 'list', '--json')).json();
      const ids = all.accounts.map(({ id }: { id: string }) => id);
      assert.equal(all.next_after, null);
      assert.deepEqual(ids, [...new Set(ids)].sort());
      assert.equal(ids.length, (await runSql(readConfig(env), 'select id from accounts', [])).length);
      const paged: string[] = [];
      let after = '';
      do {
        const page = (await succeeds(env, 'account', 'list', '--json', '--limit', '2', '--after', after)).json();
        assert.ok(page.accounts.length <= 2);
        paged.push(...page.accounts.map(({ id }: { id: string }) => id));
        after = page.next_after;
      } while (after !== null);
      assert.deepEqual(paged, ids);
      const table = (await succeeds(env, 'account', 'list', '--limit', '1')).stdout;
      assert.match(table, /^ID +TIER +STATUS +CREATED +NAME\n/);
      assert.ok(table.includes(`${ids[0]}  `));
      assert.ok(table.endsWith(`more: signet account list --limit 1 --after ${ids[0]}\n`), table);
    });

    it('account list: a name cannot send control sequences to the operator’s terminal', async () => {
      const { id } = await createAccount(service);
      const name = '\u001b[2Jgone\u202e\u009b31m';
      await runSql(readConfig(env), 'update accounts set name = ? where id = ?', [name, id]);
      for (const args of [['list'], ['show', id]]) {
        const { stdout } = await succeeds(env, 'account', ...args);
        assert.ok(stdout.includes('�[2Jgone��31m'), stdout);
        for (const character of ['\u001b', '\u009b', '\u202e']) assert.ok(!stdout.includes(character));
      }
    });

    it('account show: account, key prefixes without the key, addresses, usage of the day', async () => {
      const { id, key, api } = await createAccount(service, 'Grace');
      const address = `grace-${engine}@agents.localhost`;
      assert.equal((await api.post('/v1/email/claim', { address })).status, 201);
      const shown = async () => (await succeeds(env, 'account', 'show', id, '--json')).json();
      // The service writes its counts each second.
      await eventually(async () => (await shown()).usage.requests.used === 1);
      const { account, keys, addresses, usage } = await shown();
      assert.equal(account.name, 'Grace');
      assert.deepEqual([keys[0].prefix, keys[0].kind, keys[0].status], [key.slice(0, 16), 'platform', 'active']);
      assert.equal(addresses[0].address, address);
      assert.equal(usage.emails.used, 0);
      const { stdout } = await succeeds(env, 'account', 'show', id);
      for (const part of ['Grace', address, key.slice(0, 16), '1 of 1000000000'])
        assert.ok(stdout.includes(part), part);
      assert.ok(!stdout.includes(key.slice(0, 20)));
    });

    it('an unknown account: exit 1 and a line that names it, for every command on accounts', async () => {
      for (const rest of [['show'], ['set-tier', 'paid'], ['set-scopes', 'a'], ['suspend'], ['unsuspend']]) {
        const [command = '', ...values] = rest;
        await refuses(env, 1, new RegExp(`no account ${UNKNOWN}`), 'account', command, UNKNOWN, ...values);
      }
      const entries = await runSql(readConfig(env), 'select seq from audit_entries where account_id = ?', [UNKNOWN]);
      assert.deepEqual(entries, []);
    });

    it('--json: every command prints one JSON document and nothing else', async () => {
      const { id } = await createAccount(service);
      const words = ['help', 'migrate', 'doctor', 'account list', `account show ${id}`, `account set-tier ${id} paid`];
      words.push(`account set-scopes ${id} a`, `account suspend ${id}`, `account unsuspend ${id}`);
      if (engine === 'sqlite') words.push(`backup ${join(folder, 'json.db')}`);
      const free = { ...env, PORT: '0', SMTP_PORT: '0', IMAP_PORT: '0', SUBMISSION_PORT: '0' };
      for (const command of words)
        assert.equal(typeof (await succeeds(free, ...command.split(' '), '--json')).json(), 'object');
    });

    it('doctor: finds the running service, and reports no failure', async () => {
      const here = {
        ...env,
        PORT: String(service.httpPort),
        SMTP_PORT: String(service.smtpPort),
        IMAP_PORT: String(service.imapPort),
        SUBMISSION_PORT: String(service.submissionPort),
      };
      const { ok, checks } = (await succeeds(here, 'doctor', '--json')).json();
      assert.equal(ok, true);
      const statuses = Object.fromEntries(checks.map((c: { name: string; status: string }) => [c.name, c.status]));
      for (const name of ['config', 'data folder', 'database', 'jobs', 'incoming mail', 'api port', 'smtp port'])
        assert.equal(statuses[name], 'ok', JSON.stringify(checks));
      assert.match((await succeeds(here, 'doctor')).stdout, /^warn +mail relay +none/m);
    });

    it('migrate: names the migrations it ran; the second run does nothing', async () => {
      const fresh = await freshDatabase(engine, { empty: true });
      try {
        await refuses(fresh.env, 1, /signet migrate/, 'account', 'list');
        const first = (await succeeds(fresh.env, 'migrate')).stdout;
        assert.deepEqual(first.trim().split('\n'), MIGRATION_IDS);
        assert.match((await succeeds(fresh.env, 'migrate')).stdout, /nothing to do/);
        assert.deepEqual((await succeeds(fresh.env, 'migrate', '--json')).json(), { applied: [] });
      } finally {
        await fresh.drop();
      }
    });

    it('serve: a port in use ends the process, with one line that says what to do', async () => {
      const fresh = await freshDatabase(engine);
      try {
        const taken = {
          ...fresh.env,
          PORT: String(service.httpPort),
          SMTP_PORT: '0',
          IMAP_PORT: '0',
          SUBMISSION_PORT: '0',
        };
        await refuses(taken, 1, /address already in use.*another with PORT/, 'serve');
      } finally {
        await fresh.drop();
      }
    });

    if (engine === 'postgres') {
      it('backup: exit 1, the command to run instead, and no password', async () => {
        await refuses(env, 1, /pg_dump .*"\$DATABASE_URL"/, 'backup', join(folder, 'copy.db'));
      });
      return;
    }

    it('backup: a copy made under load, with its key if that is asked for', async () => {
      const keys = [(await createAccount(service)).key];
      const load = { on: true };
      const clients = Array.from({ length: 8 }, async () => {
        while (load.on) keys.push((await createAccount(service)).key);
      });
      await eventually(() => keys.length >= 20);
      const known = keys.length;
      const file = join(folder, 'copy.db');
      const copied = await signet(env, 'backup', file, '--json');
      load.on = false;
      await Promise.all(clients);
      assert.equal(copied.code, 0, copied.stderr);
      const { path, size_bytes, integrity } = copied.json();
      assert.ok(keys.length > known);
      assert.deepEqual([path, size_bytes, integrity], [file, statSync(file).size, 'ok']);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes('copy')),
        ['copy.db'],
      );
      assert.match((await succeeds(env, 'backup', join(folder, 'said.db'))).stdout, /The master key is not in it/);
      // A copy with its key starts elsewhere; the passphrase alone opens the key.
      const [passphrase, wrong] = [join(folder, 'passphrase'), join(folder, 'wrong')];
      writeFileSync(passphrase, 'correct horse battery\n', { mode: 0o600 });
      writeFileSync(wrong, 'something else entirely\n', { mode: 0o600 });
      const whole = join(folder, 'whole.db');
      assert.match(
        (await succeeds(env, 'backup', whole, '--include-key-with', passphrase)).stdout,
        /needs the passphrase/,
      );
      const key = readFileSync(join(env.DATA_DIR as string, 'master.key'), 'utf8');
      const content = readFileSync(whole, 'latin1');
      assert.ok(!content.includes(key.trim()) && !content.includes(Buffer.from(key, 'base64').toString('latin1')));
      const away = { ...env, DATA_DIR: join(folder, 'away') };
      const restore = (file: string, using: string) => ['master-key', 'restore', file, '--key-with', using];
      await refuses(away, 1, /passphrase does not open/, ...restore(whole, wrong));
      await refuses(away, 1, /holds no master key/, ...restore(join(folder, 'said.db'), passphrase));
      await succeeds(away, ...restore(whole, passphrase));
      assert.equal(readFileSync(join(away.DATA_DIR, 'master.key'), 'utf8'), key);
      assert.equal(statSync(join(away.DATA_DIR, 'master.key')).mode & 0o777, 0o600);
    });
  });
}

describe('signet', () => {
  it('exits with 2 and one line that names the variable for an invalid configuration, in every command', async () => {
    const wrong = { PORT: 'eighty' };
    for (const command of [['serve'], ['migrate'], ['account', 'list'], ['backup', 'x']])
      await refuses(wrong, 2, /PORT is "eighty"; it must be a port/, ...command);
    const doctor = await signet(wrong, 'doctor');
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /^fail +config +PORT is "eighty"/);
  });

  it('exits with 1 and one line without the password if the database server does not reply', async () => {
    const away = { DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/signet' };
    for (const command of [['account', 'list'], ['migrate']]) {
      const run = await signet(away, ...command);
      assert.equal(run.code, 1);
      assert.match(run.stderr, /ECONNREFUSED.*check that the server of DATABASE_URL is running/);
      assert.doesNotMatch(run.stdout + run.stderr, /hush/);
    }
  });
});
