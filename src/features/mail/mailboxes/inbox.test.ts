import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

let names = 0;

/** Delivers mails one after another; each a moment later than the one before, so that their order is one. */
async function deliver(t: TestApp, to: string, ...subjects: string[]): Promise<void> {
  for (const subject of subjects) {
    t.clock.advance(1000);
    await t.sendSmtp({ to, subject, text: `About ${subject}.` });
  }
}

const numbers = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => String(from + i));
const subjectsOf = (body: { messages: { subject: string }[] }): string[] => body.messages.map(({ subject }) => subject);

const list = ({ api, address }: { api: TestAccount['api']; address: string }, query = '') =>
  api.get(`/v1/email/inbox?address=${encodeURIComponent(address)}${query}`);

onEngines('any', 'GET /v1/email/inbox', {}, (suite) => {
  it('listing a free address claims it in any spelling, once, with one audit record', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const audited = async () =>
      t.sql(`select entry from audit_entries where account_id = ? and action = 'address.claimed'`, accountId);
    const first = await list({ api, address: 'First.Look@AGENTS.localhost' });
    assert.equal(first.status, 200);
    const address = 'first.look@agents.localhost';
    const empty = { messages: [], has_more: false, count: 0, address, next_cursor: null };
    assert.deepEqual(first.body, { ...empty, claimed: true, already_owned: false });
    const entries = await audited();
    assert.equal(entries.length, 1);
    assert.match(String(entries[0]?.entry), /first\.look@agents\.localhost/);
    assert.deepEqual((await list({ api, address: 'first.look' })).body, {
      ...empty,
      claimed: false,
      already_owned: true,
    });
    assert.equal((await audited()).length, 1);
    assert.deepEqual((await api.get('/v1/email/addresses')).body.addresses, [address]);
  });

  it('?claim=false claims nothing and says which address may be meant; a claim of a similar one warns', async () => {
    const { t } = suite;
    const { api } = await createAgent(t, { address: 'mail-watcher' });
    for (const path of ['/v1/email/inbox?address=mail-wacher&', '/v1/inbox/mail-wacher?']) {
      const { status, body } = await api.get(`${path}claim=false`);
      const meant = 'mail-watcher@agents.localhost';
      assert.deepEqual([status, body.error, body.suggestion], [404, 'not_found', meant]);
      assert.equal((await api.get(`${path}claim=maybe`)).status, 400);
      assert.deepEqual((await api.get('/v1/email/addresses')).body.addresses, [meant]);
    }
    const own = await api.get('/v1/inbox/mail-watcher?claim=false');
    assert.deepEqual([own.status, own.body.claimed], [200, false]);
    const near = await api.get('/v1/inbox/mail-watchers');
    assert.equal(near.body.claimed, true);
    assert.match(near.body.warning, /Did you mean mail-watcher@agents\.localhost\?/);
    assert.equal((await api.get('/v1/inbox/mail-wacher?verbose=false')).body.warning, undefined);
    const other = await api.get('/v1/email/inbox?address=something-else');
    assert.deepEqual([other.body.claimed, other.body.warning], [true, undefined]);
    const { api: bare } = await t.createAccount();
    const nothing = await bare.get('/v1/inbox/nobodys-inbox?claim=false');
    assert.deepEqual([nothing.status, nothing.body.suggestion], [404, undefined]);
  });

  it('refuses an address that is reserved, of another account, over the limit or invalid', async () => {
    const { t } = suite;
    const owner = await createAgent(t);
    const { api } = await t.createAccount();
    const codeOf = async (address: string) => {
      const { status, body } = await list({ api, address });
      return [status, body.error];
    };
    assert.deepEqual(await codeOf('postmaster'), [403, 'address_reserved']);
    assert.deepEqual(await codeOf(owner.address), [403, 'address_forbidden']);
    assert.deepEqual(await codeOf('two..dots'), [400, 'invalid_address']);
    assert.deepEqual(await codeOf('ada@example.com'), [400, 'invalid_address']);
    assert.equal((await api.get('/v1/email/inbox')).body.error, 'invalid_request');
    for (let n = 0; n < 10; n++) assert.equal((await list({ api, address: `look-${names++}` })).status, 200);
    assert.deepEqual(await codeOf('one-too-many'), [403, 'address_limit']);
  });

  it('lists every field, newest first', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await deliver(t, ada.address, 'older');
    t.clock.advance(1000);
    const from = '"Grace Hopper" <grace@example.com>';
    const files = [{ filename: 'a.txt', content: 'a' }];
    await t.sendSmtp({ from, to: ada.address, subject: 'newer', text: 'Hello\n  there', attachments: files });
    const { body } = await list(ada);
    assert.deepEqual(subjectsOf(body), ['newer', 'older']);
    assert.deepEqual([body.count, body.has_more, body.address], [2, false, ada.address]);
    const { message_id, message_id_url, rfc_message_id, thread_id, ...fields } = body.messages[0];
    assert.match(message_id, /^msg_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(message_id_url, message_id);
    assert.match(rfc_message_id, /^<.+@.+>$/);
    assert.match(thread_id, /^thr_/);
    assert.deepEqual(fields, {
      from: 'grace@example.com',
      from_name: 'Grace Hopper',
      to: ada.address,
      subject: 'newer',
      snippet: 'Hello there',
      body_preview: 'Hello there',
      received_at: new Date(t.clock.now()).toISOString(),
      read: false,
      archived: false,
      starred: false,
      answered: false,
      folder: 'inbox',
      labels: [],
      metadata: {},
      has_attachments: true,
      danger: null,
      auth: { method: 'smtp', spf: 'none', dkim: 'none', dmarc: 'none', verified_from: false },
    });
  });

  it('limit is 20 by default and at most 100; other values are refused', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await deliver(t, ada.address, ...numbers(0, 21));
    const usual = await list(ada);
    assert.deepEqual([usual.body.count, usual.body.messages.length, usual.body.has_more], [20, 20, true]);
    const most = await list(ada, '&limit=100');
    assert.deepEqual([most.body.count, most.body.has_more, most.body.next_cursor], [21, false, null]);
    assert.equal((await list(ada, '&limit=1')).body.messages[0].subject, '20');
    for (const limit of ['0', '101', '-1', 'abc', '1.5', '']) {
      const { status, body } = await list(ada, `&limit=${limit}`);
      assert.deepEqual([limit, status, body.error], [limit, 400, 'invalid_request']);
    }
  });

  it('refuses a cursor that this list has not returned', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wrong = [
      '',
      '!',
      'abc',
      encode([]),
      encode([1]),
      encode(['x']),
      encode(['\0']),
      encode(['a', 'b']),
      encode({}),
    ];
    for (const cursor of wrong) {
      const { status, body } = await list(ada, `&cursor=${cursor}`);
      assert.deepEqual([cursor, status, body.error], [cursor, 400, 'invalid_cursor']);
    }
  });
});

onEngines('both', 'GET /v1/email/inbox', {}, (suite) => {
  it('pages show each message exactly once while new mail arrives', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await deliver(t, ada.address, ...numbers(0, 10));
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 10; page++) {
      const reply = await list(ada, `&limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      assert.equal(reply.status, 200);
      assert.equal(reply.body.has_more, reply.body.next_cursor !== null);
      seen.push(...subjectsOf(reply.body));
      cursor = reply.body.next_cursor;
      await deliver(t, ada.address, `late ${page}`, `later ${page}`);
    }
    assert.deepEqual(seen, numbers(0, 10).reverse());
  });

  it('filters by unread, starred, answered and archived, in counts and pages too', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await deliver(t, ada.address, ...numbers(0, 6));
    const { messages } = (await list(ada)).body;
    const patch = (subject: string, flags: object) => {
      const { message_id } = messages.find((message: { subject: string }) => message.subject === subject);
      return ada.api.patch(`/v1/email/messages/${message_id}?address=${ada.address}`, flags);
    };
    await patch('0', { read: true });
    await patch('1', { archived: true });
    await patch('2', { read: true, archived: true, starred: true });
    await patch('3', { starred: true, answered: true });
    await patch('4', { starred: true });
    const wanted: Record<string, string[]> = {
      '': ['5', '4', '3', '0'],
      '&archived=false': ['5', '4', '3', '0'],
      '&unread=true': ['5', '4', '3'],
      '&unread=false': ['0'],
      '&archived=true': ['2', '1'],
      '&archived=true&unread=true': ['1'],
      '&archived=true&unread=false': ['2'],
      '&starred=true': ['4', '3'],
      '&starred=false': ['5', '0'],
      '&answered=true': ['3'],
      '&starred=true&answered=false': ['4'],
      '&starred=true&archived=true': ['2'],
      '&answered=false&unread=true&limit=3': ['5', '4'],
    };
    for (const [query, subjects] of Object.entries(wanted)) {
      const { body } = await list(ada, query);
      assert.deepEqual([query, subjectsOf(body), body.count], [query, subjects, subjects.length]);
    }
    const page = await list(ada, '&unread=true&limit=2');
    assert.deepEqual([subjectsOf(page.body), page.body.has_more], [['5', '4'], true]);
    const rest = await list(ada, `&unread=true&limit=2&cursor=${page.body.next_cursor}`);
    assert.deepEqual([subjectsOf(rest.body), rest.body.has_more, rest.body.next_cursor], [['3'], false, null]);
    assert.equal((await list(ada, '&unread=maybe')).status, 400);
  });
});
