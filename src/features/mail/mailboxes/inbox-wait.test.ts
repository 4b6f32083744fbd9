import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { type ApiReply, createApi, onEngines, startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { untilRequestsWait } from '../../../../test/support/stream-client.ts';
import { startApp } from '../../../app.ts';
import { WAITS_PER_ACCOUNT } from '../../../events/event-wait.ts';

let names = 0;

const deliver = async (t: TestApp, { api, address }: TestAgent, subject: string): Promise<void> => {
  t.clock.advance(1000);
  const sent = await api.post('/v1/email/send', { from: address, to: address, subject, text: 'x' });
  assert.equal(sent.status, 201, sent.text);
};

const ALIASES: [string, (of: TestAgent, query: string) => Promise<ApiReply>, (reply: ApiReply) => unknown[]][] = [
  [
    '/v1/email/inbox',
    ({ api, address }, query) => api.get(`/v1/email/inbox?address=${address}&${query}`),
    ({ body }) => body.messages.map(({ subject }: { subject: string }) => subject),
  ],
  [
    '/v1/inbox/{address}',
    ({ api, address }, query) => api.get(`/v1/inbox/${address}?${query}`),
    ({ body }) => body.messages.map(({ subject }: { subject: string }) => subject),
  ],
];

onEngines('any', '?wait=', {}, (suite) => {
  for (const [path, get, found] of ALIASES) {
    it(`GET ${path} answers at once when there is mail, else when mail arrives`, async () => {
      const { t } = suite;
      const ada = await createAgent(t);
      const pending = get(ada, 'wait=60');
      await untilRequestsWait(t, 1);
      await deliver(t, ada, 'first');
      assert.deepEqual(found(await pending), ['first']);
      assert.deepEqual(found(await get(ada, 'wait=60')), ['first']);
      await untilRequestsWait(t, 0);
    });

    it(`GET ${path} answers an empty list after the time; wait is 1 to 60`, async () => {
      const ada = await createAgent(suite.t);
      const reply = await get(ada, 'wait=1');
      assert.deepEqual([reply.status, found(reply)], [200, []]);
      for (const wait of ['0', '61', '-1', 'x', '1.5', '']) assert.equal((await get(ada, `wait=${wait}`)).status, 400);
    });
  }

  it('waits for mail that matches the filter, for SMTP mail, and after claiming the address', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const ada = { ...account, address: `wait-${names++}@agents.localhost` };
    const pending = ALIASES[0]?.[1](ada, 'wait=60&unread=true&q=needle');
    await untilRequestsWait(t, 1);
    // The hay wakes both, and only one of them takes it.
    const hay = ALIASES[0]?.[1](ada, 'wait=60');
    await untilRequestsWait(t, 2);
    await deliver(t, ada, 'hay');
    assert.equal((await hay)?.body.messages.length, 1);
    await untilRequestsWait(t, 1);
    await t.sendSmtp({ to: ada.address, subject: 'found', text: 'a needle' });
    assert.deepEqual(
      (await pending)?.body.messages.map(({ subject }: { subject: string }) => subject),
      ['found'],
    );
  });

  it('refuses the 21st waiting request of an account, not of another; a closed connection frees a slot', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const leave = new AbortController();
    const url = `${t.baseUrl}/v1/email/inbox?address=${ada.address}&wait=60`;
    const requests = Array.from({ length: WAITS_PER_ACCOUNT }, () =>
      fetch(url, { headers: { authorization: `Bearer ${ada.key}` }, signal: leave.signal }).catch(() => null),
    );
    await untilRequestsWait(t, WAITS_PER_ACCOUNT);
    const refused = await ada.api.get(`/v1/inbox/${ada.address}?wait=1`);
    assert.deepEqual(
      [refused.status, refused.body.error, refused.headers.get('retry-after')],
      [429, 'rate_limited', '1'],
    );
    assert.equal((await bob.api.get(`/v1/inbox/${bob.address}?wait=1`)).status, 200);
    leave.abort();
    await Promise.all(requests);
    await untilRequestsWait(t, 0);
    assert.equal((await ada.api.get(`/v1/inbox/${ada.address}?wait=1`)).status, 200);
  });

  it('answers 401 without mail when the key is revoked meanwhile; refuses another account', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const eve = await t.createAccount();
    assert.equal((await eve.api.get(`/v1/inbox/${ada.address}?wait=60`)).body.error, 'address_forbidden');
    const pending = ada.api.get(`/v1/email/inbox?address=${ada.address}&wait=60`);
    await untilRequestsWait(t, 1);
    await ada.api.post('/v1/auth/keys/rotate');
    assert.equal((await pending).status, 401);
    await untilRequestsWait(t, 0);
  });
});

onEngines('both', '?wait=', {}, (suite) => {
  it('a stop answers waiting requests at once; on PostgreSQL mail of another instance wakes them', async () => {
    const { t } = suite;
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const isShared = t.engine === 'postgres';
    // A folder has one service; on SQLite the one that stops is on its own.
    const other = isShared ? await startApp(t.config, log, { clock: t.clock }) : await startTestApp('sqlite');
    const ada = await createAgent(isShared ? t : (other as TestApp));
    const api = createApi(other.baseUrl, ada.key);
    const path = `/v1/email/inbox?address=${ada.address}&wait=60`;
    try {
      if (isShared) {
        const woken = api.get(path);
        await untilRequestsWait(other, 1);
        await deliver(t, ada, 'from the other side');
        assert.equal((await woken).body.messages[0].subject, 'from the other side');
      }
    } finally {
      const late = api.get(`${path}&q=never`);
      await untilRequestsWait(other, 1);
      await other.stop();
      assert.deepEqual([(await late).status, (await late).body.messages], [200, []]);
    }
  });
});
