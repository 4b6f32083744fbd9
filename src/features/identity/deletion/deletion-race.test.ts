import assert from 'node:assert/strict';
import { it } from 'node:test';
import { byOf, CANCEL, operated } from '../../../../test/support/deletions.ts';
import { type ApiReply, onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { untilWaiting } from '../../../../test/support/waiting-calls.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { lockAccounts } from '../../account/accounts/account-lifecycle.ts';

const ROUNDS = 4;

/** Lets the calls wait for the account together, so that any of them may be first. */
async function race(t: TestApp, { accountId }: TestAccount, calls: readonly (() => Promise<ApiReply>)[]) {
  const started: Promise<ApiReply>[] = [];
  await t.app.database.transaction(async (tx) => {
    await lockAccounts(tx, [accountId]);
    for (const call of calls) {
      started.push(call());
      // One after the other, so that the order of the calls is the order of the queue.
      await untilWaiting(t, started);
    }
  });
  return (await Promise.all(started)).map(({ status }) => status);
}

const cancellations = async ({ api }: TestAccount): Promise<number> =>
  (await api.get('/v1/events?type=account.deletion_cancelled')).body.events.length;

onEngines('both', 'G3: of calls that race', {}, (suite) => {
  for (const isBegun of [false, true])
    it(`G3: a key that cancels beside the operator who begins ends nothing of it${isBegun ? ', after a key began' : ''}`, async () => {
      const { t } = suite;
      for (let round = 0; round < ROUNDS; round++) {
        const account = await operated(t);
        if (isBegun) await account.api.delete('/v1/account');
        const calls = [() => account.operator.delete('/v1/account'), () => account.api.post(CANCEL)];
        const statuses = await race(t, account, round % 2 === 0 ? calls : calls.reverse());
        assert.ok(statuses.includes(202), String(statuses));
        assert.equal(await byOf(account.api), 'operator');
        assert.equal((await account.api.post(CANCEL)).body.error, 'operator_required');
      }
    });

  it('G3: the removal of a young operator beside a cancel ends the deletion once', async () => {
    const { t } = suite;
    for (let round = 0; round < ROUNDS; round++) {
      const account = await operated(t, 2 * HOUR_MS);
      await account.operator.delete('/v1/account');
      const calls = [
        () => account.api.post(CANCEL),
        () => account.api.delete(`/v1/account/operators/${account.email}`),
        () => account.api.post(CANCEL),
      ];
      const statuses = await race(t, account, round % 2 === 0 ? calls : calls.reverse());
      assert.ok(
        statuses.every((status) => status === 200 || status === 404),
        String(statuses),
      );
      assert.deepEqual([await byOf(account.api), await cancellations(account)], [null, 1]);
    }
  });

  it('G3: a young operator who is removed while he begins leaves no deletion', async () => {
    const { t } = suite;
    for (let round = 0; round < ROUNDS; round++) {
      const account = await operated(t, 2 * HOUR_MS);
      const calls = [
        () => account.operator.delete('/v1/account'),
        () => account.api.delete(`/v1/account/operators/${account.email}`),
      ];
      await race(t, account, round % 2 === 0 ? calls : calls.reverse());
      assert.equal(await byOf(account.api), null);
    }
  });
});
