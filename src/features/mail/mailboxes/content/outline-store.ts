import type { Reader } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../../db/json-rows.ts';
import { tables } from '../../../../db/statement.ts';
import { type KeptOutline, OUTLINES } from './outline-table.ts';

const sql = tables<{ mail_outlines: RowOf<typeof OUTLINES> }>();

export const saveOutline = OUTLINES.save();
const byContents = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('mail_outlines')
    .select(OUTLINES.names)
    .where((eb) => isAmong(engine, eb.ref('content_id'), p.ids)),
);
/** The outlines that are kept of some contents. */
export const outlinesOf = async (reader: Reader, contentIds: readonly string[]): Promise<KeptOutline[]> =>
  contentIds.length === 0 ? [] : (await reader.all(byContents, { ids: jsonTexts(contentIds) })).map(OUTLINES.fromRow);
