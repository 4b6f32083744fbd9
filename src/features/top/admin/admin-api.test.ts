import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { it } from 'node:test';
import { type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';

interface Answer {
  status: number;
  body: ApiReply['body'];
}

/** Calls the administration API with exactly these headers: `fetch` sets `Host` itself. */
function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += chunk));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) }));
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const portOf = (t: TestApp): number => t.app.provided.adminPort() as number;
const tokenOf = (t: TestApp): string => readFileSync(join(t.config.dataDir, 'admin.token'), 'utf8').trim();
const admin = (t: TestApp, method: string, path: string, body?: object): Promise<Answer> =>
  send(portOf(t), method, `/admin/v1${path}`, { authorization: `Bearer ${tokenOf(t)}` }, body);

const OPTIONS = { env: { ADMIN_PORT: '0' } };

onEngines('any', '/admin/v1', OPTIONS, (suite) => {
  it('refuses a foreign host, a web page and a missing or wrong token; the token file is private', async () => {
    const { t } = suite;
    const port = portOf(t);
    const authorization = `Bearer ${tokenOf(t)}`;
    assert.equal(statSync(join(t.config.dataDir, 'admin.token')).mode & 0o777, 0o600);
    const list = (headers: Record<string, string>) => send(port, 'GET', '/admin/v1/accounts', headers);
    assert.equal((await list({ authorization })).status, 200);
    assert.equal((await list({ authorization, host: 'rebound.example.com' })).status, 404);
    assert.equal((await list({ authorization, origin: 'http://127.0.0.1' })).status, 404);
    assert.equal((await list({ authorization, 'sec-fetch-site': 'same-site' })).status, 404);
    assert.equal(
      (await list({ authorization, origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' })).status,
      404,
    );
    const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
    assert.equal((await list({ authorization, ...own })).status, 200);
    assert.equal((await list(own)).status, 401);
    assert.equal((await list({})).status, 401);
    assert.equal((await list({ authorization: 'Bearer signet_admin_wrong' })).status, 401);
    const { key } = await t.createAccount();
    assert.equal((await list({ authorization: `Bearer ${key}` })).status, 401);
    // The public port does not know it.
    assert.equal((await t.api(tokenOf(t)).get('/admin/v1/accounts')).status, 404);
  });

  it('serves its pages to this machine under its own name, and no other file', async () => {
    const base = `http://127.0.0.1:${portOf(suite.t)}`;
    const page = await fetch(base);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const [script = ''] = /\/assets\/[0-9a-f]{16}\/console\/admin\.js/.exec(await page.text()) ?? [];
    assert.equal((await fetch(base + script)).headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal((await send(portOf(suite.t), 'GET', '/', { host: 'rebound.example.com' })).status, 404);
    for (const path of ['//', '///', 'http://['])
      assert.equal((await send(portOf(suite.t), 'GET', path, {})).status, 404, path);
    for (const path of ['/assets/../admin.token', '/assets/%2e%2e/package.json', '/v1/account/me', '/admin.token'])
      assert.ok((await fetch(base + path)).status >= 400, path);
  });

  it('shows the limits that were hit, and by whom', async () => {
    const { t } = suite;
    const { accountId, api } = await t.createAccount();
    const named = (i: number) => api.post('/v1/account/keys', { name: `key ${i}`, scopes: ['mail:read'] });
    for (let i = 0; i < 22; i++) await named(i);
    const { instance, limits } = (await admin(t, 'GET', '/limits')).body;
    assert.equal(typeof instance, 'string');
    const hit = limits.find((one: { account_id: string }) => one.account_id === accountId);
    const last_at = new Date(t.clock.now()).toISOString();
    assert.deepEqual(hit, { limit: 'named_keys', account_id: accountId, count: 2, last_at });
  });

  it('lists and shows accounts, sets the tier, suspends and resumes; each change is on both chains', async () => {
    const { t } = suite;
    const { accountId, api } = await t.createAccount({ name: 'shown' });
    const { accounts } = (await admin(t, 'GET', '/accounts?limit=500')).body;
    assert.ok(accounts.some(({ id }: { id: string }) => id === accountId));
    assert.equal((await admin(t, 'GET', `/accounts/${accountId}`)).body.account.name, 'shown');
    assert.equal((await admin(t, 'PUT', `/accounts/${accountId}/tier`, { tier: 'paid' })).body.account.tier, 'paid');
    assert.equal((await api.get('/v1/account/me')).body.tier, 'paid');
    assert.equal((await admin(t, 'PUT', `/accounts/${accountId}/tier`, { tier: 'gold' })).status, 400);
    await admin(t, 'POST', `/accounts/${accountId}/suspend`);
    assert.equal((await api.get('/v1/account/me')).status, 403);
    await admin(t, 'POST', `/accounts/${accountId}/resume`);
    assert.equal((await api.get('/v1/account/me')).status, 200);
    for (const chain of [accountId, 'service']) {
      const rows = await t.sql('select action from audit_entries where account_id = ? order by seq', chain);
      const actions = rows.map(({ action }) => action);
      for (const action of ['account.tier_set', 'account.suspended', 'account.unsuspended'])
        assert.ok(actions.includes(action), `${chain}: ${action}`);
    }
    assert.equal((await admin(t, 'GET', '/accounts/acc_00000000000000000000000000')).status, 404);
  });

  it('deletes an account, which its owner cannot cancel, and keeps it when asked to', async () => {
    const { t } = suite;
    const { accountId, api } = await t.createAccount();
    const planned = async () => (await admin(t, 'GET', `/accounts/${accountId}`)).body.deletes_at;
    assert.equal(await planned(), null);
    const asked = await admin(t, 'DELETE', `/accounts/${accountId}`);
    assert.deepEqual([asked.status, asked.body.deletes_at], [202, await planned()]);
    assert.equal((await api.post('/v1/account/delete/cancel')).status, 403);
    assert.equal((await admin(t, 'POST', `/accounts/${accountId}/delete/cancel`)).status, 200);
    assert.equal(await planned(), null);
    assert.ok((await api.put('/v1/vault/a', { ciphertext: 'x' })).status < 300);
  });

  it('closes sign-up while the service runs, and invites', async () => {
    const { t } = suite;
    assert.deepEqual((await admin(t, 'GET', '/sign-up')).body, { mode: 'open' });
    assert.deepEqual((await admin(t, 'PUT', '/sign-up', { mode: 'invite' })).body, { mode: 'invite' });
    assert.equal((await t.api().post('/v1/auth/keys', {})).body.error, 'invite_required');
    const { invite } = (await admin(t, 'POST', '/invites')).body;
    assert.equal((await t.api().post('/v1/auth/keys', { invite })).status, 201);
    await admin(t, 'PUT', '/sign-up', { mode: 'closed' });
    assert.equal((await t.api().post('/v1/auth/keys', {})).body.error, 'signup_closed');
    await admin(t, 'PUT', '/sign-up', { mode: 'open' });
    assert.equal((await t.api().post('/v1/auth/keys', {})).status, 201);
  });
});

onEngines('both', '/admin/v1: what the database decides', OPTIONS, (suite) => {
  it('finds accounts by id, by address and by part of a name', async () => {
    const { t } = suite;
    const { accountId, api } = await t.createAccount({ name: 'Findable <Ada>' });
    const { address } = (await api.post('/v1/email/claim', { address: `find-${t.engine}` })).body;
    for (const search of [accountId, address.toUpperCase(), 'able <AD']) {
      const { accounts } = (await admin(t, 'GET', `/accounts?search=${encodeURIComponent(search)}`)).body;
      assert.deepEqual(
        accounts.map(({ id }: { id: string }) => id),
        [accountId],
        search,
      );
    }
    const none = (await admin(t, 'GET', '/accounts?search=nobody%25')).body;
    assert.deepEqual(none, { accounts: [], next_after: null });
  });

  it('shows queues, failed jobs and storage', async () => {
    const { t } = suite;
    await t.app.database.transaction((tx) =>
      t.app.provided.jobs.enqueue(tx, {
        kind: 'account.delete',
        payload: { accountId: 'acc_x' },
        runAt: t.clock.now() + 1000,
      }),
    );
    const { queues } = (await admin(t, 'GET', '/queues')).body;
    assert.ok(
      queues.some(({ lane, waiting }: { lane: string; waiting: number }) => lane === 'account' && waiting >= 1),
    );
    assert.ok(Array.isArray((await admin(t, 'GET', '/jobs/failed')).body.jobs));
    assert.ok((await admin(t, 'GET', '/storage')).body.bytes > 0);
  });

  it('runs a failed job before its time, once, and no other job', async () => {
    const { t } = suite;
    const later = t.clock.now() + 3_600_000;
    const job = { kind: 'account.delete', payload: { accountId: 'acc_y' }, runAt: later } as const;
    await t.app.database.transaction((tx) => t.app.provided.jobs.enqueue(tx, job));
    const [{ id }] = (await t.sql('select id from jobs where run_at = ?', later)) as [{ id: string }];
    const run = () => admin(t, 'POST', `/jobs/${id}/run`);
    assert.equal((await run()).status, 404, 'it waits for its time, and never failed');
    await t.sql("update jobs set attempts = 3, last_error = 'no route' where id = ?", id);
    assert.deepEqual(await run(), { status: 200, body: { changed: true } });
    await t.app.worker.runDue();
    assert.deepEqual(await t.sql('select id from jobs where id = ?', id), []);
    assert.equal((await run()).status, 404);
    for (const path of [`/jobs/job_${'0'.repeat(26)}/run`, '/jobs/x/run'])
      assert.equal((await admin(t, 'POST', path)).status, 404);
    const entries = "select entry from audit_entries where account_id = 'service' and action = 'job.run'";
    const named = (await t.sql(entries)).filter(({ entry }) => String(entry).includes(id));
    assert.equal(named.length, 1);
  });
});
