import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApi, freshDatabase, runSql } from '../../../../test/support/harness.ts';
import { allow, askFor, REDIRECT, redeem, refresh } from '../../../../test/support/oauth-client.ts';
import { type App, startApp } from '../../../app.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, mintToken, SESSION_PREFIX } from '../../../base/secret.ts';
import { type Config, readConfig } from '../../../config/service-config.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** Far enough for a test on the real clock. */
const NEVER = Date.UTC(2099, 0);

/** Two instances on one PostgreSQL. */
describe('grants over two instances on one database', () => {
  let instances: App[] = [];
  let config: Config;
  let drop: () => Promise<void>;
  const at = (i: number) => ({ api: (key?: string) => createApi((instances[i] as App).baseUrl, key) });

  before(async () => {
    const database = await freshDatabase('postgres');
    drop = database.drop;
    const env = {
      PORT: '0',
      SMTP_PORT: 'off',
      IMAP_PORT: 'off',
      SUBMISSION_PORT: 'off',
      LOG_LEVEL: 'silent',
      ...database.env,
    };
    config = readConfig(env);
    instances = [await startApp(config, silent), await startApp(config, silent)];
  });
  after(async () => {
    await Promise.all(instances.map((app) => app.stop()));
    await drop();
  });

  /** An account, and the session of a person whose address it confirmed. */
  async function accountWithSession() {
    const { api_key: key, account_id: id } = (await at(0).api().post('/v1/auth/keys')).body;
    const [session, email] = [mintToken(SESSION_PREFIX), 'ann@example.org'];
    await runSql(
      config,
      `insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at)
       values (?, ?, 'recovery', ?, 0, 'test', 0, 0)`,
      [newId('per', 0), id, email],
    );
    await runSql(
      config,
      `insert into sessions (id, hash, account_id, email, operator, method, created_at, expires_at)
       values (?, ?, ?, ?, 0, 'link', 0, ?)`,
      [newId('ses', 0), hashSecret(session), id, email, NEVER],
    );
    return { key: key as string, session };
  }

  it('one of two parallel uses of a code or refresh token wins, and the other ends the grant on both instances', async () => {
    const { key, session } = await accountWithSession();
    const { client_id } = (
      await at(0)
        .api()
        .post('/oauth/register', { redirect_uris: [REDIRECT] })
    ).body;
    const letIn = async () => {
      const asking = askFor(client_id);
      return { asking, code: (await allow(at(0).api(session), asking)).get('code') as string };
    };
    const isActive = async (i: number, token: string): Promise<boolean> =>
      (await at(i).api(key).post('/v1/tokens/introspect', { token })).body.active;
    for (let round = 0; round < 3; round++) {
      const { asking, code } = await letIn();
      const codes = await Promise.all([0, 1].map((i) => redeem(at(i), asking, code)));
      assert.deepEqual(codes.map(({ status }) => status).sort(), [200, 400]);
      const again = await letIn();
      const tokens = (await redeem(at(1), again.asking, again.code)).body;
      assert.equal(await isActive(0, tokens.access_token), true);
      const both = await Promise.all([0, 1].map((i) => refresh(at(i), client_id, tokens.refresh_token)));
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
      for (const i of [0, 1]) assert.equal(await isActive(i, tokens.access_token), false);
    }
    const { asking, code } = await letIn();
    const { access_token } = (await redeem(at(0), asking, code)).body;
    assert.equal(await isActive(1, access_token), true);
    const [grant] = (await at(0).api(key).get('/v1/account/grants')).body.grants;
    assert.equal((await at(0).api(key).delete(`/v1/account/grants/${grant.id}`)).status, 200);
    assert.equal(await isActive(1, access_token), false);
  });
});
