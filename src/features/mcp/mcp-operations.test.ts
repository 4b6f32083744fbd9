import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createAgent } from '../../../test/support/agents.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import { createHeldAgent } from '../../../test/support/held-mail.ts';
import { mcpClient } from '../../../test/support/mcp.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { revealsSecret } from '../../http/transact.ts';
import { isBarred } from './operation-index.ts';

/** What no model may call: operations that change who may do what, and those that show secrets. By method and path. */
const NOT_FOR_MODELS: Record<string, RegExp> = {
  keys: /\/keys(\/|$)/,
  sessions: /\/v1\/(account\/sessions|auth\/)/,
  passkeys: /\/v1\/passkeys/,
  grants: /\/grants|\/oauth\//,
  secure: /\/account\/secure/,
  'addresses of people': /\/people\/|recovery-email|operator-email|\/operators\//,
  'vault recovery': /\/vault\/(recovery-email|store|recover)/,
  'end-to-end keys': /\/e2e\//,
  webhooks: /webhooks/,
  'stream tickets': /\/ws\b|\/stream$/,
  'the feed link': /\/calendar\/feed/,
  pods: /\/v1\/pods/,
  'PUT budget': /^PUT \/v1\/budget/,
  policy: /\/policy/,
  approvals: /\/v1\/approvals/,
  // A model lists and withdraws its own held mail. What is held and the decision are its operator's.
  reviews: /\/reviews\/(?!\{id\}\/withdraw$)/,
  quarantine: /\/quarantine/,
  'credential approval': /\/v1\/credentials\//,
  delegations: /\/v1\/delegations/,
  export: /\/account\/export/,
  'releasing an address': /^DELETE \/v1\/email\/addresses/,
  deletion: /^DELETE \/v1\/account$|\/account\/delete/,
  'what an operator does': /\/v1\/operator/,
  notices: /\/notices/,
};

describe('find_operation and call_operation', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  const callable = (): Endpoint[] => t.app.endpoints.filter((endpoint) => !isBarred(endpoint, revealsSecret));

  it('call nothing that is not for models, and nothing that shows a secret', () => {
    for (const { method, path, replies } of callable()) {
      const name = `${method} ${path}`;
      // The signatures of agents and services are public.
      for (const [what, pattern] of Object.entries(NOT_FOR_MODELS))
        if (!name.startsWith('GET /.well-known/')) assert.doesNotMatch(name, pattern, what);
      for (const schema of Object.values(replies)) assert.equal(revealsSecret(schema), false, `${name} shows a secret`);
    }
    assert.ok(callable().length > 50);
  });

  it('refuse each barred operation by name, do not run it, and say where a person does it or what to use', async () => {
    const { key, api } = await createAgent(t);
    const me = mcpClient(t, key);
    const names = await me.names();
    const pages = new Set<string>();
    for (const endpoint of t.app.endpoints.filter((one) => isBarred(one, revealsSecret))) {
      const { operation, tag } = endpoint;
      const { isError, data } = await me.tool('call_operation', { id: operation, arguments: {} });
      assert.deepEqual([isError, data.error], [true, 'not_found'], operation);
      if (tag === 'Pages' || operation.endsWith('Alias')) continue;
      const said = /A person does it at (\S+)\.$|Use the tool (\w+) for|Get it over HTTP|resources\/read/.exec(
        data.message,
      );
      assert.ok(said, `${operation}: ${data.message}`);
      if (said[2] !== undefined) assert.ok([...names, 'register'].includes(said[2]), data.message);
      if (said[1] === undefined) continue;
      const [base, page = ''] = said[1].split('/dashboard#/');
      assert.equal(base, t.baseUrl);
      pages.add(page);
    }
    // The console has a file for each page.
    for (const page of pages)
      assert.ok(existsSync(new URL(`../../web/console/pages/${page}-page.ts`, import.meta.url)), page);
    assert.ok(['webhooks', 'pods', 'keys', 'money', 'mail', 'settings'].every((page) => pages.has(page)));
    assert.equal((await api.get('/v1/account/keys')).body.keys.length, 1);
  });

  it('finds what the words ask for, with the arguments, and nothing that the caller may not call', async () => {
    const me = mcpClient(t, (await createAgent(t)).key);
    const first = async (query: string) => (await me.tool('find_operation', { query })).data.operations[0];
    const wanted: [string, string][] = [
      ['delete a calendar event', 'deleteCalendarEvent'],
      ['archive message', 'updateMessage'],
      ['archive mail', 'updateMessage'],
      ['what is my quota', 'getUsage'],
      ['remove a draft', 'deleteDraft'],
      ['rename my address', 'updateAddress'],
      ['delete a secret', 'deleteVaultEntry'],
      ['list conversations', 'listThreads'],
      ['claim an address', 'claimAddress'],
      ['trust profile of an agent', 'getTrust'],
    ];
    for (const [query, id] of wanted) assert.equal((await first(query)).id, id, query);
    assert.deepEqual((await first('archive message')).arguments.required, ['id']);
    const found = await me.tool('find_operation', { query: 'message' });
    assert.ok(Buffer.byteLength(JSON.stringify(found.result)) < 7 * 1024);
    assert.deepEqual((await me.tool('find_operation', { query: '!!!' })).data.operations, []);
  });

  it('find no operation that is barred to models, or for which the credential lacks the scope', async () => {
    const { key, api } = await createAgent(t);
    const { api_key: reader } = (await api.post('/v1/account/keys', { name: 'reader', scopes: ['mail:read'] })).body;
    const wider = new Set<string>();
    for (const { operation, summary } of t.app.endpoints) {
      const idsFor = async (credential: string): Promise<string[]> =>
        (await mcpClient(t, credential).tool('find_operation', { query: summary })).data.operations.map(
          ({ id }: { id: string }) => id,
        );
      const [all, some] = [await idsFor(key), await idsFor(reader)];
      const isOpen = (id: string): boolean => callable().some((endpoint) => endpoint.operation === id);
      assert.deepEqual(
        all.filter((id) => !isOpen(id)),
        [],
        operation,
      );
      const scopeOf = (id: string) => {
        const found = t.app.endpoints.find((endpoint) => endpoint.operation === id);
        return found?.anyScope ? undefined : found?.scope;
      };
      assert.deepEqual(
        some.filter((id) => ![undefined, 'mail:read'].includes(scopeOf(id))),
        [],
        operation,
      );
      if (all.length > some.length) wider.add(operation);
    }
    assert.ok(wider.size > 0);
  });

  it('tell a query parameter from a field of the body of the same name, as the clients do', async () => {
    const { key, api, address } = await createAgent(t);
    const me = mcpClient(t, key);
    await t.sendSmtp({ to: address, subject: 'kept', text: 'kept' });
    const { message_id: id } = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages[0];
    await api.delete(`/v1/email/messages/${id}?address=${address}`);
    const { operations } = (await me.tool('find_operation', { query: 'update message' })).data;
    const found = operations.find((operation: { id: string }) => operation.id === 'updateMessage');
    const has = (name: string): boolean => name in found.arguments.properties;
    assert.deepEqual(['query_folder', 'folder', 'trashed'].map(has), [true, true, false]);
    const restore = { id, address, query_folder: 'trash', folder: 'inbox' };
    const { data } = await me.tool('call_operation', { id: 'updateMessage', arguments: restore });
    assert.equal(data.status, 200, JSON.stringify(data));
    assert.equal((await api.get(`/v1/email/inbox?address=${address}`)).body.messages[0].message_id, id);
  });

  it('B: a model sees that its mail is held, and withdraws it; it decides nothing', async () => {
    const ada = await createHeldAgent(t);
    const me = mcpClient(t, ada.key);
    const call = async (id: string, given: object = {}) =>
      (await me.tool('call_operation', { id, arguments: given })).data;
    const sent = await me.tool('send_mail', { to: 'bob@other.example', subject: 'Hi', text: 'Hi.' });
    const { id, status, review_id: review, reason } = sent.data;
    assert.deepEqual([status, reason], ['pending', 'always']);
    assert.match(JSON.stringify(await call('getSentEmail', { id })), new RegExp(review));
    assert.match(JSON.stringify(await call('listReviews')), new RegExp(review));
    for (const barred of ['getReview', 'approveReview', 'rejectReview'])
      assert.equal((await call(barred, { id: review })).error, 'not_found', barred);
    assert.equal((await call('withdrawReview', { id: review })).status, 200);
    assert.equal((await ada.api.get(`/v1/email/outbox/${id}`)).body.error, 'withdrawn');
  });

  it('cannot be led to another endpoint by an argument', async () => {
    const me = mcpClient(t, (await createAgent(t)).key);
    for (const id of ['..', '../vault', '../../account/me', 'topics?x=1', 'a/b', '%2e%2e']) {
      const { isError, data } = await me.tool('call_operation', { id: 'getObservation', arguments: { id } });
      assert.equal(isError, true, id);
      assert.ok(['not_found', 'invalid_request'].includes(data.error), `${id}: ${data.error}`);
    }
  });
});
