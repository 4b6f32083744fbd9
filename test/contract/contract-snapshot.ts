import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import { sqlitePath } from '../../src/db/open.ts';
import type { TestApp } from '../support/harness.ts';

/** Every row of every table, as text, by table, in no order. */
export type Snapshot = Record<string, string[]>;

interface Snapshots {
  take(): Promise<Snapshot>;
  close(): Promise<void>;
}

/** Rows that change with every request, or with time, by table. */
const RESTLESS: Record<string, string> = {
  quota_counters: `metric like 'requests_per_%'`,
  key_days: 'true',
  service_instances: 'true',
};
const rowsIn = (table: string): string => `${table} where not (${RESTLESS[table] ?? 'false'})`;

function openSqlite(t: TestApp): Snapshots {
  const db = new DatabaseSync(sqlitePath(t.config.dataDir), { readOnly: true });
  const names = db.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`).all();
  const tables = names.map(({ name }) => String(name));
  // SQLite writes the text of a row many times faster than we could.
  const columnsOf = (table: string): string[] =>
    db
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => `quote("${name}")`);
  const readers = tables.map(
    (table) =>
      [table, db.prepare(`select ${columnsOf(table).join(` || ' ' || `)} as row from ${rowsIn(table)}`)] as const,
  );
  const rowsOf = (reader: StatementSync): string[] => reader.all().map(({ row }) => String(row));
  // It changes with each commit of another connection, so a snapshot of the same version is still valid.
  const version = db.prepare('PRAGMA data_version');
  let taken = { version: undefined as unknown, snapshot: {} as Snapshot };
  return {
    take: async () => {
      const now = version.get()?.data_version;
      if (taken.version === now) return taken.snapshot;
      const snapshot = Object.fromEntries(readers.map(([name, reader]) => [name, rowsOf(reader)]));
      taken = { version: now, snapshot };
      return snapshot;
    },
    close: async () => db.close(),
  };
}

async function openPostgres(url: string): Promise<Snapshots> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const tables = rows.map(({ name }) => String(name));
  const query = tables
    .map((name) => `select '${name}' as name, ${name}::text as row from ${rowsIn(name)}`)
    .join(' union all ');
  // `xmin:xmax:running`. If the next transaction id is the same and none is running, nothing was committed.
  const transactions = async (): Promise<string> =>
    (await client.query('select pg_current_snapshot()::text as text')).rows[0].text;
  let taken: { at: string; snapshot: Snapshot } | undefined;
  return {
    take: async () => {
      const at = await transactions();
      const [oldest, next] = at.split(':');
      if (taken?.at === at && oldest === next) return taken.snapshot;
      const snapshot: Snapshot = Object.fromEntries(tables.map((name) => [name, []]));
      for (const { name, row } of (await client.query(query)).rows) snapshot[name]?.push(row);
      taken = { at, snapshot };
      return snapshot;
    },
    close: () => client.end(),
  };
}

/** Runs `work` with a separate connection to the service's database. */
export async function withSnapshots(t: TestApp, work: (take: () => Promise<Snapshot>) => Promise<void>): Promise<void> {
  const { take, close } = t.config.databaseUrl === null ? openSqlite(t) : await openPostgres(t.config.databaseUrl);
  try {
    await work(take);
  } finally {
    await close();
  }
}

/** Waits for background work of earlier requests, so that it does not change tables later. */
export async function settle(t: TestApp): Promise<void> {
  await t.app.worker.runDue();
  await t.app.provided.intake.idle();
  await t.app.provided.audit.flush();
}

/** The tables that differ, each with the first row that only one version has. */
export function changes(before: Snapshot, after: Snapshot): string[] {
  if (before === after) return [];
  return Object.keys(before).flatMap((name) => {
    const old = new Set(before[name]);
    const now = new Set(after[name]);
    const added = after[name]?.find((row) => !old.has(row));
    const removed = before[name]?.find((row) => !now.has(row));
    if (added === undefined && removed === undefined && before[name]?.length === after[name]?.length) return [];
    return [`${name}: ${added === undefined ? `lost ${removed}` : `gained ${added}`}`.slice(0, 300)];
  });
}

/** Tables that only say how far the chains of the audit log reach. */
const OF_CHAINS = new Set(['audit_chains', 'audit_seals']);
const isNoChange = (row: string): boolean => /result\W+(?:refused|dry_run)/.test(row);

/**
 * The changes that a refused request made, or a dry run. That the audit log names it, up to a second later, is none: what
 * it records beside refusals and dry runs is.
 */
export function effects(before: Snapshot, after: Snapshot): string[] {
  const relevant = (snapshot: Snapshot): Snapshot =>
    Object.fromEntries(
      Object.entries(snapshot)
        .filter(([name]) => !OF_CHAINS.has(name))
        .map(([name, rows]) => [name, name === 'audit_entries' ? rows.filter((row) => !isNoChange(row)) : rows]),
    );
  return before === after ? [] : changes(relevant(before), relevant(after));
}
