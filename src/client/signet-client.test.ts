import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp, tokenIn } from '../../test/support/harness.ts';
import type { SignetEvent } from './generated/operations.ts';
import { SignetClient } from './signet-client.ts';

async function agent(t: TestApp, name: string): Promise<{ client: SignetClient; address: string }> {
  const { client, account } = await SignetClient.register({ baseUrl: t.baseUrl }, { name });
  return { client, address: account.email };
}

const LIMITS = { free: { emails_per_day: 1000, emails_per_hour: 1000 } };

describe('SignetClient', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite', { limits: LIMITS });
  });
  after(() => t.stop());

  it('creates an account without a key, and then uses its key', async () => {
    const { baseUrl } = t;
    const { client, account } = await SignetClient.createKey({ baseUrl }, { name: 'Ada' });
    assert.match(account.api_key, /^signet_live_/);
    assert.equal((await client.getAccount()).name, 'Ada');
    const { client: registered, account: named } = await SignetClient.register({ baseUrl }, { name: 'bob' });
    assert.deepEqual((await registered.listAddresses()).addresses, [named.email]);
    const { api_key: key } = await registered.rotateKey();
    const former = registered.withKey(named.api_key);
    await assert.rejects(former.getAccount(), { name: 'SignetError', code: 'unauthorized', status: 401 });
    for (const one of [registered, registered.withKey(key)])
      assert.equal((await one.getAccount()).id, named.account_id, 'the client goes on with the new key');
  });

  it('sends and reads a mail, its raw bytes and its attachment', async () => {
    const { client, address } = await agent(t, 'reader');
    const content = Buffer.from([0, 255, 128]).toString('base64');
    const attachments = [{ filename: 'a.bin', content_type: 'application/octet-stream', content }];
    await client.sendEmail({ from: address, to: [address], subject: 'Grüße', text: 'Hello.', attachments });
    const [entry] = (await client.listInbox({ address })).messages;
    const at = { id: entry?.message_id ?? '', address };
    const message = await client.getMessage(at);
    assert.deepEqual([message.subject, message.body.trim()], ['Grüße', 'Hello.']);
    assert.match(new TextDecoder().decode(await client.getRawMessage(at)), /^MIME-Version: 1\.0\r$/m);
    assert.deepEqual(await client.getAttachment({ ...at, n: 0 }), new Uint8Array([0, 255, 128]));
    assert.equal((await client.updateMessage({ ...at, archived: true })).archived, true);
    assert.equal((await client.deleteMessage(at)).deleted, true);
  });

  it('iterates a list to its end page by page, and requests no page that is not needed', async () => {
    let calls = 0;
    const counting: typeof fetch = (input, init) => {
      calls += 1;
      return fetch(input, init);
    };
    const { account } = await SignetClient.register({ baseUrl: t.baseUrl }, { name: 'lister' });
    const client = new SignetClient({ baseUrl: t.baseUrl, key: account.api_key, fetch: counting });
    const address = account.email;
    for (let i = 0; i < 5; i++) {
      t.clock.advance(1000);
      await client.sendEmail({ from: address, to: address, subject: `mail ${i}`, text: 'x' });
    }
    const subjects: string[] = [];
    for await (const message of client.paginate('listInbox', { address, limit: 2 })) subjects.push(message.subject);
    assert.deepEqual(subjects, ['mail 4', 'mail 3', 'mail 2', 'mail 1', 'mail 0']);
    calls = 0;
    for await (const message of client.paginate('listOutbox', { limit: 2 })) {
      if (message.subject === 'mail 3') break;
    }
    assert.equal(calls, 1);
    const types: string[] = [];
    for await (const event of client.paginate('listEvents', { limit: 3 })) types.push(event.type);
    assert.equal(types.length, 10);
  });

  it('leaves out fields for people on request, for one call or for all', async () => {
    const { baseUrl } = t;
    const { account } = await SignetClient.createKey({ baseUrl });
    assert.equal(typeof account.warning, 'string');
    const terse = await SignetClient.createKey({ baseUrl, verbose: false });
    assert.equal('warning' in terse.account, false);
    assert.equal(typeof (await terse.client.rotateKey({}, { verbose: true })).warning, 'string');
  });

  it('returns the target of a login link', async () => {
    const email = 'login@example.com';
    await SignetClient.createKey({ baseUrl: t.baseUrl }, { email });
    const stranger = new SignetClient({ baseUrl: t.baseUrl });
    await stranger.login({ email });
    const { location } = await stranger.verifyLogin({
      token: tokenIn((await t.outboxMails()).findLast((mail) => mail.includes('/login#')) ?? ''),
    });
    const session = /#session=(session_\w+)$/.exec(location)?.[1] ?? '';
    assert.equal((await stranger.withKey(session).getAccount()).email, email);
    await assert.rejects(stranger.verifyLogin({ token: 'none' }), { code: 'invalid_token' });
  });

  it('follows events over broken connections without gaps or repeats', async () => {
    const { client: sender, address } = await agent(t, 'follower');
    const { api_key: key } = await sender.rotateKey();
    const mail = (subject: string) => sender.withKey(key).sendEmail({ from: address, to: address, subject, text: 'x' });
    const streams: AbortController[] = [];
    const breaking: typeof fetch = (input, init) => {
      const controller = new AbortController();
      init?.signal?.addEventListener('abort', () => controller.abort());
      streams.push(controller);
      return fetch(input, { ...init, signal: controller.signal });
    };
    const client = new SignetClient({ baseUrl: t.baseUrl, key, fetch: breaking });
    const done = new AbortController();
    const seen: SignetEvent[] = [];
    const following = (async () => {
      for await (const event of client.events({ signal: done.signal, after: 'ev_00000000000000000000000000' })) {
        seen.push(event);
        // The connection breaks after each mail, and the next is sent while there is none.
        if (event.type !== 'email.received' || seen.length > 12) continue;
        streams.at(-1)?.abort();
        await mail(`after ${seen.length}`);
        if (seen.length >= 7) done.abort();
      }
    })();
    await mail('first');
    await following;
    const all: string[] = [];
    for await (const { id } of client.paginate('listEvents', {})) all.push(id);
    assert.ok(seen.length >= 7);
    assert.ok(streams.length >= 3);
    assert.deepEqual(
      seen.map(({ id }) => id),
      all.slice(0, seen.length),
    );
  });

  it('misses no event if the connection breaks before the first one', async () => {
    const { client: sender, address } = await agent(t, 'early');
    await sender.sendEmail({ from: address, to: address, subject: 'old', text: 'x' });
    const { api_key: key } = await sender.rotateKey();
    let connections = 0;
    const breaking: typeof fetch = async (input, init) => {
      connections += 1;
      const response = await fetch(input, init);
      if (connections > 1) return response;
      // The first frame alone gets through, and something happens before the next connection.
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      await sender.withKey(key).sendEmail({ from: address, to: address, subject: 'between', text: 'x' });
      return new Response(value as Uint8Array<ArrayBuffer>, { headers: response.headers });
    };
    const client = new SignetClient({ baseUrl: t.baseUrl, key, fetch: breaking });
    for await (const event of client.events()) {
      if (event.type !== 'email.received') continue;
      assert.equal(event.data.subject, 'between');
      break;
    }
  });

  it('stops following if its key is not valid', async () => {
    const client = new SignetClient({ baseUrl: t.baseUrl, key: 'signet_live_no' });
    await assert.rejects(client.events().next(), { name: 'SignetError', code: 'unauthorized' });
  });

  it('opens a WebSocket with a ticket', async () => {
    const { client, address } = await agent(t, 'socket');
    const socket = await client.openWebSocket();
    const first = new Promise<string>((resolve, reject) => {
      socket.addEventListener('message', ({ data }) => resolve(String(data)), { once: true });
      socket.addEventListener('error', () => reject(new Error('it did not open')), { once: true });
    });
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
    await client.sendEmail({ from: address, to: address, subject: 'over the socket', text: 'x' });
    assert.match((JSON.parse(await first) as SignetEvent).type, /^email\./);
    socket.close();
  });

  it('works with a service below a path', async () => {
    const asked: string[] = [];
    const under: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(String(input).replace('/signet/', '/'), init);
    };
    const client = new SignetClient({ baseUrl: `${t.baseUrl}/signet/`, fetch: under });
    await client.getHealth();
    assert.deepEqual(asked, [`${t.baseUrl}/signet/health`]);
  });
});
