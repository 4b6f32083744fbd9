import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { observationErasure } from './observation.ts';

const ids = (body: { observations: { id: string }[] }): string[] => body.observations.map(({ id }) => id);

onEngines('any', 'POST /v1/observations', {}, (suite) => {
  it('201: belongs to the caller and is private by default', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const made = await api.post('/v1/observations', { topic: 'api.latency', content: 'slow' });
    assert.equal(made.status, 201);
    assert.match(made.body.id, /^obs_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.deepEqual(made.body, {
      id: made.body.id,
      agent_id: accountId,
      subject_agent_id: null,
      display_name: null,
      topic: 'api.latency',
      content: 'slow',
      shared: false,
      created_at: new Date(t.clock.now()).toISOString(),
    });
    const read = await api.get(`/v1/observations/${made.body.id}`);
    assert.deepEqual(read.body, made.body);
  });

  it('400 invalid_request: no topic, no content, over 10,000 or 100 characters, an agent_id in the request', async () => {
    const { api } = await suite.t.createAccount();
    const right = { topic: 'a', content: 'b' };
    for (const [wrong, path] of [
      [{ content: 'b' }, '/body/topic'],
      [{ topic: 'a' }, '/body/content'],
      [{ ...right, topic: '' }, '/body/topic'],
      [{ ...right, topic: 'a'.repeat(201) }, '/body/topic'],
      [{ ...right, topic: 'a\nb' }, '/body/topic'],
      [{ ...right, content: 'é'.repeat(10_001) }, '/body/content'],
      [{ ...right, display_name: 'x'.repeat(101) }, '/body/display_name'],
      [{ ...right, shared: 'yes' }, '/body/shared'],
      [{ ...right, agent_id: 'acc_someone' }, '/body/agent_id'],
    ] as const) {
      const { status, body } = await api.post('/v1/observations', wrong);
      assert.equal(status, 400);
      assert.equal(body.error, 'invalid_request');
      assert.equal(body.details[0].path, path);
    }
    assert.equal((await api.post('/v1/observations', { ...right, content: '🦊'.repeat(10_000) })).status, 201);
  });
});

async function rated(t: TestApp) {
  const ada = await t.createAccount();
  const bob = await t.createAccount();
  const made: Record<string, string> = {};
  for (const [name, owner, topic, shared] of [
    ['ada-private', ada, 'one', false],
    ['ada-shared', ada, 'one', true],
    ['bob-private', bob, 'one', false],
    ['bob-shared', bob, 'one', true],
    ['ada-private-2', ada, 'two', false],
    ['bob-shared-2', bob, 'two', true],
  ] as const) {
    t.clock.advance(1000);
    made[name] = (await owner.api.post('/v1/observations', { topic, content: name, shared })).body.id;
  }
  return { ada, bob, made };
}

onEngines('any', 'GET /v1/observations', {}, (suite) => {
  it('400: a limit of 0 or 201, an invalid scope or time, a cursor of another list', async () => {
    const { api } = await suite.t.createAccount();
    for (const query of ['limit=0', 'limit=201', 'scope=theirs', 'since=yesterday'])
      assert.equal((await api.get(`/v1/observations?${query}`)).status, 400, query);
    for (const keys of [['x'], ['obs_'], ['a\0b'], [''], [1], ['a', 'b']]) {
      const cursor = Buffer.from(JSON.stringify(keys)).toString('base64url');
      assert.equal((await api.get(`/v1/observations?cursor=${cursor}`)).body.error, 'invalid_cursor');
    }
    const nul = Buffer.from(JSON.stringify(['a\0b'])).toString('base64url');
    assert.equal((await api.get(`/v1/observations/topics?cursor=${nul}`)).body.error, 'invalid_cursor');
  });

  it('a private observation of another account gives the same reply as an unknown one', async () => {
    const { ada, bob, made } = await rated(suite.t);
    const missing = await ada.api.get('/v1/observations/obs_00000000000000000000000000');
    const foreign = await ada.api.get(`/v1/observations/${made['bob-private']}`);
    assert.equal(foreign.status, 404);
    assert.equal(foreign.text, missing.text);
    assert.equal((await ada.api.get(`/v1/observations/${made['bob-shared']}`)).status, 200);
    assert.equal((await bob.api.get(`/v1/observations/${made['bob-private']}`)).status, 200);
  });
});

onEngines('both', 'GET /v1/observations', {}, (suite) => {
  it('lists the caller’s own and shared observations, newest first, by scope, topic, agent and time', async () => {
    const { ada, bob, made } = await rated(suite.t);
    const since = (await ada.api.get(`/v1/observations/${made['ada-private']}`)).body.created_at;
    const own = `agent_id=${ada.accountId}`;
    const others = `agent_id=${bob.accountId}`;
    for (const [query, names] of [
      ['', ['bob-shared-2', 'ada-private-2', 'bob-shared', 'ada-shared', 'ada-private']],
      ['scope=mine', ['ada-private-2', 'ada-shared', 'ada-private']],
      ['scope=shared', ['bob-shared-2', 'bob-shared', 'ada-shared']],
      ['topic=one', ['bob-shared', 'ada-shared', 'ada-private']],
      ['topic=one&scope=mine', ['ada-shared', 'ada-private']],
      ['topic=two&scope=shared', ['bob-shared-2']],
      [others, ['bob-shared-2', 'bob-shared']],
      [`${others}&scope=mine`, []],
      [`${others}&topic=two`, ['bob-shared-2']],
      [own, ['ada-private-2', 'ada-shared', 'ada-private']],
      [`${own}&scope=shared`, ['ada-shared']],
      ['topic=three', []],
    ] as const) {
      const { status, body } = await ada.api.get(`/v1/observations?since=${since}&${query}`);
      assert.equal(status, 200, query);
      // Shared ones of other tests are older than `since`.
      const expected = names.map((name) => made[name]);
      assert.deepEqual(ids(body), expected, query);
      assert.equal(body.count, names.length);
    }
  });

  it('since is inclusive to the millisecond, and the reply repeats the filters', async () => {
    const { ada, made } = await rated(suite.t);
    const { created_at: at } = (await ada.api.get(`/v1/observations/${made['ada-private-2']}`)).body;
    const from = await ada.api.get(`/v1/observations?scope=mine&since=${at}`);
    assert.deepEqual(ids(from.body), [made['ada-private-2']]);
    const none = { topic: null, agent_id: null, subject_agent_id: null };
    assert.deepEqual(from.body.filters, { ...none, since: at, scope: 'mine', limit: 50 });
    const later = new Date(Date.parse(at) + 1).toISOString();
    assert.deepEqual(ids((await ada.api.get(`/v1/observations?scope=mine&since=${later}`)).body), []);
    assert.deepEqual(ids((await ada.api.get('/v1/observations?scope=mine&since=0001-01-01T00:00:00Z')).body).length, 3);
  });

  it('B: an observation names the agent that it is about, which a list filters by; a deleted agent is named no more', async () => {
    const { t } = suite;
    const [ada, bob, subject] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const about = { subject_agent_id: subject.accountId };
    const write = async (who: typeof ada, more: object): Promise<string> => {
      t.clock.advance(1);
      const made = await who.api.post('/v1/observations', { topic: 'about.it', content: 'x', ...more });
      assert.equal(made.status, 201, made.text);
      return made.body.id;
    };
    const shared = await write(ada, { ...about, shared: true });
    const own = await write(ada, about);
    const other = await write(ada, { ...about, topic: 'other', shared: true });
    const bobs = await write(bob, { ...about, shared: true });
    await write(bob, about);
    await write(ada, { shared: true });
    const list = async (query: string) =>
      ids((await ada.api.get(`/v1/observations?subject_agent_id=${subject.accountId}${query}`)).body);
    assert.deepEqual(await list(''), [bobs, other, own, shared]);
    assert.deepEqual(await list('&topic=about.it'), [bobs, own, shared]);
    assert.deepEqual(await list(`&agent_id=${bob.accountId}`), [bobs]);
    assert.deepEqual(await list('&scope=mine'), [other, own, shared]);
    const read = () => ada.api.get(`/v1/observations/${own}`);
    assert.equal((await read()).body.subject_agent_id, subject.accountId);
    const wrong = await ada.api.post('/v1/observations', { topic: 'a', content: 'b', subject_agent_id: 'bob' });
    assert.deepEqual([wrong.status, wrong.body.details[0].path], [400, '/body/subject_agent_id']);
    await t.app.database.transaction((tx) => observationErasure.run(tx, subject.accountId, 100));
    assert.equal((await read()).body.subject_agent_id, null);
    assert.deepEqual(await list(''), []);
  });

  it('pages have no gaps and no repeats, with private and shared observations mixed', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const made: string[] = [];
    for (let i = 0; i < 11; i++) {
      t.clock.advance(1);
      made.unshift((await api.post('/v1/observations', { topic: 't', content: `${i}`, shared: i % 3 === 0 })).body.id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { body: { observations: { id: string }[]; next_cursor: string | null } } = await api.get(
        `/v1/observations?scope=mine&limit=4${cursor ? `&cursor=${cursor}` : ''}`,
      );
      seen.push(...ids(page.body));
      cursor = page.body.next_cursor;
    } while (cursor);
    assert.deepEqual(seen, made);
  });
});

// Isolated: every account's shared observations are listed.
onEngines('both', 'GET /v1/observations/topics', { isolated: true }, (suite) => {
  it('counts the observations that the caller may read, in byte order with the latest time, without gaps between pages', async () => {
    const { t } = suite;
    const ada = await t.createAccount();
    const bob = await t.createAccount();
    const at: Record<string, string> = {};
    const put = async (who: typeof ada, topic: string, shared: boolean): Promise<void> => {
      t.clock.advance(1000);
      const made = await who.api.post('/v1/observations', { topic, content: 'x', shared });
      at[`${topic}${shared ? '' : ' private'}`] = made.body.created_at;
    };
    await put(ada, 'b', false);
    await put(ada, 'b', true);
    await put(bob, 'b', true);
    await put(bob, 'b', false);
    await put(ada, 'Z', false);
    await put(bob, '🦊', true);
    await put(bob, 'ï', true);
    await put(bob, 'secret', false);
    const all = await ada.api.get('/v1/observations/topics');
    assert.deepEqual(all.body, {
      topics: [
        { topic: 'Z', count: 1, latest: at['Z private'] },
        { topic: 'b', count: 3, latest: at.b },
        { topic: 'ï', count: 1, latest: at.ï },
        { topic: '🦊', count: 1, latest: at['🦊'] },
      ],
      count: 4,
      next_cursor: null,
    });
    const first = await ada.api.get('/v1/observations/topics?limit=1');
    const rest = await ada.api.get(`/v1/observations/topics?limit=3&cursor=${first.body.next_cursor}`);
    assert.deepEqual([...first.body.topics, ...rest.body.topics], all.body.topics);
    assert.equal(rest.body.next_cursor, null);
  });
});
