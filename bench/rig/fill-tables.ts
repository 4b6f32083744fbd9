import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Config } from '../../src/config/service-config.ts';
import { sqlitePath } from '../../src/db/open.ts';

/**
 * Fills every table with copies of the rows that are there, straight in the database. A copy differs in one column of each
 * unique key, the last that does not name the account, and in its time: so it belongs to the same account, and to the same
 * parent where it can. A value is changed the same way in all tables, so copies refer to copies.
 */

interface Column {
  name: string;
  kind: 'text' | 'integer' | 'blob';
}

interface Table {
  name: string;
  columns: Column[];
  /** The columns of each unique key, the primary one among them. */
  keys: string[][];
}

/** Runs SQL without looking at foreign keys. */
interface Sql {
  all(text: string): Promise<Record<string, unknown>[]>;
  run(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Rows of a table that are copied. */
const TEMPLATES_MAX = 500;
const TIMES = /^(?:at|(?:created|received|sent|updated|occurred|charged|issued)_at)$/;
const OWNERS = /^(?:account_id|parent_account_id|owner_id)$/;
/** Requests append to them, from the highest number: copies are numbered downwards. */
const APPENDED = /^(?:audit_entries|events)$/;
/** One row each, as many as processes or rotations, or rows of the schema. */
const FIXED = /^(?:schema_migrations|service_settings|instances|signing_keys|master_keys|pg_|sqlite_|message_words_)/;
/**
 * Tables of which an owner has few rows, by a rule: keys and people of an account, attachments of a mail, a row for each
 * severity, a slot of sixteen. A million of them have as many owners, so the copies differ in the owner.
 */
const FEW_FOR_EACH: Readonly<Record<string, string>> = {
  api_keys: 'account_id',
  people: 'account_id',
  attachments: 'content_id',
  track_records: 'account_id',
  shared_topics: 'topic',
};

function openSqlite(config: Config): Sql {
  const db = new DatabaseSync(sqlitePath(config.dataDir));
  db.exec('PRAGMA busy_timeout = 60000; PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
  db.exec('PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY');
  return {
    all: async (text) => db.prepare(text).all() as Record<string, unknown>[],
    run: async (text) => db.exec(text),
    close: async () => {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE); ANALYZE');
      db.close();
    },
  };
}

async function openPostgres(url: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  await client.query("set maintenance_work_mem = '1GB'; set work_mem = '256MB'");
  // The server lives for this run alone. Nothing else may work on the tables while they fill or are measured.
  for (const setting of ['autovacuum = off', 'full_page_writes = off', "max_wal_size = '16GB'"])
    await client.query(`alter system set ${setting}`);
  await client.query('select pg_reload_conf()');
  return {
    all: async (text) => (await client.query(text)).rows,
    run: async (text) => void (await client.query(text)),
    close: async () => {
      await client.query('vacuum analyze');
      await client.end();
    },
  };
}

const kindOf = (type: string): Column['kind'] =>
  /int|num|bool/i.test(type) ? 'integer' : /blob|bytea/i.test(type) ? 'blob' : 'text';

async function sqliteTables(sql: Sql): Promise<Table[]> {
  const names = await sql.all("select name from sqlite_master where type = 'table' and sql not like 'create virtual%'");
  const tables: Table[] = [];
  for (const { name } of names as { name: string }[]) {
    if (FIXED.test(name)) continue;
    const info = await sql.all(`pragma table_info(${name})`);
    const columns = info.map((row) => ({ name: String(row.name), kind: kindOf(String(row.type)) }));
    const keys = [info.filter(({ pk }) => Number(pk) > 0).map((row) => String(row.name))];
    for (const index of await sql.all(`pragma index_list(${name})`)) {
      if (Number(index.unique) === 0) continue;
      keys.push((await sql.all(`pragma index_info('${index.name}')`)).map((row) => String(row.name)));
    }
    tables.push({ name, columns, keys: keys.filter((key) => key.length > 0) });
  }
  return tables;
}

async function postgresTables(sql: Sql): Promise<Table[]> {
  const found = await sql.all(
    `select table_name as "table", column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' order by table_name, ordinal_position`,
  );
  const unique = await sql.all(
    `select c.relname as "table", i.indexrelid::int as id, a.attname as name from pg_index i
     join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where i.indisunique and c.relnamespace = 'public'::regnamespace order by array_position(i.indkey::int[], a.attnum)`,
  );
  return [...Map.groupBy(found, (row) => String(row.table))]
    .filter(([name]) => !FIXED.test(name))
    .map(([name, rows]) => {
      const columns = rows.map((row) => ({ name: String(row.name), kind: kindOf(String(row.type)) }));
      const own = unique.filter((row) => row.table === name);
      const keys = [...Map.groupBy(own, ({ id }) => id).values()].map((key) => key.map((row) => String(row.name)));
      return { name, columns, keys };
    });
}

/** The columns that a copy changes: of each key the last that says nothing of the account, else the last. */
function changedColumns({ name: table, keys }: Table): Set<string> {
  const owner = FEW_FOR_EACH[table];
  return new Set(
    keys.map((key) =>
      owner && key.includes(owner) ? owner : (key.findLast((name) => !OWNERS.test(name)) ?? (key.at(-1) as string)),
    ),
  );
}

const changed = (table: Table, { name, kind }: Column, isPostgres: boolean): string => {
  // Far enough apart that the copies of neighbours do not meet.
  if (kind === 'integer') return `${name} ${APPENDED.test(table.name) ? '-' : '+'} i * 1000`;
  if (kind === 'text') return `${name} || '~' || i`;
  return isPostgres ? `${name} || convert_to(i::text, 'UTF8')` : `cast(${name} || i as blob)`;
};

/** The rows that were there before the first fill. */
const templatesOf = (table: Table): string => `scale_${table.name}`;

async function keepTemplates(sql: Sql, { name }: Table): Promise<void> {
  await sql.run(`create table if not exists scale_${name} as select * from ${name} limit ${TEMPLATES_MAX}`);
}

async function copyRows(sql: Sql, table: Table, fill: Fill, isPostgres: boolean): Promise<void> {
  const varied = changedColumns(table);
  const values = table.columns.map((column) => {
    if (varied.has(column.name)) return changed(table, column, isPostgres);
    return column.kind === 'integer' && TIMES.test(column.name) ? `${column.name} - i` : column.name;
  });
  const templates = await countOf(sql, templatesOf(table));
  if (templates === 0) return;
  const { from, copies = Math.ceil((fill.rows ?? 0) / templates) } = fill;
  const numbers = isPostgres
    ? `(select generate_series(${from}, ${copies}) as i) numbers`
    : `(with recursive c(i) as (select ${from} union all select i + 1 from c where i < ${copies}) select i from c) numbers`;
  const names = table.columns.map(({ name }) => name).join(', ');
  await sql.run(
    `insert ${isPostgres ? '' : 'or ignore '}into ${table.name} (${names})
     select ${values.join(', ')} from ${templatesOf(table)} rows, ${numbers}
     ${isPostgres ? ' on conflict do nothing' : ' where true'}`,
  );
}

const countOf = async (sql: Sql, table: string): Promise<number> =>
  Number((await sql.all(`select count(*) as n from ${table}`))[0]?.n);

/** PostgreSQL runs no triggers in a replica's session; on SQLite they are gone while rows are copied. @returns their SQL */
async function dropTriggers(sql: Sql): Promise<string[]> {
  const found = (await sql.all("select name, sql as text from sqlite_master where type = 'trigger'")) as {
    name: string;
    text: string;
  }[];
  for (const { name } of found) await sql.run(`drop trigger ${name}`);
  return found.map(({ text }) => text);
}

/** The indexes of a table that keep nothing unique, by the SQL that makes them: to build one anew takes a third of filling it. */
async function plainIndexes(sql: Sql, table: string, isPostgres: boolean): Promise<{ name: string; text: string }[]> {
  const found = await sql.all(
    isPostgres
      ? `select indexname as name, indexdef as text from pg_indexes where schemaname = 'public' and tablename = '${table}'`
      : `select name, sql as text from sqlite_master where type = 'index' and sql is not null and tbl_name = '${table}'`,
  );
  return (found as { name: string; text: string }[]).filter(({ text }) => !/^create unique/i.test(text));
}

/** Copies rows while the table has only its unique indexes. */
async function copyUnindexed(sql: Sql, table: Table, fill: Fill, isPostgres: boolean): Promise<void> {
  const indexes = fill.copies === undefined ? await plainIndexes(sql, table.name, isPostgres) : [];
  for (const { name } of indexes) await sql.run(`drop index ${name}`);
  try {
    await copyRows(sql, table, fill, isPostgres);
  } finally {
    for (const { text } of indexes) await sql.run(text);
  }
}

/** Copies of each row, numbered from `from`: so many, or so many that the table has `rows`. */
export interface Fill {
  from: number;
  copies?: number;
  rows?: number;
  /** The tables that get any; all without it. */
  only?: ReadonlySet<string>;
}

/** @returns the rows of each table, and what the database said where it refused them */
export async function fillTables(config: Config, fill: Fill): Promise<Map<string, string>> {
  const { databaseUrl } = config;
  const isPostgres = databaseUrl !== null;
  const sql = isPostgres ? await openPostgres(databaseUrl) : openSqlite(config);
  const tables = (await (isPostgres ? postgresTables(sql) : sqliteTables(sql))).filter(
    ({ name }) => !name.startsWith('scale_'),
  );
  const filled = new Map<string, string>();
  // All before the first: the rows of one table may be written by a trigger of another.
  for (const table of tables) await keepTemplates(sql, table);
  const triggers = isPostgres ? [] : await dropTriggers(sql);
  for (const table of tables.filter(({ name }) => fill.only?.has(name) ?? true)) {
    const refusal = await copyUnindexed(sql, table, fill, isPostgres).then(
      () => '',
      ({ message }: Error) => ` (${message})`,
    );
    filled.set(table.name, `${await countOf(sql, table.name)}${refusal}`);
  }
  for (const text of triggers) await sql.run(text);
  await sql.close();
  return filled;
}
