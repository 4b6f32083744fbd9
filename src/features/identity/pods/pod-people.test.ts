import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSession } from '../../../../test/support/agents.ts';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { DAY_MS } from '../../../base/period.ts';

onEngines('any', 'the people of a pod', {}, (suite) => {
  it('are shown to the platform and to the pod, as the account shows them', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const { address } = await sessionOf(t, pod);
    const { people, recovery_email, operator_email } = (await pod.api.get('/v1/account/me')).body;
    assert.deepEqual([people.length, recovery_email, people[0].confirmed], [1, address, true]);
    for (const { api } of [platform, pod]) {
      const shown = (await api.get(`/v1/pods/${pod.podId}`)).body;
      const { people: listed, recovery_email: recovery, operator_email: operator } = shown;
      assert.deepEqual([listed, recovery, operator], [people, recovery_email, operator_email]);
    }
    assert.equal('people' in (await platform.api.get('/v1/pods')).body.pods[0], false);
  });

  it('a former holder does not come back through his recovery address: the platform replaces it at once', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const path = `/v1/pods/${pod.podId}`;
    const { api: former, address } = await sessionOf(t, pod);
    t.clock.advance(30 * DAY_MS);
    const email = newPerson(t);
    const { status, body } = await platform.api.patch(path, { recovery_email: email });
    assert.deepEqual([status, body.recovery_email, body.updated], [200, email, true]);
    assert.deepEqual(
      body.people.map((person: { address: string; confirmed: boolean }) => [person.address, person.confirmed]),
      [[email, false]],
    );
    assert.equal((await former.get('/v1/account/me')).status, 401);
    const told = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${address}`));
    assert.ok(told.some((mail) => mail.includes('Your address was removed')));
    await t.api().post('/v1/auth/login', { email: address });
    await t.app.worker.runDue();
    assert.equal(
      (await t.outboxMails()).filter((mail) => mail.includes(`To: ${address}`) && mail.includes('/login#')).length,
      1,
      'the only login link is the old one',
    );
    // What the platform named counts as old, so a thief of the pod's key needs notice.
    await openSession(t, email);
    assert.equal((await pod.api.post('/v1/account/recovery-email', { email: null })).status, 200);
    const [kept] = (await platform.api.get(path)).body.people;
    assert.deepEqual([kept.address, typeof kept.removal_due_at], [email, 'string']);
    const again = await platform.api.patch(path, { recovery_email: email });
    assert.deepEqual([again.body.recovery_email, again.body.people[0].removal_due_at], [email, null]);
    const cleared = (await platform.api.patch(path, { recovery_email: null })).body;
    assert.deepEqual([cleared.recovery_email, cleared.people], [null, []]);
  });

  it('a named key, the pod, another platform and a wrong address set nothing', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const path = `/v1/pods/${pod.podId}`;
    const made = await platform.api.post('/v1/account/keys', { name: 'ops', scopes: ['pods:manage'] });
    const named = t.api(made.body.api_key);
    const change = { recovery_email: newPerson(t) };
    const refused = await named.patch(path, change);
    assert.deepEqual([refused.status, refused.body.error], [403, 'insufficient_scope']);
    assert.equal((await named.patch(path, { name: 'One' })).status, 200);
    const stranger = await t.createAccount();
    assert.equal((await stranger.api.patch(path, change)).status, 404);
    assert.equal((await named.patch(`/v1/pods/pod_${'0'.repeat(26)}`, change)).status, 404);
    assert.equal((await pod.api.patch(path, change)).status, 403);
    const wrong = await platform.api.patch(path, { recovery_email: 'nobody' });
    assert.deepEqual([wrong.status, wrong.body.details[0].path], [400, '/body/recovery_email']);
    assert.deepEqual((await platform.api.get(path)).body.people, []);
  });
});
