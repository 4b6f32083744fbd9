import type { ErrorCode } from './errors.ts';
import { DAY_MS, HOUR_MS } from './period.ts';

/**
 * Every limit of the service, one row each: its default, what it counts, and the error that refuses a request over it.
 * Types, defaults, refusals and the tables in docs/ come from these rows, so a new limit is one new row.
 *
 * Which code a new row takes: a number of things is 403 `limit_reached`, a rate is 429 `rate_limited`, and what can be
 * bought is 402.
 */
interface LimitText {
  /** What is counted and per what, in one sentence. */
  text: string;
  /** The error over it; its status follows from the error table. Absent: the limit refuses nothing. */
  code?: ErrorCode;
  /** Of a rate: the sliding window it counts within. */
  windowMs?: number;
}

interface TierRow extends LimitText {
  free: number;
  /** Null: no limit. */
  paid: number | null;
}

/** Limits that depend on the tier. `LIMITS` may override each. */
export const TIER_LIMITS = {
  requests_per_day: {
    free: 100,
    paid: 10_000,
    text: 'API requests of an account in a UTC day. A pod shares the quota of its platform.',
    code: 'rate_limited',
  },
  emails_per_day: {
    free: 10,
    paid: 1000,
    text: 'Mails an account sends in a UTC day, unless it pays for more. A pod shares the quota of its platform.',
    code: 'payment_required',
  },
  emails_per_hour: {
    free: 10,
    paid: 200,
    text: 'Mails an account sends in an hour of the clock, unless it pays for more. A pod shares the quota of its platform.',
    code: 'payment_required',
  },
  recipients_per_send: { free: 10, paid: 50, text: 'Recipients of one mail.', code: 'too_many_recipients' },
  addresses: { free: 10, paid: 25, text: 'Addresses of an account.', code: 'address_limit' },
  vault_keys: {
    free: 10,
    paid: null,
    text: 'Keys in the vault of an account, beside those it pays for.',
    code: 'payment_required',
  },
  vault_versions_per_key: {
    free: 3,
    paid: 100,
    text: 'Versions kept of a vault key. A newer one removes the oldest.',
  },
  vault_ciphertext_bytes: {
    free: 16_384,
    paid: 65_536,
    text: 'Bytes of the ciphertext of a vault entry.',
    code: 'payload_too_large',
  },
  stacks: { free: 1, paid: 100, text: 'Domains of an account and its pods together.', code: 'stack_limit' },
  dns_records: { free: 10, paid: 100, text: 'DNS records of a domain.', code: 'stack_limit' },
  pods: { free: 10, paid: 100, text: 'Active pods of a platform.', code: 'pod_limit_reached' },
  calendar_events: { free: 100, paid: 10_000, text: 'Events in the calendar of an account.', code: 'calendar_limit' },
  event_streams: {
    free: 100,
    paid: 1000,
    text: 'Open WebSockets, event streams and waiting `GET /v1/events` of an account and its pods, on each instance.',
    code: 'stream_limit',
  },
} as const satisfies Record<string, TierRow>;

/** Limits that are the same for everyone. `LIMITS` may override each. */
export const SERVICE_LIMITS = {
  vault_metadata_bytes: { value: 4096, text: 'Bytes of the metadata of a vault entry.', code: 'metadata_too_large' },
  signups_per_ip_per_hour: {
    value: 5,
    text: 'Keys created from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  registrations_per_ip_per_hour: {
    value: 5,
    text: 'Registrations from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  logins_per_email_per_hour: {
    value: 5,
    text: 'Login mails for one address in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  // Keeps one network from filling the queue with other people's addresses.
  logins_per_ip_per_hour: {
    value: 300,
    text: 'Login mails asked for from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recoveries_per_email_per_hour: {
    value: 3,
    text: 'Recovery mails for one address in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recoveries_per_email_per_day: {
    value: 5,
    text: 'Recovery mails for one address in any 24 hours.',
    code: 'rate_limited',
    windowMs: DAY_MS,
  },
  legacy_vault_entries_per_email_per_day: {
    value: 5,
    text: 'Anonymous vault entries for one address in any 24 hours.',
    code: 'rate_limited',
    windowMs: DAY_MS,
  },
  // The next five bound what strangers can make the service keep and send.
  legacy_vault_entries_per_email: {
    value: 100,
    text: 'Anonymous vault entries kept for one address.',
    code: 'rate_limited',
  },
  legacy_vault_entries_per_ip_per_hour: {
    value: 60,
    text: 'Anonymous vault entries from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recoveries_per_ip_per_hour: {
    value: 300,
    text: 'Recovery mails asked for from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  legacy_vault_seed_bytes: { value: 51_200, text: 'Bytes of an anonymous sealed seed.', code: 'payload_too_large' },
  vault_seed_bytes: { value: 102_400, text: 'Bytes of the sealed seed of an account.', code: 'payload_too_large' },
  magic_link_ttl_seconds: { value: 900, text: 'Life of a login or recovery link, which works once.' },
  session_ttl_seconds: { value: 86_400, text: 'Life of a session.' },
  approval_ttl_seconds: { value: 86_400, text: 'Life of an approval.' },
  credential_ttl_seconds: { value: 600, text: 'Life of a credential request.' },
  credential_requests: { value: 5, text: 'Open credential requests of an account.', code: 'credential_limit' },
  credential_wrong_codes: { value: 5, text: 'Wrong user codes that end a credential request.' },
  // With 20^8 codes, guessing one at this rate never succeeds in practice.
  credential_links_per_ip_per_hour: {
    value: 30,
    text: 'Links asked for with a user code from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  // An account can name any address as its operator, and ask it as often as it likes.
  approval_mails_per_email_per_hour: {
    value: 20,
    text: 'Approval mails to one operator in any hour. Further ones wait.',
    windowMs: HOUR_MS,
  },
  approval_mails_per_email_per_day: {
    value: 100,
    text: 'Approval mails to one operator in any 24 hours. Further ones wait.',
    windowMs: DAY_MS,
  },
} as const satisfies Record<string, LimitText & { value: number }>;

/** Limits that `LIMITS` does not change. Null: none by default, and a platform may set one for a pod. */
export const FIXED_LIMITS = {
  webhooks: { value: 20, text: 'Webhooks of an account.', code: 'webhook_limit' },
  programs: { value: 20, text: 'Programs of an account that have not ended.', code: 'program_limit' },
  signing_keys: { value: 10, text: 'Signing keys of an account.', code: 'signing_key_limit' },
  waiting_requests: {
    value: 20,
    text: 'Requests of an account that wait for mail (`wait=`), on each instance.',
    code: 'rate_limited',
  },
  credential_links_per_code: {
    value: 3,
    text: 'Links asked for with one user code in the life of its request.',
    code: 'rate_limited',
  },
  requests_per_minute: { value: null, text: 'Requests of a pod in a minute of the clock.', code: 'rate_limited' },
  requests_per_hour: { value: null, text: 'Requests of a pod in an hour of the clock.', code: 'rate_limited' },
} as const satisfies Record<string, LimitText & { value: number | null }>;

/** Every limit by its name. */
export const LIMIT_TABLE = { ...TIER_LIMITS, ...SERVICE_LIMITS, ...FIXED_LIMITS };

type LimitTable = typeof LIMIT_TABLE;
export type LimitName = keyof LimitTable;
/** Limits of a sliding window. */
type WindowLimit = { [N in LimitName]: LimitTable[N] extends { windowMs: number } ? N : never }[LimitName];
/** Limits that a request can be over. */
export type RefusingLimit =
  | WindowLimit
  | { [N in LimitName]: LimitTable[N] extends { code: ErrorCode } ? N : never }[LimitName];

export type Tier = 'free' | 'paid';

type MayBeUnlimited<R> = R extends { free: number; paid: number } ? number : number | null;

/** Of these `null` means unlimited. */
export type TierLimits = { [N in keyof typeof TIER_LIMITS]: MayBeUnlimited<(typeof TIER_LIMITS)[N]> };
/** What applies to every account, and to each tier. */
export type Limits = { [N in keyof typeof SERVICE_LIMITS]: number } & Record<Tier, TierLimits>;

const defaultsOf = (tier: Tier): TierLimits =>
  Object.fromEntries(Object.entries(TIER_LIMITS).map(([name, row]) => [name, row[tier]])) as unknown as TierLimits;

export const DEFAULT_LIMITS: Limits = {
  free: defaultsOf('free'),
  paid: defaultsOf('paid'),
  ...(Object.fromEntries(Object.entries(SERVICE_LIMITS).map(([name, { value }]) => [name, value])) as {
    [N in keyof typeof SERVICE_LIMITS]: number;
  }),
};

/** A limit of a sliding window as {@link admitHit} takes it, with its name for the refusal. */
export const windowRule = <N extends WindowLimit>(limits: Pick<Limits, N>, name: N) => ({
  name,
  limit: limits[name] as number,
  windowMs: LIMIT_TABLE[name].windowMs as number,
});

/** True for a limit of a tier that `LIMITS` may switch off with null. */
export const mayBeUnlimited = (name: string): boolean =>
  Object.hasOwn(TIER_LIMITS, name) && TIER_LIMITS[name as keyof typeof TIER_LIMITS].paid === null;

/**
 * The default table with the leaves of `overrides` put over it.
 * @throws Error naming the leaf that is unknown or has the wrong type
 */
export function mergeLimits(overrides: unknown): Limits {
  return mergeLevel(DEFAULT_LIMITS, overrides, '') as Limits;
}

function mergeLevel(defaults: object, overrides: unknown, path: string): object {
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new Error(`${path || 'the value'} must be a JSON object`);
  }
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(overrides)) {
    const leaf = path ? `${path}.${name}` : name;
    if (!Object.hasOwn(defaults, name)) throw new Error(`${leaf} is not a limit`);
    const current = merged[name];
    if (typeof current === 'object' && current !== null) {
      merged[name] = mergeLevel(current, value, leaf);
      continue;
    }
    const isCount = Number.isSafeInteger(value) && (value as number) >= 0;
    const mayBeNull = mayBeUnlimited(name);
    if (!isCount && !(mayBeNull && value === null)) {
      throw new Error(`${leaf} must be a non-negative integer${mayBeNull ? ' or null' : ''}`);
    }
    merged[name] = value;
  }
  return merged;
}
