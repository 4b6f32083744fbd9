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
  /** `key` and `version` are null where it is not about an entry. Never what is in the vault, nor its metadata. */
  'vault.updated': { key: string | null; version: number | null; action: VaultAction };
  'calendar.updated': {
    event_id: string;
    action: 'created' | 'updated' | 'deleted';
    summary: string;
    start: string;
    end: string;
  };
  'key.rotated': { key_prefix: string; reason: 'rotated' | 'backup_activated' };
}

/** What was done to a vault. */
export type VaultAction = 'created' | 'updated' | 'deleted' | 'version_deleted' | 'recovery_set' | 'recovered';

export type EventType = keyof EventData;

export const EVENT_TYPES = [
  'email.received',
  'email.sent',
  'email.failed',
  'vault.updated',
  'key.rotated',
  'calendar.updated',
] as const satisfies EventType[];

/** Appends a fact in the transaction of its cause; a later reader sees both or neither. */
export type AppendEvent<Tx> = <T extends EventType>(
  tx: Tx,
  event: { accountId: string; type: T; data: EventData[T]; now: number },
) => Promise<void>;
