import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { deletionsIn } from '../../../../test/support/job-effects.ts';

const DAY = 86_400_000;

/** Mail from outside, as the inbox lists it. */
async function receive(t: TestApp, { api, address }: TestAgent, subject: string, headers: Record<string, string> = {}) {
  t.clock.advance(1000);
  await t.sendSmtp({ to: address, subject, text: `${subject} words`, headers });
  return (await api.get(`/v1/email/inbox?address=${address}&wait=30`)).body.messages[0];
}

const subjects = async ({ api, address }: TestAgent, query = ''): Promise<string[]> =>
  (await api.get(`/v1/email/inbox?address=${address}${query}`)).body.messages.map(
    ({ subject }: { subject: string }) => subject,
  );

const pathOf = ({ address }: TestAgent, id: string, query = ''): string =>
  `/v1/email/messages/${id}?address=${address}${query}`;

/** What counts an inbox: its totals, and its conversations. */
const countsOf = async ({ api, address }: TestAgent) => {
  const totals = [`/v1/inbox/${address}`, `/v1/inbox/${address}?unread=true`];
  const [all, unread] = await Promise.all(totals.map(async (path) => (await api.get(path)).body.total));
  const { threads } = (await api.get(`/v1/email/threads?address=${address}`)).body;
  return {
    all,
    unread,
    threads: threads.map((thread: Record<string, unknown>) => [
      thread.message_count,
      thread.unread_count,
      thread.snippet,
    ]),
  };
};

/** What a refusal says, without the page that it links to, which depends on the call. */
const said = ({ status, body }: ApiReply) => [status, { ...body, docs_url: null }];

onEngines('any', 'folders', {}, (suite) => {
  it('spam is out of the inbox, its counts and conversations, and can be read and moved back', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const spam = await receive(t, ada, 'offer');
    await receive(t, ada, 'letter');
    const moved = await ada.api.patch(pathOf(ada, spam.message_id), { folder: 'spam', read: true });
    assert.deepEqual([moved.body.folder, moved.body.read], ['spam', true]);
    assert.deepEqual([await subjects(ada), await subjects(ada, '&folder=spam')], [['letter'], ['offer']]);
    assert.deepEqual(await countsOf(ada), { all: 1, unread: 1, threads: [[1, 1, 'letter words']] });
    assert.deepEqual(
      [await subjects(ada, '&q=words'), await subjects(ada, '&q=words&folder=spam')],
      [['letter'], ['offer']],
    );
    await ada.api.patch(pathOf(ada, spam.message_id), { read: false });
    assert.equal((await countsOf(ada)).unread, 1);
    assert.equal((await ada.api.get(pathOf(ada, spam.message_id))).body.folder, 'spam');
    await ada.api.patch(pathOf(ada, spam.message_id), { folder: 'inbox' });
    assert.deepEqual((await countsOf(ada)).all, 2);
    assert.equal((await ada.api.patch(pathOf(ada, spam.message_id), { folder: 'trash' })).status, 400);
    assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}&folder=other`)).status, 400);
  });
});

onEngines('both', 'folders', {}, (suite) => {
  it('DELETE moves to the trash: out of every list, count, conversation and call, until it is restored', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const root = await receive(t, ada, 'first', { 'Message-ID': `<f1${ada.address}>` });
    const last = await receive(t, ada, 'second', { 'In-Reply-To': `<f1${ada.address}>` });
    await ada.api.patch(pathOf(ada, last.message_id), { add_labels: ['work'], archived: true });
    const before = await countsOf(ada);
    const removed = await ada.api.delete(pathOf(ada, root.message_id));
    assert.deepEqual([removed.status, removed.body], [200, { deleted: true, message_id: root.message_id }]);
    assert.deepEqual([await subjects(ada), await subjects(ada, '&q=words')], [[], []]);
    assert.deepEqual(await countsOf(ada), { all: 0, unread: 0, threads: [] });
    await ada.api.delete(pathOf(ada, last.message_id));
    assert.equal((await ada.api.get(`/v1/email/threads/${root.thread_id}`)).status, 404);
    const missing = await ada.api.get(pathOf(ada, 'msg_00000000000000000000000000'));
    const raw = `/v1/email/messages/${root.message_id}/raw?address=${ada.address}`;
    for (const reply of [
      await ada.api.get(pathOf(ada, root.message_id)),
      await ada.api.get(pathOf(ada, encodeURIComponent(`<f1${ada.address}>`))),
      await ada.api.get(raw),
      await ada.api.patch(pathOf(ada, root.message_id), { read: true }),
      await ada.api.delete(pathOf(ada, root.message_id)),
      await ada.api.delete(pathOf(ada, root.message_id, '&permanent=true')),
      await ada.api.post(`/v1/email/messages/${root.message_id}/reply`, { text: 'x' }),
    ])
      assert.deepEqual(said(reply), said(missing));
    assert.deepEqual(await subjects(ada, '&folder=trash'), ['second', 'first']);
    const inTrash = (await ada.api.get(pathOf(ada, root.message_id, '&folder=trash'))).body;
    assert.deepEqual([inTrash.folder, inTrash.read, inTrash.body], ['trash', false, 'first words\n']);
    assert.equal((await ada.api.get(`${raw}&folder=trash`)).status, 200);
    // Restored in another order than they came.
    const restore = (id: string) => ada.api.patch(pathOf(ada, id, '&folder=trash'), { folder: 'inbox' });
    assert.equal((await restore(root.message_id)).body.folder, 'inbox');
    assert.deepEqual(await countsOf(ada), { all: 1, unread: 1, threads: [[1, 1, 'first words']] });
    await restore(last.message_id);
    await ada.api.patch(pathOf(ada, last.message_id), { archived: true });
    assert.deepEqual(await countsOf(ada), before);
    assert.equal((await ada.api.get(pathOf(ada, root.message_id, '&folder=trash'))).status, 404);
    const [thread] = (await ada.api.get(`/v1/email/threads?address=${ada.address}`)).body.threads;
    assert.deepEqual([thread.thread_id, thread.labels], [root.thread_id, ['work']]);
  });

  it('the trash is emptied after 30 days; permanent and DELETE in the trash end a message at once', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [old, kept, gone, ended] = [
      await receive(t, ada, 'old'),
      await receive(t, ada, 'kept'),
      await receive(t, ada, 'gone'),
      await receive(t, ada, 'ended'),
    ].map(({ message_id }) => message_id);
    await ada.api.delete(pathOf(ada, gone, '&permanent=true'));
    await ada.api.delete(pathOf(ada, ended));
    assert.equal((await ada.api.delete(pathOf(ada, ended, '&folder=trash'))).status, 200);
    await ada.api.delete(pathOf(ada, old));
    // Restored and deleted again: its 30 days begin again.
    await ada.api.delete(pathOf(ada, kept));
    t.clock.advance(10 * DAY);
    await ada.api.patch(pathOf(ada, kept, '&folder=trash'), { folder: 'inbox' });
    await ada.api.delete(pathOf(ada, kept));
    t.clock.advance(20 * DAY - 1000);
    await t.app.worker.runDue();
    assert.deepEqual(await subjects(ada, '&folder=trash'), ['kept', 'old']);
    t.clock.advance(1000);
    await t.app.worker.runDue();
    assert.deepEqual(await subjects(ada, '&folder=trash'), ['kept']);
    t.clock.advance(10 * DAY);
    await t.app.worker.runDue();
    assert.deepEqual(await subjects(ada, '&folder=trash'), []);
    assert.deepEqual(await deletionsIn(ada, 'message.purged'), [
      [kept, undefined],
      [old, undefined],
    ]);
    assert.deepEqual(await t.sql('select term from message_terms where owner = ?', ada.address), []);
    for (const table of ['messages', 'threads'])
      assert.deepEqual(await t.sql(`select address from ${table} where address = ?`, ada.address), [], table);
  });

  it('retention_days deletes older mail in every folder, each day, until it is cleared', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const settings = (change: object) => ada.api.patch(`/v1/email/addresses/${ada.address}`, change);
    const [archived, spam, trashed] = [
      await receive(t, ada, 'archived'),
      await receive(t, ada, 'spam'),
      await receive(t, ada, 'trashed'),
    ].map(({ message_id }) => message_id);
    await ada.api.patch(pathOf(ada, archived), { archived: true });
    await ada.api.patch(pathOf(ada, spam), { folder: 'spam' });
    await ada.api.delete(pathOf(ada, trashed));
    t.clock.advance(6 * DAY);
    await receive(t, ada, 'young');
    assert.deepEqual((await settings({ retention_days: 9 })).body.retention_days, 9);
    t.clock.advance(1000);
    assert.deepEqual((await settings({ retention_days: 7 })).body.retention_days, 7);
    const left = async () =>
      (await t.sql('select subject from messages where address = ? order by id', ada.address)).map(
        (row) => row.subject,
      );
    await t.app.worker.runDue();
    assert.deepEqual(await left(), ['archived', 'spam', 'trashed', 'young']);
    t.clock.advance(DAY);
    await t.app.worker.runDue();
    assert.deepEqual(await left(), ['young']);
    assert.deepEqual((await countsOf(ada)).all, 1);
    await settings({ retention_days: null });
    t.clock.advance(20 * DAY);
    await t.app.worker.runDue();
    assert.deepEqual(await left(), ['young']);
    assert.deepEqual(await deletionsIn(ada, 'address.mail_expired'), [[ada.address, 3]]);
    const jobs = await t.sql(
      "select id from jobs where kind = 'mailbox.retain' and payload like ?",
      `%${ada.address}%`,
    );
    assert.deepEqual(jobs, []);
    for (const days of [0, 1.5, 'x']) assert.equal((await settings({ retention_days: days })).status, 400);
  });

  it('since, until, from, to and has_attachment filter lists and searches, on every page', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const mail = async (subject: string, from: string, more: object = {}) => {
      t.clock.advance(1000);
      await t.sendSmtp({ from, to: ada.address, subject, text: 'words', ...more });
      await subjects(ada);
      return new Date(t.clock.now()).toISOString();
    };
    const attachments = [{ filename: 'a.txt', content: 'a' }];
    const first = await mail('one', 'Grace@Example.com', { attachments });
    await mail('two', 'bob@sub.example.com', { cc: 'carl@example.net' });
    const third = await mail('three', 'grace@example.com', { replyTo: 'carl@example.org' });
    const cases: [string, string[]][] = [
      [`since=${third}`, ['three']],
      [`until=${third}`, ['two', 'one']],
      [`since=${first}&until=${third}&limit=1`, ['two']],
      ['from=grace@example.com', ['three', 'one']],
      ['from=EXAMPLE.com', ['three', 'one']],
      ['from=%25', []],
      ['from=grace_example.com', []],
      [`to=${ada.address}`, ['three', 'two', 'one']],
      ['to=example.net', ['two']],
      ['to=carl@example.net', ['two']],
      ['to=carl@example.org', []],
      ['has_attachment=true', ['one']],
      ['has_attachment=false', ['three', 'two']],
      [`has_attachment=false&from=example.com&until=${third}`, []],
    ];
    for (const [filter, found] of cases)
      for (const search of ['', '&q=words'])
        assert.deepEqual(await subjects(ada, `&${filter}${search}`), found, filter);
    const list = `/v1/email/inbox?address=${ada.address}&from=example.com&limit=1`;
    const page = (await ada.api.get(list)).body;
    const next = (await ada.api.get(`${list}&cursor=${page.next_cursor}`)).body;
    assert.deepEqual([page.messages[0].subject, next.messages[0].subject, next.has_more], ['three', 'one', false]);
    assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}&since=yesterday`)).status, 400);
  });

  it('parallel moves and changes leave the counters right', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { message_id } = await receive(t, ada, 'busy', { 'Message-ID': `<b1${ada.address}>` });
    await receive(t, ada, 'other', { 'In-Reply-To': `<b1${ada.address}>` });
    await Promise.all([
      ada.api.delete(pathOf(ada, message_id)),
      ada.api.patch(pathOf(ada, message_id), { read: true }),
      ada.api.patch(pathOf(ada, message_id), { folder: 'spam' }),
      ada.api.delete(pathOf(ada, message_id)),
      ada.api.patch(pathOf(ada, message_id), { archived: true }),
    ]);
    assert.deepEqual(await countsOf(ada), { all: 1, unread: 1, threads: [[1, 1, 'other words']] });
  });
});
