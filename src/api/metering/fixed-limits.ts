import type { LimitText } from './tier-limits.ts';

/** Limits that `LIMITS` cannot change. Null: it follows from another, or something else sets it, such as a platform for its pod. */
export const FIXED_LIMITS = {
  operators: { value: 3, text: 'Confirmed operators of an account.', code: 'operator_limit' },
  console_sessions: { value: 5, text: 'Console sessions of an account. One more ends the oldest.' },
  webhooks: { value: 20, text: 'Webhooks of an account.', code: 'webhook_limit' },
  programs: { value: 20, text: 'Programs of an account that have not ended.', code: 'program_limit' },
  signing_keys: { value: 10, text: 'Signing keys of an account.', code: 'signing_key_limit' },
  grants: { value: 100, text: 'Clients that people let act for an account.', code: 'limit_reached' },
  device_login_seconds: { value: 600, text: 'Lifetime of the codes of a login with a device code.' },
  command_line_key_seconds: {
    value: 7_776_000,
    text: 'Lifetime of the named key that a login of the command line gets.',
  },
  passkeys: { value: 10, text: 'Passkeys of a person.', code: 'limit_reached' },
  passkey_delay_seconds: {
    value: 259_200,
    text: 'Time until a passkey that was added with a mailed login becomes active, where the person has one already.',
  },
  mail_policy_entries: { value: 1000, text: 'Entries of each list in a mail policy, and in the policy for a way out.' },
  mail_metadata_bytes: {
    value: 2048,
    text: 'Size of the metadata of a message, a draft or a sent email, in bytes of JSON.',
    code: 'metadata_too_large',
  },
  mail_metadata_names: {
    value: 50,
    text: 'Names in the metadata of a message, a draft or a sent email.',
    code: 'metadata_too_large',
  },
  max_recipients_per_day: {
    value: null,
    text: 'Recipients of an account (a platform: with its pods) or an address in a UTC day, set by its mail policy.',
    code: 'rate_limited',
  },
  waiting_requests: {
    value: 20,
    text: 'Requests of an account that wait for mail (`wait=`), on each instance.',
    code: 'rate_limited',
  },
  credential_links_per_code: {
    value: 3,
    text: 'Links requested with one user code during the lifetime of its request.',
    code: 'rate_limited',
  },
  requests_per_day_shared: {
    value: null,
    text: 'API requests of the named keys, access tokens and OAuth clients of an account together per UTC day: `requests_per_day` without a fifth of it, and without at least 10.',
    code: 'rate_limited',
  },
  requests_share: {
    value: null,
    text: 'API requests of a named key per UTC day, where its `requests_share` sets less than all of them may use.',
    code: 'rate_limited',
  },
  requests_per_minute: { value: null, text: 'Requests of a pod in a clock minute.', code: 'rate_limited' },
  requests_per_hour: { value: null, text: 'Requests of a pod in a clock hour.', code: 'rate_limited' },
} as const satisfies Record<string, LimitText & { value: number | null }>;
