import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { type Engine, freshDatabase, runSql, startTestApp } from '../../test/support/harness.ts';
import { loadReleased, writeReleased } from '../../test/support/released.ts';
import { readConfig } from '../config/service-config.ts';
import { forPostgres, forSqlite } from './migration-sql.ts';
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

/** Everything that a schema is made of, but for the order of columns. */
const SCHEMA: Record<Engine, string> = {
  sqlite: `select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master`,
  postgres: `
    select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
};

/** Without spaces, and without what is left in names where a step made a table anew and renamed it. */
const plain = (line: string): string =>
  line
    .toLowerCase()
    .replace(/[\s"]+/g, '')
    .replaceAll('_2_pkey', '_pkey');

for (const engine of ['sqlite', 'postgres'] as const) {
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

    it('make of a database of 0.19.0 what they make of a new one', async () => {
      const schemas: string[][] = [];
      for (const version of [null, '0.19.0'])
        await withDatabase(engine, async (config) => {
          if (version !== null && config.databaseUrl) await loadReleased(version, config.databaseUrl);
          else if (version !== null) writeReleased(version, sqlitePath(config.dataDir));
          await migrate(config);
          schemas.push((await runSql(config, SCHEMA[engine], [])).map(({ line }) => plain(String(line))).sort());
        });
      assert.ok((schemas[0] as string[]).length > 200);
      assert.deepEqual(schemas[0], schemas[1]);
    });

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
