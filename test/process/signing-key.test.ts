import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import { freshDatabase } from '../support/harness.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const kidOf = (token: string): string => JSON.parse(atob(token.split('.')[0] as string)).kid;

async function isActive(service: Service, token: string): Promise<boolean> {
  return (await service.api().post('/v1/tokens/introspect', { token })).body.active;
}

async function publishedBy(service: Service): Promise<Set<string>> {
  const { keys } = (await service.api().get('/.well-known/jwks.json')).body as { keys: { kid: string }[] };
  return new Set(keys.map(({ kid }) => kid));
}

interface Issued {
  token: string;
  by: Service;
}

/** Issues tokens until stopped. Each is active at once, and every instance knows its key. */
function load(services: readonly Service[], key: string) {
  const issued: Issued[] = [];
  let running = true;
  const run = async (by: Service): Promise<void> => {
    while (running) {
      const wanted = { audience: 'https://api.example.com', scopes: ['a'] };
      const { status, text, body } = await by.api(key).post('/v1/tokens/issue', wanted);
      assert.equal(status, 201, text);
      assert.equal(await isActive(by, body.token), true, text);
      for (const service of services) assert.ok((await publishedBy(service)).has(kidOf(body.token)), text);
      issued.push({ token: body.token, by });
    }
  };
  const done = Promise.all(services.map(run));
  const stop = async (): Promise<void> => {
    running = false;
    await done;
  };
  return { issued, stop };
}

describe('signet signing-key rotate', () => {
  for (const [engine, instances] of [
    ['sqlite', 1],
    ['postgres', 2],
  ] as const) {
    const itHere = engine === 'postgres' ? it : itInAll;
    itHere(
      `under load, ${instances} × ${engine}: every token before and after it is valid everywhere, and a new key signs within 5 s`,
      async () => {
        const { env, drop } = await freshDatabase(engine);
        const services: Service[] = [];
        try {
          for (let i = 0; i < instances; i++) {
            const own = {
              ...env,
              LIMITS: ROOMY_LIMITS,
              DATA_DIR: join(env.DATA_DIR as string, `${i}`),
            };
            services.push(await startService(own));
          }
          const [first] = services as [Service];
          const { api_key: key } = (await first.api().post('/v1/auth/keys', {})).body;
          const { issued, stop } = load(services, key);
          await eventually(() => issued.length >= 20);
          const old = new Set(issued.map(({ token }) => kidOf(token)));
          const { PATH = '', HOME = '' } = process.env;
          const folder = join(env.DATA_DIR as string, '0');
          const command = { cwd: root, env: { PATH, HOME, ...env, DATA_DIR: folder }, encoding: 'utf8' } as const;
          const { ok, kid, retired } = JSON.parse(
            execFileSync('sh', ['bin/signet', 'signing-key', 'rotate', '--json'], command),
          );
          assert.deepEqual([ok, retired], [true, instances]);
          assert.equal(statSync(join(folder, 'signing-key.json')).mode & 0o777, 0o600);

          let seen = issued.length;
          await eventually(() => {
            const latest = issued.slice(seen);
            if (latest.length < instances * 2) return false;
            seen = issued.length;
            return latest.every(({ token }) => !old.has(kidOf(token)));
          }, 'a new key signs');
          await stop();
          const kids = new Set(issued.map(({ token }) => kidOf(token)));
          assert.ok(kids.has(kid));
          for (const { token, by } of issued) assert.equal(await isActive(by, token), true);
          for (const service of services) assert.deepEqual(await publishedBy(service), new Set([...old, ...kids]));
        } finally {
          await Promise.all(services.map((service) => service.kill('SIGTERM')));
          await drop();
        }
      },
    );
  }

  it('exits with 1 and a message if SIGNING_KEY is set', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    try {
      const { generateKeyPairSync } = await import('node:crypto');
      const SIGNING_KEY = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
      const { PATH = '', HOME = '' } = process.env;
      const options = { cwd: root, env: { PATH, HOME, ...env, SIGNING_KEY }, encoding: 'utf8', stdio: 'pipe' } as const;
      assert.throws(
        () => execFileSync('sh', ['bin/signet', 'signing-key', 'rotate'], options),
        (err: { status: number; stderr: string }) => err.status === 1 && /^signet: SIGNING_KEY is set/.test(err.stderr),
      );
    } finally {
      await drop();
    }
  });
});

describe('signet signing-key revoke', () => {
  it('two instances on postgres: the key leaves both JWKS at once, its tokens are inactive, and a new key signs', async () => {
    const { env, drop } = await freshDatabase('postgres');
    const services: Service[] = [];
    try {
      const folders = [0, 1].map((i) => join(env.DATA_DIR as string, `${i}`));
      for (const DATA_DIR of folders) services.push(await startService({ ...env, LIMITS: ROOMY_LIMITS, DATA_DIR }));
      const [first] = services as [Service];
      const { api_key: key } = (await first.api().post('/v1/auth/keys', {})).body;
      const issue = async (by: Service) =>
        by.api(key).post('/v1/tokens/issue', { audience: 'https://api.example.com', scopes: ['a'] });
      const { token, jti } = (await issue(first)).body;
      assert.equal(await isActive(first, token), true);
      const stolen = kidOf(token);
      const { PATH = '', HOME = '' } = process.env;
      // From the other instance's folder, as an operator does who does not know whose key it is.
      const command = { cwd: root, env: { PATH, HOME, ...env, DATA_DIR: folders[1] }, encoding: 'utf8' } as const;
      const run = (...args: string[]) =>
        JSON.parse(execFileSync('sh', ['bin/signet', 'signing-key', 'revoke', ...args, '--json'], command));
      assert.deepEqual(run(stolen), { ok: true, kid: stolen, changed: true, tokens_ended: 1, replaced_by: null });
      assert.equal(await isActive(first, token), false);
      for (const service of services) {
        assert.equal((await service.api().get(`/v1/audit/${jti}`)).body.status, 'revoked');
        assert.ok(!(await publishedBy(service)).has(stolen));
      }
      await eventually(async () => (await issue(first)).status === 201);
      const next = (await issue(first)).body.token;
      assert.notEqual(kidOf(next), stolen);
      assert.equal(await isActive(first, next), true);
      for (const service of services) assert.ok((await publishedBy(service)).has(kidOf(next)));
      assert.equal(run(stolen).changed, false);
      assert.throws(() =>
        execFileSync('sh', ['bin/signet', 'signing-key', 'revoke', 'x'], { ...command, stdio: 'pipe' }),
      );
    } finally {
      await Promise.all(services.map((service) => service.kill('SIGTERM')));
      await drop();
    }
  });

  it('a revoked SIGNING_KEY: the service answers 503 signing_unavailable and does not start with it again', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const { generateKeyPairSync } = await import('node:crypto');
    const SIGNING_KEY = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
    const service = await startService({ ...env, SIGNING_KEY });
    try {
      const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
      const issue = () =>
        service.api(key).post('/v1/tokens/issue', { audience: 'https://api.example.com', scopes: ['a'] });
      const { token } = (await issue()).body;
      const { PATH = '', HOME = '' } = process.env;
      const command = { cwd: root, env: { PATH, HOME, ...env, SIGNING_KEY }, encoding: 'utf8' } as const;
      execFileSync('sh', ['bin/signet', 'signing-key', 'revoke', kidOf(token)], command);
      await eventually(async () => (await issue()).body.error === 'signing_unavailable');
      assert.equal(await isActive(service, token), false);
      assert.equal((await publishedBy(service)).size, 0);
      await service.kill('SIGTERM');
      await assert.rejects(startService({ ...env, SIGNING_KEY }), /SIGNING_KEY/);
    } finally {
      await service.kill('SIGTERM');
      await drop();
    }
  });
});
