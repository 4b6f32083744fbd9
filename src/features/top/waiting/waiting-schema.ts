import { Asker } from '../../../api/account/asker-fields.ts';
import { WAITING_KINDS } from '../../../api/account/waiting.ts';
import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { NoticeEntry } from '../../account/pending-removals/notice-schema.ts';
import { PERSON_ROLES } from '../../account/people/person-table.ts';
import { QuarantinedMail } from '../../mail/mailboxes/quarantine/quarantine-schema.ts';
import { ReviewView } from '../../mail/reviews/review-schema.ts';
import { ApprovalView } from '../../money/approvals/approval-schema.ts';
import { OpenRequestFields } from '../../vault/secret-requests/open-secret-request-schema.ts';

export const WAITS_FOR = ['you', 'operator', 'administrator', 'other'] as const;

const itemFields = {
  kind: oneOf(WAITING_KINDS),
  id: Type.String(),
  since: timestamp(),
  expires_at: nullable(timestamp()),
  for: oneOf(WAITS_FOR, { description: 'Who acts next.' }),
  summary: Type.String(),
  do: nullable(
    record({
      operation: Type.String(),
      method: Type.String(),
      path: Type.String(),
      body: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
    }),
    { description: 'The call that comes next, if it is yours. What it needs beside is for you to choose.' },
  ),
};

export const WaitingItem = named('WaitingItem', record(itemFields));

const ConfirmationRole = named(
  'WaitingRole',
  record({
    id: Type.String(),
    role: oneOf(PERSON_ROLES),
    named_at: timestamp(),
    removable_days: Type.Integer({ description: 'So many days its key can remove you at once.' }),
  }),
);

/** The same for an operator, with what a decision needs. */
export const OperatorWaitingItem = named(
  'OperatorWaitingItem',
  record({
    ...itemFields,
    account_id: Type.String({ description: 'The agent in whose list it is.' }),
    agent: Asker,
    about: nullable(
      Type.Union([ApprovalView, ReviewView, QuarantinedMail, OpenRequestFields, NoticeEntry, ConfirmationRole]),
      { description: 'Its entry in its own list, where a person decides.' },
    ),
  }),
);
