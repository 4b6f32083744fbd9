import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from '../../src/config/service-config.ts';
import { itInAll } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';
import { ROOMY_LIMITS, runService, type Service, startService } from './service.ts';

type Env = Record<string, string>;

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

/** Starts the service, which must refuse with one line. @returns the line */
async function refused(env: Env): Promise<string> {
  const { code, stdout, stderr } = await runService(env);
  assert.ok(code !== null && code !== 0, stdout);
  assert.equal(stdout, '');
  assert.match(stderr, /^signet: [^\n]*MASTER_KEY[^\n]*\n$/);
  return stderr;
}

interface Hook {
  id: string;
  secret: string;
  key: string;
}

/** An account with a webhook and a feed link. */
async function hooked(service: Service, url: string, name: string): Promise<Hook & { feed: string }> {
  const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
  const api = service.api(key);
  const address = (await api.post('/v1/email/claim', { address: name })).body.address;
  const secret = `secret of ${name}`;
  const made = await api.post('/v1/email/webhooks', { address, url, secret });
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id, secret, key, feed: (await api.get('/v1/calendar/feed')).body.cal_token };
}

/** Checks that a webhook signs with its secret. */
async function signs(service: Service, { id, secret, key }: Hook, receiver: Awaited<ReturnType<typeof startReceiver>>) {
  const count = receiver.received.length;
  const sent = await service.api(key).post(`/v1/email/webhooks/${id}/test`);
  assert.ok(sent.status < 300, sent.text);
  const delivery = (await receiver.waitFor(count + 1)).at(-1);
  const mac = createHmac('sha256', secret)
    .update(delivery?.body ?? '')
    .digest('hex');
  assert.equal(delivery?.headers['x-service-signature'], `sha256=${mac}`);
}

async function showsFeed(service: Service, { key }: Hook, feed: string): Promise<void> {
  assert.equal((await service.api(key).get('/v1/calendar/feed')).body.cal_token, feed);
  assert.equal((await service.api().get(`/v1/calendar/feed.ics?cal_token=${feed}`)).status, 200);
}

describe('the master key', () => {
  it('SQLite: is made at the first start, readable for its owner alone; without it nothing starts', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const path = join(env.DATA_DIR as string, 'master.key');
    await (await startService(env)).kill('SIGTERM');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    assert.match(await refused(env), /MASTER_KEY is missing.*master\.key/);
    await assert.rejects(run('sh', ['bin/signet', 'account', 'list'], { cwd: root, env: { ...process.env, ...env } }));
    assert.throws(() => statSync(path), 'no other key is made');
    assert.match(await refused({ ...env, MASTER_KEY: keyOf(7) }), /MASTER_KEY is the wrong key/);
    writeFileSync(path, text);
    await (await startService(env)).kill('SIGTERM');
    await drop();
  });

  it('PostgreSQL: production needs it, development does not; a wrong or malformed one is refused', async () => {
    const fresh = await freshDatabase('postgres');
    const { MASTER_KEY: _, ...env } = fresh.env;
    assert.match(await refused({ ...env, BASE_URL: 'https://signet.example.com' }), /MASTER_KEY is not set/);
    await (await startService(env)).kill('SIGTERM');
    // Another instance, with a folder of its own.
    const other = { ...env, DATA_DIR: `${env.DATA_DIR}/other` };
    await (await startService(other)).kill('SIGTERM');
    assert.throws(() => statSync(join(env.DATA_DIR as string, 'master.key')), 'no file is made');
    assert.match(await refused({ ...other, MASTER_KEY: keyOf(7) }), /MASTER_KEY is the wrong key/);
    assert.match(await refused({ ...env, BASE_URL: 'https://signet.example.com' }), /MASTER_KEY is missing/);
    for (const wrong of ['hunter2', 'file:/no/such/file'])
      assert.doesNotMatch(await refused({ ...env, MASTER_KEY: wrong }), /hunter2/);
    await fresh.drop();
  });

  it('PostgreSQL: may be given by a file', async () => {
    const fresh = await freshDatabase('postgres');
    const path = join(fresh.env.DATA_DIR as string, 'key');
    writeFileSync(path, keyOf(9), { mode: 0o600 });
    await (await startService({ ...fresh.env, MASTER_KEY: `file:${path}` })).kill('SIGTERM');
    await (await startService({ ...fresh.env, MASTER_KEY: keyOf(9) })).kill('SIGTERM');
    await fresh.drop();
  });

  for (const engine of ['sqlite', 'postgres'] as const) {
    const itHere = engine === 'sqlite' ? it : itInAll;
    itHere(`${engine}: seals what an earlier version stored in the clear, and its links go on working`, async () => {
      const { env, drop } = await freshDatabase(engine);
      const config = readConfig(env);
      const receiver = await startReceiver(answer(200));
      let service = await startService(env);
      const hook = await hooked(service, receiver.url, 'early');
      const { body: me } = await service.api(hook.key).get('/v1/account/me');
      await service.kill('SIGTERM');
      // What version 0.1 stored: a key in the clear, from which the feed link follows.
      const former = 'f0'.repeat(32);
      const accountId = String((await runSql(config, 'select account_id from calendars', []))[0]?.account_id);
      assert.ok(accountId, JSON.stringify(me));
      const bytes = new Uint8Array(hkdfSync('sha256', former, '', `calendar feed ${accountId} 1`, 128));
      const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
      const feed = `cal_${Array.from(bytes, (byte) => (byte < 248 ? digits[byte % 62] : ''))
        .join('')
        .slice(0, 32)}`;
      const hash = createHash('sha256').update(feed).digest('hex');
      await runSql(config, 'update webhooks set secret = ?', [hook.secret]);
      await runSql(config, 'update calendars set feed_hash = ?, feed_token = null', [hash]);
      await runSql(config, 'delete from service_settings', []);
      await runSql(config, 'insert into service_settings (name, value) values (?, ?)', ['hash_key', former]);
      await runSql(config, 'delete from master_keys', []);
      // Two instances at once, where the database serves two.
      const count = engine === 'sqlite' ? 1 : 2;
      const services = await Promise.all(Array.from({ length: count }, () => startService(env)));
      for (service of services) {
        await signs(service, hook, receiver);
        await showsFeed(service, hook, feed);
      }
      const stored = JSON.stringify([
        await runSql(config, 'select * from webhooks', []),
        await runSql(config, 'select * from service_settings', []),
      ]);
      for (const secret of [hook.secret, former]) assert.ok(!stored.includes(secret));
      if (engine === 'sqlite')
        for (const name of ['signet.db', 'signet.db-wal']) {
          const content = readFileSync(join(config.dataDir, name), 'latin1');
          for (const secret of [hook.secret, former]) assert.ok(!content.includes(secret), `${name} still holds it`);
        }
      await Promise.all(services.map((each) => each.kill('SIGTERM')));
      await receiver.close();
      await drop();
    });

    itHere(
      `${engine}: signet master-key rotate under load loses nothing, and the key before opens nothing afterwards`,
      async () => {
        const fresh = await freshDatabase(engine);
        const env = { ...fresh.env, LIMITS: ROOMY_LIMITS };
        const receiver = await startReceiver(answer(200));
        const before = { ...env, MASTER_KEY: keyOf(1) };
        const both = { ...env, MASTER_KEY: keyOf(2), MASTER_KEY_PREVIOUS: keyOf(1) };
        const after = { ...env, MASTER_KEY: keyOf(2) };
        const command = { cwd: root, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...both } };
        const rotate = () => run('sh', ['bin/signet', 'master-key', 'rotate', '--json'], command);
        let service = await startService(before);
        const hooks = [];
        for (let i = 0; i < 10; i++) hooks.push(await hooked(service, receiver.url, `early-${i}`));
        await assert.rejects(
          run('sh', ['bin/signet', 'master-key', 'rotate'], {
            ...command,
            env: { ...command.env, ...before, MASTER_KEY_PREVIOUS: '' },
          }),
          /MASTER_KEY_PREVIOUS is not set/,
        );
        await assert.rejects(rotate(), /no service has been started with it/);
        await service.kill('SIGTERM');
        service = await startService(both);
        const load = { on: true };
        const clients = Array.from({ length: 4 }, async (_, client) => {
          for (let i = 0; load.on; i++) hooks.push(await hooked(service, receiver.url, `load-${client}-${i}`));
        });
        while (hooks.length < 20) await signs(service, hooks[0] as Hook, receiver);
        const { ok, sealed, unreadable } = JSON.parse((await rotate()).stdout);
        assert.ok(ok && sealed >= 21 && unreadable === 0, `${sealed} sealed, ${unreadable} unreadable`);
        load.on = false;
        await Promise.all(clients);
        await service.kill('SIGTERM');
        assert.match(await refused(before), /MASTER_KEY is the wrong key/);
        service = await startService(after);
        for (const hook of hooks) {
          await signs(service, hook, receiver);
          await showsFeed(service, hook, hook.feed);
        }
        await service.kill('SIGTERM');
        await receiver.close();
        await fresh.drop();
      },
    );
  }
});
