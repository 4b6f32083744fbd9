import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { EVENTS, type EventType } from '../../src/api/events.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { ASKS, createWorld, type Mailbox, requireAsks, stateOf, type World } from './address-world.ts';
import { send, type WireReply } from './contract-client.ts';
import { nameOf, sampleOf } from './sample-requests.ts';

/**
 * The thief has a key with every scope that is limited to one address. The account has another address, with mail,
 * conversations, sent mail, a webhook and events, and every text of these holds a word that nothing else holds.
 */

const withAddresses = (t: TestApp, kind: Endpoint['addresses']): Endpoint[] =>
  t.app.endpoints.filter(({ addresses }) => addresses === kind);

const wordsOf = (reply: WireReply): string => `${JSON.stringify(reply.headers)} ${JSON.stringify(reply.body)}`;

function assertHides(reply: WireReply, { mark, message, thread, review, webhook }: Mailbox, name: string): void {
  for (const word of [mark, message, thread, review, webhook])
    assert.ok(!wordsOf(reply).includes(word), `${name} shows ${word}: ${wordsOf(reply)}`);
}

const ask = (t: TestApp, endpoint: Endpoint, { key }: Pick<World, 'key'>, box: Mailbox): Promise<WireReply> => {
  const { path, body } = (ASKS[endpoint.operation] as (typeof ASKS)[string])(box);
  return send(t.baseUrl, { method: endpoint.method, path, key, ...(body === undefined ? {} : { body }) });
};

/** A reply with the address and ids that the request named taken out, and what counts requests. */
function withoutNames({ status, body }: WireReply, box: Mailbox): unknown {
  let text = JSON.stringify({ status, body });
  for (const word of [box.address, box.mark, box.message, box.thread, box.review, box.webhook, box.delivery])
    text = text.replaceAll(word, '…');
  return JSON.parse(text);
}

onEngines('any', 'a key that is limited to an address', {}, (suite) => {
  it('gets its own address from every filtered endpoint, and of the other one what it gets of one that nobody has', async () => {
    const { t } = suite;
    requireAsks(t.app.endpoints);
    // Reads leave it as it is.
    const seen = await createWorld(t);
    for (const endpoint of withAddresses(t, 'filtered')) {
      const name = nameOf(endpoint);
      const world = endpoint.method === 'GET' ? seen : await createWorld(t);
      const { account, own, other, nowhere } = world;
      const before = await stateOf(account, other);
      const namesBox =
        JSON.stringify(ASKS[endpoint.operation]?.(own)) !== JSON.stringify(ASKS[endpoint.operation]?.(other));
      const stolen = await ask(t, endpoint, world, other);
      if (namesBox) {
        const missing = await ask(t, endpoint, world, nowhere);
        assert.ok(stolen.status >= 400, `${name} answers ${stolen.status} for the other address`);
        assert.deepEqual(withoutNames(stolen, other), withoutNames(missing, nowhere), name);
      } else assertHides(stolen, other, name);
      assert.deepEqual(await stateOf(account, other), before, `${name} changed something of the other address`);
      const allowed = await ask(t, endpoint, world, own);
      assert.ok(allowed.status < 300, `${name} refuses its own address: ${wordsOf(allowed)}`);
      assertHides(allowed, other, name);
    }
  });

  it('learns nothing of the other address from an endpoint that is not about addresses', async () => {
    const { t } = suite;
    const world = await createWorld(t);
    for (const endpoint of withAddresses(t, 'none')) {
      const { path, body, headers } = await sampleOf(endpoint, t);
      const request = { method: endpoint.method, path, key: world.key, ...(headers ? { headers } : {}) };
      const reply = await send(t.baseUrl, { ...request, ...(body === undefined ? {} : { body }) });
      assert.ok(![401, 500].includes(reply.status), `${nameOf(endpoint)}: ${wordsOf(reply)}`);
      assertHides(reply, world.other, nameOf(endpoint));
    }
  });

  it('is refused where a reply or an effect cannot be kept to addresses', async () => {
    const { t } = suite;
    const world = await createWorld(t);
    for (const endpoint of withAddresses(t, 'refused')) {
      const { path, body } = await sampleOf(endpoint, t);
      const request = { method: endpoint.method, path, key: world.key };
      const reply = await send(t.baseUrl, { ...request, ...(body === undefined ? {} : { body }) });
      assert.deepEqual([reply.status, reply.body.error], [403, 'insufficient_scope'], nameOf(endpoint));
    }
  });

  it('sees its own mail in every list, and every event of a mail names the address that it is about', async () => {
    const { t } = suite;
    const { api, own } = await createWorld(t);
    const lists = [
      '/v1/email/outbox',
      '/v1/email/reviews',
      '/v1/events',
      '/v1/events?order=desc',
      '/v1/email/webhooks',
      '/v1/email/addresses',
    ];
    for (const path of [...lists, `/v1/email/inbox?address=${own.address}&q=${own.mark}`])
      assert.match((await api.get(path)).text, new RegExp(own.mark), path);
    const paged = await api.get('/v1/email/outbox?limit=1');
    assert.equal(paged.body.messages.length, 1);
    const rest = await api.get(`/v1/email/outbox?cursor=${paged.body.next_cursor}`);
    assert.deepEqual([rest.body.messages.length, rest.body.next_cursor], [2, null]);
    for (const type of Object.keys(EVENTS).filter((name) => name.startsWith('email.')))
      assert.notEqual(EVENTS[type as EventType].about, null, `${type} does not name the address that it is about`);
  });
});
