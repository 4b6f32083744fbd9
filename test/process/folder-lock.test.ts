import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshDatabase } from '../support/harness.ts';
import { runService, startService } from './service.ts';

describe('two services on one SQLite folder', () => {
  it('the second does not start and reports why; the first keeps serving; after a kill -9 of the first another one starts', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const first = await startService(env);
    try {
      const { api_key: key } = (await first.api().post('/v1/auth/keys')).body;
      const { code, stdout, stderr } = await runService(env);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^signet: [^\n]+\n$/);
      assert.ok(stderr.includes(`DATA_DIR is ${JSON.stringify(env.DATA_DIR)}`), stderr);
      assert.match(stderr, /another service runs on this folder: stop it first, or .*DATABASE_URL/);
      assert.equal((await first.api(key).get('/v1/account/me')).status, 200);
      await first.kill('SIGKILL');
      const next = await first.restart();
      assert.equal((await next.api(key).get('/v1/account/me')).status, 200);
      assert.equal((await next.kill('SIGTERM')).code, 0);
    } finally {
      await first.kill('SIGKILL');
      await drop();
    }
  });
});
