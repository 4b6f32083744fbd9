import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOMY_LIMITS, type Service, startService } from '../../test/process/service.ts';

/** A folder on the disk for temporary files. On a memory file system every fsync would be free. */
export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'signet-bench-'));

/** What `bin/signet` runs, in words. */
export const ranFrom = (): string =>
  existsSync('dist/service/main.js') ? 'from dist/service, if it is current' : 'from the sources: npm run build first';

/** With the flags that bin/signet gives a built service. */
const NODE = [
  ...['sh', 'bin/node', '--disable-warning=ExperimentalWarning'],
  ...['--max-semi-space-size=32', '--no-allocation-site-pretenuring'],
];

/** Runs `work` with a new service in a separate process. It has empty data, by default on SQLite, and high limits. */
export async function withService<T>(
  {
    databaseUrl,
    env: more = {},
    ...options
  }: {
    batchMax?: number;
    synchronous?: 'FULL' | 'NORMAL';
    databaseUrl?: string;
    env?: Readonly<Record<string, string>>;
  },
  work: (service: Service, dataDir: string) => Promise<T>,
): Promise<T> {
  const dataDir = newDataDir();
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
  const env = { DATA_DIR: dataDir, LIMITS: ROOMY_LIMITS, ...database, ...more };
  try {
    const service = await startService(env, [...NODE, 'bench/rig/server.ts', JSON.stringify(options)]);
    try {
      return await work(service, dataDir);
    } finally {
      await service.kill('SIGTERM');
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
