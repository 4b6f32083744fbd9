import type { ExportPart } from '../../../api/account/export-file.ts';
import type { Reader } from '../../../api/transaction.ts';
import { readRaw } from '../mailboxes/content/mail-content.ts';
import { allFiles, draftsWithBytes, readFile } from './draft-store.ts';

async function* contentOf(reader: Reader, draftId: string, n: number): AsyncGenerator<Uint8Array> {
  const content = await readFile(reader, draftId, n);
  if (content) yield content;
}

async function* bytesOf(reader: Reader, contentId: string): AsyncGenerator<Uint8Array> {
  const raw = await readRaw(reader, contentId);
  if (raw) yield raw;
}

/**
 * The attachments of drafts, and the bytes that mail programs wrote, one at a time, because all of them together may not fit
 * into memory.
 */
export const draftFileExport: ExportPart = {
  tables: [],
  schemas: {},
  files: async (reader, accountId) => [
    ...(await allFiles(reader, accountId)).map(({ draftId, n }) => ({
      name: `drafts/${draftId}/${n}`,
      content: contentOf(reader, draftId, n),
    })),
    ...(await draftsWithBytes(reader, accountId)).map(({ id, contentId }) => ({
      name: `drafts/${id}.eml`,
      content: bytesOf(reader, contentId),
    })),
  ],
};
