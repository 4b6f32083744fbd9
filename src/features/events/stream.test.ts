import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { onBothDatabases, type TestAccount, type TestApp, tokenIn } from '../../../test/harness.ts';

interface Frame {
  id: string;
  type: string;
  data: { subject?: string };
}

const wsUrl = (t: TestApp, query = ''): string => `${t.baseUrl.replace('http', 'ws')}/v1/ws${query}`;

/** Opens a socket and gathers frames until `count` have come. */
function frames(socket: WebSocket, count: number): Promise<Frame[]> {
  const list: Frame[] = [];
  return new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      list.push(JSON.parse(String(data)) as Frame);
      if (list.length === count) resolve(list);
    });
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`closed with ${code} after ${list.length} frames`)));
  });
}

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));

/** The status of a refused upgrade. */
interface Refused {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const refusal = (socket: WebSocket): Promise<Refused> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('it opened')));
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
  });

/** The code a socket is closed with. */
const closed = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

/** A session of the account, opened by a mailed link. */
async function sessionFor(t: TestApp): Promise<TestAccount & { session: string }> {
  const email = `streams-${sessions++}@example.com`;
  const account = await t.createAccount({ email });
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).find((text) => text.includes(`To: ${email}`)) ?? '';
  const opened = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail)}`);
  return { ...account, session: opened.headers.get('location')?.split('#session=')[1] ?? '' };
}
let sessions = 0;

async function withAddress(t: TestApp): Promise<TestAccount & { address: string }> {
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/inbox', {});
  return { ...account, address: body.address };
}

const mailTo = async (account: { api: TestAccount['api']; address: string }, subject: string): Promise<void> => {
  const sent = await account.api.post('/v1/email/send', {
    from: account.address,
    to: account.address,
    subject,
    text: 'x',
  });
  assert.equal(sent.status, 201, sent.text);
};

const LIMITS = { free: { emails_per_day: 10_000, emails_per_hour: 10_000 } };

onBothDatabases('GET /v1/ws', { limits: LIMITS }, (suite) => {
  it('frames come as events happen, and a client that resumes with its last id gets each once and in order', async () => {
    const { t } = suite;
    const account = await withAddress(t);
    const headers = { authorization: `Bearer ${account.key}` };
    const first = new WebSocket(wsUrl(t), { headers });
    await opened(first);
    const live = frames(first, 2);
    await mailTo(account, 'one');
    const seen = await live;
    assert.deepEqual(seen.map(({ type }) => type).sort(), ['email.received', 'email.sent']);
    first.terminate();
    for (const subject of ['two', 'three', 'four']) await mailTo(account, subject);
    const second = new WebSocket(wsUrl(t, `?after=${seen[1]?.id}`), { headers });
    const resumed = await frames(second, 6);
    second.terminate();
    const subjects = resumed.filter(({ type }) => type === 'email.received').map(({ data }) => data.subject);
    assert.deepEqual(subjects, ['two', 'three', 'four']);
    const all = [...seen, ...resumed].map(({ id }) => id);
    assert.deepEqual(all, [...new Set(all)].sort());
  });

  it('a ticket opens one socket within a minute; the second use, a late use and a made-up one are 401', async () => {
    const { t } = suite;
    const { api } = await withAddress(t);
    const mint = async (): Promise<string> => (await api.post('/v1/ws/tickets')).body.ticket;
    const ticket = await mint();
    const socket = new WebSocket(wsUrl(t, `?ticket=${ticket}`));
    await opened(socket);
    socket.terminate();
    for (const used of [ticket, 'wst_made_up']) {
      const { status, body } = await refusal(new WebSocket(wsUrl(t, `?ticket=${used}`)));
      assert.equal(status, 401);
      assert.equal(JSON.parse(body).error, 'unauthorized');
    }
    const late = await mint();
    t.clock.advance(61_000);
    assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=${late}`)))).status, 401);
  });

  it('401 without a credential, 400 for a last id that is none, 404 for another path, 426 without an upgrade', async () => {
    const { t } = suite;
    const { key } = await t.createAccount();
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await refusal(new WebSocket(wsUrl(t)))).status, 401);
    assert.equal((await refusal(new WebSocket(wsUrl(t, '?after=nonsense'), { headers }))).status, 400);
    assert.equal((await refusal(new WebSocket(wsUrl(t).replace('/v1/ws', '/v1/other'), { headers }))).status, 404);
    const plain = await t.api().get('/v1/ws');
    assert.equal(plain.status, 426);
    assert.equal(plain.headers.get('upgrade'), 'websocket');
  });

  it('another account’s events never come', async () => {
    const { t } = suite;
    const [mine, theirs] = [await withAddress(t), await withAddress(t)];
    const socket = new WebSocket(wsUrl(t), { headers: { authorization: `Bearer ${mine.key}` } });
    await opened(socket);
    const coming = frames(socket, 2);
    await mailTo(theirs, 'secret');
    await mailTo(mine, 'mine');
    const seen = await coming;
    socket.terminate();
    assert.ok(seen.every(({ data }) => data.subject === 'mine'));
  });
});

onBothDatabases('GET /v1/events/stream', { limits: LIMITS }, (suite) => {
  it('follows with Last-Event-ID: each event once and in order, then what happens while it is open', async () => {
    const { t } = suite;
    const account = await withAddress(t);
    await mailTo(account, 'one');
    const { body } = await account.api.get('/v1/events?limit=1');
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${account.key}`, 'last-event-id': body.events[0].id };
    const response = await fetch(`${t.baseUrl}/v1/events/stream`, { headers, signal: abort.signal });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const ids: string[] = [];
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const found = [...text.matchAll(/^id: (ev_\w+)$/gm)].map((match) => match[1] as string);
      if (ids.length === 0 && found.length === 1) await mailTo(account, 'two');
      ids.splice(0, ids.length, ...found);
      if (ids.length === 3) break;
    }
    abort.abort();
    const all = await account.api.get('/v1/events');
    assert.deepEqual(
      ids,
      all.body.events.slice(1).map((event: Frame) => event.id),
    );
  });
});

onBothDatabases('a stream and its credential', { limits: LIMITS }, (suite) => {
  it('a socket opened by a ticket is closed with 4401 when the key that asked for it is rotated, and hears nothing of it', async () => {
    const { t } = suite;
    const account = await withAddress(t);
    const { ticket } = (await account.api.post('/v1/ws/tickets')).body;
    const byTicket = new WebSocket(wsUrl(t, `?ticket=${ticket}`));
    const byKey = new WebSocket(wsUrl(t), bearer(account.key));
    await Promise.all([opened(byTicket), opened(byKey)]);
    const heard: unknown[] = [];
    for (const socket of [byTicket, byKey]) socket.on('message', (data) => heard.push(data));
    const codes = Promise.all([closed(byTicket), closed(byKey)]);
    await account.api.post('/v1/auth/keys/rotate');
    assert.deepEqual(await codes, [4401, 4401]);
    assert.deepEqual(heard, []);
  });

  it('a ticket of a key that is gone opens nothing', async () => {
    const { t } = suite;
    const { api } = await withAddress(t);
    const { ticket } = (await api.post('/v1/ws/tickets')).body;
    await api.post('/v1/auth/keys/rotate');
    const refused = await refusal(new WebSocket(wsUrl(t, `?ticket=${ticket}`)));
    assert.equal(refused.status, 401);
  });

  it('logout closes what the session opened, by ticket or itself, and leaves the key’s socket and stream alone', async () => {
    const { t } = suite;
    const { key, api, session } = await sessionFor(t);
    const { ticket } = (await t.api(session).post('/v1/ws/tickets')).body;
    const [byTicket, bySession, byKey] = [
      new WebSocket(wsUrl(t, `?ticket=${ticket}`)),
      new WebSocket(wsUrl(t), bearer(session)),
      new WebSocket(wsUrl(t), bearer(key)),
    ];
    await Promise.all([byTicket, bySession, byKey].map(opened));
    const stream = await fetch(`${t.baseUrl}/v1/events/stream`, bearer(session));
    const streamEnd = stream.text();
    const codes = Promise.all([closed(byTicket), closed(bySession)]);
    assert.equal((await t.api(session).post('/v1/auth/logout')).status, 200);
    assert.deepEqual(await codes, [4401, 4401]);
    assert.equal((await streamEnd).replace('retry: 2000\n\n', ''), '');
    const next = frames(byKey, 1);
    await api.post('/v1/inbox', {}).then(({ body }) => mailTo({ api, address: body.address }, 'still here'));
    assert.equal((await next)[0]?.data.subject, 'still here');
    byKey.terminate();
  });

  it('a stream of events of one type gets those alone, and resumes among them', async () => {
    const { t } = suite;
    const account = await withAddress(t);
    const socket = new WebSocket(wsUrl(t, '?type=email.received'), bearer(account.key));
    await opened(socket);
    const coming = frames(socket, 3);
    for (const subject of ['one', 'two', 'three']) await mailTo(account, subject);
    const seen = await coming;
    socket.terminate();
    assert.deepEqual(
      seen.map(({ type, data }) => [type, data.subject]),
      ['one', 'two', 'three'].map((subject) => ['email.received', subject]),
    );
    const headers = { authorization: `Bearer ${account.key}`, 'last-event-id': seen[0]?.id ?? '' };
    const abort = new AbortController();
    const url = `${t.baseUrl}/v1/events/stream?type=email.received`;
    const response = await fetch(url, { headers, signal: abort.signal });
    let text = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes(seen[2]?.id ?? 'never')) break;
    }
    abort.abort();
    const ids = [...text.matchAll(/^id: (ev_\w+)$/gm)].map((match) => match[1]);
    assert.deepEqual(ids, [seen[1]?.id, seen[2]?.id]);
    const wrong = await refusal(new WebSocket(wsUrl(t, '?type=nonsense'), bearer(account.key)));
    assert.deepEqual([wrong.status, JSON.parse(wrong.body).details[0].path], [400, '/query/type']);
    assert.equal((await account.api.get('/v1/events/stream?type=nonsense')).status, 400);
  });
});

const FEW = { free: { requests_per_day: 8, event_streams: 3 } };

onBothDatabases('a refused upgrade', { limits: FEW }, (suite) => {
  it('answers like any request: id, challenge, the envelope, and without prose when so asked', async () => {
    const { t } = suite;
    const { status, headers, body } = await refusal(new WebSocket(wsUrl(t)));
    assert.equal(status, 401);
    assert.match(headers['x-request-id'] as string, /^req_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(headers['www-authenticate'], 'Bearer realm="signet"');
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(JSON.parse(body)), ['error', 'message']);
    const bare = await refusal(new WebSocket(wsUrl(t, '?ticket=wst_x&verbose=false')));
    assert.deepEqual([bare.status, bare.body], [401, '{"error":"unauthorized"}']);
    assert.equal(bare.headers['www-authenticate'], 'Bearer realm="signet"');
  });

  it('junk tickets cost no transaction', async () => {
    const { t } = suite;
    const { transaction } = t.app.database;
    let begun = 0;
    t.app.database.transaction = ((work: never) => {
      begun += 1;
      return transaction(work);
    }) as typeof transaction;
    for (const junk of ['wst_x', 'x', `wst_${'a'.repeat(31)}`, `wst_${'a'.repeat(33)}`, `wst_${'-'.repeat(32)}`])
      assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=${junk}`)))).status, 401);
    assert.equal(begun, 0);
    assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=wst_${'a'.repeat(32)}`)))).status, 401);
    assert.equal(begun, 1);
    t.app.database.transaction = transaction;
  });

  it('429 stream_limit: more sockets and streams than the account may have; one that closes makes room', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const sockets = [1, 2].map(() => new WebSocket(wsUrl(t), bearer(key)));
    await Promise.all(sockets.map(opened));
    const abort = new AbortController();
    await fetch(`${t.baseUrl}/v1/events/stream`, { ...bearer(key), signal: abort.signal });
    const refused = await refusal(new WebSocket(wsUrl(t), bearer(key)));
    assert.deepEqual([refused.status, JSON.parse(refused.body).error], [429, 'stream_limit']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal(refused.headers['ratelimit-limit'], '8');
    assert.equal((await api.get('/v1/events/stream')).body.error, 'stream_limit');
    sockets[0]?.terminate();
    sockets.push(await admitted(() => new WebSocket(wsUrl(t), bearer(key))));
    for (const socket of sockets) socket.terminate();
    abort.abort();
  });

  it('429 rate_limited: an upgrade is a request of the day', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    for (let n = 0; n < 6; n++) assert.equal((await api.get('/v1/account/me')).status, 200);
    for (let n = 0; n < 2; n++) {
      const socket = new WebSocket(wsUrl(t), bearer(key));
      await opened(socket);
      socket.terminate();
    }
    const { status, headers, body } = await refusal(new WebSocket(wsUrl(t), bearer(key)));
    assert.deepEqual([status, JSON.parse(body).error], [429, 'rate_limited']);
    assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], ['8', '0']);
    assert.equal(headers['retry-after'], headers['ratelimit-reset']);
    assert.equal((await api.get('/v1/account/me')).status, 429);
  });

  it('a handshake that fails after it was admitted keeps no place', async () => {
    const { t } = suite;
    const { key } = await t.createAccount();
    for (let n = 0; n < 4; n++) {
      const socket = net.connect(Number(new URL(t.baseUrl).port), '127.0.0.1');
      const end = new Promise((resolve) => socket.on('close', resolve));
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      // No Sec-WebSocket-Key.
      socket.write(
        `GET /v1/ws HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
      );
      await end;
      assert.match(text, /^HTTP\/1\.1 400 /);
    }
    const socket = new WebSocket(wsUrl(t), bearer(key));
    await opened(socket);
    socket.terminate();
  });
});

/** Tries again until it is let in: a place is free once the service has seen the other connection go. */
async function admitted(open: () => WebSocket): Promise<WebSocket> {
  for (let tries = 0; tries < 4; tries++) {
    const socket = open();
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('open', () => resolve(true)).once('error', () => resolve(false));
    });
    if (isOpen) return socket;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('no place was freed');
}
