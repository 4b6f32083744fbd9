import type { ExportPart } from '../../../api/account/export-file.ts';
import type { Reader } from '../../../api/transaction.ts';
import { allFiles, readFile } from './draft-store.ts';

async function* contentOf(reader: Reader, draftId: string, n: number): AsyncGenerator<Uint8Array> {
  const content = await readFile(reader, draftId, n);
  if (content) yield content;
}

/** The attachments of drafts, one at a time, because all of them together may not fit into memory. */
export const draftFileExport: ExportPart = {
  tables: [],
  schemas: {},
  files: async (reader, accountId) =>
    (await allFiles(reader, accountId)).map(({ draftId, n }) => ({
      name: `drafts/${draftId}/${n}`,
      content: contentOf(reader, draftId, n),
    })),
};
