import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../test/support/agents.ts';
import { onBothDatabases, type TestApp } from '../../../test/support/harness.ts';

const DAY = 86_400_000;

/** Mail from outside, as the inbox lists it. */
async function receive(t: TestApp, { api, address }: TestAgent, subject: string, headers: Record<string, string> = {}) {
  t.clock.advance(1000);
  await t.sendSmtp({ to: address, subject, text: `${subject} words`, headers });
  return (await api.get(`/v1/email/inbox?address=${address}`)).body.messages[0];
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
    ...{ all, unread },
    threads: threads.map((thread: Record<string, unknown>) => [
      thread.message_count,
      thread.unread_count,
      thread.snippet,
    ]),
  };
};

onBothDatabases('folders', {}, (suite) => {
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
      assert.deepEqual([reply.status, reply.text], [404, missing.text]);
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
    for (const table of ['messages', 'threads', 'message_labels'])
      assert.deepEqual(await t.sql(`select address from ${table} where address = ?`, ada.address), [], table);
  });

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
