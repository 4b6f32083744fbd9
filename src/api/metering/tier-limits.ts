import type { ErrorCode } from '../errors.ts';

/** What a refusal and the documentation say of a limit. */
export interface LimitText {
  /** What the limit counts, and per what, in one sentence. */
  text: string;
  /** The error for a request over the limit; the error table gives its status. Absent: the limit refuses nothing. */
  code?: ErrorCode;
  /** For a rate: the length of its sliding window. */
  windowMs?: number;
}

interface TierRow extends LimitText {
  free: number;
  /** Null: no limit. */
  paid: number | null;
}

/** Limits that depend on the tier. `LIMITS` can override each one. */
export const TIER_LIMITS = {
  requests_per_day: {
    free: 100,
    paid: 10_000,
    text: 'API requests of an account per UTC day. A pod shares the quota of its platform.',
    code: 'rate_limited',
  },
  emails_per_day: {
    free: 10,
    paid: 1000,
    text: 'Emails that an account can send per UTC day without paying. A pod shares the quota of its platform.',
    code: 'payment_required',
  },
  emails_per_hour: {
    free: 10,
    paid: 200,
    text: 'Emails that an account can send per clock hour without paying. A pod shares the quota of its platform.',
    code: 'payment_required',
  },
  recipients_per_send: { free: 10, paid: 50, text: 'Recipients of one email.', code: 'too_many_recipients' },
  addresses: { free: 10, paid: 25, text: 'Addresses of an account.', code: 'address_limit' },
  vault_keys: {
    free: 10,
    paid: null,
    text: 'Keys in the vault of an account. Keys that it paid for do not count.',
    code: 'payment_required',
  },
  vault_versions_per_key: {
    free: 3,
    paid: 100,
    text: 'Versions kept for each vault key. A new version removes the oldest.',
  },
  vault_ciphertext_bytes: {
    free: 16_384,
    paid: 65_536,
    text: 'Size of the ciphertext of a vault entry, in bytes.',
    code: 'payload_too_large',
  },
  storage_bytes: {
    free: 1_073_741_824,
    paid: 53_687_091_200,
    text: 'Bytes that an account stores: mail, drafts and vault. One sender’s mail fills at most a quarter.',
    code: 'storage_full',
  },
  mail_program_bytes_per_day: {
    free: 268_435_456,
    paid: 2_147_483_648,
    text: 'Bytes that mail programs get by IMAP per UTC day. A pod shares the quota of its platform.',
    code: 'rate_limited',
  },
  stacks: { free: 1, paid: 100, text: 'Domains of an account and its pods.', code: 'stack_limit' },
  dns_records: { free: 10, paid: 100, text: 'DNS records of a domain.', code: 'stack_limit' },
  pods: { free: 10, paid: 100, text: 'Active pods of a platform.', code: 'pod_limit_reached' },
  calendar_events: { free: 100, paid: 10_000, text: 'Events in the calendar of an account.', code: 'calendar_limit' },
  drafts: {
    free: 20,
    paid: 500,
    text: 'Drafts and scheduled mails of an account that are not sent.',
    code: 'limit_reached',
  },
  named_keys: { free: 20, paid: 200, text: 'Named keys of an account that have not expired.', code: 'limit_reached' },
  delegations: {
    free: 100,
    paid: 1000,
    text: 'Delegations that an account made or passed on and that stand.',
    code: 'limit_reached',
  },
  event_streams: {
    free: 100,
    paid: 1000,
    text: 'Open WebSockets, event streams and waiting `GET /v1/events` requests of an account and its pods, on each instance.',
    code: 'stream_limit',
  },
} as const satisfies Record<string, TierRow>;

/** True for a tier limit that `LIMITS` can turn off with null. */
export const mayBeUnlimited = (name: string): boolean =>
  Object.hasOwn(TIER_LIMITS, name) && TIER_LIMITS[name as keyof typeof TIER_LIMITS].paid === null;
