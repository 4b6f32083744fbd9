import type { Static } from 'typebox';
import { named, nullable, record, text, timestamp } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { decodeFiles } from '../outbox/attached-files.ts';
import { copyFields, listOf, mailFields } from '../outbox/send-schema.ts';

/** What a request writes of a draft. Everything may come later. */
export const DraftBody = named(
  'DraftChange',
  record({
    from: Type.Optional(text(254, { description: 'Default: your only address.' })),
    to: Type.Optional(mailFields.to),
    ...copyFields,
    reply_to: mailFields.reply_to,
    subject: Type.Optional(mailFields.subject),
    text: mailFields.text,
    html: mailFields.html,
    in_reply_to: mailFields.in_reply_to,
    references: mailFields.references,
    attachments: mailFields.attachments,
    metadata: mailFields.metadata,
    unsubscribe: mailFields.unsubscribe,
    autosaved: Type.Optional(
      Type.Boolean({ description: 'An editor saved it by itself: it goes 7 days after its last change.' }),
    ),
    send_at: Type.Optional(
      nullable(timestamp(), { description: 'When to send it, up to a year ahead. Null: not by itself.' }),
    ),
  }),
);

const listOrAbsent = (value: string | string[] | undefined) => (value === undefined ? undefined : listOf(value));

/** What a request changes. @throws ApiError `invalid_request` for attachments that are not base64 or too large */
export const draftChange = async (body: Static<typeof DraftBody>) => ({
  from: body.from,
  headers: {
    to: listOrAbsent(body.to),
    cc: listOrAbsent(body.cc),
    bcc: listOrAbsent(body.bcc),
    replyTo: body.reply_to,
    subject: body.subject,
    inReplyTo: body.in_reply_to,
    references: body.references,
    unsubscribe: body.unsubscribe,
  },
  metadata: body.metadata,
  text: body.text,
  html: body.html,
  attachments: body.attachments === undefined ? undefined : await decodeFiles(body.attachments),
  autosaved: body.autosaved,
  sendAt: body.send_at === undefined || body.send_at === null ? body.send_at : Date.parse(body.send_at),
});
