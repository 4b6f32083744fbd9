import assert from 'node:assert/strict';
import net from 'node:net';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { onEngines } from '../../../../test/support/harness.ts';
import {
  bearer,
  closed,
  frames,
  mailTo,
  opened,
  refusal,
  sessionFor,
  untilReaders,
  withAddress,
  wsUrl,
} from '../../../../test/support/stream-client.ts';

const LIMITS = { free: { emails_per_day: 10_000, emails_per_hour: 10_000 } };

onEngines('any', 'a stream and its credential', { limits: LIMITS }, (suite) => {
  it('closes a socket opened by a ticket with 4401 when the key that created it is rotated, before it receives the event', async () => {
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

  it('refuses a ticket of a revoked key', async () => {
    const { t } = suite;
    const { api } = await withAddress(t);
    const { ticket } = (await api.post('/v1/ws/tickets')).body;
    await api.post('/v1/auth/keys/rotate');
    const refused = await refusal(new WebSocket(wsUrl(t, `?ticket=${ticket}`)));
    assert.equal(refused.status, 401);
  });

  it('logout closes the streams of the session, opened with or without a ticket, and keeps those of the key', async () => {
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
    assert.match(await streamEnd, /^id: ev_\w+\nretry: 2000\n\n$/);
    const next = frames(byKey, 1);
    await api.post('/v1/inbox', {}).then(({ body }) => mailTo({ api, address: body.address }, 'still here'));
    assert.equal((await next)[0]?.data.subject, 'still here');
    byKey.terminate();
  });

  it('a stream of one type sends only that type, and resumes', async () => {
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

onEngines('any', 'a refused upgrade', { limits: FEW }, (suite) => {
  it('has the reply of any request: id, challenge, the error envelope, and verbose=false', async () => {
    const { t } = suite;
    const { status, headers, body } = await refusal(new WebSocket(wsUrl(t)));
    assert.equal(status, 401);
    assert.match(headers['x-request-id'] as string, /^req_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(headers['www-authenticate'], 'Bearer realm="signet"');
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(JSON.parse(body)), ['error', 'code', 'message', 'docs_url']);
    const bare = await refusal(new WebSocket(wsUrl(t, '?ticket=wst_x&verbose=false')));
    assert.deepEqual([bare.status, Object.keys(JSON.parse(bare.body))], [401, ['error', 'code', 'docs_url']]);
    assert.equal(bare.headers['www-authenticate'], 'Bearer realm="signet"');
  });

  it('malformed tickets cost no transaction', async () => {
    const { t } = suite;
    const { transaction } = t.app.database;
    let begun = 0;
    // What the service does by itself may begin one at any time.
    const isOfUpgrade = (): boolean => /\/(upgrade|ticket)\.ts/.test(new Error().stack ?? '');
    t.app.database.transaction = ((...args: Parameters<typeof transaction>) => {
      if (isOfUpgrade()) begun += 1;
      return transaction(...args);
    }) as typeof transaction;
    for (const junk of ['wst_x', 'x', `wst_${'a'.repeat(31)}`, `wst_${'a'.repeat(33)}`, `wst_${'-'.repeat(32)}`])
      assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=${junk}`)))).status, 401);
    assert.equal(begun, 0);
    assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=wst_${'a'.repeat(32)}`)))).status, 401);
    assert.equal(begun, 1);
    t.app.database.transaction = transaction;
  });

  it('429 stream_limit: more sockets and streams than the limit; closing one frees a slot', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    await untilReaders(t.baseUrl, 0);
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
    await untilReaders(t.baseUrl, 2);
    sockets.push(new WebSocket(wsUrl(t), bearer(key)));
    await opened(sockets[2] as WebSocket);
    for (const socket of sockets) socket.terminate();
    abort.abort();
  });

  it('429 rate_limited: an upgrade counts as a request of the day', async () => {
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

  it('a handshake that fails after admission frees its slot', async () => {
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
