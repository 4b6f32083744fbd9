import { column, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';
import type { PackedOutline } from '../../../../mail/imap/mail-outline-packed.ts';

/** What mail programs are told of a mail without its bytes. It follows from the content, and can be made anew. */
export const OUTLINES = table(
  'mail_outlines',
  {
    contentId: column.text('content_id'),
    /** Of the code that made it. */
    version: column.integer('version'),
    outline: column.json<PackedOutline>()('outline'),
    /** With the empty line that ends it; null when it is long. */
    header: column.bytes('header').orNull(),
    /** Of the mail that programs see: a sealed one is in a mail that this service writes. */
    sizeBytes: column.integer('size_bytes'),
    /** Those without `mail:codes` see a masked mail instead. */
    hasCodes: column.flag('has_codes'),
  },
  { key: ['contentId'], account: [], erase: { by: 'content-store.ts, with their mail' } },
);
export type KeptOutline = RecordOf<typeof OUTLINES>;
