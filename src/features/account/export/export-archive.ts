import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ExportFile, ExportPart } from '../../../api/account/export-file.ts';
import type { Limits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { nextDay, secondsUntil } from '../../../base/period.ts';
import { takeExport } from '../../service/limits/email-quota.ts';

/** Counts an export. @throws ApiError `rate_limited` over the day's limit */
export async function admitExport(tx: Tx, accountId: string, limits: Limits, now: number): Promise<void> {
  const max = limits.account_exports_per_day;
  if (await takeExport(tx, accountId, max, now)) return;
  const headers = { 'retry-after': String(secondsUntil(nextDay(now), now)) };
  throw limitReached('account_exports_per_day', { used: max, max }, { headers });
}

async function* text(value: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(value);
}

interface ListedFile {
  name: string;
  size: number;
  sha256: string;
}

/** The bytes of a file, which `listed` names once they are read. */
async function* hashed({ name, content }: ExportFile, listed: ListedFile[]): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of content) {
    hash.update(bytes);
    size += bytes.length;
    yield bytes;
  }
  listed.push({ name, size, sha256: hash.digest('hex') });
}

async function* manifest(
  { accountId, now }: { accountId: string; now: number },
  files: readonly ListedFile[],
): AsyncGenerator<Uint8Array> {
  yield* text(`${JSON.stringify({ account_id: accountId, created_at: iso(now), files }, null, 2)}\n`);
}

/**
 * Writes everything of an account as one zip, a file after the other. Each is read only as fast as the client takes it,
 * so that an export of any size needs the same memory.
 */
export async function exportArchive(
  reader: Reader,
  { parts, accountId, now, gone }: { parts: readonly ExportPart[]; accountId: string; now: number; gone: AbortSignal },
): Promise<Readable> {
  const files: ExportFile[] = [];
  for (const part of parts) {
    files.push(...(await part.files(reader, accountId)));
    for (const [name, schema] of Object.entries(part.schemas))
      files.push({ name: `schemas/${name}`, content: text(`${JSON.stringify(schema, null, 2)}\n`) });
  }
  const listed: ListedFile[] = [];
  const watched = files.map((file) => ({ ...file, content: hashed(file, listed) }));
  // The zip reads one file after the other, so this one comes when all others are written.
  watched.push({ name: 'manifest.json', content: manifest({ accountId, now }, listed) });
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (err: unknown) => output.destroy(err as Error));
  for (const { name, content } of watched)
    zip.addReadStreamLazy(name, { mtime: new Date(now) }, (opened) => {
      const stream = Readable.from(content, { objectMode: false });
      gone.addEventListener('abort', () => stream.destroy(), { once: true });
      opened(null, stream);
    });
  zip.end();
  return output;
}
