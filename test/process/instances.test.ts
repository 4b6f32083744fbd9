import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { freshDatabase, runSql, tokenIn } from '../support/harness.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

/** {@link ROOMY_LIMITS} with a limit on the requests of a day. */
const limitedTo = (requestsPerDay: number): string => {
  const limits = JSON.parse(ROOMY_LIMITS);
  return JSON.stringify({ ...limits, free: { ...limits.free, requests_per_day: requestsPerDay } });
};

const REQUESTS_PER_DAY = 500;

const ROTATIONS = process.env.SIGNET_LONG ? 200 : IS_FULL_RUN ? 60 : 12;
/** How often two calls race. */
const RACES = IS_FULL_RUN ? 20 : 5;

let env: Record<string, string>;
let drop: () => Promise<void>;
let a: Service;
let b: Service;

const sql = (text: string, ...params: unknown[]): Promise<Record<string, unknown>[]> =>
  runSql(readConfig(env), text, params);

async function createKey(service: Service): Promise<string> {
  const reply = await service.api().post('/v1/auth/keys');
  assert.equal(reply.status, 201, reply.text);
  return reply.body.api_key;
}

async function claimed(service: Service, key: string, address: string): Promise<void> {
  assert.equal((await service.api(key).post('/v1/email/claim', { address })).status, 201);
}

describe('two instances over one PostgreSQL', () => {
  before(async () => {
    ({ env, drop } = await freshDatabase('postgres'));
    const settings = { ...env, LIMITS: limitedTo(REQUESTS_PER_DAY) };
    // Start both at once on an empty database: the second waits for the migrations of the first.
    [a, b] = await Promise.all([startService(settings), startService(settings)]);
  });
  after(async () => {
    const exits = await Promise.all([a?.kill('SIGTERM'), b?.kill('SIGTERM')]);
    await drop();
    assert.deepEqual(
      exits.map((exit) => exit?.code),
      [0, 0],
    );
  });

  it(`${ROTATIONS} times: the next request to the other instance refuses a key that one rotated`, async () => {
    let key = await createKey(a);
    for (let round = 0; round < ROTATIONS; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a];
      assert.equal((await there.api(key).get('/v1/account/me')).status, 200);
      const rotated = await here.api(key).post('/v1/auth/keys/rotate');
      assert.equal(rotated.status, 200, rotated.text);
      assert.equal((await there.api(key).get('/v1/account/me')).status, 401, `round ${round}`);
      key = rotated.body.api_key;
      // Another test covers the meter.
      if (round % 100 === 99) key = await createKey(a);
    }
  });

  it(`${RACES} times: an address claimed through both at once by 10 accounts has one owner`, async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => createKey(a)));
    for (let round = 0; round < RACES; round++) {
      const claims = keys.map((key, n) =>
        (n % 2 === 0 ? a : b).api(key).post('/v1/email/claim', { address: `raced-${round}` }),
      );
      const replies = await Promise.all(claims);
      const won = replies.filter(({ status }) => status === 201);
      assert.equal(won.length, 1);
      assert.ok(replies.every(({ status, body }) => status === 201 || body.error === 'address_unavailable'));
      const [row] = await sql('select account_id from addresses where address = ?', `raced-${round}@agents.localhost`);
      assert.equal(row?.account_id, won[0]?.body.account_id);
    }
  });

  it('each instance counts the requests of the other within moments, and both refuse when the sum is used up', async () => {
    const key = await createKey(a);
    const remaining = async (service: Service): Promise<number> =>
      Number((await service.api(key).get('/v1/account/me')).headers.get('ratelimit-remaining'));
    assert.equal(await remaining(b), REQUESTS_PER_DAY - 1);
    for (let i = 0; i < 100; i++) assert.equal((await a.api(key).get('/v1/account/me')).status, 200);
    await eventually(async () => (await remaining(b)) < REQUESTS_PER_DAY - 100, 'b counts what a has admitted');

    const spend = async (service: Service): Promise<number> => {
      let admitted = 0;
      while ((await service.api(key).get('/v1/account/me')).status === 200) admitted += 1;
      return admitted;
    };
    await spend(a);
    // Until then b can admit some requests. It learns of those of a within a second.
    await eventually(async () => (await b.api(key).get('/v1/account/me')).status === 429);
    assert.equal((await a.api(key).get('/v1/account/me')).status, 429);
  });

  it(`${RACES} times: a send with one Idempotency-Key to both at once is one mail and one reply`, async () => {
    const key = await createKey(a);
    await claimed(a, key, 'repeater');
    for (let round = 0; round < RACES; round++) {
      const mail = { from: 'repeater', to: 'repeater@agents.localhost', subject: `once ${round}`, text: 'one mail' };
      const send = (service: Service) =>
        service.api(key).post('/v1/email/send', mail, { 'idempotency-key': `round-${round}` });
      const replies = await Promise.all([send(a), send(b), send(a), send(b)]);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [201, 201, 201, 201],
      );
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1, 'the same bytes');
      const replayed = replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
      assert.equal(replayed.length, 3);
      const sent = await sql('select id from messages where subject = ?', `once ${round}`);
      assert.equal(sent.length, 1);
    }
  });

  it('mail accepted by one can be read through the other at once', async () => {
    const key = await createKey(a);
    await claimed(a, key, 'traveller');
    for (let round = 0; round < RACES; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a];
      const mail = { from: 'traveller', to: 'traveller@agents.localhost', subject: `mail ${round}`, text: 'hello' };
      assert.equal((await here.api(key).post('/v1/email/send', mail)).status, 201);
      const { messages } = (await there.api(key).get('/v1/email/inbox?address=traveller&limit=1')).body;
      assert.equal(messages[0]?.subject, `mail ${round}`);
    }
  });

  it('both refuse an account that was suspended in the database after the signal, and serve it again later', async () => {
    const { api_key: key, account_id: accountId } = (await a.api().post('/v1/auth/keys')).body;
    const statuses = (): Promise<number[]> =>
      Promise.all([a, b].map(async (service) => (await service.api(key).get('/v1/account/me')).status));
    assert.deepEqual(await statuses(), [200, 200]);
    for (const [status, answer] of [
      ['suspended', 403],
      ['active', 200],
    ] as const) {
      await sql('update accounts set status = ? where id = ?', status, accountId);
      // The signal that any process sends after it changes an account: sender and topic.
      await sql(`select pg_notify('signet', 'somebody-else accounts')`);
      await eventually(async () => (await statuses()).every((got) => got === answer), status);
    }
  });

  it('only one instance makes a login mail that both could make', async () => {
    const outbox = join(env.DATA_DIR as string, 'outbox');
    const people = Array.from({ length: 20 }, (_, n) => `person-${n}@example.org`);
    for (const email of people) assert.equal((await a.api().post('/v1/auth/keys', { email })).status, 201);
    const asked = people.map((email, n) => (n % 2 === 0 ? a : b).api().post('/v1/auth/login', { email }));
    for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
    await eventually(async () => (await sql('select id from jobs')).length === 0, 'the queue is empty');
    const mails = readdirSync(outbox)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(outbox, name), 'utf8'));
    for (const email of people) assert.equal(mails.filter((mail) => mail.includes(`To: ${email}`)).length, 2, email);
    assert.equal(mails.length, 2 * people.length, 'a login mail and a question for each');
  });

  it('a session opened through one is valid at the other', async () => {
    const email = 'roaming@example.org';
    const { account_id: accountId } = (await a.api().post('/v1/auth/keys', { email })).body;
    await a.api().post('/v1/auth/login', { email });
    const outbox = join(env.DATA_DIR as string, 'outbox');
    const mail = (): string | undefined =>
      readdirSync(outbox)
        .filter((name) => name.endsWith('.eml'))
        .map((name) => readFileSync(join(outbox, name), 'utf8'))
        .find((text) => text.includes(`To: ${email}`) && text.includes('/login#'));
    const token = tokenIn(await eventually(mail));
    const links = [a, b, a, b].map((service) => service.api().get(`/v1/auth/verify?token=${token}`));
    const opened = (await Promise.all(links)).filter(({ status }) => status === 302);
    assert.equal(opened.length, 1, 'one use of the link, wherever it arrives');
    const session = opened[0]?.headers.get('location')?.split('#session=')[1] as string;
    for (const service of [a, b]) assert.equal((await service.api(session).get('/v1/account/me')).body.id, accountId);
  });
});
