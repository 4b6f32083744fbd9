import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, setTier, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestAccount } from '../../../../test/support/harness.ts';

const send = ({ api, address }: TestAgent, to: string, subject: string) =>
  api.post('/v1/email/send', { from: address, to, subject, text: 'Body' });

interface Event {
  id: string;
  type: string;
  created_at: string;
  data: Record<string, unknown>;
}

/** Reads to the end in pages of two, as a client does that keeps its last id. */
async function follow({ api }: TestAccount, after = ''): Promise<Event[]> {
  const found: Event[] = [];
  for (let cursor = after, more = true; more; ) {
    const { status, body } = await api.get(`/v1/events?limit=2${cursor && `&after=${cursor}`}`);
    assert.equal(status, 200);
    assert.equal(body.count, body.events.length);
    found.push(...body.events);
    cursor = body.next_cursor ?? '';
    more = body.has_more;
  }
  return found;
}

const typesOf = (events: readonly Event[]): string[] => events.map(({ type }) => type);

onEngines('any', 'GET /v1/events', {}, (suite) => {
  it('lists each event once, in order, with its data', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    assert.deepEqual(await follow(ada), []);
    await t.sendSmtp({ from: 'x@example.com', to: ada.address, subject: 'in', text: 'Hello' });
    const [entry] = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages;
    t.clock.advance(1000);
    const sent = (await send(ada, bob.address, 'inside')).body;
    t.clock.advance(1000);
    const failed = (await send(ada, 'nobody@agents.localhost', 'nowhere')).body;
    const outside = (await send(ada, 'y@example.com', 'outside')).body;
    await t.outboxMails();
    const rotated = (await ada.api.post('/v1/auth/keys/rotate')).body;
    const events = await follow({ ...ada, api: t.api(rotated.api_key) });
    assert.deepEqual(typesOf(events), ['email.received', 'email.sent', 'email.failed', 'email.sent', 'key.rotated']);
    const common = { from: ada.address };
    assert.deepEqual(
      events.map(({ data }) => data),
      [
        {
          address: ada.address,
          message_id: entry.message_id,
          from: 'x@example.com',
          subject: 'in',
          received_at: entry.received_at,
          snippet: 'Hello',
          has_code: false,
          link_kinds: [],
        },
        { ...common, id: sent.id, to: [bob.address], subject: 'inside', provider: 'internal' },
        {
          ...common,
          id: failed.id,
          to: failed.to,
          subject: 'nowhere',
          error: events[2]?.data.error,
          status: 'failed',
          recipients: [{ address: 'nobody@agents.localhost', error: 'There is no such address.' }],
        },
        { ...common, id: outside.id, to: ['y@example.com'], subject: 'outside', provider: 'file' },
        { key_prefix: rotated.key_prefix, reason: 'rotated' },
      ],
    );
    assert.ok(String(events[2]?.data.error).length > 0);
    assert.equal(events[0]?.created_at, entry.received_at);
    assert.equal(events[1]?.created_at, sent.sent_at);
    assert.deepEqual(typesOf(await follow(bob)), ['email.received']);
  });

  it('another account sees none of the events with any cursor', async () => {
    const { t } = suite;
    const [ada, bob, eve] = [await createAgent(t), await createAgent(t), await createAgent(t)];
    for (const subject of ['1', '2']) await send(ada, bob.address, subject);
    const [first] = await follow(bob);
    assert.deepEqual(await follow(eve), []);
    assert.deepEqual(await follow(eve, first?.id), []);
  });

  it('limit: 1 to 200, default 50', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await setTier(t, ada.accountId, 'paid');
    for (let n = 0; n < 51; n++) assert.equal((await send(ada, bob.address, String(n))).status, 201);
    const usual = (await bob.api.get('/v1/events')).body;
    assert.deepEqual([usual.count, usual.has_more, usual.next_cursor], [50, true, usual.events[49].id]);
    const most = (await bob.api.get('/v1/events?limit=200')).body;
    assert.deepEqual([most.count, most.has_more, most.events[50].data.subject], [51, false, '50']);
    for (const limit of ['0', '201', 'abc', '-1'])
      assert.equal((await bob.api.get(`/v1/events?limit=${limit}`)).body.error, 'invalid_request');
  });

  it('400 invalid_cursor: text that is not an event id; 401 without a key or with a revoked one', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const wrong = [
      '',
      'x',
      '0',
      'ev_',
      `ev_${'i'.repeat(26)}`,
      `ev_${'z'.repeat(26)}`,
      `ev_${'0'.repeat(25)}`,
      'msg_1',
    ];
    for (const after of wrong) {
      const { status, body } = await ada.api.get(`/v1/events?after=${after}`);
      assert.deepEqual([after, status, body.error], [after, 400, 'invalid_cursor']);
    }
    await ada.api.post('/v1/auth/keys/rotate');
    assert.equal((await ada.api.get('/v1/events')).status, 401);
    assert.equal((await t.api().get('/v1/events')).status, 401);
  });

  it('400 invalid_request: an unknown type, and contradictory directions', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const id = `ev_${'0'.repeat(26)}`;
    for (const [query, path] of [
      ['type=', '/query/type'],
      ['type=email.received,nonsense', '/query/type'],
      ['order=newest', '/query/order'],
      [`before=${id}&order=asc`, '/query/order'],
      [`before=${id}&after=${id}`, '/query/after'],
      [`order=desc&after=${id}`, '/query/after'],
      ['order=desc&wait=1', '/query/wait'],
      ['wait=0', '/query/wait'],
      ['wait=61', '/query/wait'],
    ]) {
      const { status, body } = await ada.api.get(`/v1/events?${query}`);
      assert.deepEqual([query, status, body.error, body.details[0].path], [query, 400, 'invalid_request', path]);
    }
    assert.equal((await ada.api.get('/v1/events?before=x')).body.error, 'invalid_cursor');
  });
});

onEngines('both', 'GET /v1/events: what the database decides', {}, (suite) => {
  it('after: only later events; the cursor at the end returns new events', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    for (const subject of ['1', '2', '3']) await send(ada, bob.address, subject);
    const all = await follow(bob);
    const subjects = (events: readonly Event[]) => events.map(({ data }) => data.subject);
    assert.deepEqual(subjects(all), ['1', '2', '3']);
    assert.deepEqual(subjects(await follow(bob, all[0]?.id)), ['2', '3']);
    const end = (await bob.api.get(`/v1/events?after=${all[2]?.id}`)).body;
    assert.deepEqual(end, { events: [], count: 0, has_more: false, next_cursor: all[2]?.id });
    await send(ada, bob.address, '4');
    assert.deepEqual(subjects(await follow(bob, end.next_cursor)), ['4']);
  });

  it('ids increase within an account, even for mails that arrive together, and differ between accounts', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const mails = Array.from({ length: 12 }, (_, i) =>
      t.sendSmtp({ to: [ada.address, bob.address], subject: `${i}`, text: 'x' }),
    );
    await Promise.all(mails);
    for (const { api, address } of [ada, bob]) await api.get(`/v1/email/inbox?address=${address}`);
    const [hers, his] = [await follow(ada), await follow(bob)];
    for (const events of [hers, his]) {
      const ids = events.map(({ id }) => id);
      assert.deepEqual(ids, [...ids].sort());
      const subjects = events.map(({ data }) => Number(data.subject)).sort((a, b) => a - b);
      assert.deepEqual(subjects, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    }
    assert.equal(new Set([...hers, ...his].map(({ id }) => id)).size, 24);
  });

  it('a refused or rolled back call makes no event', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await send(ada, 'no address', 'x');
    await send({ ...ada, address: bob.address }, bob.address, 'x');
    for (let n = 0; n < 11; n++) await send(ada, bob.address, String(n));
    assert.equal((await follow(ada)).length, 10);
    assert.equal((await follow(bob)).length, 10);
  });

  it('order=desc: newest first, each event once, back to the beginning with `before`', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    for (let n = 0; n < 5; n++) await send(ada, bob.address, String(n));
    const seen: Event[] = [];
    for (let query: string | null = 'order=desc'; query !== null; ) {
      const { body } = await bob.api.get(`/v1/events?limit=2&${query}`);
      seen.push(...body.events);
      assert.equal(body.has_more, body.next_cursor !== null);
      query = body.next_cursor && `before=${body.next_cursor}`;
    }
    assert.deepEqual(seen, (await follow(bob)).reverse());
    assert.deepEqual((await (await createAgent(t)).api.get('/v1/events?order=desc')).body, {
      events: [],
      count: 0,
      has_more: false,
      next_cursor: null,
    });
  });

  it('type: only the given types, paged and resumed forwards and backwards', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (let n = 0; n < 5; n++) await send(ada, ada.address, String(n));
    const rotated = (await ada.api.post('/v1/auth/keys/rotate')).body.api_key;
    const api = t.api(rotated);
    const all = await follow({ ...ada, api });
    for (const [type, wanted] of [
      ['email.sent', ['email.sent']],
      ['key.rotated,email.received', ['key.rotated', 'email.received']],
    ] as const) {
      const expected = all.filter((event) => (wanted as readonly string[]).includes(event.type));
      const read = async (query: string): Promise<Event[]> =>
        (await api.get(`/v1/events?type=${type}&${query}`)).body.events;
      assert.deepEqual(await read(''), expected);
      assert.deepEqual(await read(`after=${expected[1]?.id}&limit=2`), expected.slice(2, 4));
      assert.deepEqual(await read(`before=${expected[3]?.id}&limit=2`), expected.slice(1, 3).reverse());
      const end = (await api.get(`/v1/events?type=${type}&after=${all.at(-1)?.id}`)).body;
      assert.deepEqual([end.count, end.next_cursor], [0, all.at(-1)?.id]);
    }
  });
});
