import pg from 'pg';
import { forPostgres, forSqlite, type Migration } from './migration-sql.ts';
import { migration as foundation } from './migrations/0001-foundation.ts';
import { migration as push } from './migrations/0002-push.ts';
import { migration as webhooks } from './migrations/0003-webhooks.ts';
import { migration as e2e } from './migrations/0004-e2e.ts';
import { migration as mailSearch } from './migrations/0005-mail-search.ts';
import { migration as bounces } from './migrations/0006-bounces.ts';
import { migration as pushTickets } from './migrations/0007-push-tickets.ts';
import { migration as payments } from './migrations/0008-payments.ts';
import { migration as vault } from './migrations/0009-vault.ts';
import { migration as budgets } from './migrations/0010-budgets.ts';
import { migration as podsStacks } from './migrations/0011-pods-stacks.ts';
import { migration as tokens } from './migrations/0012-tokens.ts';
import { migration as observations } from './migrations/0013-observations.ts';
import { migration as calendar } from './migrations/0014-calendar.ts';
import { migration as auditSeals } from './migrations/0015-audit-seals.ts';
import { migration as credentials } from './migrations/0016-credentials.ts';
import { migration as findings } from './migrations/0017-findings.ts';
import { postgresConfig } from './postgres.ts';
import { SqliteConnection } from './sqlite.ts';

const MIGRATIONS: readonly Migration[] = [
  foundation,
  push,
  webhooks,
  e2e,
  mailSearch,
  bounces,
  pushTickets,
  payments,
  vault,
  budgets,
  podsStacks,
  tokens,
  observations,
  calendar,
  auditSeals,
  credentials,
  findings,
];

/** The steps of the schema that this version knows, in order. */
export const MIGRATION_IDS: readonly string[] = MIGRATIONS.map(({ id }) => id);

/** Any fixed number: PostgreSQL's advisory locks are named by one. */
const LOCK_ID = 728_146_011;

const CREATE_LOG = 'create table if not exists schema_migrations (id text primary key)';

/** Brings the SQLite file up to date. @returns the ids of the steps that ran */
export function migrateSqlite(path: string): string[] {
  const { db } = new SqliteConnection(path);
  try {
    db.exec('BEGIN IMMEDIATE');
    db.exec(CREATE_LOG);
    const done = new Set(
      db
        .prepare('select id from schema_migrations')
        .all()
        .map((row) => row.id),
    );
    const due = MIGRATIONS.filter(({ id }) => !done.has(id));
    for (const { id, statements } of due) {
      for (const statement of statements) db.exec(forSqlite(statement));
      db.prepare('insert into schema_migrations (id) values (?)').run(id);
    }
    db.exec('COMMIT');
    return due.map(({ id }) => id);
  } finally {
    db.close();
  }
}

/** Brings the PostgreSQL database up to date; instances that start together take turns. */
export async function migratePostgres(url: string): Promise<string[]> {
  const client = new pg.Client(postgresConfig(url));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query(CREATE_LOG);
    const done = new Set((await client.query('select id from schema_migrations')).rows.map((row) => row.id));
    const due = MIGRATIONS.filter(({ id }) => !done.has(id));
    for (const { id, statements } of due) {
      for (const statement of statements) await client.query(forPostgres(statement));
      await client.query('insert into schema_migrations (id) values ($1)', [id]);
    }
    await client.query('COMMIT');
    return due.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
