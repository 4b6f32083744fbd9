import assert from 'node:assert/strict';
import { it } from 'node:test';
import { NOON, onBothEngines } from '../../../../../test/support/job-bench.ts';
import type { Database } from '../../../../api/transaction.ts';
import { HOUR_MS } from '../../../../base/period.ts';
import { tables } from '../../../../db/statement.ts';
import { BlobPurge, keepStaged, readBlob, withStaged } from './blob.ts';
import type { Staged } from './blob-pieces.ts';

const sql = tables<{ mail_blobs: { id: string; purge_at: number | null }; mail_blob_pieces: { n: number } }>();
const everyBlob = sql((q, _: object) => q.selectFrom('mail_blobs').select(['id', 'purge_at']));
const everyPiece = sql((q, _: object) => q.selectFrom('mail_blob_pieces').select('n'));

const PART = Buffer.alloc(1_500_000, 'a part of a large mail; ');
const LATER = NOON + 2 * HOUR_MS;

onBothEngines('large parts of a mail', (bench) => {
  const purgeOf = (database: Database, now: number) =>
    new BlobPurge(
      database,
      () => now,
      (err) => assert.fail(String(err)),
    );
  const keepIn = async (staged: Staged): Promise<string> =>
    (await bench.database.transaction((tx) => keepStaged(tx, staged, PART))) as string;
  /** With something to do right after the due ones were listed. */
  const afterList = (work: () => Promise<unknown>): Database => {
    let isDone = false;
    const database = Object.create(bench.database) as Database;
    database.all = async (statement, params) => {
      const rows = await bench.database.all(statement, params);
      if (!isDone) await work();
      isDone = true;
      return rows;
    };
    database.transaction = (work) => bench.database.transaction(work);
    return database;
  };

  it('are let go at once when the mail did not use them, and when writing them failed', async () => {
    const { database } = bench;
    assert.equal(await withStaged(database, [PART], NOON, async () => 'sent'), 'sent');
    assert.deepEqual(await database.all(everyBlob, {}).then((rows) => rows.map(({ purge_at }) => purge_at)), [0]);
    let written = 0;
    const full = Object.create(database) as Database;
    full.transaction = (work) => {
      if (++written === 3) throw new Error('the disk is full');
      return database.transaction(work);
    };
    await assert.rejects(
      withStaged(full, [PART], NOON, async () => assert.fail('not all is written')),
      /the disk is full/,
    );
    await purgeOf(database, NOON).run();
    assert.deepEqual([await database.all(everyBlob, {}), await database.all(everyPiece, {})], [[], []]);
  });

  it('that a mail refers to since they were found due are not removed', async () => {
    const { database } = bench;
    const id = await withStaged(database, [PART], NOON, async (staged) => {
      let kept = '';
      const late = afterList(async () => {
        kept = await keepIn(staged);
      });
      await purgeOf(late, LATER).run();
      return kept;
    });
    assert.ok(PART.equals((await readBlob(database, id)) ?? Buffer.alloc(0)));
  });

  it('that are being removed fail the mail: it is never stored without its bytes', async () => {
    const { database } = bench;
    await withStaged(database, [PART], NOON, async (staged) => {
      await purgeOf(database, LATER).run();
      await assert.rejects(keepIn(staged), /was not stored in time/);
    });
  });
});
