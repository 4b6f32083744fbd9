import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runService, type Service } from '../process/service.ts';
import { outlive } from './outlive.ts';
import { sizeOf } from './size.ts';
import { fill, mayMount, onSmallDisk, run } from './small-disk.ts';

const ROUNDS = sizeOf(20);
/** Ten times the promised 2 s. */
const BOUND_MS = 20_000;

describe('the disk of SQLite', { skip: mayMount }, () => {
  for (const [what, minimum] of [
    ['to the last byte', '1'],
    ['up to DISK_FREE_MIN', String(32 * 1_048_576)],
  ] as const)
    it(`full ${what}: 503 until there is space, and nothing acknowledged is lost`, async (t) => {
      await onSmallDisk(256, async (folder) => {
        await outlive(t, {
          what: `disk of SQLite full ${what}`,
          rounds: ROUNDS,
          boundMs: BOUND_MS,
          envs: [{ DATA_DIR: join(folder, 'data'), DISK_FREE_MIN: minimum }],
          trouble: async ({ services: [service], random }) => {
            const empty = fill(folder);
            await sleep(3000 * random());
            assert.equal((await (service as Service).api().get('/health')).status, 200, 'it reads');
            empty();
          },
        });
      });
    });

  it('killed while the disk is full: it starts when there is space', async (t) => {
    await onSmallDisk(256, async (folder) => {
      await outlive(t, {
        what: 'kill -9 on a full disk of SQLite',
        rounds: ROUNDS,
        boundMs: BOUND_MS,
        envs: [{ DATA_DIR: join(folder, 'data'), DISK_FREE_MIN: '1' }],
        trouble: async ({ services, random }) => {
          const empty = fill(folder);
          await sleep(1000 * random());
          await (services[0] as Service).kill('SIGKILL');
          empty();
          services[0] = await (services[0] as Service).restart();
        },
      });
    });
  });

  it('read-only while it runs: it reads, and writes answer 503 until the disk is writable again', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'signet-readonly-'));
    // What the kernel does to every file of a disk that fails. An open database would keep a disk from being remounted.
    const files = ['signet.db', 'signet.db-wal'].map((name) => join(dataDir, name));
    const thaw = (): void => run('chattr', '-i', ...files);
    try {
      await outlive(t, {
        what: 'SQLite on a disk that becomes read-only',
        rounds: ROUNDS,
        boundMs: BOUND_MS,
        envs: [{ DATA_DIR: dataDir, DISK_FREE_MIN: '1' }],
        trouble: async ({ services: [service], random }) => {
          run('chattr', '+i', ...files);
          try {
            await sleep(3000 * random());
            const api = (service as Service).api();
            assert.equal((await api.get('/health')).status, 200);
            assert.equal((await api.get('/ready')).status, 200, 'it reads the database');
            const refused = await api.post('/v1/auth/keys');
            assert.deepEqual([refused.status, refused.body.error], [503, 'storage_unavailable']);
          } finally {
            thaw();
          }
        },
      });
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('read-only: the service does not start, and says why; then it starts with everything', async (t) => {
    await onSmallDisk(256, async (folder) => {
      const dataDir = join(folder, 'data');
      await outlive(t, {
        what: 'SQLite on a disk that is read-only at a start',
        rounds: Math.min(ROUNDS, 5),
        boundMs: BOUND_MS,
        envs: [{ DATA_DIR: dataDir, DISK_FREE_MIN: '1' }],
        trouble: async ({ services }) => {
          await (services[0] as Service).kill('SIGKILL');
          run('mount', '-o', 'remount,ro', folder);
          const { code, stdout, stderr } = await runService({ DATA_DIR: dataDir });
          run('mount', '-o', 'remount,rw', folder);
          assert.notEqual(code, 0);
          assert.match(stdout + stderr, /read.?only|EROFS/i);
          assert.ok(existsSync(join(dataDir, 'signet.db')));
          services[0] = await (services[0] as Service).restart();
        },
      });
    });
  });
});
