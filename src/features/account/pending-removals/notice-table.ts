import type { NoticeKind } from '../../../api/account/removal-notices.ts';
import { column, columnMap } from '../../../db/column-map.ts';

export const NOTICES = columnMap({
  id: column.text('id'),
  accountId: column.text('account_id'),
  what: column.word<NoticeKind>()('what'),
  target: column.text('target'),
  askedAt: column.integer('asked_at'),
  endsAt: column.integer('ends_at'),
  askedBy: column.text('asked_by'),
});

export const NOTICE_UNDOS = columnMap({
  accountId: column.text('account_id'),
  what: column.word<NoticeKind>()('what'),
  target: column.text('target'),
  undoneBy: column.text('undone_by'),
  undone: column.integer('undone'),
});
