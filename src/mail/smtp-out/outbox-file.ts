import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns a function that writes one message to `<dir>/<id>.eml` and returns its path. A reader sees the whole
 * file or none, and it survives a crash: temporary name, fsync, rename, fsync of the directory. Mails hold login links,
 * so only the owner can read the files. Throws for an id that is not `A-Za-z0-9_-`, and whatever the file system
 * throws.
 */
export function createOutbox(dir: string): (id: string, raw: Buffer) => Promise<string> {
  return async (id, raw) => {
    if (!/^[A-Za-z0-9_-]{1,200}$/.test(id)) throw new Error('an outbox id is made of A-Z a-z 0-9 _ -');
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, `${id}.eml`);
    const draft = join(dir, `.${id}.tmp`);
    try {
      await writeDurably(draft, raw);
      await rename(draft, path);
    } catch (err) {
      await rm(draft, { force: true });
      throw err;
    }
    await syncDirectory(dir);
    return path;
  };
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
