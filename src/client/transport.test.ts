import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { startTestApp, type TestApp } from '../../test/support/harness.ts';
import { SignetClient, type SignetOptions } from './signet-client.ts';
import { SignetConnectionError, SignetError } from './signet-error.ts';

type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | 'hang' | 'reset';

/** Something before the service, or in its place, with prepared answers; the last one stays. */
async function standIn(test: TestContext, answers: Answer[]) {
  const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const answer = answers[Math.min(seen.length, answers.length) - 1];
    if (answer === 'hang' || answer === undefined) return;
    if (answer === 'reset') return void response.socket?.resetAndDestroy();
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(isText ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: Partial<SignetOptions> = {}) => new SignetClient({ baseUrl, key: 'k', ...options });
  return { seen, client };
}

const refusal = (status: number, error: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: { error, message: 'No.' },
});
const GOOD = { status: 200, body: { ok: true } };

it('a POST without an answer, or answered by a proxy, is retried with the same Idempotency-Key and body', async (test) => {
  for (const first of ['reset', refusal(503, 'storage_unavailable'), { status: 502, body: '<html>' }] as Answer[]) {
    const { seen, client } = await standIn(test, [first, GOOD]);
    await client().sendEmail({ from: 'a', to: 'b', subject: 'c', text: 'd' });
    assert.equal(seen.length, 2);
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/);
    assert.equal(keys[1], keys[0]);
    assert.equal(seen[1]?.body, seen[0]?.body);
  }
});

it('each call has its own key; a key from the caller is kept; a GET has none', async (test) => {
  const { seen, client } = await standIn(test, [GOOD]);
  await client().login({ email: 'a@example.com' });
  await client().login({ email: 'a@example.com' });
  await client().login({ email: 'a@example.com' }, { idempotencyKey: 'mine' });
  await client().getAccount();
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  assert.notEqual(keys[0], keys[1]);
  assert.deepEqual(keys.slice(2), ['mine', undefined]);
});

it('unsafe calls are not retried: a DELETE or PATCH without an answer, a link that works once', async (test) => {
  const { seen, client } = await standIn(test, ['reset']);
  const unreachable = (err: unknown) => err instanceof SignetConnectionError && err.code === 'unreachable';
  await assert.rejects(client().deleteWebhook({ id: 'wh_1' }), unreachable);
  await assert.rejects(client().updateMessage({ id: 'm', address: 'a', read: true }), unreachable);
  await assert.rejects(client().verifyVaultRecovery({ token: 't' }), unreachable);
  assert.equal(seen.length, 3);
  const second = await standIn(test, [{ status: 504, body: '' }]);
  await assert.rejects(second.client().deleteWebhook({ id: 'wh_1' }), SignetConnectionError);
  assert.equal(second.seen.length, 1);
});

it('an error is retried only if the service sends a short Retry-After', async (test) => {
  for (const [status, code] of [
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [409, 'address_unavailable'],
    [500, 'internal'],
    [429, 'rate_limited'],
  ] as const) {
    const { seen, client } = await standIn(test, [refusal(status, code)]);
    await assert.rejects(client().getAccount(), SignetError, code);
    assert.equal(seen.length, 1, code);
  }
  const soon = await standIn(test, [refusal(429, 'rate_limited', { 'retry-after': '0' }), GOOD]);
  await soon.client().deleteWebhook({ id: 'wh_1' });
  assert.equal(soon.seen.length, 2);
  const late = await standIn(test, [refusal(429, 'rate_limited', { 'retry-after': '31' }), GOOD]);
  await assert.rejects(
    late.client().getAccount(),
    (err: unknown) => err instanceof SignetError && err.retryAfterSeconds === 31,
  );
  const running = await standIn(test, [refusal(409, 'idempotency_in_progress'), GOOD]);
  await running.client().login({ email: 'a' });
  assert.equal(running.seen.length, 2);
});

it('makes the configured number of attempts, and throws the last error', async (test) => {
  const { seen, client } = await standIn(test, [refusal(503, 'shutting_down', { 'retry-after': '0' })]);
  await assert.rejects(client({ retries: 1 }).getAccount(), {
    name: 'SignetError',
    code: 'shutting_down',
    status: 503,
  });
  assert.equal(seen.length, 2);
  await assert.rejects(client({ retries: 1 }).getAccount({}, { retries: 0 }), SignetError);
  assert.equal(seen.length, 3);
});

it('a call ends at its timeout, and when the caller’s signal aborts', async (test) => {
  const { client } = await standIn(test, ['hang']);
  // Counted as they leave: a call may end before it arrives.
  let calls = 0;
  const counting: typeof fetch = (...request) => {
    calls += 1;
    return fetch(...request);
  };
  await assert.rejects(client({ retries: 0, timeoutMs: 50, fetch: counting }).getAccount(), { code: 'timeout' });
  const controller = new AbortController();
  const call = client({ fetch: counting }).getAccount({}, { signal: controller.signal });
  await eventually(() => calls === 2);
  controller.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
  await assert.rejects(client({ fetch: counting }).getAccount({}, { signal: controller.signal }), /enough/);
  assert.equal(calls, 2);
  const waiting = await standIn(test, [refusal(503, 'shutting_down', { 'retry-after': '30' })]);
  const other = new AbortController();
  const retrying = waiting.client().getAccount({}, { signal: other.signal });
  await eventually(() => waiting.seen.length === 1);
  other.abort(new Error('enough'));
  await assert.rejects(retrying, /enough/);
});

it('a call that asks the service to wait gives it the time to', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const hanging: typeof fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  const client = new SignetClient({ baseUrl: 'http://127.0.0.1:1', key: 'k', fetch: hanging, retries: 0 });
  const cases = [
    [client.listEvents(), /within 30000 ms/],
    [client.listEvents({ wait: 60 }), /within 75000 ms/],
    [client.listEvents({ wait: 60 }, { timeoutMs: 50 }), /within 50 ms/],
  ] as const;
  const ended = cases.map(([call, said]) => assert.rejects(call, said));
  await Promise.resolve();
  test.mock.timers.tick(75_000);
  await Promise.all(ended);
});

it('an answer that is not from the service is recognized', async (test) => {
  for (const [status, body] of [
    [200, '<html>'],
    [404, '<html>'],
    [400, '{"error": {"code": 1}}'],
    [403, 'null'],
  ] as const) {
    const { client } = await standIn(test, [{ status, body }]);
    await assert.rejects(client({ retries: 0 }).getAccount(), { name: 'SignetConnectionError', code: 'unreadable' });
  }
});

it('an event stream survives a proxy that has lost the service', async (test) => {
  const frame = 'id: ev_1\n\nid: ev_2\nevent: a\ndata: {"id":"ev_2","type":"a"}\n\n';
  const { seen, client } = await standIn(test, [
    { status: 502, body: '<html>' },
    'reset',
    { status: 200, body: frame },
  ]);
  for await (const event of client().events()) {
    assert.equal(event.id, 'ev_2');
    break;
  }
  assert.deepEqual(
    seen.map(({ url }) => url),
    Array.from({ length: 3 }, () => '/v1/events/stream'),
  );
});

it('in a browser that is online again, a stream that seems open connects anew and goes on after its last event', async (test) => {
  const device = new EventTarget();
  const names = ['addEventListener', 'removeEventListener'] as const;
  // Node has none.
  for (const name of names)
    Object.defineProperty(globalThis, name, { value: device[name].bind(device), configurable: true });
  test.after(() => names.map((name) => Reflect.deleteProperty(globalThis, name)));
  const after: (string | null)[] = [];
  const silent: typeof fetch = async (_, init) => {
    const n = after.push(new Headers(init?.headers).get('last-event-id'));
    const frame = `id: ev_${n}\nevent: a\ndata: {"id":"ev_${n}","type":"a"}\n\n`;
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(frame));
        init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason));
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const events = new SignetClient({ baseUrl: 'http://127.0.0.1:1', key: 'k', fetch: silent }).events();
  assert.equal((await events.next()).value?.id, 'ev_1');
  device.dispatchEvent(new Event('online'));
  assert.equal((await events.next()).value?.id, 'ev_2');
  await events.return(undefined);
  assert.deepEqual(after, [null, 'ev_1']);
});

it('redirects are not followed, because they could lead anywhere', async (test) => {
  const elsewhere = await standIn(test, [GOOD]);
  const location = elsewhere.client().baseUrl;
  const { seen, client } = await standIn(test, [{ status: 307, headers: { location } }]);
  const mail = { from: 'a', to: 'b', subject: 'c', text: 'd' };
  await assert.rejects(client().sendEmail(mail), { name: 'SignetConnectionError', code: 'unreadable' });
  await assert.rejects(client().events().next(), { name: 'SignetConnectionError', code: 'unreadable' });
  assert.deepEqual([seen.length, elsewhere.seen.length], [2, 0]);
});

it('fields are encoded and sent where the endpoint expects them; a value that would change the path is refused', async (test) => {
  const { seen, client } = await standIn(test, [GOOD]);
  await client({ verbose: false }).updateMessage({
    id: '<a/b?c@d>',
    address: 'x+y@z',
    read: true,
    archived: undefined,
  });
  assert.equal(seen[0]?.url, '/v1/email/messages/%3Ca%2Fb%3Fc%40d%3E?address=x%2By%40z&verbose=false');
  assert.equal(seen[0]?.body, '{"read":true}');
  await client().getAccount({}, { verbose: false, headers: { 'x-more': '1' }, payment: 'paid' });
  assert.equal(seen[1]?.url, '/v1/account/me?verbose=false');
  assert.deepEqual([seen[1]?.headers['x-more'], seen[1]?.headers['x-payment']], ['1', 'paid']);
  for (const id of ['', '.', '..']) await assert.rejects(client().deleteWebhook({ id }), TypeError);
  assert.equal(seen.length, 2);
});

describe('the client over a connection that loses replies', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  it('sends one mail, however often its reply is lost', async () => {
    let lost = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== 'POST' || lost === 2) return response;
      lost += 1;
      throw new TypeError('the connection broke');
    };
    const { key } = await t.createAccount();
    const sure = new SignetClient({ baseUrl: t.baseUrl, key });
    const { address } = await sure.createInbox();
    const client = new SignetClient({ baseUrl: t.baseUrl, key, fetch: losing });
    const { status } = await client.sendEmail({ from: address, to: address, subject: 'once', text: 'x' });
    assert.deepEqual([status, lost], ['sent', 2]);
    assert.equal((await sure.listInbox({ address })).count, 1);
  });

  it('throws an error of the service with all its fields', async () => {
    const { key } = await t.createAccount();
    const client = new SignetClient({ baseUrl: `${t.baseUrl}/`, key });
    const found = await client.claimAddress({ address: 'a b' }).catch((err: unknown) => err);
    assert.ok(found instanceof SignetError);
    assert.deepEqual([found.status, found.code], [400, 'invalid_address']);
    assert.match(found.requestId ?? '', /^req_/);
    assert.equal(found.retryAfterSeconds, null);
    const second = await client.getInbox({ address: 'x', limit: 0 }).catch((err: unknown) => err);
    assert.ok(second instanceof SignetError);
    assert.deepEqual(
      second.details.map(({ path, code }) => [path, code]),
      [['/query/limit', 'out_of_range']],
    );
    assert.notEqual(second.message, '');
  });
});
