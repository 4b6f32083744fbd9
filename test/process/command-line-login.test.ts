import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { IS_FULL_RUN, itInAll } from '../support/full-run.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { twoAgents } from '../support/operators.ts';
import { type Env, hosted, signet, startSignet, succeeds } from './command-line.ts';

/** Whether the main thread of a process waits for something, and how often it began to. */
function sleeps(pid: number | undefined): { now: boolean; times: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    now: /^State:\s+S/m.test(status),
    times: Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]),
  };
}

const SHORT = [['rotate'], ['call', 'secureAccount']];

/** The key that the command line keeps: what replaces it, and what may be lost. The browser is in oauth-consent.test.ts. */
describe('the stored key of the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-key-'));
  const env: Env = { XDG_CONFIG_HOME: folder };
  const file = join(folder, 'signet/login.json');
  let t: TestApp;
  let proxy: LossyProxy;
  before(async () => {
    const port = await freePort();
    proxy = await startLossyProxy(port);
    // The service is known by the address of the proxy.
    t = await startTestApp('sqlite', { env: { PORT: String(port), BASE_URL: proxy.url } });
  });
  after(async () => {
    proxy?.close();
    await t?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const storedKey = (): string => JSON.parse(readFileSync(file, 'utf8')).key;
  const works = async (key: string): Promise<number> => (await t.api(key).get('/v1/account/me')).status;
  /** Logs in with a key on stdin. */
  async function logInWith(input: string): Promise<number | null> {
    const login = startSignet(env, 'login', '--url', proxy.url, '--with-key');
    login.child.stdin.end(input);
    return (await login.ended).code;
  }

  it('--with-key reads the key from stdin; rotate and secure go on with the new one, also by call', async () => {
    const { key } = await t.createAccount();
    assert.equal(await logInWith('\n'), 2);
    assert.equal(existsSync(file), false);
    assert.equal(await logInWith(`${key}\n`), 0);
    const keys = [key];
    for (const command of IS_FULL_RUN ? [...SHORT, ['secure'], ['call', 'rotateKey']] : SHORT) {
      await succeeds(env, ...command);
      assert.equal(await works(storedKey()), 200, command.join(' '));
      assert.equal(await works(keys.at(-1) as string), 401);
      keys.push(storedKey());
    }
    assert.equal(new Set(keys).size, keys.length);
  });

  itInAll(
    'a signal that comes while the key is replaced waits until the new one is kept; a lost reply is told',
    async () => {
      const { key } = await t.createAccount();
      rmSync(file);
      assert.equal(await logInWith(key), 0);
      const held = proxy.hold('/v1/auth/keys/rotate');
      const { child, ended } = startSignet(env, 'rotate');
      const send = await held;
      assert.equal(await works(key), 401);
      const { pid } = child;
      await eventually(() => sleeps(pid).now);
      const { times } = sleeps(pid);
      child.kill('SIGTERM');
      // It woke up for the signal: a reply that comes at once may be read before that.
      await eventually(() => sleeps(pid).times > times);
      send();
      assert.equal((await ended).signal, 'SIGTERM');
      assert.equal(await works(storedKey()), 200);
      const lost = proxy.lose('/v1/auth/keys/rotate');
      const { code, stderr } = await signet(env, 'rotate');
      await lost;
      assert.equal(code, 3);
      assert.match(stderr, /its reply is lost/);
    },
  );

  itInAll('a reply with a key that is lost leaves no key behind that works, and keeps no login', async () => {
    rmSync(file);
    const { operator, agents } = await twoAgents(t);
    const login = startSignet(env, 'login', '--url', proxy.url, '--no-browser', '--scope', 'account:read');
    const { search } = new URL(await login.said(/log in at (\S+)\n/));
    const consent = { request: search, decision: 'allow', account_id: agents[0].accountId };
    const { redirect_to: to } = (await operator.post('/oauth/consent', consent)).body;
    const lost = proxy.lose('/oauth/token');
    assert.equal((await fetch(to)).status, 200);
    await lost;
    const { code, stderr } = await login.ended;
    assert.equal(code, 5, stderr);
    assert.match(stderr, /invalid_grant/);
    assert.equal(existsSync(file), false);
    const { keys } = (await agents[0].api.get('/v1/account/keys')).body;
    assert.deepEqual(
      keys.map(({ kind }: { kind: string }) => kind),
      ['primary'],
    );
    assert.equal((await signet(env, 'whoami')).code, 3);
  });

  it('A5 a key goes over no other key that may be kept nowhere else, and ends a granted one that it replaces', async () => {
    const { operator, agents } = await twoAgents(t);
    const [{ key: first, accountId }, { key: second }] = agents;
    const own: Env = { XDG_CONFIG_HOME: join(folder, 'a5'), SIGNET_URL: proxy.url };
    const stored = () => JSON.parse(readFileSync(join(folder, 'a5/signet/login.json'), 'utf8'));
    const logIn = async (key: string, ...args: string[]): Promise<number> =>
      (await hosted(own, ['login', '--with-key', ...args], key)).code;
    assert.equal(await logIn(first), 0);
    const refused = await hosted(own, ['login', '--with-key'], second);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, /kept nowhere else; choose another --profile, or forget it with --replace/);
    assert.equal((await hosted(own, ['login', '--key', second])).code, 2);
    assert.equal((await hosted({ ...own, SIGNET_KEY: second }, ['login'])).code, 2);
    assert.equal(stored().key, first);
    assert.equal(await logIn(first), 0, 'the same key may replace itself');
    assert.equal(await logIn(second, '--replace'), 0);
    assert.equal(stored().key, second);
    assert.equal(await works(first), 200, 'a key that no login got stays');
    const granted = async (): Promise<string> => {
      rmSync(join(folder, 'a5/signet/login.json'));
      const login = startSignet(own, 'login', '--no-browser', '--scope', 'account:read');
      const { search } = new URL(await login.said(/log in at (\S+)\n/));
      const consent = { request: search, decision: 'allow', account_id: accountId };
      await fetch((await operator.post('/oauth/consent', consent)).body.redirect_to);
      assert.equal((await login.ended).code, 0);
      return stored().key;
    };
    const former = await granted();
    assert.equal(await logIn(former), 0);
    assert.equal(await works(former), 200);
    assert.deepEqual(stored().granted.scopes, ['account:read'], 'logout still ends it');
    assert.equal(await logIn('signet_key_wrong'), 3);
    assert.equal(stored().key, former);
    assert.equal(await works(former), 200, 'a login that failed ends nothing');
    assert.equal(await logIn(first), 0);
    assert.equal(await works(former), 401);
    assert.deepEqual((await agents[0].api.get('/v1/account/grants')).body.grants, []);
    const another = await granted();
    assert.equal((await hosted(own, ['register', '--name', 'afive', '--replace'])).code, 0);
    assert.equal(await works(another), 401);
  });
});
