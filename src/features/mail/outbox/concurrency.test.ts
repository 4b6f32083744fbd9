import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';

const agents = (t: TestApp, n: number) => Promise.all(Array.from({ length: n }, () => createAgent(t)));

/** Asserts that the service logged no fault, such as a failed transaction. */
function assertNoConflict(t: TestApp): void {
  assert.deepEqual(t.faults, []);
}

async function deadlocks(t: TestApp): Promise<number> {
  if (t.engine === 'sqlite') return 0;
  const rows = await t.sql('select deadlocks from pg_stat_database where datname = current_database()');
  return Number(rows[0]?.deadlocks);
}

onEngines('both', 'parallel mail between many addresses', {}, (suite) => {
  it('delivers every copy without a deadlock when parallel SMTP mails name the same recipients in different orders', async () => {
    const { t } = suite;
    const three = await agents(t, 3);
    const addresses = three.map(({ address }) => address);
    const [a, b, c] = addresses as [string, string, string];
    const orders = [
      [a, b, c],
      [c, b, a],
      [b, a],
      [c, a],
      [a, c],
      [b, c, a],
    ];
    await Promise.all([...orders, ...orders].map((to) => t.sendSmtp({ to, subject: 'many', text: 'x' })));
    for (const { api, address } of three) {
      const { body } = await api.get(`/v1/inbox/${address}`);
      const wanted = 2 * orders.filter((to) => to.includes(address)).length;
      assert.deepEqual([body.total, body.messages.length], [wanted, wanted]);
    }
    assertNoConflict(t);
    assert.equal(await deadlocks(t), 0);
  });

  it('delivers every mail in one attempt when agents write to each other in parallel', async () => {
    const { t } = suite;
    const four = await agents(t, 4);
    const mails = four.flatMap((from) =>
      [four, [...four].reverse()].map((order) => {
        const to = order.filter((other) => other !== from).map(({ address }) => address);
        const mail = { from: from.address, to, subject: 'many', text: 'x' };
        return Array.from({ length: 4 }, () => from.api.post('/v1/email/send', mail));
      }),
    );
    const replies = await Promise.all(mails.flat());
    assert.ok(replies.every(({ status, body }) => status === 201 && body.status === 'sent'));
    for (const { api, address } of four) assert.equal((await api.get(`/v1/inbox/${address}`)).body.total, 24);
    assertNoConflict(t);
    assert.equal(await deadlocks(t), 0);
  });

  it('keeps one conversation when two agents answer each other in parallel', async () => {
    const { t } = suite;
    const [ada, bob] = (await agents(t, 2)) as [TestAgent, TestAgent];
    const send = (from: TestAgent, to: TestAgent, in_reply_to?: string) =>
      from.api.post('/v1/email/send', { from: from.address, to: to.address, subject: 's', text: 'x', in_reply_to });
    const opening = (await send(ada, bob)).body.rfc_message_id;
    const turns = Array.from({ length: 8 }, () => [send(ada, bob, opening), send(bob, ada, opening)]).flat();
    const replies = await Promise.all(turns);
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    const threads = await t.sql(
      'select messages, unread from threads where address in (?, ?)',
      ada.address,
      bob.address,
    );
    const counts = threads
      .map(({ messages, unread }) => [Number(messages), Number(unread)])
      .sort((x, y) => (x[1] ?? 0) - (y[1] ?? 0));
    assert.deepEqual(counts, [
      [17, 8],
      [17, 9],
    ]);
    assertNoConflict(t);
    assert.equal(await deadlocks(t), 0);
  });
});
