import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { it } from 'node:test';
import { setTier, suspend } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';

const UNKNOWN_POD = `pod_${'0'.repeat(26)}`;

onEngines('any', '/v1/pods', {}, (suite) => {
  it('POST 201 with a working key and every field; GET returns the same without the key', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const wanted = {
      name: 'Customer 7',
      rate_limits: { requests_per_minute: 10, requests_per_day: 100 },
      spending_caps: { daily: 5, monthly: 50 },
      allowed_scopes: ['mail.read'],
    };
    const { status, body } = await api.post('/v1/pods', wanted);
    const { api_key: key, warning, ...pod } = body;
    assert.deepEqual([status, typeof warning, key.slice(0, 11)], [201, 'string', 'signet_pod_']);
    const { pod_id: id, account_id: podAccount, spending_caps_display: shown, ...rest } = pod;
    assert.deepEqual(shown, { daily: '0.000005', monthly: '0.00005' });
    assert.match(id, /^pod_[0-9a-hjkmnp-tv-z]{26}$/);
    const at = new Date(t.clock.now()).toISOString();
    const times = { created_at: at, updated_at: at };
    assert.deepEqual(rest, { ...wanted, status: 'active', parent_account_id: accountId, ...times });
    const me = (await t.api(key).get('/v1/account/me')).body;
    assert.deepEqual([me.id, me.name, me.parent_account_id], [podAccount, 'Customer 7', accountId]);
    const nobody = { email: null, recovery_email: null, operator_email: null, people: [] };
    assert.deepEqual((await api.get(`/v1/pods/${id}`)).body, { ...pod, ...nobody, policy: { ways: {}, outbound: {} } });
    assert.deepEqual((await api.get('/v1/pods')).body, { pods: [pod], count: 1, next_cursor: null });
  });

  it('POST 201 with an empty body: no name, no limits, no caps, no scopes', async () => {
    const { body } = await (await suite.t.createAccount()).api.post('/v1/pods', {});
    assert.deepEqual(
      [body.name, body.rate_limits, body.spending_caps, body.allowed_scopes, body.status],
      [null, null, null, null, 'active'],
    );
  });

  it('400 invalid_request naming the field: limits and caps that are not positive, or out of order with the stored values', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const { podId } = await makePod(t, platform, { weekly: 50 }, { rate_limits: { requests_per_hour: 20 } });
    for (const [change, path] of [
      [{ rate_limits: { requests_per_minute: 0 } }, '/body/rate_limits/requests_per_minute'],
      [{ rate_limits: { requests_per_minute: 1.5 } }, '/body/rate_limits/requests_per_minute'],
      [{ rate_limits: { requests_per_minute: 21 } }, '/body/rate_limits/requests_per_minute'],
      [{ rate_limits: { requests_per_day: 19 } }, '/body/rate_limits/requests_per_hour'],
      [{ spending_caps: { daily: 0 } }, '/body/spending_caps/daily'],
      [{ spending_caps: { daily: 1_000_000_001 } }, '/body/spending_caps/daily'],
      [{ spending_caps: { daily: 51 } }, '/body/spending_caps/daily'],
      [{ spending_caps: { monthly: 49 } }, '/body/spending_caps/weekly'],
      [{ allowed_scopes: ['No Scope'] }, '/body/allowed_scopes/0'],
      [{ status: 'gone' }, '/body/status'],
    ] as const) {
      const { status, body } = await platform.api.patch(`/v1/pods/${podId}`, change);
      assert.deepEqual([status, body.error, body.details[0].path], [400, 'invalid_request', path]);
    }
    const disorder = { rate_limits: { requests_per_minute: 3, requests_per_hour: 2 } };
    const refused = await platform.api.post('/v1/pods', disorder);
    assert.deepEqual([refused.status, refused.body.details[0].code], [400, 'out_of_order']);
    assert.equal((await platform.api.get('/v1/pods')).body.count, 1, 'what was refused has left no pod');
  });

  it('PATCH changes the given fields; null removes one limit or all; an empty name clears the name', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const rates = { requests_per_minute: 1000, requests_per_hour: 2000 };
    const { podId } = await makePod(t, platform, { daily: 5, weekly: 10 }, { name: 'One', rate_limits: rates });
    const patch = async (change: object) => {
      const { status, body } = await platform.api.patch(`/v1/pods/${podId}`, change);
      assert.equal(status, 200);
      assert.equal(body.id, podId);
      return [body.name, body.rate_limits, body.spending_caps, body.updated];
    };
    assert.deepEqual(await patch({}), ['One', rates, { daily: 5, weekly: 10 }, false]);
    const fewer = { ...rates, requests_per_minute: 900 };
    assert.deepEqual(await patch({ rate_limits: { requests_per_minute: 900 }, spending_caps: { daily: null } }), [
      'One',
      fewer,
      { weekly: 10 },
      true,
    ]);
    assert.deepEqual(await patch({ name: '', rate_limits: null }), [null, null, { weekly: 10 }, true]);
    assert.deepEqual(await patch({ name: 'Two', spending_caps: null }), ['Two', null, null, true]);
    assert.deepEqual(await patch({ name: null }), [null, null, null, true]);
  });

  it('DELETE suspends: its key gets 403 pod_suspended at once and its mail is refused; PATCH reactivates it with nothing lost', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const { address } = (await pod.api.post('/v1/email/claim', { address: `kept-${t.engine}` })).body;
    const path = `/v1/pods/${pod.podId}`;
    for (let round = 0; round < 2; round++) {
      const { status, body } = await platform.api.delete(path);
      assert.deepEqual([status, body.pod_id, body.status], [200, pod.podId, 'suspended']);
    }
    const refused = await pod.api.get('/v1/account/me');
    assert.deepEqual([refused.status, refused.body.error], [403, 'pod_suspended']);
    await assert.rejects(t.sendSmtp({ to: address, text: 'Hello' }), /550/);
    assert.equal((await platform.api.get(path)).body.status, 'suspended');
    assert.equal((await platform.api.patch(path, { status: 'active' })).body.status, 'active');
    assert.deepEqual((await pod.api.get('/v1/email/addresses')).body.addresses, [address]);
    await t.sendSmtp({ to: address, text: 'Hello again' });
  });

  it('403 pod_suspended for a request whose body was still arriving when the pod was suspended', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const body = JSON.stringify({ address: `late-${t.engine}` });
    const headers = { authorization: `Bearer ${pod.key}`, 'content-type': 'application/json' };
    // A counted request has passed authentication.
    const used = async () => (await platform.api.get('/v1/usage')).body.requests.used;
    let before = await used();
    const call = request(`${t.baseUrl}/v1/email/claim`, { method: 'POST', headers });
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.write(body.slice(0, 5));
    await eventually(async () => (await used()) > ++before);
    await platform.api.delete(`/v1/pods/${pod.podId}`);
    call.end(body.slice(5));
    const [response] = await answered;
    response.resume();
    assert.equal(response.statusCode, 403);
    assert.equal((await t.sql('select * from addresses where account_id = ?', pod.accountId)).length, 0);
  });

  it('403 account_suspended when the platform reactivates a pod that the service’s operator suspended', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    await suspend(t, pod.accountId);
    const { status, body } = await platform.api.patch(`/v1/pods/${pod.podId}`, { status: 'active' });
    assert.deepEqual([status, body.error], [403, 'account_suspended']);
    assert.equal((await platform.api.get(`/v1/pods/${pod.podId}`)).body.status, 'suspended');
  });

  it('POST /keys 201: the previous key and its backup key are refused at once', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const { backup_key: backup } = (await pod.api.post('/v1/auth/keys/generate-backup')).body;
    const { status, body } = await platform.api.post(`/v1/pods/${pod.podId}/keys`);
    assert.deepEqual([status, body.pod_id, body.api_key.slice(0, 11)], [201, pod.podId, 'signet_pod_']);
    assert.equal((await pod.api.get('/v1/account/me')).status, 401);
    assert.equal((await t.api(backup).post('/v1/auth/keys/activate-backup')).status, 401);
    assert.equal((await t.api(body.api_key).get('/v1/account/me')).body.id, pod.accountId);
  });

  it('a pod sees itself alone, and gets 403 pod_auth_forbidden when it writes any pod, including itself', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const [pod, sibling] = [await makePod(t, platform), await makePod(t, platform)];
    const listed = (await pod.api.get('/v1/pods')).body;
    assert.deepEqual([listed.count, listed.pods[0].pod_id], [1, pod.podId]);
    assert.equal((await pod.api.get(`/v1/pods/${pod.podId}`)).body.account_id, pod.accountId);
    assert.equal((await pod.api.get(`/v1/pods/${sibling.podId}`)).status, 404);
    for (const reply of [
      await pod.api.post('/v1/pods', {}),
      await pod.api.patch(`/v1/pods/${pod.podId}`, { rate_limits: null }),
      await pod.api.delete(`/v1/pods/${pod.podId}`),
      await pod.api.post(`/v1/pods/${pod.podId}/keys`),
    ])
      assert.deepEqual([reply.status, reply.body.error], [403, 'pod_auth_forbidden']);
  });

  it('404 for another platform’s pod, byte for byte as for an unknown id', async () => {
    const { t } = suite;
    const pod = await makePod(t, await t.createAccount());
    const stranger = await t.createAccount();
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/keys', {}],
    ] as const) {
      const theirs = await stranger.api(method, `/v1/pods/${pod.podId}${suffix}`, body);
      const missing = await stranger.api(method, `/v1/pods/${UNKNOWN_POD}${suffix}`, body);
      assert.deepEqual([theirs.status, theirs.text], [404, missing.text]);
    }
    assert.equal((await pod.api.get('/v1/account/me')).status, 200);
  });

  it('400 for a scope that the platform itself does not have', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    await t.sql(`update accounts set allowed_scopes = '["a","b"]' where id = ?`, platform.accountId);
    const refused = await platform.api.post('/v1/pods', { allowed_scopes: ['a', 'c'] });
    assert.deepEqual([refused.status, refused.body.details[0].path], [400, '/body/allowed_scopes/1']);
    assert.deepEqual((await platform.api.post('/v1/pods', { allowed_scopes: ['b'] })).body.allowed_scopes, ['b']);
  });
});

onEngines('both', '/v1/pods', {}, (suite) => {
  it('pages cover every pod once, newest first; 400 invalid_cursor for a cursor of another list', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const made: string[] = [];
    for (let i = 0; i < 5; i++) {
      t.clock.advance(1);
      made.unshift((await makePod(t, platform)).podId);
    }
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { pods, next_cursor: next } = (await platform.api.get(`/v1/pods?limit=2${cursor}`)).body;
      seen.push(...pods.map((pod: { pod_id: string }) => pod.pod_id));
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    assert.deepEqual(seen, made);
    const cursor = Buffer.from('["out_x"]').toString('base64url');
    assert.equal((await platform.api.get(`/v1/pods?cursor=${cursor}`)).body.error, 'invalid_cursor');
  });
});

onEngines('both', 'pods per platform', { limits: { free: { pods: 3 }, paid: { pods: 4 } } }, (suite) => {
  it('403 pod_limit_reached: of concurrent creations as many succeed as the tier allows; suspending a pod makes room', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const replies = await Promise.all(Array.from({ length: 8 }, () => platform.api.post('/v1/pods', {})));
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 3);
    for (const { status, body } of replies.filter((reply) => !made.includes(reply)))
      assert.deepEqual([status, body.error, body.limit], [403, 'pod_limit_reached', 3]);
    assert.equal((await platform.api.get('/v1/pods')).body.count, 3);
    const path = `/v1/pods/${made[0]?.body.pod_id}`;
    await Promise.all([platform.api.delete(path), platform.api.delete(path)]);
    assert.equal((await platform.api.post('/v1/pods', {})).status, 201);
    assert.equal((await platform.api.post('/v1/pods', {})).status, 403, 'two deletions of one pod make room for one');
    const back = await platform.api.patch(path, { status: 'active' });
    assert.deepEqual([back.status, back.body.error], [403, 'pod_limit_reached']);
    assert.equal((await platform.api.get(path)).body.status, 'suspended');
    await setTier(t, platform.accountId, 'paid');
    assert.equal((await platform.api.patch(path, { status: 'active' })).status, 200);
  });
});
