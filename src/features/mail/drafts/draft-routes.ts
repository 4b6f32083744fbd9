import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, record, text } from '../../../api/fields.ts';
import { requireScope } from '../../../api/scopes.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { SEND_BODY_BYTES, SEND_ERRORS, SEND_REPLIES, sentNote, sentReply } from '../outbox/send-schema.ts';
import type { DraftRules } from './draft.ts';
import { DraftBody, draftChange } from './draft-request.ts';
import { Draft, draftEntry, wholeDraft } from './draft-schema.ts';

const TAG = 'Email';
const PATH = '/v1/email/drafts';
const DraftParams = record({ id: text(64, { minLength: 1, description: 'A `draft_id`.' }) });
/** Scheduling checks the mail as a send does. */
const WRITE_ERRORS = [...SEND_ERRORS, 'limit_reached', 'not_found'] as const;

/** What is scheduled leaves, so it is more than text that a console keeps. */
const isTyped = (body: unknown): boolean => typeof (body as { send_at?: unknown } | null)?.send_at !== 'string';

const createDraft = (drafts: DraftRules) =>
  endpoint({
    method: 'POST',
    path: PATH,
    operation: 'createDraft',
    tag: TAG,
    summary: 'Write a draft, or schedule a mail',
    description: 'With `send_at`, the mail is sent then, once. Policy and limits are checked when it leaves.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    // A scheduled mail leaves by itself.
    leavesAccess: true,
    effect: 'write',
    typed: isTyped,
    leaves: ['mail'],
    action: 'draft.created',
    body: DraftBody,
    bodyLimitBytes: SEND_BODY_BYTES,
    tools: [
      {
        name: 'draft_mail',
        group: 'mail',
        description: 'Write a draft, which sendDraft sends, or schedule a mail with send_at.',
        takes: ['to', 'subject', 'text', 'html', 'cc', 'bcc', 'attachments', 'send_at', 'from'],
        ownAddress: 'from',
        gives: ['draft_id', 'status', 'from', 'to', 'subject', 'send_at', 'attachments'],
        openWorld: true,
      },
    ],
    replies: { 201: Draft },
    errors: WRITE_ERRORS,
    handle: async ({ principal, body, now, transact }) => {
      const change = await draftChange(body);
      const files = change.attachments ?? [];
      const draft = await drafts.changed(principal, null, change, now);
      if (draft.sendAt !== null) await drafts.requireSendable(principal, draft, files, now);
      return transact(async (tx, audit) => {
        await drafts.create(tx, principal, draft, files);
        audit.resourceId = draft.id;
        return reply(201, wholeDraft(drafts.shown(principal, draft), await drafts.files(tx, principal, draft)));
      });
    },
  });

const listDrafts = (drafts: DraftRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: PATH,
    operation: 'listDrafts',
    tag: TAG,
    summary: 'List drafts and scheduled mail, newest first',
    description: 'Without those that were sent, and without the texts.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: { 200: record({ drafts: Type.Array(Draft), count: Type.Integer(), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await drafts.list(database, principal, query.cursor, query.limit as number);
      const entries = page.rows.map((draft) => draftEntry(drafts.shown(principal, draft)));
      return reply(200, { drafts: entries, count: entries.length, next_cursor: page.nextCursor });
    },
  });

const getDraft = (drafts: DraftRules, database: Database) =>
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}`,
    operation: 'getDraft',
    tag: TAG,
    summary: 'Read a draft',
    description: 'A draft that was sent stays for 30 days, without its text.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    params: DraftParams,
    replies: { 200: Draft },
    errors: ['not_found'],
    handle: async ({ principal, params }) => {
      const draft = await drafts.require(database, principal, params.id);
      return reply(200, wholeDraft(drafts.shown(principal, draft), await drafts.files(database, principal, draft)));
    },
  });

const updateDraft = (drafts: DraftRules, database: Database) =>
  endpoint({
    method: 'PATCH',
    path: `${PATH}/{id}`,
    operation: 'updateDraft',
    tag: TAG,
    summary: 'Change a draft',
    description:
      'Absent fields stay. `send_at: null` cancels the sending, until it has left (409 `already_sent`). Needs `mail:read` too, and `mail:codes` if it shows codes, links or files that a credential with that wrote.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    // A scheduled mail leaves by itself.
    leavesAccess: true,
    effect: 'write',
    typed: isTyped,
    leaves: ['mail'],
    action: 'draft.updated',
    params: DraftParams,
    body: DraftBody,
    bodyLimitBytes: SEND_BODY_BYTES,
    replies: { 200: Draft },
    errors: [...WRITE_ERRORS, 'already_sent', 'draft_changed'],
    handle: async ({ principal, params, body, now, transact }) => {
      const before = await drafts.requireOpen(database, principal, params.id);
      // The reply shows the draft.
      requireScope(principal, 'mail:read');
      const change = await draftChange(body);
      const draft = await drafts.changed(principal, before, change, now);
      if (draft.sendAt !== null) await drafts.requireSendable(principal, draft, change.attachments, now);
      return transact(async (tx, audit) => {
        await drafts.save(tx, principal, before, draft, change.attachments);
        audit.resourceId = draft.id;
        return reply(200, wholeDraft(drafts.shown(principal, draft), await drafts.files(tx, principal, draft)));
      });
    },
  });

const deleteDraft = (drafts: DraftRules) =>
  endpoint({
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operation: 'deleteDraft',
    tag: TAG,
    summary: 'Delete a draft',
    description: 'A scheduled mail is then not sent.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    leaves: [],
    action: 'draft.deleted',
    params: DraftParams,
    replies: { 200: record({ deleted: Type.Boolean(), draft_id: Type.String() }) },
    errors: ['not_found'],
    handle: async ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        await drafts.remove(tx, principal, params.id);
        audit.resourceId = params.id;
        return reply(200, { deleted: true, draft_id: params.id });
      }),
  });

const sendDraft = (drafts: DraftRules, database: Database) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/{id}/send`,
    operation: 'sendDraft',
    tag: TAG,
    summary: 'Send a draft now',
    description:
      'As `POST /v1/email/send` does. Needs `mail:codes` too if it shows codes, links or files that a credential with that wrote.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    leaves: ['mail'],
    action: 'email.sent',
    params: DraftParams,
    payable: true,
    replies: SEND_REPLIES,
    errors: [...SEND_ERRORS, 'not_found', 'already_sent', 'draft_changed'],
    handle: async (call) => {
      const { principal, params, now, transact } = call;
      const draft = await drafts.requireOpen(database, principal, params.id);
      const mail = await drafts.prepare(call, draft);
      return drafts.writeAhead(mail, call, (whole) =>
        transact(async (tx, audit) => {
          const sent = await drafts.send(tx, draft, whole, principal, now);
          Object.assign(audit, sentNote(sent));
          return sentReply(sent);
        }),
      );
    },
  });

export const draftRoutes = (drafts: DraftRules, database: Database): Endpoint[] => [
  createDraft(drafts),
  listDrafts(drafts, database),
  getDraft(drafts, database),
  updateDraft(drafts, database),
  deleteDraft(drafts),
  sendDraft(drafts, database),
];
