import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Api, type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS } from '../../../base/period.ts';

const CLAIM = '/v1/email/claim';
const SEND = '/v1/email/send';
const RECOVERY = '/v1/account/recovery-email';
const KEYS = '/v1/auth/keys';

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const keyed = (key: string) => ({ 'idempotency-key': key });
const isReplay = ({ headers }: ApiReply): boolean => headers.get('idempotency-replayed') === 'true';
const refusal = ({ status, body }: ApiReply) => `${status} ${body.error}`;
const count = async (t: TestApp, table: string) => Number((await t.sql(`select count(*) as n from ${table}`))[0]?.n);

let names = 0;

/** An account with an address, and a mail to itself that it may send. */
async function sender(t: TestApp) {
  const account = await t.createAccount();
  const from = (await account.api.post(CLAIM, { address: `idem-${names++}` })).body.address as string;
  const sent = async () => (await account.api.get('/v1/email/outbox')).body.count as number;
  return { ...account, mail: { from, to: from, subject: 'Once', text: 'Only' }, sent };
}

const BEHIND_PROXY = { env: { TRUST_PROXY: '127.0.0.0/8' } };

onEngines('any', 'Idempotency-Key', BEHIND_PROXY, (suite) => {
  it('a repeated request gets the same bytes, Idempotency-Replayed: true, and has no second effect', async () => {
    const { api, mail, sent } = await sender(suite.t);
    const first = await api.post(SEND, mail, keyed('a'));
    assert.deepEqual([first.status, isReplay(first)], [201, false]);
    for (let i = 0; i < 3; i++) {
      const again = await api.post(SEND, mail, keyed('a'));
      assert.deepEqual([again.status, again.text, isReplay(again)], [201, first.text, true]);
    }
    assert.equal(await sent(), 1);
    await api.post(SEND, mail, keyed('b'));
    assert.equal(await sent(), 2, 'another key is another request');
  });

  it('white space in the body does not change the request', async () => {
    const { api, mail } = await sender(suite.t);
    const first = await api.post(SEND, JSON.stringify(mail), keyed('form'));
    const spaced = await api.post(SEND, JSON.stringify(mail, null, 2), keyed('form'));
    assert.deepEqual([spaced.status, spaced.text, isReplay(spaced)], [201, first.text, true]);
  });

  it('verbose is not part of the request: it only changes the reply', async () => {
    const { api, mail, sent } = await sender(suite.t);
    await api.post(SEND, mail, keyed('v'));
    const quiet = await api.post(`${SEND}?verbose=false`, mail, keyed('v'));
    assert.deepEqual([quiet.status, isReplay(quiet), await sent()], [201, true, 1]);
  });

  it('409 idempotency_mismatch: another body, another endpoint, another query; has no effect', async () => {
    const { api, mail, sent } = await sender(suite.t);
    await api.post(SEND, mail, keyed('m'));
    const others = [
      await api.post(SEND, { ...mail, text: 'Other' }, keyed('m')),
      await api.post(RECOVERY, { email: 'ada@example.com' }, keyed('m')),
      await api.post(CLAIM, { address: `idem-${names++}` }, keyed('m')),
      await api.post(`${SEND}?tag=1`, mail, keyed('m')),
    ];
    assert.deepEqual(
      others.map(refusal),
      times(4, () => '409 idempotency_mismatch'),
    );
    assert.equal(await sent(), 1);
    assert.equal((await api.get('/v1/account/me')).body.recovery_email, null);
  });

  it('409 idempotency_secret_spent: the first reply held a secret, which is not stored', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const secrets: [Api, string][] = [
      [t.api(), KEYS],
      [t.api(), '/v1/keys'],
      [api, '/v1/auth/keys/generate-backup'],
    ];
    for (const [caller, path] of secrets) {
      const key = `secret ${path}`;
      assert.equal((await caller.post(path, {}, keyed(key))).status, 201);
      const before = await count(t, 'api_keys');
      assert.equal(refusal(await caller.post(path, {}, keyed(key))), '409 idempotency_secret_spent');
      assert.equal(await count(t, 'api_keys'), before);
    }
    const kept = await t.sql(`select body from idempotency_keys where idempotency_key like 'secret %'`);
    assert.deepEqual(
      kept.map(({ body }) => body),
      [null, null, null],
    );
  });

  it('a replay is answered even when a new request would be refused', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const name = `idem-${names++}`;
    const first = await api.post(CLAIM, { address: name }, keyed('claim'));
    assert.equal((await api.post(CLAIM, { address: name }, keyed('claim'))).text, first.text);
  });

  it('a GET ignores the header', async () => {
    const { api } = await sender(suite.t);
    for (let i = 0; i < 2; i++) {
      const read = await api.get('/v1/account/me', keyed('read'));
      assert.deepEqual([read.status, isReplay(read)], [200, false]);
    }
  });
});

onEngines('both', 'Idempotency-Key: what the database decides', BEHIND_PROXY, (suite) => {
  it('50 parallel requests with one key: one effect, and 50 identical replies, 49 of them replays', async () => {
    const { api, mail, sent } = await sender(suite.t);
    const replies = await Promise.all(times(50, () => api.post(SEND, mail, keyed('race'))));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter((reply) => !isReplay(reply)).length, 1);
    assert.equal(await sent(), 1);
  });

  it('50 parallel requests with one key and two bodies: one body succeeds, the other is always 409 idempotency_mismatch', async () => {
    const { api, mail, sent } = await sender(suite.t);
    const bodies = [mail, { ...mail, text: 'Other' }];
    const replies = await Promise.all(times(50, (i) => api.post(SEND, bodies[i % 2], keyed('two'))));
    const of = (side: number) => [...new Set(replies.filter((_, i) => i % 2 === side).map(({ status }) => status))];
    assert.deepEqual([of(0), of(1)].sort(), [[201], [409]]);
    assert.equal(await sent(), 1);
  });

  it('20 parallel sign-ups with one key: one account', async () => {
    const { t } = suite;
    const before = await count(t, 'accounts');
    const replies = await Promise.all(times(20, () => t.api().post(KEYS, {}, keyed('one account'))));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter((reply) => refusal(reply) === '409 idempotency_secret_spent').length, 19);
    assert.equal((await count(t, 'accounts')) - before, 1);
  });

  it('a refused request does not use the key: the corrected request succeeds', async () => {
    const { t } = suite;
    const { api, mail, sent } = await sender(t);
    assert.equal((await api.post(SEND, { ...mail, to: 'no body' }, keyed('fixed'))).status, 400);
    assert.equal((await api.post(SEND, { ...mail, from: 'not-mine' }, keyed('fixed'))).status, 403);
    const corrected = await api.post(SEND, mail, keyed('fixed'));
    assert.deepEqual([corrected.status, isReplay(corrected), await sent()], [201, false, 1]);
  });

  it('expires after exactly 24 hours', async () => {
    const { t } = suite;
    const { api, mail } = await sender(t);
    const first = await api.post(SEND, mail, keyed('day'));
    t.clock.advance(DAY_MS - 1);
    assert.ok(isReplay(await api.post(SEND, mail, keyed('day'))));
    t.clock.advance(1);
    const next = await api.post(SEND, { ...mail, text: 'The next day' }, keyed('day'));
    assert.deepEqual([next.status, isReplay(next)], [201, false]);
    assert.notEqual(next.body.id, first.body.id);
    assert.ok(isReplay(await api.post(SEND, { ...mail, text: 'The next day' }, keyed('day'))));
  });
});

onEngines('any', 'the scope of an Idempotency-Key', BEHIND_PROXY, (suite) => {
  it('two accounts may use the same key', async () => {
    const { t } = suite;
    const [ada, bob] = [await t.createAccount(), await t.createAccount()];
    for (const [{ api }, email] of [
      [ada, 'ada@example.com'],
      [bob, 'bob@example.com'],
    ] as const) {
      const reply = await api.post(RECOVERY, { email }, keyed('shared'));
      assert.deepEqual([reply.status, reply.body.recovery_email, isReplay(reply)], [200, email, false]);
    }
  });

  it('an API key and a session of one account share a scope', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.post(RECOVERY, { email: 'ada@example.com' }, keyed('rotated'));
    const rotated = t.api((await api.post('/v1/auth/keys/rotate')).body.api_key);
    assert.ok(isReplay(await rotated.post(RECOVERY, { email: 'ada@example.com' }, keyed('rotated'))));
  });

  it('callers without an account have one scope for each IP address', async () => {
    const { t } = suite;
    const create = (ip: string) => t.api().post(KEYS, {}, { ...keyed('stranger'), 'x-forwarded-for': ip });
    assert.equal((await create('198.51.100.1')).status, 201);
    assert.equal(refusal(await create('198.51.100.1')), '409 idempotency_secret_spent');
    assert.equal((await create('198.51.100.2')).status, 201);
  });

  it('a caller needs a valid credential to get a replay', async () => {
    const { t } = suite;
    const { api, key } = await t.createAccount();
    await api.post(RECOVERY, { email: 'ada@example.com' }, keyed('closed'));
    const stranger = await t.api(`${key}x`).post(RECOVERY, { email: 'ada@example.com' }, keyed('closed'));
    assert.deepEqual([stranger.status, isReplay(stranger)], [401, false]);
  });

  it('400 invalid_request: a key that is empty, over 255 characters, or not printable ASCII', async () => {
    const { api } = await suite.t.createAccount();
    const send = (key: string) => api.post(RECOVERY, { email: 'ada@example.com' }, keyed(key));
    for (const key of ['', 'x'.repeat(256), 'caf\u00e9', 'tab\there']) {
      const refused = await send(key);
      assert.equal(refusal(refused), '400 invalid_request', JSON.stringify(key));
      assert.equal(refused.body.details[0].path, '/header/idempotency-key');
    }
    for (const key of ['x', 'x'.repeat(255), 'with space', '~!@#$%^&*()'])
      assert.equal((await send(key)).status, 200, JSON.stringify(key));
    assert.equal((await api.get('/v1/account/me')).body.recovery_email, 'ada@example.com');
  });
});
