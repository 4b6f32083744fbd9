import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshDatabase, runSql } from '../../test/support/harness.ts';
import type { RateWindow } from '../base/period.ts';
import { type Config, readConfig } from '../config/service-config.ts';
import { readEmailQuota, takeExport, takeMailFrom, takeRecipients } from '../features/service/limits/email-quota.ts';
import { RequestMeter } from '../features/service/limits/request-meter.ts';
import { forPostgres, forSqlite, type Migration } from './migration-sql.ts';
import { migration as deletionAskers } from './migrations/0085-who-asked-for-a-deletion.ts';
import { migration as formerSettings } from './migrations/0086-former-settings.ts';
import { migration as invitations } from './migrations/0088-waiting-invitations.ts';
import { migration as accountCounts } from './migrations/0090-account-counts.ts';
import { migration as quotas } from './migrations/0091-one-table-of-quotas.ts';
import { migration as mailCodes } from './migrations/0096-mail-codes.ts';
import { migrate, openDatabase } from './open.ts';
import { slotCounter } from './slot-counter.ts';

type Run = (text: string, ...params: unknown[]) => Promise<Record<string, unknown>[]>;

for (const engine of ['sqlite', 'postgres'] as const) {
  /** A database with all steps, whose statements a test undoes and runs again. */
  async function withSchema(
    work: (run: Run, again: (migration: Migration) => Promise<void>, config: Config) => Promise<void>,
  ) {
    const { env, drop } = await freshDatabase(engine, { empty: true });
    try {
      const config = readConfig(env);
      await migrate(config);
      const run: Run = (text, ...params) => runSql(config, text, params);
      const again = async ({ statements }: Migration) => {
        for (const statement of statements) await run((engine === 'sqlite' ? forSqlite : forPostgres)(statement));
      };
      await work(run, again, config);
    } finally {
      await drop();
    }
  }

  describe(`what a migration makes of rows that are there [${engine}]`, () => {
    it('G3: of a deletion that waits already, who asked for it is told by what was stored', () =>
      withSchema(async (run, again) => {
        // As it was before that step.
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
        await again(deletionAskers);
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
      withSchema(async (run, again) => {
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
        await again(formerSettings);
        const found = await run('select changed_at from audit_entries where changed_at is not null order by seq');
        assert.deepEqual(
          found.map((row) => Number(row.changed_at)),
          [1000, 1002, 1004],
        );
      }));

    it('N1: invitations without an answer no longer count as events', () =>
      withSchema(async (run, again) => {
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
        await again(invitations);
        const waiting = await run('select event_id from calendar_invitations where is_waiting = 1');
        assert.deepEqual(
          waiting.map(({ event_id }) => event_id),
          ['evt_asked'],
        );
        const [counts] = await run('select events, waiting from calendars');
        assert.deepEqual([Number(counts?.events), Number(counts?.waiting)], [2, 1]);
      }));

    it('what an account has of each kind counts on: its next one is refused at the limit, and not below', () =>
      withSchema(async (run, again, config) => {
        // As it was before that step: a table for each kind, with another number in each.
        await run('drop table account_counts');
        const kinds = {
          address_counts: 'addresses',
          webhook_counts: 'webhooks',
          pod_counts: 'pods',
          stack_counts: 'stacks',
          agent_key_counts: 'signing_keys',
          program_counts: 'programs',
          draft_counts: 'drafts',
        } as const;
        for (const [i, table] of Object.keys(kinds).entries()) {
          await run(`create table ${table} (account_id text primary key, used bigint not null)`);
          await run(`insert into ${table} (account_id, used) values ('acc_1', ?), ('acc_2', 0)`, i + 1);
        }
        await again(accountCounts);
        const database = openDatabase(config);
        try {
          for (const [i, kind] of Object.values(kinds).entries()) {
            const { take, used } = slotCounter(kind);
            const takes = (accountId: string, limit: number) =>
              database.transaction((tx) => take(tx, accountId, limit));
            assert.equal(await used(database, 'acc_1'), i + 1);
            assert.equal(await takes('acc_1', i + 1), false, kind);
            assert.equal(await takes('acc_1', i + 2), true, kind);
            assert.equal(await takes('acc_2', 1), true, kind);
          }
        } finally {
          await database.close();
        }
        const [rows] = await run('select count(*) as number from account_counts');
        assert.equal(Number(rows?.number), 2 * Object.keys(kinds).length);
      }));

    it('what was used of quotas before the step is used after it: mails, recipients, exports and requests', () =>
      withSchema(async (run, again, config) => {
        // As it was before that step, at twenty past nine.
        await run('create table request_meters (account_id text, day text, used bigint)');
        const [day, hour, now] = [Date.UTC(2026, 0, 31), Date.UTC(2026, 0, 31, 9), Date.UTC(2026, 0, 31, 9, 20)];
        const counted: [string, string, number, number][] = [
          ['acc_1', 'emails_day', day, 7],
          ['acc_1', 'emails_hour', hour, 3],
          ['acc_1', 'exports_day', day, 2],
          ['acc_1', 'recipients_day', day, 9],
          ['acc_1', 'recipients_day:a@x', day, 8],
          ['acc_1', 'mail_from:b@y', hour, 5],
        ];
        for (const row of counted) await run('insert into quota_counters values (?, ?, ?, ?)', ...row);
        const requests: [string, string, number][] = [
          ['acc_1', '2026-01-30', 40],
          ['acc_1', '2026-01-31', 41],
          ['acc_1', '2026-01-31T09', 10],
          ['acc_1', '2026-01-31T09:20', 1],
          ['person:5f', '2026-01-31', 6],
          ['revoke:k', '2026-01-31T09', 4],
        ];
        for (const row of requests) await run('insert into request_meters values (?, ?, ?)', ...row);
        await again(quotas);
        const database = openDatabase(config);
        try {
          const limits = config.limits.free;
          const { dailyUsed, hourlyUsed } = await readEmailQuota(database, 'acc_1', limits, now);
          assert.deepEqual([dailyUsed, hourlyUsed], [7, 3]);
          const left = await database.transaction(async (tx) => [
            (await takeRecipients(tx, { accountId: 'acc_1', address: '' }, 1, 9, now)).used,
            (await takeRecipients(tx, { accountId: 'acc_1', address: 'a@x' }, 1, 8, now)).used,
            await takeExport(tx, 'acc_1', 2, now),
            await takeMailFrom(tx, { accountId: 'acc_1', sender: 'b@y' }, 5, now),
          ]);
          assert.deepEqual(left, [9, 8, false, false]);
          const meter = new RequestMeter(database);
          assert.deepEqual(
            [...(await meter.byDay('acc_1', now))],
            [
              ['2026-01-30', 40],
              ['2026-01-31', 41],
            ],
          );
          const used = async (countId: string, owner: 'person' | 'pod' | 'credential', window: RateWindow) =>
            (await meter.take([{ countId, owner, window, name: 'requests_per_day', limit: 1 }], now)).used;
          assert.equal(await used('acc_1', 'pod', 'hour'), 10);
          assert.equal(await used('acc_1', 'pod', 'minute'), 1);
          assert.equal(await used('person:5f', 'person', 'day'), 6);
          assert.equal(await used('revoke:k', 'credential', 'hour'), 4);
        } finally {
          await database.close();
        }
      }));

    it('keys, delegations, tokens and applications that could read codes of mail still can, and no others; webhooks too', () =>
      withSchema(async (run, again) => {
        await run('alter table webhooks drop column shows_codes');
        await run(
          `insert into accounts (id, tier, status, capabilities, created_at) values ('acc_1', 'free', 'active', '[]', 0)`,
        );
        await run(
          `insert into webhooks (id, account_id, url, events, status, created_at, changed_at) values ('wh_1', 'acc_1', 'https://a.example', '[]', 'active', 0, 0)`,
        );
        const given = {
          reads: ['account:read', 'mail:read', 'mail:send'],
          follows: ['events:read'],
          watches: ['webhooks:manage', 'vault:read'],
          other: ['account:read', 'vault:read'],
        };
        for (const [id, scopes] of Object.entries(given))
          await run(
            `insert into named_keys (id, account_id, prefix, name, scopes, created_at) values (?, 'acc_1', 'p', 'n', ?, 0)`,
            ...[id, JSON.stringify(scopes)],
          );
        const others = {
          grants: [
            'id, account_id, client_id, client_name, allowed_by, created_at, expires_at, scopes',
            `'grt_1', 'acc_1', 'c', 'c', 'a', 0, 0`,
          ],
          grant_tokens: [
            'hash, prefix, grant_id, account_id, kind, created_at, expires_at, scopes',
            `'h', 'p', 'grt_1', 'acc_1', 'refresh', 0, 0`,
          ],
          delegations: [
            'id, account_id, from_id, to_id, root_id, path, spent_usdc, may_delegate, created_at, expires_at, scopes',
            `'dlg_1', 'acc_1', 'acc_1', 'acc_1', 'dlg_1', 'p', 0, 0, 0, 0`,
          ],
          access_tokens: [
            'hash, prefix, account_id, actor_id, path, created_at, expires_at, scopes',
            `'h', 'p', 'acc_1', 'acc_1', 'p', 0, 0`,
          ],
        };
        for (const [table, [columns, values]] of Object.entries(others))
          await run(`insert into ${table} (${columns}) values (${values}, '["mail:read"]')`);
        await again(mailCodes);
        const rows = await run('select id, scopes from named_keys');
        const now = Object.fromEntries(rows.map(({ id, scopes }) => [id, JSON.parse(String(scopes))]));
        assert.deepEqual(now, {
          reads: ['account:read', 'mail:read', 'mail:codes', 'mail:send'],
          follows: ['events:read', 'mail:codes'],
          watches: ['webhooks:manage', 'mail:codes', 'vault:read'],
          other: given.other,
        });
        for (const table of Object.keys(others))
          assert.deepEqual((await run(`select scopes from ${table}`)).map(Object.values), [
            ['["mail:read","mail:codes"]'],
          ]);
        assert.equal(Number((await run('select shows_codes from webhooks'))[0]?.shows_codes), 1);
      }));
  });
}
