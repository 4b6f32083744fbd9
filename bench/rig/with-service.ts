import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOMY_LIMITS, type Service, startService } from '../../test/process/service.ts';

/** A folder on the disk that the system keeps temporary files on; a memory file system would make every fsync free. */
export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'signet-bench-'));

const NODE = ['sh', 'bin/node', '--disable-warning=ExperimentalWarning'];

/** Runs `work` beside a service of its own on fresh SQLite data, in a process of its own, with room in its limits. */
export async function withService<T>(
  options: { batchMax?: number; synchronous?: 'FULL' | 'NORMAL' },
  work: (service: Service, dataDir: string) => Promise<T>,
): Promise<T> {
  const dataDir = newDataDir();
  const env = { DATA_DIR: dataDir, LIMITS: ROOMY_LIMITS };
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
