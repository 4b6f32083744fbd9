import type { Reader, Tx } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../../db/json-rows.ts';
import { tables } from '../../../../db/statement.ts';
import { type KeptOutline, OUTLINES } from './outline-table.ts';

const sql = tables<{ mail_outlines: RowOf<typeof OUTLINES>; mail_contents: { id: string } }>();

const saveRow = OUTLINES.save();
const byContents = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('mail_outlines')
    .select(OUTLINES.names)
    .where((eb) => isAmong(engine, eb.ref('content_id'), p.ids)),
);
/** PostgreSQL, which has several writers, lets nobody delete it until the transaction ends. */
const holdContent = sql((q, p: { id: string }, engine) => {
  const found = q.selectFrom('mail_contents').select('id').where('id', '=', p.id);
  return engine === 'postgres' ? found.forKeyShare() : found;
});

/** The outlines that are kept of some contents. */
export const outlinesOf = async (reader: Reader, contentIds: readonly string[]): Promise<KeptOutline[]> =>
  contentIds.length === 0 ? [] : (await reader.all(byContents, { ids: jsonTexts(contentIds) })).map(OUTLINES.fromRow);

/** Keeps an outline, unless its mail was deleted meanwhile. */
export async function keepOutline(tx: Tx, outline: KeptOutline): Promise<void> {
  if (await tx.first(holdContent, { id: outline.contentId })) await saveRow(tx, outline);
}
