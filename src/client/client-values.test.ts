import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/harness.ts';
import { SignetClient } from './signet-client.ts';
import { ApprovalRequired, Forbidden, LimitReached, NotFound, SignetError, Unauthorized } from './signet-error.ts';

describe('SignetClient in use', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  const agent = async (name: string, options: object = {}) => {
    const { client, account } = await SignetClient.register({ baseUrl: t.baseUrl, ...options }, { name });
    return { client, account };
  };

  it('takes files, blobs and bytes as attachments, and dates as times', async () => {
    const { client, account } = await agent('files');
    await client.email.send({
      to: account.email,
      subject: 'Files',
      text: 'x',
      attachments: [
        new File(['a,b'], 'report.csv', { type: 'text/csv' }),
        { filename: 'raw.bin', content: new Uint8Array([0, 255]) },
        { filename: 'note', content: new Blob(['hi'], { type: 'text/plain;charset=utf-8' }) },
        { filename: 'old.txt', content: 'aGk=', content_type: 'text/plain' },
      ],
    });
    const [mail] = (await client.email.inbox({ since: new Date(t.clock.now() - 1000) })).messages;
    const id = mail?.message_id ?? '';
    const { attachments } = await client.email.read({ id });
    assert.deepEqual(
      attachments.map(({ filename, content_type }) => [filename, content_type]),
      [
        ['report.csv', 'text/csv'],
        ['raw.bin', 'application/octet-stream'],
        ['note', 'text/plain'],
        ['old.txt', 'text/plain'],
      ],
    );
    assert.deepEqual(await client.email.attachment({ id, n: 1 }), new Uint8Array([0, 255]));
    const start = new Date(Date.UTC(2026, 5, 1));
    const event = await client.calendar.create({ summary: 'Plan', start, end: start });
    assert.equal(new Date(event.start).getTime(), start.getTime());
    assert.equal((await client.email.inbox({ since: new Date(t.clock.now() + 1000) })).messages.length, 0);
  });

  it('reads every page of a list with iter, in a group and by paginate alike', async () => {
    const { client } = await agent('lister');
    for (const content of ['0', '1', '2', '3', '4'])
      await client.observations.create({ topic: 'weather', content, shared: true });
    const found: string[] = [];
    for await (const { content } of client.observations.list.iter({ limit: 2 })) found.push(content);
    assert.deepEqual(found.toSorted(), ['0', '1', '2', '3', '4']);
    const same: string[] = [];
    for await (const { content } of client.paginate('listObservations', { limit: 2 })) same.push(content);
    assert.deepEqual(same, found);
    for await (const message of client.email.inbox.iter()) assert.fail(`${message.subject} was never sent`);
  });

  it('goes on with the new key after rotate and secure, also in calls that run meanwhile', async () => {
    const { client, account } = await agent('rotator');
    let isOver = false;
    const working = Array.from({ length: 4 }, async () => {
      while (!isOver) assert.equal((await client.accounts.get()).account_id, account.account_id);
    });
    const keys = [client.key];
    for (const replace of [client.accounts.rotate, client.accounts.rotateKey, client.accounts.secure]) {
      await replace();
      keys.push(client.key);
    }
    await client.rotateKey();
    isOver = true;
    await Promise.all(working);
    assert.equal(new Set([...keys, client.key]).size, 5);
    await assert.rejects(client.withKey(account.api_key).accounts.get(), Unauthorized);
    assert.equal((await client.forAccount(account.account_id).getAccount()).account_id, account.account_id);
  });

  it('leaves a named key as it is when that rotates the key of the account', async () => {
    const { client } = await agent('named');
    const scopes = ['account:read' as const, 'account:manage' as const];
    const { api_key: key } = await client.accounts.createNamedKey({ name: 'ci', scopes });
    const named = client.withKey(key);
    await named.accounts.rotate().catch((err) => assert.ok(err instanceof Forbidden));
    assert.equal(named.key, key);
    await named.accounts.get();
  });

  it('throws a class for each kind of refusal, which are SignetErrors as before', async () => {
    const { client } = await agent('refused');
    const missing = await client.email.read({ id: 'msg_none' }).catch((err) => err);
    assert.ok(missing instanceof NotFound && missing instanceof SignetError);
    assert.equal(missing.name, 'SignetError');
    const hook = { url: 'http://127.0.0.1:9/x', events: ['email.received' as const] };
    const full = await (async () => {
      for (;;) await client.webhooks.create(hook);
    })().catch((err) => err);
    assert.ok(full instanceof LimitReached);
    assert.equal(full.limit?.name, 'webhooks');
  });

  it('waits for an approval, and throws what waits only if asked to', async () => {
    const { client } = await agent('spender');
    await client.budget.set({ daily: '1.00', on_limit: 'approve' });
    const asked = await client.budget.charge({ amount: '2.00' });
    assert.ok(asked.status === 'approval_required');
    const id = asked.approval_id;
    const waiting = client.approvals.wait({ id, seconds: 60 });
    await client.approvals.approve({ id });
    assert.equal((await waiting).status, 'approved');
    const strict = new SignetClient({ baseUrl: t.baseUrl, key: client.key ?? '', throwWaiting: true });
    const thrown = await strict.budget.charge({ amount: '2.00' }).catch((err) => err);
    assert.ok(thrown instanceof ApprovalRequired);
    assert.match(String(thrown.fields.approval_id), /^apr_/);
  });

  it('waits for an approval by asking, where the key may not read events', async () => {
    const { client } = await agent('poller');
    await client.budget.set({ daily: '1.00', on_limit: 'approve' });
    const asked = await client.budget.charge({ amount: '2.00' });
    assert.ok(asked.status === 'approval_required');
    const { api_key: key } = await client.accounts.createNamedKey({ name: 'money', scopes: ['money:read'] });
    const few = await client.withKey(key).approvals.wait({ id: asked.approval_id, seconds: 0 });
    assert.equal(few.status, 'pending');
  });

  it('tries a write with no Idempotency-Key, and nothing is changed', async () => {
    const sent: Headers[] = [];
    const spy: typeof fetch = (input, init) => {
      sent.push(new Headers(init?.headers));
      return fetch(input, init);
    };
    const { client } = await agent('dry', { fetch: spy });
    const note = { topic: 'a', content: 'b', shared: true };
    const tried = await client.observations.create(note, { dryRun: true });
    const last = sent.at(-1);
    assert.equal(tried.content, 'b');
    for await (const { id } of client.observations.list.iter()) assert.notEqual(id, tried.id);
    assert.deepEqual([last?.get('signet-dry-run'), last?.get('idempotency-key')], ['true', null]);
  });

  it('keeps the earlier names of groups and methods', async () => {
    const { client } = await agent('former');
    assert.equal(typeof client.oAuth.listGrants, 'function');
    assert.equal(typeof client.mCP.callMcp, 'function');
    const made = await client.webhooks.createEvent({ url: 'http://127.0.0.1:9/x', events: ['email.received'] });
    assert.equal((await client.webhooks.getEvent({ id: made.id })).id, made.id);
  });

  it('speaks MCP', async () => {
    const { client } = await agent('speaker');
    const reply = await client.mcp.call({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    assert.ok(Array.isArray(reply?.result?.tools), JSON.stringify(reply));
  });
});
