import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { createWorld, limitedKey, type Mailbox } from '../../../../test/contract/address-world.ts';
import { openSession } from '../../../../test/support/agents.ts';
import { WARES, type Ware } from '../../../../test/support/buyer.ts';
import { onEngines, type TestAccount } from '../../../../test/support/harness.ts';
import { bearer, frames, opened, wsUrl } from '../../../../test/support/stream-client.ts';
import { payV1 } from '../../../../test/support/wallet.ts';
import { answer, startReceiver } from '../../../../test/support/webhook-receiver.ts';

const KEYS = '/v1/account/keys';

async function mailTo({ api }: TestAccount, { address }: Pick<Mailbox, 'address'>, subject: string): Promise<void> {
  const sent = await api.post('/v1/email/send', { from: address, to: address, subject, text: 'x' });
  assert.equal(sent.status, 201, sent.text);
}

/** Reads a stream until it holds `end`, which comes after whatever must not be there. */
async function readUntil(url: string, key: string, end: string, begin: () => Promise<void>): Promise<string> {
  const aborter = new AbortController();
  const response = await fetch(url, { headers: bearer(key).headers, signal: aborter.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await begin();
  let text = '';
  while (!text.includes(end)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  aborter.abort();
  return text;
}

onEngines('any', 'POST /v1/account/keys with addresses', {}, (suite) => {
  it('201 with the addresses as they are stored; the list shows them to the owner', async () => {
    const { t } = suite;
    const { account, own } = await createWorld(t);
    const local = own.address.split('@')[0] as string;
    const key = await limitedKey(account, [local.toUpperCase(), own.address]);
    assert.deepEqual(key.addresses, [own.address]);
    const { keys } = (await account.api.get(KEYS)).body;
    assert.deepEqual(keys.find(({ id }: { id: string }) => id === key.id).addresses, [own.address]);
    assert.equal(keys[0].addresses, null);
  });

  it('400 at the address, the same for another account’s, a free one and no address at all', async () => {
    const { t } = suite;
    const { account, own, nowhere } = await createWorld(t);
    const stranger = await createWorld(t);
    const refuse = async (address: string) => {
      const request = { name: 'x', scopes: ['mail:read'], addresses: [own.address, address] };
      const { status, body } = await account.api.post(KEYS, request);
      assert.deepEqual([status, body.details[0].path], [400, '/body/addresses/1'], address);
      return body;
    };
    const missing = await refuse(nowhere.address);
    assert.deepEqual(await refuse(stranger.own.address), missing);
    assert.deepEqual(await refuse('not an address'), missing);
    const none = await account.api.post(KEYS, { name: 'x', scopes: ['mail:read'], addresses: [] });
    assert.equal(none.status, 400);
  });

  it('keeps its addresses when its text is replaced', async () => {
    const { t } = suite;
    const { account, own } = await createWorld(t);
    const { id } = await limitedKey(account, [own.address]);
    const { api_key } = (await account.api.post(`${KEYS}/${id}/rotate`)).body;
    assert.deepEqual((await t.api(api_key).get('/v1/email/addresses')).body.addresses, [own.address]);
  });
});

onEngines('any', 'a thief with a key that is limited to an address', {}, (suite) => {
  it('claims no address, neither by asking nor by looking, and cannot tell a free one from the owner’s', async () => {
    const { t } = suite;
    const { account, other, nowhere, api } = await createWorld(t);
    const stranger = await createWorld(t);
    const before = (await account.api.get('/v1/email/addresses')).text;
    for (const path of ['/v1/inbox/', '/v1/email/inbox?address=', '/v1/email/threads?address=']) {
      const free = await api.get(path + nowhere.address);
      assert.equal(free.status, 404, path);
      for (const { address } of [other, stranger.own]) assert.equal((await api.get(path + address)).text, free.text);
    }
    for (const [path, body] of [
      ['/v1/email/claim', { address: nowhere.address }],
      ['/v1/inbox', { name: nowhere.address }],
    ] as const)
      assert.equal((await api.post(path, body)).body.error, 'insufficient_scope');
    assert.equal((await account.api.get('/v1/email/addresses')).text, before);
    assert.equal((await account.api.post('/v1/email/claim', { address: nowhere.address })).body.already_owned, false);
  });

  it('finds no words of the other address, and cannot answer its mail or take its conversation along', async () => {
    const { t } = suite;
    const { own, other, api } = await createWorld(t);
    const found = await api.get(`/v1/email/inbox?address=${own.address}&q=${other.mark}`);
    assert.equal(found.body.count, 0);
    const reply = { from: own.address, to: 'ada@example.com', subject: 'Re', text: 'x', in_reply_to: other.message };
    assert.equal((await api.post('/v1/email/send', reply)).status, 400);
  });

  it('follows only its own events: by socket, by ticket, by stream and by waiting', async () => {
    const { t } = suite;
    const { account, own, other, key, api } = await createWorld(t);
    const { ticket } = (await api.post('/v1/ws/tickets')).body;
    const sockets = [
      new WebSocket(wsUrl(t, '?type=email.received'), bearer(key)),
      new WebSocket(wsUrl(t, `?type=email.received&ticket=${ticket}`)),
    ];
    const collected = sockets.map((socket) => frames(socket, 1));
    await Promise.all(sockets.map(opened));
    const last = (await account.api.get('/v1/events?order=desc&limit=1')).body.events[0].id;
    const waited = api.get(`/v1/events?type=email.received&after=${last}&wait=30`);
    const text = await readUntil(`${t.baseUrl}/v1/events/stream`, key, 'Mine', async () => {
      await mailTo(account, other, 'Not yours');
      await mailTo(account, own, 'Mine');
    });
    const seen = [text, (await waited).text, JSON.stringify(await Promise.all(collected))];
    for (const socket of sockets) socket.terminate();
    for (const words of seen) {
      assert.match(words, /Mine/);
      assert.doesNotMatch(words, new RegExp(`Not yours|${other.mark}`));
    }
    await account.api.put('/v1/vault/secret-name', { ciphertext: 'x' });
    assert.doesNotMatch((await api.get('/v1/events?limit=200')).text, /vault\.updated/);
    assert.equal((await api.get('/v1/events?type=vault.updated,email.sent')).body.events[0].data.from, own.address);
  });

  it('plants no webhook on the other address; its own posts only its own mail', async (context) => {
    const { t } = suite;
    const { account, own, other, api } = await createWorld(t);
    const receiver = await startReceiver(answer(200));
    context.after(receiver.close);
    const hook = { url: receiver.url, events: ['email.received'] };
    assert.equal((await api.post('/v1/email/webhooks', { ...hook, address: other.address })).status, 404);
    assert.equal((await api.post('/v1/email/webhooks', { ...hook, address: own.address })).status, 201);
    await mailTo(account, other, 'Not yours');
    await mailTo(account, own, 'Mine');
    const [posted] = await receiver.waitFor(1);
    await t.app.worker.runDue();
    assert.match(posted?.body ?? '', /Mine/);
    assert.equal(receiver.received.length, 1);
  });

  it('does not read the stored reply of another credential again, nor the other way round', async () => {
    const { t } = suite;
    const { account, own, other, api } = await createWorld(t);
    const headers = { 'idempotency-key': 'once' };
    const hook = { address: other.address, url: 'https://agent.example/hook' };
    const made = await account.api.post('/v1/email/webhooks', hook, headers);
    assert.equal(made.status, 201);
    assert.equal((await api.post('/v1/email/webhooks', hook, headers)).status, 404);
    const mine = { ...hook, address: own.address };
    const first = await api.post('/v1/email/webhooks', mine, { 'idempotency-key': 'twice' });
    const second = await api.post('/v1/email/webhooks', mine, { 'idempotency-key': 'twice' });
    assert.deepEqual([first.status, second.text], [201, first.text]);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal((await account.api.post('/v1/email/webhooks', hook, headers)).text, made.text);
  });

  it('gets no token that vouches for the other address, and sees neither other keys nor the number of addresses', async () => {
    const { t } = suite;
    const { account, own, other, api } = await createWorld(t);
    const both = await limitedKey(account, [own.address, other.address]);
    const token = { audience: 'https://example.com', scopes: ['read'] };
    const refused = await api.post('/v1/tokens/issue', { ...token, agent_email: other.address });
    assert.deepEqual([refused.status, refused.body.error], [403, 'insufficient_scope']);
    assert.equal((await api.post('/v1/tokens/issue', { ...token, agent_email: own.address })).status, 201);
    const { keys } = (await api.get(KEYS)).body;
    assert.deepEqual([keys.length, keys[0].addresses], [1, [own.address]]);
    assert.equal((await t.api(both.api_key).get(KEYS)).body.keys.length, 3);
    assert.equal((await api.get('/v1/usage')).body.addresses.used, 1);
  });

  it('does not read the other address in what its owner paid for', async () => {
    const { t } = suite;
    const ware = WARES.find(({ name }) => name === 'POST /v1/inbox/{address}/send') as Ware;
    const buyer = await ware.prepare(t);
    const [paying] = (await buyer.api.get('/v1/email/addresses')).body.addresses;
    const { address: own } = (await buyer.api.post('/v1/inbox', {})).body;
    const paid = await buyer.buy(await payV1(buyer.wallet, await buyer.buy(), t.clock.now()), 1);
    assert.equal(paid.status, 200, paid.text);
    const shownTo = async (addresses: string[]): Promise<string> => {
      const { api_key } = await limitedKey(buyer, addresses);
      return (await t.api(api_key).get('/v1/billing/payments')).body.payments[0].resource;
    };
    assert.ok((await shownTo([own, paying])).endsWith(`/v1/inbox/${paying}/send`));
    assert.ok((await shownTo([own])).endsWith('/v1/inbox/{address}/send'));
  });

  it('does not learn who the people of the agent are', async () => {
    const { t } = suite;
    const { account, api } = await createWorld(t);
    const email = `people-of-${account.accountId}@example.com`.toLowerCase();
    await account.api.post('/v1/account/recovery-email', { email });
    await openSession(t, email);
    assert.ok((await account.api.get('/v1/account/me')).text.includes(email));
    assert.ok((await account.api.get('/v1/account/sessions')).text.includes(email));
    const { body } = await api.get('/v1/account/me');
    assert.deepEqual([body.people, body.recovery_email, body.vault_recovery_email], [[], null, null]);
    for (const path of ['/v1/account/me', '/v1/account/sessions', '/v1/account/notices', '/v1/events', '/v1/usage'])
      assert.ok(!(await api.get(path)).text.includes(email), path);
  });

  it('loses an address that the account releases, for good, and its stream ends', async () => {
    const { t } = suite;
    const { account, own, key, api } = await createWorld(t);
    const text = await readUntil(`${t.baseUrl}/v1/events/stream`, key, 'never', async () => {
      assert.equal((await account.api.delete(`/v1/email/addresses/${own.address}`)).status, 200);
    });
    // The mail that the world sent may leave while the stream is open.
    assert.doesNotMatch(text, /event: (?!email\.sent\n)/);
    assert.deepEqual((await api.get('/v1/email/addresses')).body.addresses, []);
    assert.equal((await api.get(`/v1/email/inbox?address=${own.address}`)).status, 404);
    for (const path of ['/v1/events', '/v1/email/outbox', '/v1/email/webhooks'])
      assert.equal((await api.get(path)).body.count, 0, path);
  });
});
