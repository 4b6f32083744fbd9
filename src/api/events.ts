import type { Static, TSchema } from 'typebox';
import { Type } from '../base/schema.ts';
import { DELETION_ASKERS } from './account/pending-deletion.ts';
import { NOTICE_KINDS, type NoticeKind } from './account/removal-notices.ts';
import { nullable, oneOf, record } from './fields.ts';

/** The changes of a vault. */
const VAULT_ACTIONS = ['created', 'updated', 'deleted', 'version_deleted', 'recovery_set', 'recovered'] as const;
export type VaultAction = (typeof VAULT_ACTIONS)[number];

/** The changes of an address of a person. */
const PERSON_CHANGES = ['named', 'confirmed', 'refused', 'removed'] as const;
export type PersonChange = (typeof PERSON_CHANGES)[number];

const NOTICE_WHATS = Object.keys(NOTICE_KINDS) as NoticeKind[];

const text = (description?: string) => Type.String(description === undefined ? {} : { description });
const amount = Type.Integer();
const texts = Type.Array(Type.String());
const heldMail = { review_id: text(), id: text(), from: text(), to: texts, subject: text() };

/**
 * An event type: when it is appended, and the fields of its `data`, in the snake_case of the wire. `about` names the
 * field with the address of the account that the event is about. A credential that is limited to addresses never sees an
 * event without one.
 */
const event = <T extends Record<string, TSchema>>(
  summary: string,
  data: T,
  about: (keyof T & string) | null = null,
) => ({
  summary,
  data: record(data),
  about,
});

/**
 * Every event type, in the order of all lists of types. A new type is one new entry: the TypeScript types, the API and
 * the table in docs/events.md are derived from it.
 */
export const EVENTS = {
  'email.received': event(
    'A message became visible in an inbox.',
    {
      address: text(),
      message_id: text(),
      from: text(),
      subject: text(),
      received_at: text(),
      snippet: text('empty when sealed'),
      has_code: Type.Boolean(),
      link_kinds: texts,
    },
    'address',
  ),
  'email.sent': event(
    'A sent email was delivered within the service, accepted by the relay, or written to the development outbox.',
    {
      id: text(),
      from: text(),
      to: texts,
      subject: text(),
      provider: text(),
    },
    'from',
  ),
  'email.failed': event(
    'A sent email failed or bounced, for all or some of its recipients.',
    {
      id: text(),
      from: text(),
      to: texts,
      subject: text(),
      error: text(),
      status: text('`sent` if another recipient got it'),
      recipients: Type.Array(record({ address: text(), error: text() }), {
        description: '`address` and `error` of each recipient that did not get it',
      }),
    },
    'from',
  ),
  'email.held': event(
    'A sent email waits until an operator approves it.',
    { ...heldMail, reason: text(), expires_at: text() },
    'from',
  ),
  'email.released': event(
    'An operator approved an email that waited. `email.sent` or `email.failed` follows.',
    heldMail,
    'from',
  ),
  'email.rejected': event(
    'An email that waited was rejected or withdrawn, or was not approved in time. It is not sent.',
    { ...heldMail, reason: oneOf(['rejected', 'expired', 'withdrawn']) },
    'from',
  ),
  'email.quarantined': event(
    'A message came that the mail policy keeps from the agent. The event says nothing of its content.',
    { address: text(), message_id: text(), reason: text() },
    'address',
  ),
  'email.suppressed': event(
    'A recipient gets no more mail from the account: an email came back for good or was reported as spam, or the recipient unsubscribed.',
    {
      id: text('of the email'),
      from: text(),
      recipient: text(),
      reason: oneOf(['hard_bounce', 'complaint', 'unsubscribed']),
    },
    'from',
  ),
  'sending.paused': event('Too much mail came back. The account sends none to other services until `resumes_at`.', {
    sent: amount,
    bad: Type.Integer({ description: 'bounced or reported, of those `sent` in 7 days' }),
    resumes_at: text(),
  }),
  'storage.filling': event('The storage of the account is 80 percent full, or it is full and mail was deferred.', {
    percent: Type.Integer({ description: '80 or 100' }),
    used: amount,
    max: amount,
  }),
  'address.released': event(
    'An address of the account was released. No other account ever gets it.',
    { address: text() },
    'address',
  ),
  // Never the content of the vault or its metadata.
  'vault.updated': event(
    'A [vault](vault.md) entry was stored or deleted, a recovery address was set, or a vault was recovered.',
    {
      key: nullable(text(), { description: 'null if not about one entry' }),
      version: nullable(Type.Integer(), { description: 'null if not about one entry' }),
      action: oneOf(VAULT_ACTIONS),
    },
  ),
  'payment.settled': event('A payment was settled on the blockchain.', {
    payment_id: text(),
    amount_usdc: amount,
    transaction: nullable(text(), { description: 'null if the hash is unknown' }),
  }),
  'payment.failed': event('A payment will not be settled, although its purchase was delivered.', {
    payment_id: text(),
    amount_usdc: amount,
    error: text(),
  }),
  'key.rotated': event('A key was rotated, or the backup key was activated.', {
    key_prefix: text(),
    reason: oneOf(['rotated', 'backup_activated']),
  }),
  'account.suspended': event('An operator suspended the account.', { operator: text('the operator’s address') }),
  'account.resumed': event('An operator’s suspension of the account ended, or one of several.', {
    operator: text('who resumed it, or who is no longer its operator'),
  }),
  'account.person_changed': event('An address of a person was named, confirmed, refused or removed.', {
    person_id: text(),
    role: oneOf(['email', 'recovery', 'operator']),
    address: text(),
    change: oneOf(PERSON_CHANGES),
  }),
  'account.notice_started': event('Something old will be removed from the account, unless somebody undoes it.', {
    notice_id: text(),
    what: oneOf(NOTICE_WHATS),
    target: text('the prefix of a key, a public key, or an address'),
    ends_at: text(),
  }),
  'account.notice_ended': event('An announced removal was carried out, undone or cancelled.', {
    notice_id: text(),
    what: oneOf(NOTICE_WHATS),
    target: text(),
    outcome: oneOf(['done', 'undone', 'cancelled']),
  }),
  'account.secured': event('The account was secured: a new key, and everything that a thief may hold has ended.', {
    key_prefix: text(),
    reverted: texts,
  }),
  'account.deletion_scheduled': event('The account will be deleted at `deletes_at`, unless somebody cancels it.', {
    deletes_at: text(),
    by: oneOf(DELETION_ASKERS),
    asked_by: text('the prefix of a key, an address, or `administrator`'),
  }),
  'account.deletion_cancelled': event('The account will not be deleted.', { cancelled_by: text() }),
  'charge.completed': event('A charge was recorded.', {
    charge_id: text(),
    amount_usdc: amount,
    category: text(),
    reference_id: nullable(text()),
  }),
  'approval.requested': event('A charge waits for approval. The platform of a pod gets the event too if it decides.', {
    approval_id: text(),
    account_id: text('the account that wants to spend; may be a pod of the platform'),
    amount_usdc: amount,
    category: text(),
    cause: oneOf(['budget_exceeded', 'single_tx_limit_exceeded']),
    expires_at: text(),
  }),
  'approval.resolved': event('An approval was approved, rejected, or expired.', {
    approval_id: text(),
    account_id: text(),
    amount_usdc: amount,
    status: oneOf(['approved', 'rejected', 'expired']),
    resolved_by: nullable(text()),
    charge_id: nullable(text()),
  }),
  'budget.limit_reached': event('A spending cap is used up until `resets_at`.', {
    period: oneOf(['daily', 'weekly', 'monthly']),
    limit_usdc: amount,
    spent_usdc: amount,
    resets_at: text(),
    limit_set_by: oneOf(['account', 'platform']),
  }),
  'token.issued': event('A [token](tokens.md) was issued.', {
    jti: text(),
    audience: text(),
    scopes: texts,
    expires_at: text(),
  }),
  'token.revoked': event('A [token](tokens.md) was revoked.', { jti: text() }),
  'delegation.created': event(
    'An account [delegated](delegation.md) authority, or passed it on. The account, the maker and the delegate get the event.',
    {
      delegation_id: text(),
      account_id: text('the account whose authority it is'),
      from: text('the account that made it'),
      to: text('the delegate'),
      scopes: texts,
      budget_usdc: nullable(amount),
      expires_at: text(),
    },
  ),
  'delegation.ended': event(
    'A [delegation](delegation.md) was ended, with all that was passed on from it. Expiry has no event.',
    { delegation_id: text(), account_id: text(), from: text(), to: text() },
  ),
  'grant.created': event('A person let an [OAuth client](oauth.md) act for the account.', {
    grant_id: text(),
    client_id: text(),
    client_name: text('the client chose it'),
    scopes: texts,
    allowed_by: text('the person’s address'),
  }),
  'grant.ended': event('An [OAuth client](oauth.md) may no longer act for the account.', {
    grant_id: text(),
    client_id: text(),
    client_name: text(),
    reason: oneOf(['ended', 'revoked', 'reused', 'secured', 'operator_removed']),
  }),
  'calendar.updated': event('A [calendar](calendar.md) event changed.', {
    event_id: text(),
    action: oneOf(['created', 'updated', 'deleted']),
    summary: text(),
    start: text(),
    end: text(),
  }),
  'credential.requested': event('An agent requested a [credential](credentials.md).', {
    request_id: text(),
    description: text(),
    vault_key: nullable(text()),
    expires_at: text(),
  }),
  'credential.resolved': event('A request for a [credential](credentials.md) was approved or denied.', {
    request_id: text(),
    status: oneOf(['approved', 'denied']),
    reason: oneOf(['operator', 'wrong_codes']),
    vault_key: nullable(text()),
  }),
  'finding.judged': event('A program judged a [finding](findings.md).', {
    jti: text(),
    outcome: oneOf(['accepted', 'rejected']),
    severity: text(),
    program_id: text(),
  }),
} as const;

export type EventType = keyof typeof EVENTS;

/** The `data` of each type. */
export type EventData = { [T in EventType]: Static<(typeof EVENTS)[T]['data']> };

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** The types that are about an address. */
export const ADDRESS_EVENTS = EVENT_TYPES.filter((type) => EVENTS[type].about !== null);

/** The address that an event is about; null for an event that is about none. */
export function addressOf(type: EventType, data: object): string | null {
  const { about } = EVENTS[type];
  return about === null ? null : ((data as Record<string, string>)[about] ?? null);
}

/** Appends an event in the transaction of its cause. A later reader sees both or neither. */
export type AppendEvent<Tx> = <T extends EventType>(
  tx: Tx,
  event: { accountId: string; type: T; data: EventData[T]; now: number },
) => Promise<void>;

/** An event of any type, to append several at a time. */
export type NewEvent = {
  // How many attachments of a mail can be read is for watchers. No log keeps it.
  [T in EventType]: { accountId: string; type: T; data: EventData[T]; now: number; readableFiles?: number };
}[EventType];

/** Appends events in order, many in one statement. */
export type AppendEvents<Tx> = (tx: Tx, events: readonly NewEvent[]) => Promise<void>;

/** Locks event logs without waiting for others. @returns the accounts whose logs are locked now and not watched */
export type ReserveEvents<Tx> = (tx: Tx, accountIds: readonly string[]) => Promise<ReadonlySet<string>>;
