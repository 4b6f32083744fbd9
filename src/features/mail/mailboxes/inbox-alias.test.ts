import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

type Agent = TestAccount & { address: string };
let names = 0;

async function agent(t: TestApp): Promise<Agent> {
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/inbox', { name: `alias-${names++}` });
  return { ...account, address: body.address };
}

async function deliver(t: TestApp, to: Agent, subject: string): Promise<void> {
  t.clock.advance(1000);
  await t.sendSmtp({ to: to.address, subject, text: `About ${subject}.` });
}

onEngines('any', '/v1/inbox', {}, (suite) => {
  it('POST answers 201 with the chosen name, with a name already owned, and with a random name', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const address = 'chosen@agents.localhost';
    const owned = { address, account_id: accountId };
    const first = await api.post('/v1/inbox', { name: 'Chosen' });
    assert.deepEqual([first.status, first.body], [201, { ...owned, created: true, already_owned: false }]);
    const again = await api.post('/v1/inbox', { name: 'chosen@agents.localhost' });
    assert.deepEqual([again.status, again.body], [201, { ...owned, created: false, already_owned: true }]);
    const random = [await api.post('/v1/inbox'), await api.post('/v1/inbox', {})];
    for (const { status, body } of random) {
      assert.deepEqual([status, body.created], [201, true]);
      assert.match(body.address, /^[a-z0-9-]{8,64}@agents\.localhost$/);
    }
    assert.notEqual(random[0]?.body.address, random[1]?.body.address);
    assert.equal((await api.get('/v1/email/addresses')).body.count, 3);
  });

  it('POST refuses a taken, reserved or invalid name, and the 11th address', async () => {
    const { t } = suite;
    const ada = await agent(t);
    const { api } = await t.createAccount();
    const codeOf = async (name: string) => {
      const { status, body } = await api.post('/v1/inbox', { name });
      return [status, body.error];
    };
    assert.deepEqual(await codeOf(ada.address), [409, 'address_unavailable']);
    assert.deepEqual(await codeOf('root'), [403, 'address_reserved']);
    for (const name of ['', 'a..b', 'x@example.com']) assert.deepEqual(await codeOf(name), [400, 'invalid_address']);
    for (let n = 0; n < 10; n++) assert.equal((await api.post('/v1/inbox')).status, 201);
    assert.equal((await api.post('/v1/inbox')).body.error, 'address_limit');
  });

  it('GET /{address} returns items, total and pages, and claims a free address', async () => {
    const { t } = suite;
    const ada = await agent(t);
    for (const subject of ['one', 'two', 'three']) await deliver(t, ada, subject);
    const { body } = await ada.api.get(`/v1/inbox/${ada.address.toUpperCase()}?limit=2`);
    assert.deepEqual([body.total, body.address, body.messages.length], [3, ada.address, 2]);
    assert.deepEqual(body.messages[0], {
      id: body.messages[0].id,
      from: 'ada@example.com',
      subject: 'three',
      preview: 'About three.',
      received_at: new Date(t.clock.now()).toISOString(),
      read: false,
    });
    const rest = await ada.api.get(`/v1/inbox/${ada.address}?limit=2&cursor=${body.next_cursor}`);
    assert.deepEqual([rest.body.messages.length, rest.body.next_cursor], [1, null]);
    const local = `fresh-${names++}`;
    const fresh = await ada.api.get(`/v1/inbox/${local}`);
    const empty = { messages: [], total: 0, address: `${local}@agents.localhost`, next_cursor: null };
    assert.deepEqual([fresh.status, fresh.body], [200, { ...empty, claimed: true, already_owned: false }]);
    for (const query of ['limit=0', 'limit=101', 'unread=2'])
      assert.equal((await ada.api.get(`/v1/inbox/${ada.address}?${query}`)).status, 400);
    assert.equal((await ada.api.get('/v1/inbox/postmaster')).body.error, 'address_reserved');
  });

  it('GET /{address}/messages/{id} returns every field and marks the message read under both paths', async () => {
    const { t } = suite;
    const ada = await agent(t);
    for (const subject of ['one', 'two']) await deliver(t, ada, subject);
    const { messages } = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body;
    const items = (await ada.api.get(`/v1/inbox/${ada.address}`)).body.messages;
    const ids = messages.map(({ message_id }: { message_id: string }) => message_id);
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      ids,
    );
    const { status, body } = await ada.api.get(`/v1/inbox/${ada.address}/messages/${ids[0]}`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: ids[0],
      from: 'ada@example.com',
      to: ada.address,
      subject: 'two',
      body: body.body,
      html: null,
      received_at: messages[0].received_at,
      auth: { method: 'smtp' },
      thread_id: messages[0].thread_id,
      rfc_message_id: messages[0].rfc_message_id,
    });
    assert.equal(body.body.trim(), 'About two.');
    const byRfcId = encodeURIComponent(messages[1].rfc_message_id);
    const totalOf = async (unread: boolean) =>
      (await ada.api.get(`/v1/inbox/${ada.address}?unread=${unread}`)).body.total;
    assert.deepEqual([await totalOf(true), await totalOf(false)], [1, 1]);
    assert.equal((await ada.api.get(`/v1/inbox/${ada.address}/messages/${byRfcId}`)).body.id, ids[1]);
    assert.deepEqual([await totalOf(true), await totalOf(false)], [0, 2]);
    assert.equal((await ada.api.get(`/v1/inbox/${ada.address}/messages/msg_none`)).status, 404);
  });

  it('POST /{address}/send delivers inside the service and shares ids and outbox with /v1/email', async () => {
    const { t } = suite;
    const [ada, bob] = [await agent(t), await agent(t)];
    const { status, body } = await ada.api.post(`/v1/inbox/${ada.address}/send`, {
      to: [bob.address, 'x@example.com'],
      subject: 'Hello',
      body: 'Text',
      html: '<p>Html</p>',
    });
    assert.equal(status, 200);
    const sent = { from: ada.address, to: [bob.address, 'x@example.com'], subject: 'Hello' };
    assert.deepEqual(body, { sent: true, id: body.id, ...sent, status: 'pending' });
    assert.equal((await ada.api.get('/v1/email/outbox')).body.messages[0].id, body.id);
    const [item] = (await bob.api.get(`/v1/inbox/${bob.address}`)).body.messages;
    const read = await bob.api.get(`/v1/inbox/${bob.address}/messages/${item.id}`);
    assert.deepEqual([read.body.body, read.body.html, read.body.auth], ['Text', '<p>Html</p>', { method: 'internal' }]);
    assert.ok((await t.outboxMails()).some((mail) => mail.includes('To: ') && mail.includes('x@example.com')));
  });

  it('POST /{address}/send refuses as POST /v1/email/send does', async () => {
    const { t } = suite;
    const [ada, bob] = [await agent(t), await agent(t)];
    const mail = { to: 'x@example.com', subject: 's', body: 'x' };
    const path = `/v1/inbox/${ada.address}/send`;
    const codeOf = async (from: string, more: object) => (await ada.api.post(from, { ...mail, ...more })).body.error;
    assert.equal(await codeOf(path, { body: undefined }), 'invalid_request');
    assert.equal(await codeOf(path, { to: [] }), 'invalid_request');
    assert.equal(await codeOf(path, { to: 'no body' }), 'invalid_recipient');
    assert.equal(await codeOf(path, { subject: 'a\r\nBcc: x@example.com' }), 'invalid_request');
    assert.equal(
      await codeOf(path, { to: Array.from({ length: 11 }, (_, i) => `${i}@example.com`) }),
      'too_many_recipients',
    );
    assert.equal(await codeOf(`/v1/inbox/${bob.address}/send`, {}), 'sender_not_owned');
    assert.equal(await codeOf('/v1/inbox/nobody/send', {}), 'sender_not_owned');
    assert.equal((await ada.api.get('/v1/email/outbox')).body.count, 0);
    const missing = await ada.api.post(path, { ...mail, to: 'nobody@agents.localhost' });
    assert.deepEqual([missing.status, missing.body.sent, missing.body.status], [200, false, 'failed']);
  });
});
