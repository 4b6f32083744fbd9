import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../../test/support/agents.ts';
import { delegate, tokenFor } from '../../../../test/support/delegations.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { mcpClient } from '../../../../test/support/mcp.ts';
import { actingFor, twoAgents } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';

/** The reads that take an address. */
const READS = [
  '/v1/email/inbox?address=NAME',
  '/v1/email/inbox?address=NAME&wait=1',
  '/v1/email/inbox?address=NAME&claim=true',
  '/v1/inbox/NAME',
  '/v1/inbox/NAME?wait=1',
  '/v1/inbox/NAME?claim=true',
  '/v1/email/search?address=NAME&q=hello',
  '/v1/email/wait?address=NAME&timeout=0',
  '/v1/email/threads?address=NAME',
  '/v1/email/messages/msg_01m7yz66ksmebkxt1h2kb9tsmk?address=NAME',
  '/v1/email/messages/msg_01m7yz66ksmebkxt1h2kb9tsmk/raw?address=NAME',
  '/v1/email/policy?address=NAME',
];

const claimed = async (t: TestApp, name: string): Promise<number> =>
  (await t.sql(`select address from addresses where address like ?`, `${name}@%`)).length;

let names = 0;

async function claimsNothing(t: TestApp, api: Api, paths: readonly string[], headers = {}): Promise<void> {
  for (const path of paths) {
    const name = `unclaimed-${t.engine}-${names++}`;
    const { status } = await api.get(path.replace('NAME', name), headers);
    assert.ok(status >= 400 || status === 200, path);
    assert.equal(await claimed(t, name), 0, path);
  }
}

onEngines('any', 'E: reading claims nothing while a deletion waits', {}, (suite) => {
  it('E: reading claims nothing while a deletion waits: the list answers 404, as with claim=false', async () => {
    const { t } = suite;
    const { api, address } = await createAgent(t, { address: `reader-${t.engine}` });
    assert.equal((await api.delete('/v1/account')).status, 202);
    for (const near of [`readers-${t.engine}`, 'postmaster', 'quite-another'])
      for (const path of [`/v1/email/inbox?address=${near}`, `/v1/inbox/${near}`]) {
        const without = await api.get(`${path}${path.includes('?') ? '&' : '?'}claim=false`);
        assert.deepEqual([without.status, without.body.suggestion], [404, address]);
        const asked = await api.get(path);
        assert.deepEqual([asked.status, asked.body], [404, without.body]);
      }
    await claimsNothing(t, api, READS);
    assert.equal((await api.get(`/v1/inbox/reader-${t.engine}`)).status, 200, 'its own it reads');
    assert.equal((await api.post('/v1/account/delete/cancel')).status, 200);
    assert.equal((await api.get('/v1/inbox/quite-another')).body.claimed, true, 'afterwards it claims again');
  });

  it('E: reading claims nothing while a deletion waits: by any credential, and over MCP', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [owner, delegatee] = agents;
    const named = (await owner.api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:read', 'mail:manage'] })).body;
    const bare = (await owner.api.post('/v1/account/keys', { name: 'reads', scopes: ['mail:read'] })).body;
    const { id } = await delegate(t, owner.api, delegatee, { scopes: ['mail:read', 'mail:manage'] });
    const token = (await tokenFor(t, delegatee.key, id)).access_token;
    const pod = await makePod(t, owner);
    assert.equal((await operator.delete('/v1/account', actingFor(owner))).status, 202);
    const lists = READS.slice(0, 6);
    for (const key of [owner.key, named.api_key, bare.api_key, token, pod.key]) {
      await claimsNothing(t, t.api(key), lists);
      const refused = await t.api(key).get('/v1/inbox/nobody-has-this');
      assert.deepEqual([refused.status, refused.body.message], [404, 'This address is not claimed.']);
    }
    await claimsNothing(t, operator, lists, actingFor(owner));
    const mcp = mcpClient(t, owner.key);
    const query = { address: 'over-mcp', claim: true };
    for (const [tool, args] of [
      ['list_mail', { address: 'over-mcp' }],
      ['call_operation', { id: 'listInbox', arguments: query }],
    ] as const) {
      const { isError, data } = await mcp.tool(tool, args);
      assert.deepEqual([isError, data.error, await claimed(t, 'over-mcp')], [true, 'not_found', 0], tool);
    }
  });

  it('E: reading makes no feed link while a deletion waits; one that is there is shown', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.delete('/v1/account');
    const refused = await api.get('/v1/calendar/feed');
    assert.deepEqual([refused.status, refused.body.error], [404, 'not_found']);
    assert.equal((await t.sql('select feed_hash from calendars where feed_hash is not null')).length, 0);
    await api.post('/v1/account/delete/cancel');
    const { feed_url } = (await api.get('/v1/calendar/feed')).body;
    await api.delete('/v1/account');
    const shown = await api.get('/v1/calendar/feed');
    assert.deepEqual([shown.status, shown.body.feed_url], [200, feed_url]);
  });
});
