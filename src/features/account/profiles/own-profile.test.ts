import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';

const PROFILE = '/v1/agents/profile';

onEngines('any', PROFILE, {}, (suite) => {
  it('PATCH changes what was given, and others see it; GET returns the same', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount({ name: 'Before' });
    const { address } = (await api.post('/v1/email/claim', { address: `own-${t.engine}` })).body;
    const handle = address.split('@')[0];
    const wanted = { name: 'After', description: 'Line one\nLine two', capabilities: ['plan'] };
    const { status, body } = await api.patch(PROFILE, wanted);
    assert.deepEqual(
      [status, body],
      [200, { ...wanted, unlisted: false, profile_url: `${t.baseUrl}/agents/${handle}` }],
    );
    assert.deepEqual((await api.get(PROFILE)).body, body);
    const shown = (await t.api().get(`/agents/${handle}`)).body;
    assert.deepEqual([shown.name, shown.description, shown.capabilities], ['After', 'Line one\nLine two', ['plan']]);
    assert.equal((await api.patch(PROFILE, { description: null })).body.name, 'After');
    assert.equal((await t.api().get(`/agents/${accountId}`)).body.description, null);
    assert.equal((await api.get('/v1/account/me')).body.name, 'After');
  });

  it('an unlisted agent is found by its id alone, which names no address; by name it is as missing as any', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const name = `hidden-${t.engine}`;
    const { address } = (await api.post('/v1/email/claim', { address: name })).body;
    await api.patch(PROFILE, { unlisted: true });
    for (const suffix of ['', '/did.json', '/.well-known/jwks.json']) {
      const missing = await t.api().get(`/agents/nobody-at-all${suffix}`);
      const hidden = await t.api().get(`/agents/${name}${suffix}`);
      assert.deepEqual([hidden.status, hidden.text], [404, missing.text]);
      const byId = await t.api().get(`/agents/${accountId}${suffix}`);
      assert.equal(byId.status, 200);
      assert.ok(!byId.text.includes(address), 'it names no address');
    }
    assert.equal((await api.patch(PROFILE, { unlisted: false })).body.profile_url, `${t.baseUrl}/agents/${name}`);
    assert.equal((await t.api().get(`/agents/${name}`)).status, 200);
  });

  it('refuses an empty change, lines in a name, and the name of a pod; nothing changes', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const { api } = await makePod(t, platform, {}, { name: 'Tenant' });
    for (const body of [{}, { name: 'two\nlines' }, { description: 'x'.repeat(501) }])
      assert.equal((await api.patch(PROFILE, body)).status, 400, JSON.stringify(body));
    assert.equal((await api.patch(PROFILE, { name: 'Other' })).body.error, 'pod_auth_forbidden');
    assert.equal((await api.get(PROFILE)).body.name, 'Tenant');
    assert.equal((await api.patch(PROFILE, { description: 'Mine.' })).status, 200);
    const named = await platform.api.post('/v1/account/keys', { name: 'reader', scopes: ['identity:read'] });
    assert.equal((await t.api(named.body.api_key).patch(PROFILE, { unlisted: true })).status, 403);
  });
});
