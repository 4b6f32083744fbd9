import { named, record, timestamp } from '../../../../api/fields.ts';
import { iso } from '../../../../base/clock.ts';
import { Type } from '../../../../base/schema.ts';
import type { Quarantined } from './quarantine-table.ts';

export const QuarantinedMail = named(
  'QuarantinedMail',
  record({
    message_id: Type.String(),
    address: Type.String(),
    from: Type.String(),
    received_at: timestamp(),
    reason: Type.String({
      description: '`blocked`, `not_listed`, `unauthenticated`, `suspicious` or `dangerous`.',
    }),
  }),
);

export const quarantinedBody = ({ messageId, address, from, receivedAt, reason }: Quarantined) => ({
  message_id: messageId,
  address,
  from,
  received_at: iso(receivedAt),
  reason,
});
