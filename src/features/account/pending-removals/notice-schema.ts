import { NOTICE_KINDS, type Notice, type NoticeKind } from '../../../api/account/removal-notices.ts';
import { named, oneOf, record, timestamp } from '../../../api/fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';

export const NoticeEntry = named(
  'Notice',
  record({
    id: Type.String(),
    what: oneOf(Object.keys(NOTICE_KINDS) as NoticeKind[]),
    target: Type.String({ description: 'The prefix of a key, a public key, or an address.' }),
    asked_at: timestamp(),
    ends_at: timestamp({ description: 'When it is removed.' }),
  }),
);

export const noticeBody = ({ id, what, target, askedAt, endsAt }: Notice) => ({
  id,
  what,
  target,
  asked_at: iso(askedAt),
  ends_at: iso(endsAt),
});
