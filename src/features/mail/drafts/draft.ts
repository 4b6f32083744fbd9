import type { LockdownResult } from '../../../api/account/lockdown-parts.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { Limits } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import { insufficientScope, requireScope } from '../../../api/scopes.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isId, newId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import { maskCodes } from '../../../mail/screening/masked-text.ts';
import { type Limited, mayUse } from '../../account/addresses/address.ts';
import type { PayingCall } from '../../service/payments/payment.ts';
import { keepRaw, releaseContent, type Staged } from '../mailboxes/content/mail-content.ts';
import type { MailboxRules } from '../mailboxes/mailbox.ts';
import { changedMetadata, type MetadataPatch } from '../mailboxes/messages/message-metadata.ts';
import { maySeeCodes } from '../mailboxes/messages/shown-mail.ts';
import { composeDraft, type SendRequest } from '../outbox/mail-composition.ts';
import type { OutboxDeps } from '../outbox/outbox-deps.ts';
import { type PreparedMail, prepareMail, withLargeParts } from '../outbox/prepared-mail.ts';
import type { OutboxRules, SendingAccount, SentMail } from '../outbox/sent-mail.ts';
import {
  deleteDraft,
  draftSlots,
  draftsAmong,
  findDraft,
  insertDraft,
  listDrafts,
  listFiles,
  lockDraft,
  noteDraftState,
  purgeSentDrafts,
  readFiles,
  replaceFiles,
  unscheduleAll,
  untouchedDrafts,
  updateDraft,
} from './draft-store.ts';
import type { DraftFile, DraftHead, DraftHeaders, SavedDraft } from './draft-table.ts';
import { shownDraft } from './shown-draft.ts';

export { draftsAmong, listDrafts, lockDraft, purgeSentDrafts };

/** What a request says about a draft. Absent fields stay as they are. */
export interface DraftChange {
  /** An address of the caller. */
  from?: string | undefined;
  headers: { [K in Exclude<keyof DraftHeaders, 'metadata'>]?: DraftHeaders[K] | undefined };
  metadata?: MetadataPatch;
  text?: string | null | undefined;
  html?: string | null | undefined;
  attachments?: readonly DraftFile[] | undefined;
  autosaved?: boolean | undefined;
  /** Milliseconds; null: do not send it by itself. */
  sendAt?: number | null | undefined;
}

export interface DraftDeps
  extends Pick<OutboxDeps, 'database' | 'mailDomain' | 'readWritten' | 'baseUrl' | 'enqueueJob' | 'storage'> {
  limits: Limits;
  jobEffects: JobEffects;
  mailboxes: Pick<MailboxRules, 'sender' | 'defaultSender'>;
  outbox: OutboxRules;
  appendEvent: AppendEvent<Tx>;
}

/** The bytes of a draft as a mail program wrote it. `staged`: they are in the database already, if they are many. */
export interface DraftBytes {
  raw: Uint8Array;
  staged: Staged;
}

/** How far ahead a mail can be scheduled. */
const AHEAD_MS = 365 * DAY_MS;

const EMPTY: DraftHeaders = { to: [], cc: [], bcc: [], replyTo: null, subject: '', inReplyTo: null, references: [] };

const noSuchDraft = (): ApiError => new ApiError('not_found', { message: 'There is no such draft.' });

/** The headers that a change names. */
const given = (headers: DraftChange['headers']): Partial<DraftHeaders> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));

/**
 * Drafts, and mail that is sent later. A change locks the draft, then the count of drafts, then what is stored, so that no two wait for
 * each other.
 */
export class DraftRules {
  readonly #deps: DraftDeps;

  constructor(deps: DraftDeps) {
    this.#deps = deps;
  }

  /** A draft of the caller. @throws ApiError `not_found`, also for another account's */
  async require(reader: Reader, principal: Limited, id: string): Promise<SavedDraft> {
    const draft = isId('drf', id) ? await findDraft(reader, id) : null;
    if (draft === null || !mayUse(principal, draft)) throw noSuchDraft();
    return draft;
  }

  /** The same, to change or send it. @throws ApiError `not_found`, `insufficient_scope` */
  async requireOpen(reader: Reader, principal: Principal, id: string): Promise<SavedDraft> {
    const draft = await this.require(reader, principal, id);
    await this.requireUnmasked(reader, principal, draft);
    return draft;
  }

  /**
   * What a draft says may come from a mail, and a change of it may choose who gets it: so the caller may change or send it
   * only if nothing of it is hidden.
   * @throws ApiError `insufficient_scope`
   */
  async requireUnmasked(reader: Reader, caller: Pick<Principal, 'scopes'>, draft: SavedDraft): Promise<void> {
    const seen = this.shown(caller, draft);
    if (!seen.masked) return;
    const isSame = seen.headers.subject === draft.headers.subject && seen.text === draft.text && draft.html === null;
    if (!isSame || (await listFiles(reader, draft.id)).length > 0) requireScope(caller, 'mail:codes');
  }

  /** A draft as the caller may see it. */
  shown<D extends DraftHead & { text?: string | null }>(
    caller: Pick<Principal, 'scopes'>,
    draft: D,
  ): D & { masked?: true } {
    return shownDraft(caller, draft);
  }

  /** The files of a draft as the caller may see them: names may tell a code. */
  async files(reader: Reader, caller: Principal, { id, headers }: DraftHead) {
    const files = await listFiles(reader, id);
    if (headers.withoutCodes || maySeeCodes(caller)) return files;
    return files.map((file) => ({ ...file, filename: maskCodes(file.filename) }));
  }

  /** Drafts that are not sent, newest first. @throws ApiError `invalid_cursor` */
  list(reader: Reader, principal: Principal, cursor: string | undefined, limit: number): Promise<Page<DraftHead>> {
    // An account has few drafts, so those of other addresses are passed over.
    const read = async (before: string, many: number): Promise<DraftHead[]> => {
      const found: DraftHead[] = [];
      for (let last = before; ; ) {
        const rows = await listDrafts(reader, principal.accountId, last, many);
        found.push(...rows.filter((draft) => mayUse(principal, draft)));
        if (rows.length < many || found.length >= many) return found.slice(0, many);
        last = rows.at(-1)?.id as string;
      }
    };
    return newestFirst('drf', { cursor, limit }, read, ({ id }) => id);
  }

  /** The draft after a change, checked as far as it can be. Writes nothing. `before`: null for a new draft. */
  async changed(
    principal: Principal,
    before: SavedDraft | null,
    change: DraftChange,
    now: number,
  ): Promise<SavedDraft> {
    if (before) requireUnsent(before);
    const from =
      before && change.from === undefined
        ? before.address
        : (await this.#deps.mailboxes.defaultSender(principal, change.from)).address;
    // A failed mail goes out again only at a new time.
    const kept = before === null || before.status === 'failed' ? null : before.sendAt;
    const sendAt = change.sendAt === undefined ? kept : change.sendAt;
    if (sendAt !== null) requireScheduler(principal);
    if (change.sendAt != null) requireSchedulable(change.sendAt, now);
    return {
      ...(before ?? { id: newId('drf', now), createdAt: now, accountId: principal.accountId, outboxId: null }),
      text: change.text === undefined ? (before?.text ?? null) : change.text,
      html: change.html === undefined ? (before?.html ?? null) : change.html,
      headers: {
        ...(before?.headers ?? EMPTY),
        ...given(change.headers),
        metadata: changedMetadata(before?.headers.metadata ?? null, change.metadata),
        withoutCodes: !maySeeCodes(principal) && (before === null || before.headers.withoutCodes === true),
      },
      contentId: null,
      address: from,
      sendAt,
      status: sendAt === null ? 'draft' : 'scheduled',
      isSent: false,
      autosaved: change.autosaved ?? before?.autosaved ?? false,
      error: null,
      // The credential that changes what is scheduled answers for it.
      keyId: sendAt !== null ? principal.namedKeyId : (before?.keyId ?? null),
      version: (before?.version ?? 0) + 1,
      updatedAt: now,
    };
  }

  /** Refuses to schedule what could not be sent. @throws ApiError as a send */
  async requireSendable(principal: Principal, draft: SavedDraft, files: readonly DraftFile[] | undefined, now: number) {
    const from = await this.#deps.mailboxes.sender(principal, draft.address);
    const request = { ...requestOf(draft, files ?? (await readFiles(this.#deps.database, draft.id))), from };
    await composeDraft(this.#deps, request, principal, now);
  }

  /** Saves a new draft. `bytes`: what it was read from. @throws ApiError `limit_reached`, `storage_full` */
  async create(
    tx: Tx,
    principal: Principal,
    draft: SavedDraft,
    files: readonly DraftFile[],
    bytes: DraftBytes | null = null,
  ): Promise<void> {
    const { accountId, limits } = principal;
    if (!(await draftSlots.take(tx, accountId, limits.drafts)))
      throw limitReached('drafts', { used: await draftSlots.used(tx, accountId), max: limits.drafts });
    const sizeBytes = sizeOf(draft, files) + (bytes?.raw.length ?? 0);
    await this.#deps.storage.requireRoom(tx, principal, sizeBytes, draft.updatedAt);
    const contentId = bytes && (await keepRaw(tx, bytes.raw, bytes.staged, draft.updatedAt));
    await insertDraft(tx, { ...draft, contentId });
    await replaceFiles(tx, draft, files);
    await this.#schedule(tx, draft, null);
  }

  /** Saves a change. @throws ApiError `already_sent`; `draft_changed` when another call was faster; `not_found`, `storage_full` */
  async save(
    tx: Tx,
    principal: Principal,
    before: SavedDraft,
    draft: SavedDraft,
    files: readonly DraftFile[] | undefined,
  ): Promise<void> {
    await requireSame(tx, before);
    // What it replaces goes in the same transaction.
    const replaced = files === undefined ? [] : await listFiles(tx, before.id);
    const freed = sizeOf(before, []) + replaced.reduce((sum, { size }) => sum + size, 0);
    const grown = sizeOf(draft, files ?? []) - freed;
    if (grown > 0) await this.#deps.storage.requireRoom(tx, principal, grown, draft.updatedAt);
    await updateDraft(tx, before, draft);
    await dropBytes(tx, before);
    if (files !== undefined) await replaceFiles(tx, draft, files);
    await this.#schedule(tx, draft, before.sendAt);
  }

  /** Deletes a draft. A scheduled mail is then not sent. @throws ApiError `not_found` */
  async remove(tx: Tx, principal: Limited, id: string): Promise<void> {
    const draft = isId('drf', id) ? await lockDraft(tx, id) : null;
    if (draft === null || !mayUse(principal, draft)) throw noSuchDraft();
    if (!draft.isSent) await draftSlots.giveBack(tx, draft.accountId);
    await deleteDraft(tx, draft);
    await dropBytes(tx, draft);
  }

  /** The mail of a draft. Call it outside the transaction. @throws ApiError `already_sent`; as a send */
  async prepare(call: PayingCall & { principal: Limited & SendingAccount }, draft: SavedDraft): Promise<PreparedMail> {
    requireUnsent(draft);
    const from = await this.#deps.mailboxes.sender(call.principal, draft.address);
    const request = {
      ...requestOf(draft, await readFiles(this.#deps.database, draft.id)),
      // A later change would hide what was read before the first text.
      from,
      writtenAt: draft.createdAt,
    };
    return prepareMail(this.#deps.outbox, this.#deps, call, request, `/v1/email/drafts/${draft.id}/send`);
  }

  /** Writes the large parts of a prepared mail before the transaction that sends it. */
  writeAhead<T>(
    mail: PreparedMail,
    call: PayingCall & { principal: SendingAccount },
    send: (mail: PreparedMail) => Promise<T>,
  ): Promise<T> {
    return withLargeParts(this.#deps, call, mail.draft, (draft) => send({ ...mail, draft }));
  }

  /**
   * Sends a draft. Exactly one of several parallel calls succeeds.
   * @throws ApiError `already_sent`, `draft_changed` when it was sent or changed meanwhile; as `OutboxRules.send`
   */
  async send(tx: Tx, draft: SavedDraft, mail: PreparedMail, account: SendingAccount, now: number): Promise<SentMail> {
    await requireSame(tx, draft);
    await draftSlots.giveBack(tx, draft.accountId);
    const sent = await this.#deps.outbox.send(tx, mail.draft, account, mail.payment, now);
    const end = { status: 'sent', isSent: true, autosaved: false, sendAt: null, error: null } as const;
    const rest = { text: null, html: null, contentId: null, outboxId: sent.entry.id, updatedAt: now };
    await updateDraft(tx, draft, { ...draft, ...end, ...rest, version: draft.version + 1 });
    await dropBytes(tx, draft);
    await replaceFiles(tx, draft, []);
    return sent;
  }

  /** Notes that a scheduled mail could not leave. @returns false when it was changed meanwhile */
  async fail(tx: Tx, { id, version }: SavedDraft, error: string, now: number): Promise<boolean> {
    const draft = await lockDraft(tx, id);
    if (draft?.version !== version) return false;
    await noteDraftState(tx, { ...draft, status: 'failed', error, version: version + 1, updatedAt: now });
    const { accountId, address, headers } = draft;
    const to = [...headers.to, ...headers.cc, ...headers.bcc];
    const recipients = to.map((recipient) => ({ address: recipient, error }));
    const data = { id, from: address, to, subject: headers.subject, error, status: 'failed', recipients };
    await this.#deps.appendEvent(tx, { accountId, type: 'email.failed', data, now });
    return true;
  }

  async #schedule(tx: Tx, { id, sendAt }: SavedDraft, before: number | null): Promise<void> {
    if (sendAt === null || sendAt === before) return;
    await this.#deps.enqueueJob(tx, { kind: 'draft.send', payload: { draftId: id, sendAt }, runAt: sendAt });
  }
}

/** Cancels every scheduled mail of an account that is being secured: a thief may have planted it. */
export async function cancelSchedules(tx: Tx, accountId: string, now: number): Promise<LockdownResult> {
  const ids = await unscheduleAll(tx, accountId, now);
  return { changes: ids.map((id) => ({ at: now, what: 'scheduled_mail_cancelled', detail: id })) };
}

/** Lets go of the bytes of a draft that says something else from now on. */
const dropBytes = async (tx: Tx, { contentId }: SavedDraft): Promise<void> =>
  contentId === null ? undefined : releaseContent(tx, contentId);

/** About what a draft takes: the headers are stored as JSON. */
const sizeOf = ({ headers, text, html }: SavedDraft, files: readonly DraftFile[]): number =>
  files.reduce((sum, { content }) => sum + content.length, 0) +
  [JSON.stringify(headers), text ?? '', html ?? ''].reduce((sum, part) => sum + Buffer.byteLength(part), 0);

/** @throws ApiError `already_sent`, with the id of the mail */
function requireUnsent({ isSent, outboxId }: DraftHead): void {
  if (isSent) throw new ApiError('already_sent', { fields: { email_id: outboxId } });
}

/** Drafts that one transaction removes. */
const REMOVED_TOGETHER = 200;

/** Removes the drafts that an editor saved by itself, and that nothing has changed since a time. */
export async function removeUntouched(tx: Tx, jobEffects: JobEffects, before: number, now: number): Promise<void> {
  const counts = new Map<string, number>();
  for (const id of await untouchedDrafts(tx, before, REMOVED_TOGETHER)) {
    const draft = await lockDraft(tx, id);
    // It may have been changed or scheduled since it was found.
    if (!draft?.autosaved || draft.status !== 'draft' || draft.updatedAt >= before) continue;
    await draftSlots.giveBack(tx, draft.accountId);
    await deleteDraft(tx, draft);
    await dropBytes(tx, draft);
    counts.set(draft.accountId, (counts.get(draft.accountId) ?? 0) + 1);
  }
  // In one order, as the audit log takes its chains.
  for (const [accountId, count] of [...counts].sort())
    await jobEffects.note(tx, { accountId, action: 'draft.expired', resourceId: null, count, now });
}

/** Locks a draft that was read before. @throws ApiError `already_sent`, `draft_changed`, `not_found` */
async function requireSame(tx: Tx, { id, version }: SavedDraft): Promise<void> {
  const current = await lockDraft(tx, id);
  if (!current) throw noSuchDraft();
  requireUnsent(current);
  if (current.version !== version) throw new ApiError('draft_changed');
}

/** @throws ApiError `insufficient_scope` */
function requireScheduler({ delegation, grant }: Principal): void {
  if (delegation !== null || grant !== null)
    throw insufficientScope('mail:send', 'An access token cannot schedule mail: it would outlast the token.');
}

/** @throws ApiError `invalid_request` */
function requireSchedulable(sendAt: number, now: number): void {
  if (sendAt <= now) throw invalidField('/body/send_at', 'out_of_range', 'send_at must be in the future.');
  if (sendAt > now + AHEAD_MS) throw invalidField('/body/send_at', 'out_of_range', 'send_at is more than a year away.');
}

/** @throws ApiError `invalid_request` for a draft without a text */
function requestOf({ headers, text, html }: SavedDraft, files: readonly DraftFile[]): Omit<SendRequest, 'from'> {
  if (text === null && html === null)
    throw invalidField('/body/text', 'required', 'The draft has no text. Write text, html, or both.');
  const attachments = files.map(({ content, filename, contentType }) => ({
    filename,
    contentType,
    content: Buffer.from(content),
  }));
  return { ...headers, text, html, attachments };
}
