import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A file system in memory. Containers give it 64 MB, and some forbid programs there. */
const MEMORY = '/dev/shm';

/** Several times what the databases of a whole run take. */
const ROOM_BYTES = 4 * 2 ** 30;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 2 * ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * Where the databases of tests are; the runner decides once for all of them, in `SIGNET_TEST_FOLDER`. In memory if there is room: a copy of a database is a thousand files, and making them
 * on a disk takes longer than most tests do. The long profiles have more data, and stay on the disk.
 */
export const testFolder = (): string =>
  process.env.SIGNET_TEST_FOLDER ?? (process.env.SIGNET_LONG || !hasRoom() ? tmpdir() : MEMORY);
