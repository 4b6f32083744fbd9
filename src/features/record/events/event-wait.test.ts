import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { type Api, type ApiReply, onEngines, startTestApp } from '../../../../test/support/harness.ts';
import { untilReaders } from '../../../../test/support/stream-client.ts';

const send = ({ api, address }: TestAgent, to: string, subject: string) =>
  api.post('/v1/email/send', { from: address, to, subject, text: 'Body' });

onEngines('any', 'GET /v1/events?wait=', { limits: { free: { event_streams: 3 } } }, (suite) => {
  /** Makes a call, and goes on when the service says that it waits. @returns its reply, to come */
  async function begun(api: Api, path: string): Promise<{ reply: Promise<ApiReply> }> {
    const { baseUrl } = suite.t;
    await untilReaders(baseUrl, 0);
    const reply = api.get(path);
    await untilReaders(baseUrl, 1);
    return { reply };
  }

  it('replies at once when there is an event, otherwise with the first new one', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await send(ada, bob.address, 'one');
    const there = (await bob.api.get('/v1/events?wait=60')).body;
    assert.equal(there.count, 1);
    const waiting = await begun(bob.api, `/v1/events?wait=60&after=${there.next_cursor}`);
    await send(ada, bob.address, 'two');
    const { body } = await waiting.reply;
    assert.deepEqual([body.count, body.events[0].data.subject], [1, 'two']);
  });

  it('after=latest passes over what was there; its cursor misses nothing that comes later', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const empty = (await bob.api.get('/v1/events?after=latest')).body;
    await send(ada, bob.address, 'one');
    const first = (await bob.api.get(`/v1/events?after=${empty.next_cursor}`)).body;
    assert.deepEqual([first.count, first.events[0].data.subject], [1, 'one']);
    assert.deepEqual((await bob.api.get('/v1/events?after=latest')).body, {
      events: [],
      count: 0,
      has_more: false,
      next_cursor: first.next_cursor,
    });
    const waiting = await begun(bob.api, '/v1/events?after=latest&wait=60');
    await send(ada, bob.address, 'two');
    assert.equal((await waiting.reply).body.events[0].data.subject, 'two');
  });

  it('waits only for the given types, and replies without events after the time', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const waiting = bob.api.get('/v1/events?wait=1&type=key.rotated');
    await send(ada, bob.address, 'not that');
    const { status, body } = await waiting;
    assert.deepEqual([status, body], [200, { events: [], count: 0, has_more: false, next_cursor: null }]);
  });

  it('429 stream_limit over the account’s limit; a client that disconnects frees its slot', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const leaving = new AbortController();
    const poll = (): Promise<unknown> =>
      fetch(`${t.baseUrl}/v1/events?wait=60`, {
        headers: { authorization: `Bearer ${ada.key}` },
        signal: leaving.signal,
      }).catch(() => {});
    const polls = [poll(), poll(), poll()];
    await untilReaders(t.baseUrl, 3);
    const refused = await ada.api.get('/v1/events?wait=1');
    assert.deepEqual([refused.status, refused.body.error, refused.body.limit], [429, 'stream_limit', 3]);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    leaving.abort();
    await Promise.all(polls);
    await untilReaders(t.baseUrl, 0);
    assert.equal((await ada.api.get('/v1/events?wait=1')).status, 200);
  });

  it('401 at the end of a wait when the key was revoked during it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const waiting = await begun(ada.api, '/v1/events?wait=60');
    await ada.api.post('/v1/auth/keys/rotate');
    assert.equal((await waiting.reply).status, 401);
  });
});

describe('stopping the service', () => {
  it('answers waiting requests', async () => {
    const t = await startTestApp('sqlite');
    const ada = await createAgent(t);
    const waiting = ada.api.get('/v1/events?wait=60');
    await untilReaders(t.baseUrl, 1);
    await t.stop();
    assert.deepEqual((await waiting).body, { events: [], count: 0, has_more: false, next_cursor: null });
  });
});
