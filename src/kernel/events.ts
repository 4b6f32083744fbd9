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
  'email.failed': { id: string; from: string; to: string[]; subject: string; error: string };
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
}

export type EventType = keyof EventData;

export const EVENT_TYPES = [
  'email.received',
  'email.sent',
  'email.failed',
  'key.rotated',
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
