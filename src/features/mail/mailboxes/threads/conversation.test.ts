import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../../test/support/harness.ts';

async function receive(t: TestApp, to: TestAgent, subject: string, text: string, headers: Record<string, string> = {}) {
  t.clock.advance(1000);
  await t.sendSmtp({ to: to.address, subject, text, headers });
  return (await to.api.get(`/v1/email/inbox?address=${to.address}`)).body.messages[0];
}

async function send(t: TestApp, from: TestAgent, to: string, text: string, more: object = {}) {
  t.clock.advance(1000);
  const reply = await from.api.post('/v1/email/send', { from: from.address, to, subject: 'Re: Topic', text, ...more });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const list = async ({ api, address }: TestAgent, query = '') =>
  (await api.get(`/v1/email/threads?address=${address}${query}`)).body;
const subjects = async (of: TestAgent, query = ''): Promise<string[]> =>
  (await list(of, query)).threads.map(({ subject }: { subject: string }) => subject);
const thread = async ({ api }: TestAgent, id: string, query = '') =>
  (await api.get(`/v1/email/threads/${id}${query}`)).body;

onEngines('any', 'conversations', {}, (suite) => {
  it('list participants, counts, time and the beginning of the latest message', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const first = await receive(t, ada, 'Topic', 'Hello Ada', {
      'Message-ID': '<root@example.com>',
      Cc: 'carl@example.org',
    });
    await send(t, ada, 'bob@example.com', 'Hello you', { in_reply_to: first.message_id });
    const { threads, count, address, next_cursor } = await list(ada);
    assert.deepEqual([count, address, next_cursor], [1, ada.address, null]);
    const expected = {
      thread_id: first.thread_id,
      address: ada.address,
      subject: 'Topic',
      participants: ['ada@example.com', ada.address, 'carl@example.org', 'bob@example.com'],
      message_count: 2,
      unread_count: 1,
      last_message_at: new Date(t.clock.now()).toISOString(),
      snippet: 'Hello you',
      archived: false,
      labels: [],
      latest_message_id: threads[0].latest_message_id,
      from: 'ada@example.com',
      from_name: null,
      has_attachments: false,
      danger: null,
      has_code: false,
      held: false,
      starred: false,
    };
    assert.deepEqual(threads, [expected]);
  });
});

onEngines('both', 'conversations', {}, (suite) => {
  it('return received and sent messages in order, without quoted history, page by page, and mark none read', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const root = await receive(t, ada, 'Topic', 'one', { 'Message-ID': '<turn1@example.com>' });
    await send(t, ada, 'bob@example.com', 'two\n\n> one', { in_reply_to: root.message_id });
    await receive(t, ada, 'Re: Topic', 'three\n\n> two\n>> one', { 'In-Reply-To': '<turn1@example.com>' });
    await send(t, ada, 'bob@example.com', 'four', { in_reply_to: root.message_id });
    const whole = await thread(ada, root.thread_id);
    const texts = whole.messages.map(({ direction, text }: { direction: string; text: string }) => [direction, text]);
    assert.deepEqual(texts, [
      ['received', 'one'],
      ['sent', 'two'],
      ['received', 'three'],
      ['sent', 'four'],
    ]);
    assert.deepEqual([whole.message_count, whole.unread_count, whole.count, whole.next_cursor], [4, 2, 4, null]);
    assert.deepEqual(whole.messages[1].to, ['bob@example.com']);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 9; page++) {
      const { messages, next_cursor } = await thread(ada, root.thread_id, `?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...messages.map(({ text }: { text: string }) => text));
      cursor = next_cursor;
    }
    assert.deepEqual(seen, ['one', 'two', 'three', 'four']);
    assert.equal((await ada.api.get(`/v1/email/threads/${root.thread_id}?cursor=abc`)).body.error, 'invalid_cursor');
  });

  it('are listed latest first and filtered by unread, archived and label; new mail unarchives one', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const of: Record<string, { thread_id: string; message_id: string }> = {};
    for (const subject of ['a', 'b', 'c', 'd'])
      of[subject] = await receive(t, ada, subject, 'x', { 'Message-ID': `<${subject}${ada.address}>` });
    const patch = (subject: string, change: object) =>
      ada.api.patch(`/v1/email/threads/${of[subject]?.thread_id}`, change);
    await patch('a', { read: true });
    await patch('b', { archived: true });
    await patch('c', { labels: ['work', 'its'] });
    assert.deepEqual(await subjects(ada), ['d', 'c', 'a']);
    assert.deepEqual(await subjects(ada, '&unread=true'), ['d', 'c']);
    assert.deepEqual(await subjects(ada, '&unread=false'), ['a']);
    assert.deepEqual(await subjects(ada, '&archived=true'), ['b']);
    assert.deepEqual(await subjects(ada, '&label=work'), ['c']);
    assert.deepEqual(await subjects(ada, '&label=wor'), []);
    const page = await list(ada, '&limit=2');
    assert.deepEqual(await subjects(ada, `&limit=2&cursor=${page.next_cursor}`), ['a']);
    await receive(t, ada, 'Re: b', 'y', { 'In-Reply-To': `<b${ada.address}>` });
    assert.deepEqual(await subjects(ada), ['b', 'd', 'c', 'a']);
    assert.deepEqual(await subjects(ada, '&archived=true'), []);
    for (const cursor of ['', 'abc', Buffer.from('["a","b"]').toString('base64url')])
      assert.equal((await list(ada, `&cursor=${cursor}`)).error, 'invalid_cursor');
  });

  it('PATCH updates every message and the counters of the address; a repeated change does nothing', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const root = await receive(t, ada, 'Topic', 'x', { 'Message-ID': `<p1${ada.address}>` });
    for (let n = 0; n < 3; n++) await receive(t, ada, 'Re', 'x', { 'In-Reply-To': `<p1${ada.address}>` });
    await receive(t, ada, 'Other', 'x');
    const patch = async (change: object) => (await ada.api.patch(`/v1/email/threads/${root.thread_id}`, change)).body;
    const totals = async () => [
      (await ada.api.get(`/v1/inbox/${ada.address}`)).body.total,
      (await ada.api.get(`/v1/inbox/${ada.address}?unread=true`)).body.total,
    ];
    const read = await patch({ read: true, add_labels: ['work'] });
    assert.deepEqual([read.updated, read.messages_changed, read.unread_count, read.labels], [true, 4, 0, ['work']]);
    assert.deepEqual(await totals(), [5, 1]);
    assert.equal((await patch({ read: true })).messages_changed, 0);
    const archived = await patch({ archived: true, remove_labels: ['work'] });
    assert.deepEqual([archived.archived, archived.labels, await totals()], [true, [], [1, 1]]);
    assert.deepEqual((await patch({ archived: false, read: false })).unread_count, 4);
    assert.deepEqual(await totals(), [5, 5]);
    assert.equal((await patch({ deleted: true })).error, 'invalid_request');
  });

  it('no longer show the beginning of a deleted latest message, and end with the last message', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const root = await receive(t, ada, 'Topic', 'first words', { 'Message-ID': `<d1${ada.address}>` });
    const at = new Date(t.clock.now()).toISOString();
    const last = await receive(t, ada, 'Re', 'secret words', { 'In-Reply-To': `<d1${ada.address}>` });
    const remove = (id: string) => ada.api.delete(`/v1/email/messages/${id}?address=${ada.address}&permanent=true`);
    await remove(last.message_id);
    const [entry] = (await list(ada)).threads;
    assert.deepEqual(
      [entry.snippet, entry.last_message_at, entry.message_count, entry.unread_count],
      ['first words', at, 1, 1],
    );
    await remove(root.message_id);
    assert.deepEqual((await list(ada)).threads, []);
    assert.equal((await ada.api.get(`/v1/email/threads/${root.thread_id}`)).status, 404);
    assert.deepEqual(await t.sql('select id from threads where id = ?', root.thread_id), []);
  });
});
