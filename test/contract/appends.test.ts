import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SERVICE } from '../../src/api/audit-record.ts';
import { ApiError } from '../../src/api/errors.ts';
import { type AccountLog, changeOf, type Tx } from '../../src/api/transaction.ts';
import { tables } from '../../src/db/statement.ts';
import { EventLog, eventSeq, lastEventSeq, purgeEvents, readEvents } from '../../src/events/event-log.ts';
import { appendAudit, verifyChain } from '../../src/features/record/audit/audit-log.ts';
import { onEngines, type TestApp } from '../support/harness.ts';

/** The same numbers at every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const log = new EventLog();
const append = (tx: Tx, accountId: string, key: string) =>
  log.append(tx, { accountId, type: 'vault.updated', data: { key, version: 1, action: 'created' }, now: 1 });
const note = (tx: Tx, accountId: string, resourceId: string) =>
  appendAudit(tx, {
    accountId,
    action: 'vault.put',
    resourceId,
    actor: SERVICE,
    ip: '',
    requestId: '',
    status: 200,
    now: 1,
  });

const keyOf = ({ data }: { data: unknown }): string => (data as { key: string }).key;

const readAll = async (t: TestApp, accountId: string, after = 0) =>
  readEvents(t.app.database, { accountId, types: null, addresses: null, limit: 10_000 }, after);

/** Every number of an account's events in order and without a gap, and a valid chain. @returns the keys of the events */
async function requireWhole(t: TestApp, accountId: string): Promise<string[]> {
  const events = await readAll(t, accountId);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, i) => i + 1),
  );
  assert.equal(await lastEventSeq(t.app.database, accountId), events.length);
  const chain = await verifyChain(t.app.database, accountId);
  assert.deepEqual([chain.fault, chain.entries], [null, events.length]);
  return events.map(keyOf);
}

const sql = tables<{ events: { account_id: string } }>();
const erase = sql((q, p: { id: string }) => q.deleteFrom('events').where('account_id', '=', p.id));
const inEvents = sql((q, p: { id: string }) =>
  q.selectFrom('events').select('account_id').where('account_id', '=', p.id),
);

/** A log that fails before its statements reach the database. */
const brokenLog = (changes: AccountLog<number, null>['changes']): AccountLog<number, null> => ({
  tables: ['events'],
  lock: async () => 0,
  lockFree: async () => ({ ends: new Map(), missing: [] }),
  changes,
});
const BROKEN = {
  'whose rows cannot be made': brokenLog(() => {
    throw new Error('no text of it');
  }),
  'whose second statement lacks a parameter': brokenLog(() => [
    changeOf(erase, { id: 'acc_none' }),
    changeOf(erase, {} as { id: string }),
  ]),
};

const isRefused = (outcome: PromiseSettledResult<unknown>): boolean => outcome.status === 'rejected';

onEngines('both', 'what transactions of a shared commit append', {}, (suite) => {
  it('is there if and only if its transaction committed, in one order without gaps, and read in its own transaction', async () => {
    const { t } = suite;
    const random = createRandom(7);
    const accounts = ['acc_a', 'acc_b', 'acc_c'];
    const expected = new Map(accounts.map((id): [string, string[]] => [id, []]));
    /** One member: some rows, of which it may read the last, and then it may fail. */
    const member = (n: number) => {
      const accountId = accounts[random(accounts.length)] as string;
      const keys = Array.from({ length: 1 + random(3) }, (_, i) => `${n}-${i}`);
      const [reads, changes, isWatched, fails] = [random(3) === 0, random(9) === 0, random(2) === 0, random(3) === 0];
      if (!fails) expected.get(accountId)?.push(...keys);
      return t.app.database.transaction(async (tx) => {
        for (const key of keys) {
          await append(tx, accountId, key);
          if (changes) await log.setWatched(tx, accountId, isWatched);
          if (reads) assert.equal(keyOf((await lastOf(tx, accountId)) as { data: unknown }), key);
          await note(tx, accountId, key);
        }
        if (fails) throw new ApiError('version_conflict');
      });
    };
    const lastOf = async (tx: Tx, accountId: string) => {
      const last = await lastEventSeq(tx, accountId);
      return (await readEvents(tx, { accountId, types: null, addresses: null, limit: 2 }, last - 1)).at(-1);
    };
    for (let round = 0; round < 4; round += 1) {
      const members = Array.from({ length: 40 }, (_, n) => member(round * 40 + n));
      // A reader that goes on from what it has seen, as streams do.
      const seen: number[] = [];
      const follow = async () => {
        for (const { seq } of await readAll(t, 'acc_a', seen.at(-1) ?? 0)) seen.push(seq);
      };
      const outcomes = Promise.allSettled(members);
      let isDone = false;
      void outcomes.then(() => {
        isDone = true;
      });
      while (!isDone) {
        await follow();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await follow();
      assert.deepEqual(
        seen,
        seen.map((_, i) => i + 1),
      );
      assert.ok((await outcomes).some(isRefused) && !(await outcomes).every(isRefused));
    }
    for (const [accountId, keys] of expected)
      assert.deepEqual((await requireWhole(t, accountId)).sort(), keys.sort(), accountId);
  });

  it('fails with its own transaction alone if it cannot be written, and callbacks of the others run once', async () => {
    const { t } = suite;
    await refuse(t, 'poison');
    const called: number[] = [];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        t.app.database.transaction(async (tx) => {
          tx.afterCommit(() => called.push(n));
          await append(tx, 'acc_poisoned', n % 10 === 5 ? 'poison' : `k${n}`);
          await note(tx, 'acc_poisoned', `k${n}`);
        }),
      ),
    );
    const failed = outcomes.flatMap((outcome, n) => (outcome.status === 'rejected' ? [n] : []));
    assert.deepEqual(failed, [5, 15, 25]);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal((outcome.reason as ApiError).code, 'storage_unavailable');
    const good = Array.from({ length: 30 }, (_, n) => n).filter((n) => !failed.includes(n));
    assert.deepEqual(
      called.sort((a, b) => a - b),
      good,
    );
    assert.deepEqual((await requireWhole(t, 'acc_poisoned')).sort(), good.map((n) => `k${n}`).sort());
  });

  for (const [name, broken] of Object.entries(BROKEN))
    it(`is stored with its effects or not at all: a log ${name}`, async () => {
      const { t } = suite;
      const accountId = `acc_broken_${Object.keys(BROKEN).indexOf(name)}`;
      const called: string[] = [];
      const put = (key: string, isBroken: boolean, reads = false) =>
        t.app.database.transaction(async (tx) => {
          tx.afterCommit(() => called.push(key));
          await log.setWatched(tx, `${accountId}_${key}`, true);
          await append(tx, accountId, key);
          if (isBroken) await tx.append(broken, accountId, (end) => ({ end: end + 1, row: null }));
          await note(tx, accountId, key);
          // Even if the transaction goes on after the fault.
          if (reads) await assert.rejects(tx.all(inEvents, { id: accountId }));
        });
      const outcomes = await Promise.allSettled([
        ...[put('a', false), put('b', true), put('c', false), put('d', true, true), put('e', false)],
      ]);
      assert.deepEqual(outcomes.map(isRefused), [false, true, false, true, false]);
      assert.deepEqual(called.sort(), ['a', 'c', 'e']);
      assert.deepEqual((await requireWhole(t, accountId)).sort(), ['a', 'c', 'e']);
      const heads = await t.sql(
        `select account_id from event_heads where account_id like '${accountId}\\__' escape '\\'`,
      );
      assert.deepEqual(
        heads.map(({ account_id }) => account_id).sort(),
        ['a', 'c', 'e'].map((key) => `${accountId}_${key}`),
      );
    });

  it('is deleted by a transaction that follows in the same commit, and not by one that fails', async () => {
    const { t } = suite;
    const put = (key: string) => t.app.database.transaction((tx) => append(tx, 'acc_purged', key));
    const purge = (fails: boolean) =>
      t.app.database.transaction(async (tx) => {
        await purgeEvents(tx, 2);
        if (fails) throw new ApiError('version_conflict');
      });
    // Others have events that old as well.
    await Promise.allSettled([put('a'), purge(true), put('b')]);
    assert.deepEqual((await readAll(t, 'acc_purged')).map(keyOf).sort(), ['a', 'b']);
    await t.app.database.transaction(async (tx) => {
      await append(tx, 'acc_purged', 'c');
      await purgeEvents(tx, 2);
      await append(tx, 'acc_purged', 'd');
    });
    const [only, ...more] = await readAll(t, 'acc_purged');
    assert.deepEqual([only?.seq, keyOf(only as { data: unknown }), more], [4, 'd', []]);
    assert.equal(eventSeq(only?.id ?? ''), 4);
  });

  it('of an account that another process writes for goes on where that one ended', async () => {
    const { t } = suite;
    const put = (key: string) => t.app.database.transaction((tx) => append(tx, 'acc_beside', key));
    await put('a');
    // As the command line does, on a connection of its own.
    await t.sql(`insert into events (account_id, seq, type, data, created_at) values ('acc_beside', 2, 'x', '{}', 3)`);
    await t.sql(`update event_heads set last_seq = 2 where account_id = 'acc_beside'`);
    await put('b');
    assert.deepEqual(
      (await readAll(t, 'acc_beside')).map(({ seq }) => seq),
      [1, 2, 3],
    );
  });
});

/** Makes the database refuse events whose data have a word. */
async function refuse(t: TestApp, word: string): Promise<void> {
  if (t.engine === 'sqlite') {
    await t.sql(
      `create trigger refuse_word before insert on events when new.data like '%${word}%' begin select raise(abort, 'no'); end`,
    );
    return;
  }
  await t.sql(
    `create function refuse_word() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  );
  await t.sql(
    `create trigger refuse_word before insert on events for each row when (new.data like '%${word}%') execute function refuse_word()`,
  );
}
