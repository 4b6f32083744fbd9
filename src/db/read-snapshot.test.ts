import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { Database } from '../api/transaction.ts';
import { openSqlite, SqliteConnection } from './sqlite.ts';
import { tables } from './statement.ts';

const sql = tables<{ notes: { text: string } }>();
const insert = sql((q, p: { text: string }) => q.insertInto('notes').values({ text: p.text }));
const read = sql((q, _p: object) => q.selectFrom('notes').select('text').orderBy('text'));

const dir = mkdtempSync(join(tmpdir(), 'signet-snapshot-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('reads that share a snapshot', () => {
  let files = 0;
  let database: Database;
  let elsewhere: SqliteConnection;

  const texts = async (): Promise<string[]> => (await database.all(read, {})).map(({ text }) => text);

  beforeEach(() => {
    const path = join(dir, `${files++}.db`);
    elsewhere = new SqliteConnection(path);
    elsewhere.db.exec('create table notes (text text not null)');
    database = openSqlite(path, { foreignWritePollMs: 5 });
  });
  afterEach(async () => {
    elsewhere.db.close();
    await database.close();
  });

  it('a read that follows a transaction sees it, although a read of the same turn came before its commit', async () => {
    for (let i = 0; i < 50; i++) {
      const write = database.transaction(async (tx) => {
        await tx.run(insert, { text: `${i}`.padStart(2, '0') });
        // Opens a snapshot while the transaction is still to be committed.
        assert.equal((await texts()).length, i);
      });
      await write;
      assert.equal((await texts()).length, i + 1);
    }
  });

  it('a read in a callback of the commit sees the commit', async () => {
    let seen: Promise<string[]> | undefined;
    await database.transaction(async (tx) => {
      await tx.run(insert, { text: 'a' });
      await texts();
      tx.afterCommit(() => {
        seen = texts();
      });
    });
    assert.deepEqual(await seen, ['a']);
  });

  it('the next turn sees what another process has written', async () => {
    assert.deepEqual(await texts(), []);
    elsewhere.run(insert, { text: 'foreign' });
    await nextTurn();
    assert.deepEqual(await texts(), ['foreign']);
  });

  it('a listener woken by the write of another process sees that write', async () => {
    const woken = new Promise<string[]>((resolve) => database.onSignal('any', () => resolve(texts())));
    setImmediate(() => {
      // A snapshot of before the write. It is still open when the search for foreign writes, overdue by then, comes next.
      void texts().catch(() => {});
      elsewhere.run(insert, { text: 'foreign' });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    });
    // The search itself keeps no process alive.
    const awake = setInterval(() => {}, 1000);
    const seen = await woken;
    clearInterval(awake);
    assert.deepEqual(seen, ['foreign']);
  });

  it('a look for the writes of other processes that fails is storage_unavailable, as a read is', async () => {
    const closed = openSqlite(join(dir, `${files++}.db`));
    await closed.close();
    assert.throws(() => closed.pollForeignWrites(), { code: 'storage_unavailable' });
  });

  it('closing the database in the turn of a read causes no error', async () => {
    const path = join(dir, `${files++}.db`);
    const other = openSqlite(path);
    await other.first(
      sql((q) => q.selectNoFrom((eb) => eb.val(1).as('one'))),
      {},
    );
    await other.close();
    await nextTurn();
  });
});
