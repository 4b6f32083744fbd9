import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record, text } from '../../../api/fields.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import type { NoticeRules } from './notice.ts';
import { NoticeEntry, noticeBody } from './notice-schema.ts';

const list = (rules: NoticeRules, database: Reader) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/notices',
    operation: 'listNotices',
    tag: 'Accounts',
    summary: 'List announced removals',
    description: 'Oldest first.',
    model: false,
    auth: 'key',
    scope: 'account:read',
    addresses: 'refused',
    effect: 'none',
    bucket: 'inspect',
    replies: { 200: record({ notices: Type.Array(NoticeEntry) }) },
    errors: [],
    handle: async ({ principal }) => {
      const notices = await rules.list(database, principal.accountId);
      return reply(200, { notices: notices.map(noticeBody) });
    },
  });

const undo = (rules: NoticeRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/account/notices/{id}/undo',
    operation: 'undoNotice',
    tag: 'Accounts',
    summary: 'Stop an announced removal',
    description: 'By a session of the address that would go, or of an address confirmed earlier.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'account.notice_undone',
    params: record({ id: text(64) }),
    replies: { 200: record({ ok: Type.Boolean() }) },
    errors: ['not_found', 'older_factor_required'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        await rules.undo(tx, principal, params.id, now);
        return reply(200, { ok: true });
      }),
  });

export const noticeRoutes = (rules: NoticeRules, database: Reader): Endpoint[] => [list(rules, database), undo(rules)];
