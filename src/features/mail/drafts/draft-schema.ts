import type { Static } from 'typebox';
import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { MetadataReply } from '../mailboxes/messages/message-metadata-schema.ts';
import { maskedField } from '../mailboxes/messages/message-schema.ts';
import { DRAFT_STATES, type DraftFileEntry, type DraftHead, type SavedDraft } from './draft-table.ts';

/** Whether codes and links are hidden. */
type Masked<D> = D & { masked?: true };

/** A list has no texts and attachments: they may be long. */
export const Draft = named(
  'Draft',
  record({
    draft_id: Type.String(),
    status: oneOf(DRAFT_STATES, { description: '`failed`: it could not leave at `send_at`; see `error`.' }),
    from: Type.String(),
    to: Type.Array(Type.String()),
    cc: Type.Array(Type.String()),
    bcc: Type.Array(Type.String()),
    reply_to: nullable(Type.String()),
    subject: Type.String(),
    in_reply_to: nullable(Type.String()),
    references: Type.Array(Type.String()),
    metadata: MetadataReply,
    unsubscribe: Type.Boolean(),
    autosaved: Type.Boolean({ description: 'It goes 7 days after `updated_at`, if nothing changes it or sends it.' }),
    send_at: nullable(timestamp()),
    error: nullable(Type.String()),
    email_id: nullable(Type.String({ description: 'Its id in the outbox, when it is sent.' })),
    created_at: timestamp(),
    updated_at: timestamp(),
    masked: maskedField(),
    text: Type.Optional(nullable(Type.String())),
    html: Type.Optional(nullable(Type.String())),
    attachments: Type.Optional(
      Type.Array(record({ filename: Type.String(), content_type: Type.String(), size: Type.Integer() })),
    ),
  }),
);

export const draftEntry = (draft: Masked<DraftHead>): Static<typeof Draft> => ({
  draft_id: draft.id,
  status: draft.status,
  from: draft.address,
  to: draft.headers.to,
  cc: draft.headers.cc,
  bcc: draft.headers.bcc,
  reply_to: draft.headers.replyTo,
  subject: draft.headers.subject,
  in_reply_to: draft.headers.inReplyTo,
  references: draft.headers.references,
  metadata: draft.headers.metadata ?? {},
  unsubscribe: draft.headers.unsubscribe ?? false,
  autosaved: draft.autosaved,
  send_at: isoOrNull(draft.sendAt),
  error: draft.error,
  email_id: draft.outboxId,
  created_at: iso(draft.createdAt),
  updated_at: iso(draft.updatedAt),
  ...(draft.masked ? { masked: true } : {}),
});

export const wholeDraft = (draft: Masked<SavedDraft>, files: readonly DraftFileEntry[]): Static<typeof Draft> => ({
  ...draftEntry(draft),
  text: draft.text,
  html: draft.html,
  attachments: files.map(({ filename, contentType, size }) => ({ filename, content_type: contentType, size })),
});
