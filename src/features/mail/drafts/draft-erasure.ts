import type { Erasure } from '../../../api/account/erasure.ts';
import { someRowsOf } from '../../../db/account-rows.ts';
import { releaseContent } from '../mailboxes/content/mail-content.ts';
import { deleteDraft } from './draft-store.ts';

const someDrafts = someRowsOf('mail_drafts', ['id', 'address', 'content_id']);

/** The drafts of an account, with the bytes that mail programs wrote. */
export const draftErasure: Erasure = {
  tables: ['mail_drafts'],
  async run(tx, accountId, limit) {
    const rows = (await someDrafts(tx, accountId, limit)) as {
      id: string;
      address: string;
      content_id: string | null;
    }[];
    for (const { id, address, content_id: contentId } of rows) {
      await deleteDraft(tx, { id, address });
      if (contentId !== null) await releaseContent(tx, contentId);
    }
    return rows.length;
  },
};
