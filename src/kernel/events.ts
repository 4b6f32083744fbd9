/** Facts a client may care for (decisions.md, Push). `data` holds what the frame on the wire holds, in snake_case. */
export interface EventData {
  'email.received': {
    address: string;
    message_id: string;
    from: string;
    subject: string;
    received_at: string;
    snippet: string;
  };
  'email.sent': { id: string; from: string; to: string[]; subject: string; provider: string };
  /** `key` and `version` are null where it is not about an entry. Never what is in the vault, nor its metadata. */
  'vault.updated': { key: string | null; version: number | null; action: VaultAction };
  'payment.settled': { payment_id: string; amount_usdc: number; transaction: string | null };
  'payment.failed': { payment_id: string; amount_usdc: number; error: string };
  /** `recipients`: those it did not reach, now known. `status`: `sent` while any other has it. */
  'email.failed': {
    id: string;
    from: string;
    to: string[];
    subject: string;
    error: string;
    status: string;
    recipients: { address: string; error: string }[];
  };
  'calendar.updated': {
    event_id: string;
    action: 'created' | 'updated' | 'deleted';
    summary: string;
    start: string;
    end: string;
  };
  'token.issued': { jti: string; audience: string; scopes: string[]; expires_at: string };
  'token.revoked': { jti: string };
  'credential.requested': { request_id: string; description: string; vault_key: string | null; expires_at: string };
  'credential.resolved': {
    request_id: string;
    status: 'approved' | 'denied';
    reason: 'operator' | 'wrong_codes';
    vault_key: string | null;
  };
  'finding.judged': { jti: string; outcome: 'accepted' | 'rejected'; severity: string; program_id: string };
  'key.rotated': { key_prefix: string; reason: 'rotated' | 'backup_activated' };
  'charge.completed': { charge_id: string; amount_usdc: number; category: string; reference_id: string | null };
  'approval.requested': {
    approval_id: string;
    /** Who wants to spend: a pod, where its platform is asked. */
    account_id: string;
    amount_usdc: number;
    category: string;
    cause: 'budget_exceeded' | 'single_tx_limit_exceeded';
    expires_at: string;
  };
  'approval.resolved': {
    approval_id: string;
    account_id: string;
    amount_usdc: number;
    status: 'approved' | 'rejected' | 'expired';
    resolved_by: string | null;
    charge_id: string | null;
  };
  /** A cap has nothing left until `resets_at`. */
  'budget.limit_reached': {
    period: 'daily' | 'weekly' | 'monthly';
    limit_usdc: number;
    spent_usdc: number;
    resets_at: string;
    limit_set_by: 'account' | 'platform';
  };
}

/** What was done to a vault. */
export type VaultAction = 'created' | 'updated' | 'deleted' | 'version_deleted' | 'recovery_set' | 'recovered';

export type EventType = keyof EventData;

export const EVENT_TYPES = [
  'email.received',
  'email.sent',
  'email.failed',
  'vault.updated',
  'payment.settled',
  'payment.failed',
  'key.rotated',
  'charge.completed',
  'approval.requested',
  'approval.resolved',
  'budget.limit_reached',
  'token.issued',
  'token.revoked',
  'calendar.updated',
  'credential.requested',
  'credential.resolved',
  'finding.judged',
] as const satisfies EventType[];

/** Appends a fact in the transaction of its cause; a later reader sees both or neither. */
export type AppendEvent<Tx> = <T extends EventType>(
  tx: Tx,
  event: { accountId: string; type: T; data: EventData[T]; now: number },
) => Promise<void>;

/** One fact of any type, for where several are appended at a time. */
export type NewEvent = { [T in EventType]: { accountId: string; type: T; data: EventData[T]; now: number } }[EventType];

/** Appends facts in their order, with one statement for many. */
export type AppendEvents<Tx> = (tx: Tx, events: readonly NewEvent[]) => Promise<void>;
