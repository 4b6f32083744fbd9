import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';

/** Databases of released versions; `test/process/releases.test.ts` says what is in them. */
export const RELEASES = new URL('../corpus/releases/', import.meta.url).pathname;

const unpacked = (version: string, name: string): Buffer =>
  gunzipSync(readFileSync(join(RELEASES, version, `${name}.gz`)));

/** Writes the SQLite file that a version left. */
export const writeReleased = (version: string, path: string): void =>
  writeFileSync(path, unpacked(version, 'sqlite.db'));

/** Fills an empty PostgreSQL database with what a version left. */
export async function loadReleased(version: string, url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(unpacked(version, 'postgres.sql').toString());
  } finally {
    await client.end();
  }
}
