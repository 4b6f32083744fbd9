import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const codeOf = (err: unknown): string | undefined => (err as NodeJS.ErrnoException).code;

/** The text of a file, or null if it does not exist. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return null;
    throw err;
  }
}

/** Writes beside the file, on disk and readable for its owner alone, then lets `place` put the draft where it belongs. */
async function draft(path: string, text: string, place: (draftPath: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draftPath = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draftPath, 'wx', 0o600);
    await file.writeFile(text).then(() => file.sync());
    await file.close();
    await place(draftPath);
  } finally {
    await rm(draftPath, { force: true });
  }
}

/** Creates the file unless it already exists; an existing file stays. */
export async function makePrivateFile(path: string, text: string): Promise<void> {
  await draft(path, text, async (draftPath) => {
    try {
      // A link and not a rename: it fails if the file exists, because the existing key may already be in use.
      await link(draftPath, path);
    } catch (err) {
      if (codeOf(err) !== 'EEXIST') throw err;
    }
  });
}

/** Replaces the file atomically: a reader sees the old one or the new one. */
export const replacePrivateFile = (path: string, text: string): Promise<void> =>
  draft(path, text, (draftPath) => rename(draftPath, path));
