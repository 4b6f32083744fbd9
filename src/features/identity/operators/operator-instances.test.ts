import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Api, createApi, freshDatabase, runSql } from '../../../../test/support/harness.ts';
import { type App, startApp } from '../../../app.ts';
import { systemClock } from '../../../base/clock.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, mintToken, SESSION_PREFIX } from '../../../base/secret.ts';
import { type Config, readConfig } from '../../../config/service-config.ts';
import { insertPerson } from '../../account/people/person-store.ts';
import { insertSession } from '../login/session-store.ts';

const ME = '/v1/account/me';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Agent {
  accountId: string;
  key: string;
}

/** Two instances on one PostgreSQL. Each has cached the credential before the change on the other. */
describe('an operator on two instances of one database', () => {
  let instances: App[] = [];
  let config: Config;
  let drop: () => Promise<void>;
  let people = 0;
  const at = (i: number, key?: string): Api => createApi((instances[i % 2] as App).baseUrl, key);

  /** An operator of two agents, with a session of the first. */
  async function operated() {
    const email = `boss-${people++}@example.org`;
    const app = instances[0] as App;
    const agents: Agent[] = [];
    for (let i = 0; i < 2; i++) {
      const { account_id: accountId, api_key: key } = (await at(0).post('/v1/auth/keys')).body;
      const namedAt = systemClock.now();
      const named = {
        id: newId('per', namedAt),
        accountId,
        role: 'operator',
        address: email,
        namedAt,
        namedBy: 'x',
      } as const;
      await app.database.transaction((tx) =>
        insertPerson(tx, { ...named, oldWhenConfirmed: true, confirmedAt: namedAt, removalDueAt: null }),
      );
      agents.push({ accountId, key });
    }
    const token = mintToken(SESSION_PREFIX);
    const now = systemClock.now();
    const [first, second] = agents as [Agent, Agent];
    const session = { id: newId('ses', now), hash: hashSecret(token), accountId: first.accountId, email };
    await app.database.transaction((tx) =>
      insertSession(tx, {
        ...session,
        operator: true,
        method: 'link',
        keyHash: null,
        createdAt: now,
        expiresAt: now + 3_600_000,
      }),
    );
    const header = (agent: Agent) => ({ 'signet-account': agent.accountId });
    for (const i of [0, 1]) {
      for (const agent of agents) {
        assert.equal((await at(i, token).get(ME, header(agent))).status, 200);
        assert.equal((await at(i, agent.key).get(ME)).status, 200);
      }
    }
    return { email, token, first, second, header };
  }

  before(async () => {
    const database = await freshDatabase('postgres');
    drop = database.drop;
    const limits = { free: { requests_per_day: 1000 }, signups_per_ip_per_hour: 1000 };
    const env = {
      PORT: '0',
      SMTP_PORT: 'off',
      IMAP_PORT: 'off',
      SUBMISSION_PORT: 'off',
      LOG_LEVEL: 'silent',
      LIMITS: JSON.stringify(limits),
      ...database.env,
    };
    config = readConfig(env);
    instances = [await startApp(config, silent), await startApp(readConfig(env), silent)];
  });
  after(async () => {
    await Promise.all(instances.map((app) => app.stop()));
    await drop();
  });

  it('an operator whose row is gone has no access to the account on any instance with the next request', async () => {
    for (let i = 0; i < 5; i++) {
      const { email, token, first, second, header } = await operated();
      // No signal tells the instances: the row alone decides.
      await runSql(config, 'delete from people where account_id = ? and address = ?', [second.accountId, email]);
      for (const n of [i, i + 1]) {
        assert.equal((await at(n, token).get(ME, header(second))).status, 404);
        assert.equal((await at(n, token).get(ME, header(first))).status, 200);
      }
    }
  });

  it('a session ended on one instance, for one agent or whole, is refused on the other with the next request', async () => {
    for (let i = 0; i < 5; i++) {
      const { token, first, second, header } = await operated();
      const [{ id }] = (await at(i, second.key).get('/v1/account/sessions')).body.sessions;
      assert.equal((await at(i, second.key).delete(`/v1/account/sessions/${id}`)).status, 200);
      assert.equal((await at(i + 1, token).get(ME, header(second))).status, 404);
      assert.equal((await at(i + 1, token).get(ME, header(first))).status, 200);
      assert.equal((await at(i, token).post('/v1/auth/logout', {}, header(first))).status, 200);
      for (const agent of [first, second]) assert.equal((await at(i + 1, token).get(ME, header(agent))).status, 401);
    }
  });

  it('an agent suspended on one instance is refused on the other with the next request, and its stream there ends', async () => {
    for (let i = 0; i < 5; i++) {
      const { token, first, second } = await operated();
      const headers = { authorization: `Bearer ${second.key}` };
      const stream = await fetch(`${(instances[(i + 1) % 2] as App).baseUrl}/v1/events/stream?type=email.sent`, {
        headers,
      });
      assert.equal((await at(i, token).post(`/v1/operator/agents/${second.accountId}/suspend`)).status, 200);
      assert.equal((await at(i + 1, second.key).get(ME)).body.error, 'account_suspended');
      assert.equal((await at(i + 1, first.key).get(ME)).status, 200);
      assert.match(await stream.text(), /retry: 2000\n\n$/);
    }
  });
});
