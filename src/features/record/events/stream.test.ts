import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { onEngines } from '../../../../test/support/harness.ts';
import {
  type Frame,
  frames,
  mailTo,
  opened,
  refusal,
  withAddress,
  wsUrl,
} from '../../../../test/support/stream-client.ts';

const LIMITS = { free: { emails_per_day: 10_000, emails_per_hour: 10_000 } };

onEngines('any', 'GET /v1/ws', { limits: LIMITS }, (suite) => {
  it('sends frames as events happen; a client that resumes with its last id gets each event once, in order', async () => {
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

  it('a ticket opens one socket within a minute; a second use, a late use and an unknown ticket are 401', async () => {
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

  it('401 without a credential, 400 for an invalid event id, 404 for another path, 426 without an upgrade', async () => {
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

  it('never sends another account’s events', async () => {
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

onEngines('any', 'GET /v1/events/stream', { limits: LIMITS }, (suite) => {
  it('resumes with Last-Event-ID: each event once and in order, then new events', async () => {
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
