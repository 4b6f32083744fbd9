import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { suspend } from '../../../test/support/agents.ts';
import { breakLedger, endOneCommit } from '../../../test/support/broken-ledger.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/support/harness.ts';
import { heldBack } from '../../../test/support/held-back.ts';
import { verifyChain } from '../record/audit/audit-log.ts';

const AMOUNT = 7;
const CHARGE = '/v1/charge';

/** Accounts of which the first `capped` have room for two charges. The others have no budget yet. */
async function spenders(t: TestApp, count: number, capped = count): Promise<TestAccount[]> {
  const accounts = await Promise.all(Array.from({ length: count }, () => t.createAccount()));
  await Promise.all(accounts.slice(0, capped).map(({ api }) => api.put('/v1/budget', { daily: 2 * AMOUNT })));
  return accounts;
}

const charge = ({ api }: TestAccount, body: object = {}, headers: Record<string, string> = {}) =>
  api.post(CHARGE, { amount: AMOUNT, category: 'api', ...body }, headers);

/** What is recorded of each account, in every table that a charge writes. */
async function recorded(t: TestApp, accounts: readonly TestAccount[]) {
  const counts = new Map(accounts.map(({ accountId }) => [accountId, [0, 0, 0, 0, 0]]));
  const tables = [
    'select account_id, count(*) as n from ledger group by account_id',
    `select account_id, sum(total_usdc) / ${AMOUNT} as n from ledger_totals group by account_id`,
    `select account_id, daily_spent / ${AMOUNT} as n from budgets`,
    `select account_id, count(*) as n from events where type = 'charge.completed' group by account_id`,
    `select account_id, count(*) as n from audit_entries where entry like '%"charge.made"%"success"%' group by account_id`,
  ];
  for (const [i, table] of tables.entries())
    for (const row of await t.sql(table)) {
      const mine = counts.get(row.account_id as string);
      if (mine) mine[i] = Number(row.n);
    }
  return [...counts.values()];
}

/** The accounts whose charges each transaction stored. */
async function storedTogether(t: TestApp, accounts: readonly TestAccount[]): Promise<Set<string>[]> {
  const ids = new Set(accounts.map(({ accountId }) => accountId));
  const rows = (await t.sql('select account_id, xmin::text as stored_by from ledger')) as {
    account_id: string;
    stored_by: string;
  }[];
  const groups = Map.groupBy(rows, (row) => row.stored_by);
  const stored = [...groups.values()].map((group) => new Set(group.map((row) => row.account_id)));
  return stored.filter((group) => [...group].some((id) => ids.has(id)));
}

/** Counts the shared transactions that fail. */
function failuresOf(context: TestContext, { app: { database } }: TestApp): { failed: number } {
  const seen = { failed: 0 };
  const run = database.transaction.bind(database);
  context.mock.method(database, 'transaction', async (...[work, options]: Parameters<typeof run>) => {
    try {
      return await run(work, options);
    } catch (err) {
      if (options?.lockWaitMs !== undefined) seen.failed += 1;
      throw err;
    }
  });
  return seen;
}

const times = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** On PostgreSQL alone: SQLite shares every commit, and has one writer. */
describe('charges of many accounts at once', () => {
  let t: TestApp;
  let other: pg.Client;
  before(async () => {
    t = await startTestApp('postgres');
    other = new pg.Client({ connectionString: t.config.databaseUrl as string });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await t.stop();
  });

  it('64 accounts: each gets its own charges, those over a cap are 402, and all that is recorded agrees', async () => {
    const capped = 16;
    const accounts = await spenders(t, 64, capped);
    const replies = await Promise.all(
      accounts.map((account, i) => Promise.all(times(i < capped ? 3 : 2).map(() => charge(account)))),
    );
    const rows = await t.sql('select account_id, id from ledger');
    accounts.forEach(({ accountId }, i) => {
      const own = replies[i] ?? [];
      assert.deepEqual(own.map(({ status }) => status).sort(), i < capped ? [200, 200, 402] : [200, 200]);
      const ids = own.flatMap(({ status, body }) => (status === 200 ? [body.charge_id] : [])).sort();
      assert.deepEqual(rows.flatMap((row) => (row.account_id === accountId ? [row.id] : [])).sort(), ids);
    });
    assert.deepEqual(
      await recorded(t, accounts),
      accounts.map(() => [2, 2, 2, 2, 2]),
    );
    const together = await storedTogether(t, accounts);
    assert.ok(
      together.some((group) => group.size > 1),
      'no two accounts shared a transaction',
    );
    for (const { accountId } of accounts.slice(capped - 4, capped + 4))
      assert.equal((await verifyChain(t.app.database, accountId)).fault, null);
  });

  it('a key that was revoked and an account that was suspended meanwhile: 401 and 403, the others are charged', async () => {
    const [revoked, suspended, ...others] = (await spenders(t, 6)) as [TestAccount, TestAccount, ...TestAccount[]];
    // Both are authenticated before, or the test would prove nothing.
    const body = { amount: AMOUNT };
    const finishers = [await heldBack(t, revoked, CHARGE, body), await heldBack(t, suspended, CHARGE, body)];
    assert.equal((await revoked.api.post('/v1/auth/keys/rotate')).status, 200);
    await suspend(t, suspended.accountId);
    const [refused, charged] = await Promise.all([
      Promise.all(finishers.map((finish) => finish())),
      Promise.all(others.map((account) => charge(account))),
    ]);
    assert.deepEqual(refused, [401, 403]);
    assert.ok(charged.every(({ status }) => status === 200));
    assert.deepEqual(await recorded(t, [revoked, suspended, ...others]), [
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      ...others.map(() => [1, 1, 1, 1, 1]),
    ]);
  });

  it('one Idempotency-Key in each account, sent three times at once: one effect each, and a refusal frees it', async () => {
    const accounts = await spenders(t, 6);
    const key = { 'idempotency-key': 'the-one' };
    const replies = await Promise.all(
      accounts.map((account) => Promise.all(times(3).map(() => charge(account, {}, key)))),
    );
    for (const own of replies) assert.deepEqual(new Set(own.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal(new Set(replies.flat().map(({ text }) => text)).size, accounts.length, 'each its own');
    const over = { 'idempotency-key': 'refused' };
    const refused = await Promise.all(accounts.map((account) => charge(account, { amount: 2 * AMOUNT }, over)));
    assert.ok(refused.every(({ status }) => status === 402));
    const again = await Promise.all(accounts.map((account) => charge(account, {}, over)));
    assert.ok(again.every(({ status }) => status === 200));
    assert.deepEqual(
      await recorded(t, accounts),
      accounts.map(() => [2, 2, 2, 2, 2]),
    );
  });

  it('a fault of the database with one charge is the fault of that charge alone', async () => {
    const accounts = await spenders(t, 12);
    const restore = await breakLedger(t);
    const replies = await Promise.all(
      accounts.map((account, i) => charge(account, { category: i === 5 ? 'cursed' : 'fine' })),
    );
    await restore();
    assert.deepEqual(
      replies.map(({ status }) => status),
      times(12).map((i) => (i === 5 ? 503 : 200)),
    );
    assert.deepEqual(
      await recorded(t, accounts),
      times(12).map((i) => times(5).map(() => (i === 5 ? 0 : 1))),
    );
  });

  it('accounts with a webhook are charged alone, each with its delivery, and the others are charged', async () => {
    const accounts = await spenders(t, 16);
    const watched = accounts.slice(2, 10);
    const hook = { url: 'https://hooks.example.com/charges', events: ['charge.completed'] };
    const made = await Promise.all(watched.map(({ api }) => api.post('/v1/webhooks', hook)));
    assert.ok(made.every(({ status }) => status === 201));
    const replies = await Promise.all(accounts.map((account) => charge(account)));
    assert.ok(replies.every(({ status }) => status === 200));
    assert.deepEqual(
      await recorded(t, accounts),
      times(16).map(() => [1, 1, 1, 1, 1]),
    );
    const together = await storedTogether(t, watched);
    assert.ok(together.every((group) => group.size === 1));
    const deliveries = await t.sql('select webhook_id from webhook_deliveries');
    const sorted = (ids: unknown[]): unknown[] => ids.sort();
    assert.deepEqual(sorted(deliveries.map((row) => row.webhook_id)), sorted(made.map(({ body }) => body.id)));
  });

  it('a commit that PostgreSQL did not confirm is answered 503, and no charge of it runs again', async () => {
    const accounts = await spenders(t, 12);
    const restore = await endOneCommit(t);
    const replies = await Promise.all(accounts.map((account) => charge(account, { category: 'ended' })));
    await restore();
    const unconfirmed = replies.filter(({ status }) => status === 503);
    assert.ok(unconfirmed.length > 0);
    for (const { body } of unconfirmed) assert.match(body.message, /did not confirm the change/);
    assert.deepEqual(
      await recorded(t, accounts),
      replies.map(({ status }) => times(5).map(() => (status === 200 ? 1 : 0))),
    );
  });

  it('a charge that somebody must approve asks him, the first of a day starts its counters, others go on', async () => {
    const [asking, ...others] = (await spenders(t, 4)) as [TestAccount, ...TestAccount[]];
    await asking.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    const first = await Promise.all([asking, ...others].map((account) => charge(account)));
    assert.deepEqual(
      first.map(({ status }) => status),
      [202, 200, 200, 200],
    );
    assert.equal((await asking.api.get('/v1/approvals')).body.count, 1);
    t.clock.advance(86_400_000);
    const next = await Promise.all(others.map((account) => charge(account, { amount: 2 * AMOUNT })));
    assert.deepEqual(
      next.map(({ status, body }) => [status, body.remaining?.daily]),
      others.map(() => [200, 0]),
    );
  });

  for (const table of ['budgets', 'event_heads', 'audit_chains'])
    it(`one is locked in ${table} by another transaction: the others do not wait, and it is charged when the lock is free`, async (context) => {
      const [held, ...others] = (await spenders(t, 5)) as [TestAccount, ...TestAccount[]];
      assert.equal((await charge(held)).status, 200);
      await other.query('begin');
      await other.query(`select 1 from ${table} where account_id = $1 for update`, [held.accountId]);
      const shared = failuresOf(context, t);
      const waiting = Promise.all([charge(held), charge(held)]);
      const charged = await Promise.all(others.map((account) => charge(account)));
      assert.ok(charged.every(({ status }) => status === 200));
      assert.equal(shared.failed, 0, 'a shared transaction waited for the lock');
      await other.query('rollback');
      assert.deepEqual((await waiting).map(({ status }) => status).sort(), [200, 402]);
      assert.deepEqual(await recorded(t, [held]), [[2, 2, 2, 2, 2]]);
    });
});
