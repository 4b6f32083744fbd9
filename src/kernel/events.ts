import { type Static, type TSchema, Type } from 'typebox';
import { nullable, oneOf, record } from './fields.ts';

/** What was done to a vault. */
const VAULT_ACTIONS = ['created', 'updated', 'deleted', 'version_deleted', 'recovery_set', 'recovered'] as const;
export type VaultAction = (typeof VAULT_ACTIONS)[number];

const text = (description?: string) => Type.String(description === undefined ? {} : { description });
const amount = Type.Integer();
const texts = Type.Array(Type.String());

/** An event type: when it is appended, and what `data` holds, in the snake_case of the wire. */
const event = <T extends Record<string, TSchema>>(summary: string, data: T) => ({ summary, data: record(data) });

/**
 * Every type of event, in the order in which lists of types name them. A new type is one new entry: the types of the
 * code, the API and the table in docs/events.md come from here.
 */
export const EVENTS = {
  'email.received': event('A message can be seen in an inbox.', {
    address: text(),
    message_id: text(),
    from: text(),
    subject: text(),
    received_at: text(),
    snippet: text('empty when sealed'),
  }),
  'email.sent': event('A sent mail was delivered inside, taken by the relay, or written to the development outbox.', {
    id: text(),
    from: text(),
    to: texts,
    subject: text(),
    provider: text(),
  }),
  'email.failed': event('A sent mail will not arrive, came back, or did so for some of its recipients.', {
    id: text(),
    from: text(),
    to: texts,
    subject: text(),
    error: text(),
    status: text('`sent` while another recipient has it'),
    recipients: Type.Array(record({ address: text(), error: text() }), {
      description: '`address` and `error` of each recipient it did not reach',
    }),
  }),
  // Never what is in the vault, nor its metadata.
  'vault.updated': event(
    'A [vault](vault.md) entry was stored or deleted, a recovery address was set, or a vault was recovered.',
    {
      key: nullable(text(), { description: 'null where it is not about one entry' }),
      version: nullable(Type.Integer(), { description: 'null where it is not about one entry' }),
      action: oneOf(VAULT_ACTIONS),
    },
  ),
  'payment.settled': event('A payment is on the chain.', {
    payment_id: text(),
    amount_usdc: amount,
    transaction: nullable(text(), { description: 'null where only the fact is known' }),
  }),
  'payment.failed': event('A payment whose goods were delivered will not be settled.', {
    payment_id: text(),
    amount_usdc: amount,
    error: text(),
  }),
  'key.rotated': event('A key was rotated, or the backup key was activated.', {
    key_prefix: text(),
    reason: oneOf(['rotated', 'backup_activated']),
  }),
  'charge.completed': event('A charge was recorded.', {
    charge_id: text(),
    amount_usdc: amount,
    category: text(),
    reference_id: nullable(text()),
  }),
  'approval.requested': event('A charge waits for approval. The platform of a pod gets it too, where it decides.', {
    approval_id: text(),
    account_id: text('who wants to spend: a pod, where its platform is asked'),
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
  'budget.limit_reached': event('A cap has nothing left until `resets_at`.', {
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
  'calendar.updated': event('A [calendar](calendar.md) event changed.', {
    event_id: text(),
    action: oneOf(['created', 'updated', 'deleted']),
    summary: text(),
    start: text(),
    end: text(),
  }),
  'credential.requested': event('An agent asked its operator for a [credential](credentials.md).', {
    request_id: text(),
    description: text(),
    vault_key: nullable(text()),
    expires_at: text(),
  }),
  'credential.resolved': event('A request for a [credential](credentials.md) was decided.', {
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

/** Appends an event in the transaction of its cause; a later reader sees both or neither. */
export type AppendEvent<Tx> = <T extends EventType>(
  tx: Tx,
  event: { accountId: string; type: T; data: EventData[T]; now: number },
) => Promise<void>;

/** One event of any type, for where several are appended at a time. */
export type NewEvent = { [T in EventType]: { accountId: string; type: T; data: EventData[T]; now: number } }[EventType];

/** Appends events in their order, with one statement for many. */
export type AppendEvents<Tx> = (tx: Tx, events: readonly NewEvent[]) => Promise<void>;
