import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { begin, byOf, eventsOf, operated } from '../../../../test/support/deletions.ts';
import { type Api, onEngines } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { HOUR_MS } from '../../../base/period.ts';

onEngines('any', 'G3: `secure` while a deletion waits', {}, (suite) => {
  const secure = async (api: Api, body: object = {}) => {
    const { status, body: done, text } = await api.post('/v1/account/secure', body);
    assert.equal(status, 200, text);
    const cancelled = done.recent_changes.filter(({ what }: { what: string }) => what === 'deletion_cancelled');
    return { key: done.api_key as string, cancelled: cancelled.map(({ detail }: { detail: string }) => detail) };
  };

  it('G3: by a key, it leaves what an operator began, and says nothing else', async () => {
    const { t } = suite;
    const account = await operated(t);
    await begin(account.operator);
    const { key, cancelled } = await secure(account.api);
    assert.deepEqual([cancelled, await byOf(t.api(key))], [[], 'operator']);
    const again = await secure(account.backup);
    assert.deepEqual([again.cancelled, await byOf(t.api(again.key))], [[], 'operator']);
    assert.deepEqual(
      (await eventsOf({ ...account, api: t.api(again.key) })).map(([type]: [string]) => type),
      ['account.deletion_scheduled'],
    );
  });

  it('G3: by those who could cancel it, it does: the operator, an address confirmed earlier, and a key for its own', async () => {
    const { t } = suite;
    for (const isOperator of [true, false]) {
      const account = await operated(t);
      const early = await sessionOf(t, account);
      await begin(account.operator);
      const { key, cancelled } = await secure(isOperator ? account.operator : early.api);
      assert.deepEqual([cancelled, await byOf(t.api(key))], [[account.email], null]);
    }
    const fresh = await t.createAccount();
    await begin(fresh.api);
    assert.deepEqual((await secure(fresh.api)).cancelled, [fresh.key.slice(0, 16)]);
  });

  it('G3: by a pod, it says nothing of the deletion of its platform', async () => {
    const { t } = suite;
    const account = await operated(t);
    const pod = await makePod(t, account);
    await begin(account.operator);
    const { key, cancelled } = await secure(pod.api);
    assert.deepEqual([cancelled, await byOf(t.api(key))], [[], 'operator']);
  });

  it('G3: it cancels what a young operator began, whether or not it takes the operator back', async () => {
    const { t } = suite;
    for (const revert of [true, false]) {
      const account = await operated(t, 2 * HOUR_MS, 'operator');
      await begin(account.operator);
      const { key, cancelled } = await secure(account.api, { revert });
      assert.deepEqual([cancelled, await byOf(t.api(key))], [[account.email], null]);
    }
  });
});
