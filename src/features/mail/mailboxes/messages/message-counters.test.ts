import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { IS_FULL_RUN } from '../../../../../test/support/full-run.ts';
import { onEngines, type TestApp } from '../../../../../test/support/harness.ts';

/** A message as the plain model has it. */
interface Known {
  id: string;
  thread: string;
  read: boolean;
  archived: boolean;
}

const listIds = async ({ api, address }: TestAgent, query = ''): Promise<string[]> => {
  const { body } = await api.get(`/v1/email/inbox?address=${address}&limit=100${query}`);
  return body.messages.map(({ message_id }: { message_id: string }) => message_id);
};

const pathOf = ({ address }: TestAgent, id: string) => `/v1/email/messages/${id}?address=${address}`;

/** Delivers a mail, into the thread of `parent` when there is one. */
async function deliver(t: TestApp, ada: TestAgent, parent: string | null): Promise<Known> {
  t.clock.advance(1000);
  const earlier = parent && (await t.sql('select rfc_message_id from messages where id = ?', parent))[0];
  const headers = earlier ? { 'In-Reply-To': String(earlier.rfc_message_id) } : {};
  await t.sendSmtp({ to: ada.address, subject: 'counted', text: 'x', headers });
  const { body } = await ada.api.get(`/v1/email/inbox?address=${ada.address}&limit=1`);
  const { message_id: id, thread_id: thread } = body.messages[0];
  return { id, thread, read: false, archived: false };
}

/** Holds every counter and list against the model. */
async function compare(t: TestApp, ada: TestAgent, model: readonly Known[]): Promise<void> {
  const idsWhere = (choose: (message: Known) => boolean) => model.filter(choose).map(({ id }) => id);
  assert.deepEqual(await listIds(ada), idsWhere(({ archived }) => !archived).reverse());
  assert.deepEqual(await listIds(ada, '&archived=true'), idsWhere(({ archived }) => archived).reverse());
  const unread = idsWhere(({ archived, read }) => !archived && !read).reverse();
  assert.deepEqual(await listIds(ada, '&unread=true'), unread);
  const [counters] = await t.sql('select total, unread from addresses where address = ?', ada.address);
  assert.equal(Number(counters?.total), idsWhere(({ archived }) => !archived).length);
  assert.equal(Number(counters?.unread), unread.length);
  const threads = await t.sql('select id, messages, unread from threads where address = ?', ada.address);
  for (const { id, messages, unread: unreadInThread } of threads) {
    const own = model.filter(({ thread }) => thread === id);
    assert.deepEqual([Number(messages), Number(unreadInThread)], [own.length, own.filter(({ read }) => !read).length]);
  }
}

const step = fc.record({
  action: fc.constantFrom('deliver', 'reply', 'open', 'read', 'unread', 'archive', 'unarchive', 'delete'),
  pick: fc.nat(),
});

async function run(t: TestApp, ada: TestAgent, model: Known[], { action, pick }: { action: string; pick: number }) {
  const chosen = model[pick % Math.max(1, model.length)];
  if (action === 'deliver' || !chosen) return void model.push(await deliver(t, ada, null));
  const path = pathOf(ada, chosen.id);
  if (action === 'reply') {
    const answer = await deliver(t, ada, chosen.id);
    assert.equal(answer.thread, chosen.thread);
    return void model.push(answer);
  }
  if (action === 'delete') {
    assert.equal((await ada.api.delete(path)).status, 200);
    return void model.splice(model.indexOf(chosen), 1);
  }
  if (action === 'open') {
    assert.equal((await ada.api.get(path)).body.archived, chosen.archived);
    chosen.read = true;
    return;
  }
  if (action === 'read' || action === 'unread') chosen.read = action === 'read';
  else chosen.archived = action === 'archive';
  const flags = action.endsWith('read') ? { read: chosen.read } : { archived: chosen.archived };
  const { body } = await ada.api.patch(path, flags);
  assert.deepEqual([body.read, body.archived], [chosen.read, chosen.archived]);
}

onEngines('both', 'the counters of a mailbox', {}, (suite) => {
  it('match the messages after any sequence of calls', async () => {
    const { t } = suite;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const ada = await createAgent(t);
        const model: Known[] = [];
        for (const next of steps) await run(t, ada, model, next);
        await compare(t, ada, model);
      }),
      { numRuns: IS_FULL_RUN ? 25 : 10 },
    );
  });

  it('match the messages when opposite calls on one message race', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (let round = 0; round < 6; round++) {
      const message = await deliver(t, ada, null);
      const path = pathOf(ada, message.id);
      const { api } = ada;
      const flags = [
        { archived: true },
        { read: true },
        { archived: false },
        { read: false },
        { archived: true, read: true },
      ];
      const calls = [...flags, ...flags].map((flag) => api.patch(path, flag));
      const replies = await Promise.all([...calls, api.get(path), api.get(path)]);
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    }
    const rows = await t.sql('select id, thread_id, is_read, is_archived from messages where address = ?', ada.address);
    const model = rows.map((row) => ({
      id: String(row.id),
      thread: String(row.thread_id),
      read: Number(row.is_read) === 1,
      archived: Number(row.is_archived) === 1,
    }));
    await compare(
      t,
      ada,
      model.sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it('count one deletion when 20 deletions and other changes of one message race', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const message = await deliver(t, ada, null);
    const path = pathOf(ada, message.id);
    const changes = Array.from({ length: 10 }, (_, i) =>
      ada.api.patch(path, { read: i % 2 === 0, archived: i % 3 === 0 }),
    );
    const deletions = Array.from({ length: 20 }, () => ada.api.delete(path));
    const replies = await Promise.all(deletions);
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 404).length, 19);
    assert.ok((await Promise.all(changes)).every(({ status }) => status === 200 || status === 404));
    await compare(t, ada, []);
  });
});
