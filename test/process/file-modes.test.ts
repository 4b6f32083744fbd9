import assert from 'node:assert/strict';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshDatabase } from '../support/harness.ts';
import { runService, startService } from './service.ts';

const PERMISSIVE = ['sh', '-c', 'umask 0; exec sh bin/signet serve'];

describe('M12: the files of the service', () => {
  it('are their owner’s alone, in a folder that was open before, under a permissive umask', async () => {
    const { env, drop } = await freshDatabase('sqlite', { empty: true });
    const dataDir = env.DATA_DIR as string;
    chmodSync(dataDir, 0o777);
    const service = await startService(env, PERMISSIVE);
    try {
      const { api_key: key } = (await service.api().post('/v1/auth/keys', { email: 'ada@example.com' })).body;
      await service.api(key).post('/v1/email/claim', { address: 'ada' });
      await service.api().post('/v1/auth/login', { email: 'ada@example.com' });
      const files = (): string[] => readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
      await eventually(() => files().some((file) => /^outbox\/.*\.eml$/.test(file)));
      const made = files();
      for (const name of ['signet.db', 'signet.db-wal', 'signet.db-shm', 'signing-key.json', 'outbox'])
        assert.ok(made.includes(name), `${name} in ${made}`);
      // A file that is being written has another name for a moment.
      const modeOf = (file: string): number => statSync(join(dataDir, file), { throwIfNoEntry: false })?.mode ?? 0;
      assert.deepEqual(
        made.filter((file) => (modeOf(file) & 0o077) !== 0),
        [],
      );
    } finally {
      await service.kill('SIGKILL');
      await drop();
    }
  });
});

describe('M4: development mode', () => {
  it('does not start on a public BASE_URL, with one line that says why', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const { code, stdout, stderr } = await runService({
      ...env,
      DEVELOPMENT: 'on',
      BASE_URL: 'https://id.example.com',
    });
    await drop();
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^signet: DEVELOPMENT is "on"; [^\n]*BASE_URL[^\n]*\n$/);
  });
});
