import { column, columnMap } from '../../../db/column-map.ts';

/** The event log, as an export shows it. */
export const EVENT_LOG = columnMap({
  seq: column.integer('seq'),
  type: column.text('type'),
  data: column.json<object>()('data'),
  createdAt: column.integer('created_at'),
});
