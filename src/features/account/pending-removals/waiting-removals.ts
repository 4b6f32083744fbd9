import { ADMINISTRATOR, NOTICE_KINDS } from '../../../api/account/removal-notices.ts';
import { type ListWaiting, waitingParams } from '../../../api/account/waiting.ts';
import { noticeBody } from './notice-schema.ts';
import { waitingNotices } from './notice-store.ts';

/** The removals that are announced, until they are undone or carried out. */
export const waitingRemovals: ListWaiting = async (reader, query) =>
  (await waitingNotices(reader, waitingParams(query))).map((notice) => ({
    id: notice.id,
    accountId: notice.accountId,
    since: notice.askedAt,
    expiresAt: notice.endsAt,
    summary: `${NOTICE_KINDS[notice.what]} will be removed unless a person keeps it: ${notice.target}`,
    deciders: [notice.askedBy === ADMINISTRATOR ? 'administrator' : 'person'],
    call: { operation: 'undoNotice', params: { id: notice.id } },
    about: () => noticeBody(notice),
  }));
