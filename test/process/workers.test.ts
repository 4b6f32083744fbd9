import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshDatabase } from '../support/harness.ts';
import { refuses } from './command-line.ts';
import { launch, ROOMY_LIMITS, startService } from './service.ts';

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Empty when the process has ended. */
const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

it('WORKERS=2 on SQLite stops the start with one line', async () => {
  const { env, drop } = await freshDatabase('sqlite');
  await refuses({ ...env, WORKERS: '2' }, 2, /WORKERS is "2"; .*SQLite.*DATABASE_URL/, 'serve');
  await refuses({ ...env, WORKERS: 'many' }, 2, /WORKERS is "many"; it must be a number from 1 to 64/, 'serve');
  await drop();
});

it('WORKERS=2: a SIGTERM while the first one starts ends the service', async () => {
  const { env, drop } = await freshDatabase('postgres');
  const run = launch({ ...env, PORT: '0', SMTP_PORT: '0', IMAP_PORT: '0', SUBMISSION_PORT: '0', WORKERS: '2' });
  // The shell before has children as well, which for a moment have its command line.
  const pid = run.child.pid as number;
  const starting = () =>
    (/^[^\0]*node\0/.test(commandOf(pid)) ? childrenOf(pid) : []).find((one) => /\/main\.[jt]s\0/.test(commandOf(one)));
  const { child } = run;
  // A service that ended by itself has nothing to wait for, and its output says why.
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const worker = await eventually(() => starting() ?? (ended() && 'none'), 'the first one starts');
  assert.ok(worker !== 'none', run.stdout() + run.stderr());
  run.child.kill('SIGTERM');
  assert.deepEqual(await run.exited, { code: 0, signal: null }, run.stdout() + run.stderr());
  assert.throws(() => process.kill(worker, 0), 'no worker is left');
  await drop();
});

it('WORKERS=2: both serve one port and count together; a killed one comes back, and nothing acknowledged is lost', async () => {
  const { env, drop } = await freshDatabase('postgres');
  const service = await startService({ ...env, LIMITS: ROOMY_LIMITS, WORKERS: '2' });
  const workers = (): number[] => childrenOf(service.pid);
  const close = { connection: 'close' };
  const isReady = (pid: number): boolean => service.stdout().includes(`"worker":${pid}`);
  await eventually(() => workers().filter(isReady).length === 2, 'both start');
  assert.equal(service.stdout().match(/signet listens on/g)?.length, 1);

  for (let i = 0; i < 40; i++) assert.equal((await service.api().get('/health', close)).status, 200);
  const counted = async (): Promise<number> => {
    const { text } = await service.api().get('/metrics', close);
    return Number(/^signet_http_requests_total\{[^}]*route="\/health"[^}]*\} (\d+)$/m.exec(text)?.[1]);
  };
  assert.deepEqual([await counted(), await counted(), await counted()], [40, 40, 40]);

  const keys: string[] = [];
  const load = { on: true };
  const clients = Array.from({ length: 4 }, async () => {
    while (load.on) {
      const made = await service
        .api()
        .post('/v1/auth/keys', {}, close)
        .catch(() => null);
      if (made?.status === 201) keys.push(made.body.api_key);
    }
  });
  await eventually(() => keys.length >= 20, 'accounts are made');
  const [victim = 0, other] = workers();
  process.kill(victim, 'SIGKILL');
  const known = keys.length;
  // The other one goes on alone.
  await eventually(() => keys.length >= known + 20, 'the other worker goes on');
  await eventually(
    () => workers().filter(isReady).length === 2 && !workers().includes(victim),
    'the killed worker comes back',
  );
  load.on = false;
  await Promise.all(clients);
  assert.ok(workers().includes(other as number));
  assert.match(service.stdout(), new RegExp(`"worker":${victim}.*a worker ended and is started again`));
  for (const key of keys) assert.equal((await service.api(key).get('/v1/account/me', close)).status, 200);

  // With none left the service goes on, too.
  const gone = workers();
  for (const pid of gone) process.kill(pid, 'SIGKILL');
  await eventually(() => workers().filter((pid) => isReady(pid) && !gone.includes(pid)).length === 2, 'both come back');

  const before = workers();
  assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null });
  for (const pid of before) assert.throws(() => process.kill(pid, 0), 'no worker is left');
  await drop();
});
