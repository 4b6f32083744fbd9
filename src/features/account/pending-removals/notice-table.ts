import type { NoticeKind } from '../../../api/account/removal-notices.ts';
import { column, exported } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const NOTICES = table(
  'notices',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    what: exported.enum<NoticeKind>()('what'),
    target: exported.text('target'),
    askedAt: exported.integer('asked_at'),
    endsAt: exported.integer('ends_at'),
    askedBy: exported.text('asked_by'),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete' },
);

export const NOTICE_UNDOS = table(
  'notice_undos',
  {
    accountId: column.text('account_id'),
    what: column.enum<NoticeKind>()('what'),
    target: column.text('target'),
    undoneBy: column.text('undone_by'),
    undone: column.integer('undone'),
  },
  { key: ['accountId', 'what', 'target', 'undoneBy'], account: ['accountId'], erase: 'delete' },
);
