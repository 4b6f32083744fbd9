import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { type Engine, freshDatabase, runSql, startTestApp } from '../../test/support/harness.ts';
import { readConfig } from '../config.ts';
import { forPostgres, forSqlite } from './migration-sql.ts';
import { migration as bounces } from './migrations/0006-bounces.ts';
import { migration as people } from './migrations/0022-people.ts';
import { migration as deletionAskers } from './migrations/0085-who-asked-for-a-deletion.ts';
import { migration as formerSettings } from './migrations/0086-former-settings.ts';
import { migration as invitations } from './migrations/0088-waiting-invitations.ts';
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

    it('G3: of a deletion that waits already, who asked for it is told by what was stored', () =>
      withDatabase(engine, async (config) => {
        await migrate(config);
        // As it was before that step.
        const run = (text: string, ...params: unknown[]) => runSql(config, text, params);
        for (const column of ['asker_kind', 'asker_since', 'asker_born_old'])
          await run(`alter table account_deletions drop column ${column}`);
        const waits = async (id: string, askedBy: string, confirmedAt?: number) => {
          await run(
            `insert into accounts (id, tier, status, capabilities, created_at) values (?, 'free', 'active', '[]', 0)`,
            id,
          );
          await run(
            `insert into account_deletions (account_id, asked_at, asked_by, deletes_at, audit_seq) values (?, 9, ?, 12, 0)`,
            ...[id, askedBy],
          );
          if (confirmedAt === undefined) return;
          await run(
            `insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at)
             values (?, ?, 'operator', ?, 1, 'k', 1, ?)`,
            ...[`per_${id}`, id, askedBy, confirmedAt],
          );
        };
        await waits('acc_administrator', 'administrator');
        await waits('acc_key', 'signet_live_abcd');
        await waits('acc_operator', 'o@x', 5);
        await waits('acc_operator_later', 'o@x', 10);
        await waits('acc_session', 's@x');
        for (const statement of deletionAskers.statements)
          await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
        const rows = await run('select * from account_deletions order by account_id');
        assert.deepEqual(
          rows.map((row) => [row.account_id, row.asker_kind, row.asker_since, row.asker_born_old].join(' ')),
          [
            'acc_administrator administrator  0',
            'acc_key key  0',
            'acc_operator operator 5 1',
            'acc_operator_later session  0',
            'acc_session session  0',
          ],
        );
      }));

    it('N4: the audit entries that `secure` shows are found, those of before the step too', () =>
      withDatabase(engine, async (config) => {
        await migrate(config);
        const run = (text: string, ...params: unknown[]) => runSql(config, text, params);
        for (const undo of ['drop table setting_changes', 'drop index audit_changes']) await run(undo);
        await run('alter table audit_entries drop column changed_at');
        const entries = [
          ['budget.changed', 'success'],
          ['mail_policy.changed', 'refused'],
          ['mail_policy.changed', 'success'],
          ['charge.made', 'success'],
          ['login.session_opened', 'success'],
        ];
        for (const [seq, [action, result]] of entries.entries())
          await run(
            `insert into audit_entries (account_id, seq, entry, action, created_at, prev_hash, hash)
             values ('acc_1', ?, ?, ?, ?, '', '')`,
            ...[seq, JSON.stringify({ action, result }), action, 1000 + seq],
          );
        for (const statement of formerSettings.statements)
          await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
        const found = await run('select changed_at from audit_entries where changed_at is not null order by seq');
        assert.deepEqual(
          found.map((row) => Number(row.changed_at)),
          [1000, 1002, 1004],
        );
      }));

    it('N1: invitations without an answer no longer count as events', () =>
      withDatabase(engine, async (config) => {
        await migrate(config);
        const run = (text: string, ...params: unknown[]) => runSql(config, text, params);
        // As it was before that step: of three events, one is the account's own and one has an answer.
        await run('drop index calendar_invitations_waiting');
        await run('alter table calendar_invitations drop column is_waiting');
        await run('alter table calendar_invitations drop column proposal');
        await run('alter table calendars drop column waiting');
        await run(
          `insert into accounts (id, tier, status, capabilities, created_at) values ('acc_1', 'free', 'active', '[]', 0)`,
        );
        await run(
          `insert into calendars (account_id, events, duration_max, revision, feed_generation, updated_at)
           values ('acc_1', 3, 0, 0, 0, 0)`,
        );
        const invited = [
          ['evt_own', null, null],
          ['evt_asked', 'a@x', null],
          ['evt_answered', 'a@x', 'accepted'],
        ];
        for (const row of invited)
          await run(
            `insert into calendar_invitations (event_id, account_id, invited, response, attendees, is_cancelled, is_verified)
             values (?, 'acc_1', ?, ?, '[]', 0, 0)`,
            ...row,
          );
        for (const statement of invitations.statements)
          await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
        const waiting = await run('select event_id from calendar_invitations where is_waiting = 1');
        assert.deepEqual(
          waiting.map(({ event_id }) => event_id),
          ['evt_asked'],
        );
        const [counts] = await run('select events, waiting from calendars');
        assert.deepEqual([Number(counts?.events), Number(counts?.waiting)], [2, 1]);
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
