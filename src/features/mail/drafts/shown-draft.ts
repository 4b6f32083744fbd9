import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { maySeeCodes, shownText } from '../mailboxes/messages/shown-mail.ts';
import { findDraft, readFiles } from './draft-store.ts';
import type { DraftFile, DraftHead, SavedDraft } from './draft-table.ts';

/** A draft as the caller may see it. */
export function shownDraft<D extends DraftHead & { text?: string | null }>(
  caller: Pick<Principal, 'scopes'>,
  draft: D,
): D & { masked?: true } {
  const { headers } = draft;
  if (headers.withoutCodes || maySeeCodes(caller)) return draft;
  const { subject, text } = shownText(caller, headers.subject, draft.text ?? null);
  return { ...draft, headers: { ...headers, subject }, text, html: null, masked: true };
}

/** A draft that is not sent, and its files, as the caller may see them; null for none. Of a masked one no file is shown. */
export async function readShownDraft(
  reader: Reader,
  caller: Pick<Principal, 'scopes'>,
  id: string,
): Promise<{ draft: SavedDraft & { masked?: true }; files: DraftFile[] } | null> {
  const found = await findDraft(reader, id);
  if (found === null || found.isSent) return null;
  const draft = shownDraft(caller, found);
  return { draft, files: draft.masked ? [] : await readFiles(reader, id) };
}
