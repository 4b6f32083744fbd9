import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { loginLinks, newPerson, plainToken } from '../support/operators.ts';

/**
 * Every test service searches its database for what it showed when it stops (test/support/secrets.ts). These tests store
 * such a secret in the clear and see that the search finds it.
 */

const keep = (t: TestApp, { accountId }: TestAccount, text: string) =>
  t.sql('update accounts set name = ? where id = ?', text, accountId);

const cases: Record<string, (t: TestApp, account: TestAccount) => Promise<string>> = {
  'a key': async (_, { key }) => key,
  'a key inside other text': async (_, { key }) => `{"headers":"Bearer ${key}, */*"}`,
  'a session of a redirect': plainToken,
  'a mailed link': async (t, { api }) => {
    const email = newPerson(t);
    await api.post('/v1/account/recovery-email', { email });
    return (await loginLinks(t, email))[0] as string;
  },
  'a feed link': async (_, { api }) => (await api.get('/v1/calendar/feed')).body.cal_token,
};

describe('the search of a stopped service’s database for secrets', () => {
  for (const engine of ['sqlite', 'postgres'] as const)
    it(`${engine}: finds what is stored in the clear, and nothing else`, async () => {
      const clean = await startTestApp(engine);
      for (const secret of Object.values(cases)) await secret(clean, await clean.createAccount());
      await clean.stop();
      // What a secret is does not depend on the engine, only how its rows are read.
      const found = Object.entries(cases).slice(0, engine === 'sqlite' || IS_FULL_RUN ? undefined : 1);
      for (const [name, secret] of found) {
        const t = await startTestApp(engine);
        const account = await t.createAccount();
        await keep(t, account, await secret(t, account));
        await assert.rejects(t.stop(), /^Error: the database holds a secret/, name);
      }
    });
});
