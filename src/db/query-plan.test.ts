import assert from 'node:assert/strict';
import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { TestApp } from '../../test/support/harness.ts';
import type { Statement } from '../api/transaction.ts';
import { createCompiler, declarations, tables } from './statement.ts';

/**
 * No request may cost more because the service has more behind it (docs/architecture.md, Data). Every statement is caught as
 * it is declared, so a new one is held to this by itself: it may walk no table and sort no rows.
 */

/** Statements that walk or sort on purpose: none is on a request's path, or what they sort is bounded. */
const ALLOWED: readonly { text: RegExp; plan: RegExp; because: string }[] = [
  {
    text: /^select count\(\*\) as "count", min\("created_at"\) as "oldest" from "mail_contents"/,
    plan: /^SCAN mail_contents USING INDEX mail_contents_pending$/,
    because: 'the metrics count mail that is not parsed yet, at most every five seconds: the index holds nothing else',
  },
  {
    text: /^select [\w", *]+ from "api_keys" where "account_id" = \?/,
    plan: /^USE TEMP B-TREE FOR LAST TERM OF ORDER BY$/,
    because: 'orders the keys an account was given in the same millisecond',
  },
  {
    text: /^select [\w", *]+ from "messages" where "content_id" = \?/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'the copies of one mail, as many as it had recipients here',
  },
  {
    text: /^select [\w", *]+ from "messages" where "search_doc" is null/,
    plan: /^SCAN messages USING INDEX messages_unindexed$/,
    because: 'walks the index of what is not searchable yet, a page of it, after a start; empty from then on',
  },
  {
    text: /^select [\w", *]+ from "(sessions|api_keys|addresses|credential_requests)" where "account_id" = \?.* limit 100$/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'pages of an export, over things of which an account has few',
  },
  {
    text: /^select [\w", *]+ from "sessions" where "hash" in \(select "session_hash" from "session_accounts"/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'the open sessions of the operators of one account, who are at most three',
  },
  {
    text: /^delete from "(approval_digests|verified_domains)" where .* limit \?\)$/,
    plan: /^SCAN \w+$/,
    because: 'in the job that deletes an account, over tables that hold little',
  },
  {
    text: /^delete from "accounts" where "id" = \?$/,
    plan: /^SCAN (messages|threads)$/,
    because: 'the foreign keys of a deleted account, checked once; an index for it would cost every mail',
  },
  {
    text: /^update "mail_contents" set "parse_lease_until" = 0, "parse_leased_by" = \? where "state"/,
    plan: /^SCAN mail_contents USING INDEX mail_contents_pending$/,
    because: 'the mail that is being parsed, when an instance is gone',
  },
  {
    text: /^select "seq", "entry", .* from \(select count\(\*\) as "count".*group by "action"\)/,
    plan: /^(SCAN kind|USE TEMP B-TREE FOR GROUP BY)$/,
    because: '`secure` counts changes beyond the 2,000 newest of 30 days, in an index that holds nothing else',
  },
  {
    text: /^select .* \("\w+_at", "id"\) > \(\?, \?\).* order by "\w+_at", "id" limit \?$/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'what waits at some accounts: an index holds it by account, and nothing that is settled',
  },
  {
    text: /^select .* from "quarantined_messages" as "older" .* order by "m"."received_at", "m"."message_id" limit \?$/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'of each account at most 20 mails in quarantine',
  },
  {
    text: /^select .* from "messages" where "address" in .* order by "id" desc limit \?$/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'unread mail of 15 minutes, at the addresses of some accounts',
  },
  {
    text: /^select "t"\..* from \(select value ->> 0 as "owner" from json_each.* order by "t"\."\w+" desc(, "t"\."seq" desc)?( limit (\?|\d+))?$/,
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    because: 'of the newest rows of each account, which are a bounded number, those that a search or Home asks for',
  },
  {
    text: /^delete from "service_instances" where "seen_at"/,
    plan: /^SCAN service_instances$/,
    because: 'as many as processes share the database',
  },
  {
    text: /^select .* from "role_mails" ?(order by "id" limit \?)?$/,
    plan: /^SCAN role_mails( USING INDEX sqlite_autoindex_role_mails_1)?$/,
    because: 'mail to the postmaster that nobody forwards, at most 10,000 of them',
  },
  {
    text: /^select .* from "jobs" (group by|where "last_error" is not null)/,
    plan: /^(SCAN jobs|USE TEMP B-TREE)/,
    because: 'the administrator looks at the queues',
  },
  {
    text: /^select "id" from "schema_migrations"/,
    plan: /^SCAN schema_migrations USING COVERING INDEX/,
    because: 'a row for each step of the schema, read by the command line',
  },
  {
    text: /^select .* from "master_keys"/,
    plan: /^SCAN master_keys$/,
    because: 'one row, two during a rotation',
  },
];

interface Declared {
  statement: Statement<never, unknown>;
  /** File and line of the declaration. */
  where: string;
}

const declared: Declared[] = [];
let t: TestApp;
let db: DatabaseSync;

/** The nearest line of the stack outside this file and `statement.ts`. */
const callerOf = (stack: string): string =>
  /\/(src\/(?!db\/(?:statement|query-plan))[\w./-]+\.ts:\d+)/.exec(stack)?.[1] ?? 'unknown';

before(async () => {
  declarations.watch = (statement) =>
    void declared.push({ statement, where: callerOf(String(new Error('declared').stack)) });
  // Only now: statements are declared as their modules load.
  const { startTestApp } = await import('../../test/support/harness.ts');
  t = await startTestApp('sqlite');
  delete declarations.watch;
  db = new DatabaseSync(`${t.config.dataDir}/signet.db`, { readOnly: true });
});

after(async () => {
  db?.close();
  await t?.stop();
});

/** A statement, and `value` for each of its parameters. Constants are bound as they are. */
function bound(statement: Statement<never, unknown>, value: string): { text: string; values: SQLInputValue[] } {
  const { text, bindings } = createCompiler('sqlite')(statement);
  const values = bindings.map((binding) => (binding.slot !== null ? value : binding.constant)) as SQLInputValue[];
  return { text, values };
}

/** The lines of a plan that cost more as a table grows. */
function costly(statement: Statement<never, unknown>): { text: string; lines: string[] } {
  const { text, values } = bound(statement, '1');
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
  const names = new Set(
    (db.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[]).map(
      (row) => row.name,
    ),
  );
  const lines = plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      // The rows of a JSON parameter are as many as the statement was given.
      if (/^SCAN json_each VIRTUAL TABLE INDEX 1:/.test(detail)) return false;
      // A full-text table is always "scanned"; by a match or a row id it is a look-up.
      if (/^SCAN \w+ VIRTUAL TABLE INDEX \d+:(=|M\d)/.test(detail)) return false;
      if (/^SCAN \w+ VIRTUAL TABLE/.test(detail)) return true;
      const scanned = /^SCAN (\w+)/.exec(detail)?.[1];
      return (scanned !== undefined && names.has(scanned)) || detail.startsWith('USE TEMP B-TREE');
    });
  return { text: text.replaceAll('+?', '?'), lines };
}

/** The tables that a plan of PostgreSQL reads whole. */
function walked(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const node = plan as Record<string, unknown>;
  if (node.failed) return [String(node.failed)];
  const own = node['Node Type'] === 'Seq Scan' ? [`Seq Scan on ${node['Relation Name']}`] : [];
  return [...own, ...Object.values(node).flatMap(walked)];
}

describe('the plan of every statement', () => {
  it('covers the statements of every layer', () => {
    for (const part of [
      'src/features/account/keys/',
      'src/features/mail/mailboxes/',
      'src/jobs/',
      'src/events/',
      'src/db/slot-counter',
    ])
      assert.ok(
        declared.some(({ where }) => where.startsWith(part)),
        `none of ${part}`,
      );
    assert.ok(declared.length >= 100, `only ${declared.length} statements were seen`);
  });

  it('scans no table and sorts no rows', () => {
    const found = declared.flatMap(({ statement, where }) => {
      const { text, lines } = costly(statement);
      const unexpected = lines.filter((line) => !ALLOWED.some((rule) => rule.text.test(text) && rule.plan.test(line)));
      return unexpected.map((line) => `${where}: ${line}: ${text}`);
    });
    assert.deepEqual(found, []);
  });

  it('finds items of a folder by their ids, not by reading the folder', () => {
    const byItem = declared.filter(({ statement }) => /"item_id" (?:=|in) /.test(bound(statement, '1').text));
    assert.ok(byItem.length >= 4, `only ${byItem.length} statements were seen`);
    for (const { statement, where } of byItem) {
      const { text, values } = bound(statement, '1');
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
      const reads = plan.filter(({ detail }) => /^SEARCH (?:mailbox_uids|u) /.test(detail));
      for (const { detail } of reads)
        assert.match(detail, / INDEX mailbox_uids_by_item \(item_id=\?/, `${where}: ${text}`);
    }
  });

  it('the allow-list has no unused entry', () => {
    const all = declared.map(({ statement }) => costly(statement));
    for (const rule of ALLOWED) {
      const used = all.some(({ text, lines }) => rule.text.test(text) && lines.some((line) => rule.plan.test(line)));
      assert.ok(used, `${rule.text} is allowed for nothing (${rule.because})`);
    }
  });

  it('is made once, not for each value', () => {
    // SQLite asks what a statement may do each time that it plans it.
    let asked = 0;
    db.setAuthorizer(() => {
      asked += 1;
      return constants.SQLITE_OK;
    });
    const again = declared.flatMap(({ statement, where }) => {
      const { text } = bound(statement, '1');
      const explained = db.prepare(`EXPLAIN ${text}`);
      asked = 0;
      for (const value of ['1', '2', '3']) explained.all(...bound(statement, value).values);
      return asked === 0 ? [] : [`${where}: ${text}`];
    });
    const looked = db.prepare('EXPLAIN select 1 limit ?');
    asked = 0;
    looked.all(1);
    db.setAuthorizer(null);
    assert.notEqual(asked, 0, 'the check detects one that is');
    assert.deepEqual(again, []);
  });

  it('on PostgreSQL, scans no table either: also one that was empty when it was planned', async () => {
    const { freshDatabase } = await import('../../test/support/harness.ts');
    const { readConfig } = await import('../config/service-config.ts');
    const { openDatabase, migrate } = await import('./open.ts');
    const fresh = await freshDatabase('postgres');
    const config = readConfig(fresh.env);
    await migrate(config);
    const database = openDatabase(config);
    const found: string[] = [];
    try {
      for (const { statement, where } of declared) {
        const { text, bindings } = createCompiler('postgres')(statement);
        const parameters = bindings.map(({ slot, constant }) => (slot !== null ? '1' : constant));
        const compiled = { sql: `EXPLAIN (FORMAT JSON) ${text}`, parameters };
        const explain: Statement<object, object> = { build: () => ({ compile: () => compiled }) };
        const plan = await database.all(explain, {}).catch((err) => [{ failed: String(err.cause) }]);
        const isAllowed = ALLOWED.some((rule) => rule.text.test(text.replace(/\$\d+/g, '?')));
        if (!isAllowed) for (const line of walked(plan)) found.push(`${where}: ${line}: ${text}`);
      }
    } finally {
      await database.close();
      await fresh.drop();
    }
    assert.deepEqual(found, []);
  });

  it('the check detects a scan and a sort', () => {
    const sql = tables<{ accounts: { id: string; name: string } }>();
    const bad = sql((q, _p: object) => q.selectFrom('accounts').select('id').orderBy('name'));
    const { lines } = costly(bad as Statement<never, unknown>);
    assert.deepEqual(lines, ['SCAN accounts', 'USE TEMP B-TREE FOR ORDER BY']);
  });
});
