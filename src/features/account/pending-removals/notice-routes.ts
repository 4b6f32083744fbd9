import { NOTICE_KINDS, type NoticeKind } from '../../../api/account/removal-notices.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { named, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import type { Reader } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { NoticeRules } from './notice.ts';

const NoticeEntry = named(
  'Notice',
  record({
    id: Type.String(),
    what: oneOf(Object.keys(NOTICE_KINDS) as NoticeKind[]),
    target: Type.String({ description: 'The prefix of a key, a public key, or an address.' }),
    asked_at: timestamp(),
    ends_at: timestamp({ description: 'When it is removed.' }),
  }),
);

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
      const entries = notices.map(({ id, what, target, askedAt, endsAt }) => ({
        id,
        what,
        target,
        asked_at: iso(askedAt),
        ends_at: iso(endsAt),
      }));
      return reply(200, { notices: entries });
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
