import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { undoMailedLinks } from '../../test/support/former-links.ts';
import { type Engine, freshDatabase, runSql, startTestApp } from '../../test/support/harness.ts';
import { readConfig } from '../config/service-config.ts';
import { forPostgres, forSqlite } from './migration-sql.ts';
import { migration as bounces } from './migrations/0006-bounces.ts';
import { migration as people } from './migrations/0022-people.ts';
import { migrate, sqlitePath } from './open.ts';
import { SqliteConnection } from './sqlite.ts';

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

async function withDatabase(engine: Engine, work: (config: ReturnType<typeof readConfig>) => Promise<void>) {
  const { env, drop } = await freshDatabase(engine, { empty: true });
  try {
    await work(readConfig(env));
  } finally {
    await drop();
  }
}

/** Brings the schema back to what it was before addresses of people had a table. */
async function undoPeople(run: (text: string) => Promise<unknown>): Promise<void> {
  for (const table of ['people', 'person_links', 'person_refusals', 'approval_digests'])
    await run(`drop table ${table}`);
  for (const column of ['email', 'recovery_email', 'operator_email']) {
    await run(`alter table accounts add column ${column} text`);
    await run(`create index accounts_by_${column} on accounts (${column}) where ${column} is not null`);
  }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  /** What the step that moves addresses of people makes of the accounts of its test. */
  const PEOPLE_AFTER = [
    ['acc_decided', 'operator', 'c@x', true],
    ['acc_handed', 'operator', 'c@x', true],
    ['acc_login', 'email', 'a@x', true],
    ['acc_replaced', 'operator', 'd@x', false],
    ['acc_session', 'email', 'a@x', false],
    ['acc_session', 'recovery', 'b@x', true],
    ['acc_unused', 'email', 'a@x', false],
    ['acc_unused', 'operator', 'c@x', false],
    ['acc_unused', 'recovery', 'b@x', false],
  ];

  describe(`migrations [${engine}]`, () => {
    it('run in order, each only once', () =>
      withDatabase(engine, async (config) => {
        const first = await migrate(config);
        assert.equal(first[0], '0001-foundation');
        assert.deepEqual(first, [...first].sort());
        assert.deepEqual(await migrate(config), []);
        const done = await runSql(config, 'select id from schema_migrations order by id', []);
        assert.deepEqual(
          done.map(({ id }) => id),
          first,
        );
      }));

    it('instances that start together take turns, and each migration runs in only one of them', () =>
      withDatabase(engine, async (config) => {
        const ran = await Promise.all(times(4, () => migrate(config)));
        const ids = ran.flat();
        assert.equal(new Set(ids).size, ids.length);
        assert.equal(ran.filter((steps) => steps.length > 0).length, 1);
      }));

    it('keep existing data', async () => {
      const t = await startTestApp(engine);
      try {
        const { api } = await t.createAccount({ name: 'Ada' });
        assert.deepEqual(await migrate(t.config), []);
        assert.equal((await api.get('/v1/account/me')).body.name, 'Ada');
      } finally {
        await t.stop();
      }
    });

    it('outcomes of recipients are migrated, including quotes and backslashes', () =>
      withDatabase(engine, async (config) => {
        const { statements } = bounces;
        await migrate(config);
        // As it was before that step, with a mail under way.
        const run = (text: string, ...params: unknown[]) => runSql(config, text, params);
        await run('alter table outbox drop column outcomes');
        await run('create table outbox_recipients (outbox_id text, recipient text, provider_id text, refusal text)');
        await run(
          `insert into accounts (id, tier, status, capabilities, created_at) values ('acc_1', 'free', 'active', '[]', 0)`,
        );
        for (const id of ['out_1', 'out_2'])
          await run(
            `insert into outbox (id, account_id, address, rfc_message_id, recipients, external_recipients, subject, status, provider, queued_at)
             values (?, 'acc_1', 'a@x', '<1>', '[]', '[]', '', 'pending', 'smtp', 0)`,
            id,
          );
        const refusal = 'said: "no \\ never"';
        await run('insert into outbox_recipients values (?, ?, ?, ?)', 'out_1', 'b@x', 'Q1', null);
        await run('insert into outbox_recipients values (?, ?, ?, ?)', 'out_1', 'c@x', null, refusal);
        for (const statement of statements) await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
        const rows = await run('select id, outcomes from outbox order by id');
        assert.equal(rows[1]?.outcomes, null);
        assert.deepEqual(
          JSON.parse(String(rows[0]?.outcomes)).toSorted((a: { address: string }, b: { address: string }) =>
            a.address < b.address ? -1 : 1,
          ),
          [
            { address: 'b@x', providerId: 'Q1', error: null },
            { address: 'c@x', providerId: null, error: refusal },
          ],
        );
      }));

    it('addresses of people move to their table; those that were used count as confirmed', () =>
      withDatabase(engine, async (config) => {
        await migrate(config);
        // As it was before that step.
        const run = (text: string, ...params: unknown[]) => runSql(config, text, params);
        await undoMailedLinks(engine, run);
        await undoPeople(run);
        const account = (id: string, email: string | null, recovery: string | null, operator: string | null) =>
          run(
            `insert into accounts (id, tier, status, capabilities, created_at, email, recovery_email, operator_email)
             values (?, 'free', 'active', '[]', 5, ?, ?, ?)`,
            ...[id, email, recovery, operator],
          );
        const entry = (id: string, seq: number, action: string) =>
          run(
            `insert into audit_entries (account_id, seq, entry, action, created_at, prev_hash, hash)
             values (?, ?, '{}', ?, ?, '', '')`,
            ...[id, seq, action, seq],
          );
        const approved = (holder: string, at: number) =>
          run(
            `insert into approvals (id, holder_id, spender_id, amount_usdc, category, description, cause, status,
               created_at, expires_at, resolved_at, resolved_by)
             values (?, ?, ?, 1, '', '', 'budget_exceeded', 'approved', 1, 2, ?, 'mail_link')`,
            ...[`apr_${holder}`, holder, holder, at],
          );
        await account('acc_unused', 'a@x', 'b@x', 'c@x');
        await account('acc_session', 'a@x', 'b@x', null);
        await run(
          `insert into sessions (hash, account_id, email, operator, created_at, expires_at, id)
           values ('h', 'acc_session', 'b@x', 0, 1, 2, 'ses_1')`,
        );
        await account('acc_login', 'a@x', null, null);
        await entry('acc_login', 9, 'login.session_opened');
        await account('acc_decided', null, null, 'c@x');
        await approved('acc_decided', 7);
        // The operator who decided was another one.
        await account('acc_replaced', null, null, 'd@x');
        await approved('acc_replaced', 7);
        await entry('acc_replaced', 8, 'account.operator_email_set');
        await account('acc_handed', null, null, 'c@x');
        await run(
          `insert into budgets (account_id, on_limit, authority, daily_start, daily_spent, weekly_start, weekly_spent,
             monthly_start, monthly_spent, entries, total_usdc, categories, last_position)
           values ('acc_handed', 'reject', 'operator', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
        );
        for (const statement of people.statements)
          await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
        const rows = await run(
          'select account_id, role, address, confirmed_at from people order by account_id, role, address',
        );
        assert.deepEqual(
          rows.map((row) => [row.account_id, row.role, row.address, row.confirmed_at !== null]),
          PEOPLE_AFTER,
        );
        assert.deepEqual(await run('select id from people where old_when_confirmed <> 1'), []);
        const jobs = await run(`select payload from jobs where kind = 'mail.confirm'`);
        const [handed] = await run(`select id from people where account_id = 'acc_handed'`);
        assert.deepEqual(
          jobs.map(({ payload }) => JSON.parse(String(payload))),
          [{ personId: handed?.id, authority: null }],
        );
      }));

    it('a failed migration leaves no trace, and runs again', () =>
      withDatabase(engine, async (config) => {
        if (engine === 'sqlite') {
          const db = new DatabaseSync(sqlitePath(config.dataDir));
          db.exec('create table sessions (stray integer)');
          db.close();
        } else await runSql(config, 'create table sessions (stray integer)', []);
        await assert.rejects(migrate(config), /sessions/);
        await assert.rejects(runSql(config, 'select 1 from accounts', []), /accounts/);
        await runSql(config, 'drop table sessions', []);
        assert.equal((await migrate(config))[0], '0001-foundation');
      }));
  });
}

describe('a statement of a migration', () => {
  const TABLE = 'create table t (a integer, b blob, primary key (a)) clustered';

  it('is translated for each engine', () => {
    assert.equal(forSqlite(TABLE), 'create table t (a integer, b blob, primary key (a)) strict, without rowid');
    assert.equal(forPostgres(TABLE), 'create table t (a bigint, b bytea, primary key (a))');
    assert.equal(forSqlite('create table t (a text)'), 'create table t (a text) strict');
    for (const turn of [forSqlite, forPostgres])
      assert.equal(turn('create index i on t (a)'), 'create index i on t (a)');
  });
});

describe('the SQLite file', () => {
  it('is synced to disk at each commit, in a folder that only its owner can open', () =>
    withDatabase('sqlite', async (config) => {
      const folder = join(config.dataDir, 'new');
      await migrate({ ...config, dataDir: folder });
      const db = new DatabaseSync(sqlitePath(folder));
      assert.equal(db.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
      db.close();
      const connection = new SqliteConnection(sqlitePath(folder));
      assert.equal(connection.db.prepare('PRAGMA synchronous').get()?.synchronous, 2);
      assert.equal(connection.db.prepare('PRAGMA foreign_keys').get()?.foreign_keys, 1);
      connection.db.close();
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }));
});
