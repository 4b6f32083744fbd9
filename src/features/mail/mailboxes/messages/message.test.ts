import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp, type TestMail } from '../../../../../test/support/harness.ts';

const messagesOf = async ({ api, address }: TestAgent) =>
  (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;

/** Delivers a mail over SMTP. @returns its list entry */
async function receive(t: TestApp, to: TestAgent, mail: Partial<TestMail> = {}) {
  t.clock.advance(1000);
  await t.sendSmtp({ subject: 'Hello', text: 'Body', ...mail, to: to.address });
  return (await messagesOf(to))[0];
}

const pathOf = ({ address }: TestAgent, id: string, part = '') =>
  `/v1/email/messages/${encodeURIComponent(id)}${part}?address=${encodeURIComponent(address)}`;

/** What the counters say: all messages of the inbox, and those not read. */
async function totals({ api, address }: TestAgent): Promise<[number, number]> {
  const all = await api.get(`/v1/inbox/${address}`);
  const unread = await api.get(`/v1/inbox/${address}?unread=true`);
  return [all.body.total, unread.body.total];
}

onEngines('any', 'GET /v1/email/messages/{id}', {}, (suite) => {
  it('returns the whole message, marks it read and updates the counters', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const headers = { 'Reply-To': 'elsewhere@example.org', Cc: 'carol@example.net', Date: '1 Jan 2026 10:00:00 +0100' };
    const entry = await receive(t, ada, { text: 'Hello Ada', html: '<p>Hello <b>Ada</b></p>', headers });
    assert.deepEqual(await totals(ada), [1, 1]);
    const { status, body } = await ada.api.get(pathOf(ada, entry.message_id));
    assert.equal(status, 200);
    const { size, ...message } = body;
    assert.deepEqual(message, {
      ...entry,
      read: true,
      cc: ['carol@example.net'],
      reply_to: ['elsewhere@example.org'],
      in_reply_to: null,
      references: [],
      sent_at: '2026-01-01T09:00:00.000Z',
      body: body.body,
      html: body.html,
      reply_text: 'Hello Ada',
      attachments: [],
      text: 'Hello Ada',
      safety: { verdict: 'clean', signals: body.safety.signals },
      hidden_text_chars: 0,
      code: null,
      links: [],
      parsed: true,
      problem: null,
    });
    assert.equal(body.body.trim(), 'Hello Ada');
    assert.equal(body.html.trim(), '<p>Hello <b>Ada</b></p>');
    assert.ok(size > 200);
    assert.deepEqual(await totals(ada), [1, 0]);
    assert.equal((await ada.api.get(pathOf(ada, entry.message_id))).body.read, true);
    assert.deepEqual(await totals(ada), [1, 0]);
  });

  it('a Message-ID that looks like a message id does not hide another message', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const first = await receive(t, ada, { subject: 'mine' });
    await receive(t, ada, { subject: 'impostor', headers: { 'Message-ID': `<${first.message_id}>` } });
    assert.equal((await ada.api.get(pathOf(ada, first.message_id))).body.subject, 'mine');
  });

  it('answers 404 with the same bytes for a missing message and one of another account', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const eve = await createAgent(t);
    const secret = await receive(t, eve, { headers: { 'Message-ID': '<secret@example.com>' } });
    const missing = await ada.api.get(pathOf(ada, 'msg_00000000000000000000000000'));
    assert.equal(missing.status, 404);
    assert.equal(missing.body.error, 'not_found');
    const methods = [
      (id: string) => ada.api.get(pathOf(ada, id)),
      (id: string) => ada.api.get(pathOf(ada, id, '/raw')),
      (id: string) => ada.api.get(pathOf(ada, id, '/attachments/0')),
      (id: string) => ada.api.patch(pathOf(ada, id), { read: true }),
      (id: string) => ada.api.delete(pathOf(ada, id)),
    ];
    for (const call of methods) {
      const none = await call('msg_00000000000000000000000000');
      for (const id of [secret.message_id, '<secret@example.com>', 'nonsense']) {
        const { status, text } = await call(id);
        assert.deepEqual([status, text], [404, none.text]);
      }
    }
    assert.equal((await messagesOf(eve))[0].read, false);
  });

  it('B: the raw message and the attachments need no address, as the reply does not', async () => {
    const { t } = suite;
    const [ada, eve] = [await createAgent(t), await createAgent(t)];
    await ada.api.post('/v1/email/claim', { address: `second-${ada.accountId.slice(4)}` });
    const { message_id: id } = await receive(t, ada, { attachments: [{ filename: 'a.txt', content: 'A' }] });
    for (const part of ['raw', 'attachments/0']) {
      const path = `/v1/email/messages/${id}/${part}`;
      assert.equal((await ada.api.get(path)).status, 200, part);
      const missing = await eve.api.get(`/v1/email/messages/msg_00000000000000000000000000/${part}`);
      const others = await eve.api.get(path);
      assert.deepEqual([others.status, others.text], [404, missing.text]);
    }
    assert.equal((await ada.api.get(`/v1/email/messages/${id}`)).status, 400, 'the specification asks for it here');
  });

  it('answers 403 for the address of another account and changes nothing there', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const eve = await createAgent(t);
    const { message_id: id } = await receive(t, ada);
    const replies = [
      await eve.api.get(pathOf(ada, id)),
      await eve.api.get(pathOf(ada, id, '/raw')),
      await eve.api.get(pathOf(ada, id, '/attachments/0')),
      await eve.api.patch(pathOf(ada, id), { read: true }),
      await eve.api.delete(pathOf(ada, id)),
    ];
    for (const { status, body } of replies) assert.deepEqual([status, body.error], [403, 'address_forbidden']);
    assert.deepEqual(await totals(ada), [1, 1]);
  });

  it('B: raw mail and attachments need no address beside a message_id, and give no other address away', async () => {
    const { t } = suite;
    const [ada, eve] = [await createAgent(t), await createAgent(t)];
    const { address: second } = (await ada.api.post('/v1/inbox', {})).body;
    const { message_id: id } = await receive(t, ada, { attachments: [{ filename: 'a', content: 'abc' }] });
    const scopes = ['mail:read', 'mail:codes'];
    const limited = (await ada.api.post('/v1/account/keys', { name: 'second', scopes, addresses: [second] })).body;
    for (const part of ['raw', 'attachments/0']) {
      const at = (message: string) => `/v1/email/messages/${message}/${part}`;
      assert.equal((await ada.api.get(at(id))).status, 200, part);
      const missing = await eve.api.get(at('msg_00000000000000000000000000'));
      assert.equal(missing.status, 404);
      for (const stranger of [eve.api, t.api(limited.api_key)]) {
        const { status, text } = await stranger.get(at(id));
        assert.deepEqual([status, text], [404, missing.text], part);
      }
      const trash = await ada.api.get(`${at(id)}?folder=trash`);
      assert.equal(trash.status, 404, 'it is not in the trash');
    }
  });
});

onEngines('both', 'GET /v1/email/messages/{id}', {}, (suite) => {
  it('finds a message by RFC 5322 Message-ID, with or without brackets; the newest of repeated ones', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const id = 'a/b?c%20d+e#f&g=h@example.com';
    const mail = { headers: { 'Message-ID': `<${id}>` } };
    const old = await receive(t, ada, { ...mail, subject: 'first' });
    const repeated = await receive(t, ada, { ...mail, subject: 'second' });
    assert.notEqual(old.message_id, repeated.message_id);
    for (const form of [id, `<${id}>`]) {
      const { status, body } = await ada.api.get(pathOf(ada, form));
      assert.deepEqual([status, body.subject, body.rfc_message_id], [200, 'second', `<${id}>`]);
    }
    await ada.api.delete(pathOf(ada, id));
    assert.equal((await ada.api.get(pathOf(ada, id))).body.subject, 'first');
    const long = `${'x'.repeat(900)}@example.com`;
    await receive(t, ada, { headers: { 'Message-ID': `<${long}>` }, subject: 'long' });
    assert.equal((await ada.api.get(pathOf(ada, long))).body.subject, 'long');
  });
});

onEngines('any', 'PATCH and DELETE /v1/email/messages/{id}', {}, (suite) => {
  it('PATCH returns the new state, keeps absent fields and counts a repeated change once', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { message_id } = await receive(t, ada);
    const patch = async (flags: object) => (await ada.api.patch(pathOf(ada, message_id), flags)).body;
    const same = { updated: true, message_id, folder: 'inbox', labels: [], metadata: {} };
    const unmarked = { starred: false, answered: false };
    const state = (read: boolean, archived: boolean) => ({ ...same, read, archived, ...unmarked });
    assert.deepEqual(await patch({ read: true }), state(true, false));
    assert.deepEqual(await patch({ read: true }), state(true, false));
    assert.deepEqual(await totals(ada), [1, 0]);
    assert.deepEqual(await patch({ archived: true }), state(true, true));
    assert.deepEqual(await totals(ada), [0, 0]);
    assert.deepEqual(await patch({ read: false }), state(false, true));
    assert.deepEqual(await totals(ada), [0, 0]);
    assert.deepEqual(await patch({ archived: false }), state(false, false));
    assert.deepEqual(await totals(ada), [1, 1]);
    assert.deepEqual(await patch({}), state(false, false));
    assert.deepEqual(await patch({ starred: true }), { ...state(false, false), starred: true });
    assert.deepEqual(await patch({ answered: true }), { ...state(false, false), starred: true, answered: true });
    assert.deepEqual(await patch(unmarked), state(false, false));
    assert.deepEqual(await totals(ada), [1, 1]);
    for (const flags of [{ read: 'yes' }, { archived: null }, { read: 1 }, { deleted: true }])
      assert.equal((await ada.api.patch(pathOf(ada, message_id), flags)).status, 400);
  });

  it('DELETE answers 200 once, then 404, and the message leaves every list', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { message_id } = await receive(t, ada);
    const first = await ada.api.delete(pathOf(ada, message_id));
    assert.deepEqual([first.status, first.body], [200, { deleted: true, message_id }]);
    assert.equal((await ada.api.delete(pathOf(ada, message_id))).status, 404);
    assert.equal((await ada.api.get(pathOf(ada, message_id))).status, 404);
    assert.deepEqual(await messagesOf(ada), []);
    assert.deepEqual(await totals(ada), [0, 0]);
  });
});

onEngines('both', 'PATCH and DELETE /v1/email/messages/{id}', {}, (suite) => {
  it('keeps the content for another copy and deletes it with the last one', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const bob = await createAgent(t);
    const before = (await t.sql('select id from mail_contents')).length;
    const attachments = [{ filename: 'a.bin', content: Buffer.from([1, 2, 3]) }];
    await t.sendSmtp({ to: [ada.address, bob.address], subject: 'both', text: 'Both of you', attachments });
    const [hers, his] = [(await messagesOf(ada))[0], (await messagesOf(bob))[0]];
    assert.notEqual(hers.message_id, his.message_id);
    assert.equal((await t.sql('select id from mail_contents')).length, before + 1);
    await ada.api.delete(`${pathOf(ada, hers.message_id)}&permanent=true`);
    assert.equal((await bob.api.get(pathOf(bob, his.message_id))).body.body.trim(), 'Both of you');
    assert.match((await bob.api.get(pathOf(bob, his.message_id, '/raw'))).text, /Subject: both/);
    assert.equal((await bob.api.get(pathOf(bob, his.message_id, '/attachments/0'))).text, '\u0001\u0002\u0003');
    await bob.api.delete(`${pathOf(bob, his.message_id)}&permanent=true`);
    assert.equal((await t.sql('select id from mail_contents')).length, before);
    const files = await t.sql('select n from attachments where content_id not in (select id from mail_contents)');
    assert.equal(files.length, 0);
  });
});
