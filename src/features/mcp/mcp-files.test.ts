import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../test/support/harness.ts';
import { type McpClient, mcpClient } from '../../../test/support/mcp.ts';

const MIB = 1_048_576;

onEngines('any', 'the files of a call of /mcp', {}, (suite) => {
  /** An agent with a mail to itself that has these files, and the links to them. */
  async function withFiles(t: TestApp, files: readonly Buffer[]) {
    const agent = await createAgent(t);
    const me = mcpClient(t, agent.key);
    const attachments = files.map((file, n) => ({ filename: `${n}.txt`, content: file.toString('base64') }));
    const mail = { from: agent.address, to: agent.address, subject: 'Files', text: 'See', attachments };
    assert.equal((await agent.api.post('/v1/email/send', mail)).status, 201);
    const [{ message_id: id }] = (await me.tool('list_mail')).data.messages;
    const { result } = await me.tool('read_mail', { id });
    const links = result.content.flatMap(({ type, uri }: { type: string; uri: string }) =>
      type === 'resource_link' ? [uri] : [],
    );
    return { agent, me, links };
  }

  const send = (me: McpClient, to: string, resources: readonly string[], more = {}) =>
    me.tool('send_mail', {
      to,
      subject: 'On',
      text: 'x',
      attachments: resources.map((resource) => ({ name: 'x.txt', resource })),
      ...more,
    });

  /** How many requests a call counts as. */
  async function counted({ api }: TestAgent, call: () => Promise<unknown>): Promise<number> {
    const left = async () => Number((await api.get('/v1/account/me')).headers.get('ratelimit-remaining'));
    const before = await left();
    await call();
    return before - (await left()) - 1;
  }

  it('A1 are read until they are more than the endpoint takes, each once, and are not read if they are too long', async () => {
    const { t } = suite;
    const [long, middle] = [Buffer.alloc(5.5 * MIB), Buffer.alloc(1_200_000, 'middle')];
    const { agent, me, links } = await withFiles(t, [long, Buffer.from('short'), middle]);
    const [big, small, next] = links as [string, string, string];
    // 5.5 MiB are 7.3 MiB in base64, and a request that sends may have 37 MiB.
    for (const more of [{}, { dry_run: true }]) {
      const reads = await counted(agent, async () => {
        const { data } = await send(me, agent.address, Array(57).fill(big), more);
        assert.deepEqual([data.error, data.limit_bytes], ['body_too_large', 37 * MIB], JSON.stringify(data));
      });
      assert.equal(reads, 1, 'one read, and the mail was not tried');
    }
    const inTurn = await counted(agent, async () => {
      const { data } = await send(me, agent.address, [...Array(5).fill(big), next]);
      assert.equal(data.error, 'body_too_large', 'for 1.2 MB there is no room left');
    });
    assert.equal(inTurn, 2);
    const tooMany = await counted(agent, async () => {
      const { data } = await send(me, agent.address, Array(101).fill(small));
      assert.deepEqual([data.error, data.details[0].code], ['invalid_request', 'too_many']);
    });
    assert.equal(tooMany, 0);
    const none = await counted(agent, async () => {
      const args = { attachments: Array(100).fill({ name: 'x', resource: big }) };
      const { data } = await me.tool('call_operation', { id: 'getAccount', arguments: args });
      assert.deepEqual([data.error, data.details[0].code], ['invalid_request', 'unknown_field']);
    });
    assert.equal(none, 0);
    const sent = await counted(agent, async () => {
      const { isError, answer } = await send(me, agent.address, [small, next, small]);
      assert.equal(isError, false, answer.text);
    });
    assert.equal(sent, 3, 'two reads and the mail');
    const [{ message_id: id }] = (await me.tool('search_mail', { q: 'subject:On' })).data.messages;
    const got = await fetch(`${t.baseUrl}/v1/email/messages/${id}/attachments/1?address=${agent.address}`, {
      headers: { authorization: `Bearer ${agent.key}` },
    });
    const bytes = Buffer.from(await got.arrayBuffer());
    assert.ok(middle.equals(bytes), `every byte was sent on, of ${bytes.length}`);
    const resource = await me.request('resources/read', { uri: big });
    assert.match(resource.body.error.message, /larger than 5 MiB/);
  });

  it('A11 are read by one call without a listener for each', async () => {
    const { t } = suite;
    const { agent, me, links } = await withFiles(
      t,
      Array.from({ length: 15 }, (_, n) => Buffer.from(`file ${n}`)),
    );
    assert.equal(links.length, 15);
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const { isError, answer } = await send(me, agent.address, links);
    process.off('warning', note);
    assert.equal(isError, false, answer.text);
    assert.deepEqual(warnings, []);
  });
});
