import { DAY_MS, HOUR_MS } from '../base/period.ts';
import type { ErrorCode } from './errors.ts';
import { FIXED_LIMITS } from './metering/fixed-limits.ts';
import { type LimitText, TIER_LIMITS } from './metering/tier-limits.ts';

/**
 * Every limit of the service, one row each: its default, what it counts, and the error for a request over it. Types,
 * defaults, errors and the tables in docs/ are derived from these rows, so a new limit is one new row.
 *
 * The code of a new row: 403 `limit_reached` for a number, 429 `rate_limited` for a rate, 402 for what a payment buys.
 *
 * The rows that differ by tier stand in tier-limits.ts, those that `LIMITS` cannot change in fixed-limits.ts.
 */

/** Limits that are the same for every tier. `LIMITS` can override each one. */
export const SERVICE_LIMITS = {
  vault_metadata_bytes: {
    value: 4096,
    text: 'Size of the metadata of a vault entry, in bytes.',
    code: 'metadata_too_large',
  },
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
    text: 'Login emails for one address in any hour: from each network that it logged in from within 90 days, and from all others together.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  requests_per_person_per_day: {
    value: 10_000,
    text: 'API requests of one person per UTC day, by operator sessions and by sessions of a confirmed address outside this service. They do not count for the account.',
    code: 'rate_limited',
  },
  // Limits of the calls in `CALL_BUCKETS`, so that spending another quota cannot prevent these calls.
  key_rotations_per_hour: {
    value: 5,
    text: 'Key rotations by the sessions of one address in a clock hour. A key and those it replaced may be rotated `revocations_per_hour` times.',
    code: 'rate_limited',
  },
  backup_activations_per_hour: {
    value: 5,
    text: 'Calls that activate a backup key, by one key, or by the sessions of one address, in a clock hour.',
    code: 'rate_limited',
  },
  secures_per_hour: {
    value: 5,
    text: 'Calls that secure an account, by the sessions of one address in a clock hour. A key and those it replaced may secure it `revocations_per_hour` times.',
    code: 'rate_limited',
  },
  inspections_per_hour: {
    value: 120,
    text: 'Calls that show what can be ended, by one credential in a clock hour. More count like any other request.',
    code: 'rate_limited',
  },
  revocations_per_hour: {
    value: 60,
    text: 'Calls that take something away, by one credential in a clock hour: keys, sessions, tokens, delegations, applications, webhooks, signing keys, programs, domains, addresses, addresses of people, approvals, the account.',
    code: 'rate_limited',
  },
  console_requests_per_day: {
    value: 1000,
    text: 'Reads (GET) by the console sessions of an account per UTC day, with the drafts that they save. They do not count for the account.',
    code: 'rate_limited',
  },
  console_logins_per_hour: {
    value: 30,
    text: 'Console sessions that a key opens in a clock hour.',
    code: 'rate_limited',
  },
  searches_per_hour: {
    value: 300,
    text: 'Searches by one credential in a clock hour. Those of a console session count as its reads.',
    code: 'rate_limited',
  },
  token_refreshes_per_hour: {
    value: 60,
    text: 'Refreshes of the tokens of one OAuth grant in a clock hour.',
    code: 'rate_limited',
  },
  bounced_percent: {
    value: 5,
    text: 'Hard bounces and complaints in 7 days, in percent of the mails to other services. Above it, sending pauses.',
    code: 'sending_paused',
  },
  bounces_counted_from: { value: 50, text: 'Mails to other services in 7 days from which `bounced_percent` counts.' },
  account_exports_per_day: { value: 5, text: 'Exports of an account in a UTC day.', code: 'rate_limited' },
  pod_changes_per_hour: {
    value: 60,
    text: 'Changes, suspensions and new keys of pods by one credential of the platform in a clock hour.',
    code: 'rate_limited',
  },
  picture_loads_per_hour: { value: 120, text: 'Loads of remote pictures by an account an hour.', code: 'rate_limited' },
  picture_loads_at_once: { value: 2, text: 'Loads of remote pictures by an account at a time.', code: 'rate_limited' },
  // Stops one network from filling the queue with mail to other people.
  logins_per_ip_per_hour: {
    value: 300,
    text: 'Login emails requested from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  passkey_logins_per_ip_per_hour: {
    value: 300,
    text: 'Passkey logins, and options for one, from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  passkey_logins_per_email_per_hour: {
    value: 60,
    text: 'Passkey logins of one address in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recovery_codes_per_ip_per_hour: {
    value: 30,
    text: 'Recovery codes tried from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  // For each network, so that a stranger cannot lock out the owner. A code has 80 random bits.
  recovery_codes_per_email_per_hour: {
    value: 5,
    text: 'Recovery codes tried for one address from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recoveries_per_email_per_hour: {
    value: 3,
    text: 'Recovery emails for one address in any hour, counted by network like login emails.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recoveries_per_email_per_day: {
    value: 5,
    text: 'The same, in any 24 hours.',
    code: 'rate_limited',
    windowMs: DAY_MS,
  },
  legacy_vault_entries_per_email_per_day: {
    value: 5,
    text: 'Anonymous vault entries for one address in any 24 hours.',
    code: 'rate_limited',
    windowMs: DAY_MS,
  },
  // The next six limit what anonymous callers can make the service store and send.
  legacy_vault_entries_per_email: {
    value: 100,
    text: 'Anonymous vault entries kept for one address.',
    code: 'rate_limited',
  },
  legacy_vault_bytes: { value: 1_073_741_824, text: 'Bytes of all anonymous vault entries.', code: 'rate_limited' },
  legacy_vault_entries_per_ip_per_hour: {
    value: 60,
    text: 'Anonymous vault entries from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  recoveries_per_ip_per_hour: {
    value: 300,
    text: 'Recovery emails requested from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  legacy_vault_seed_bytes: {
    value: 51_200,
    text: 'Size of an anonymous sealed seed, in bytes.',
    code: 'payload_too_large',
  },
  vault_seed_bytes: {
    value: 102_400,
    text: 'Size of the sealed seed of an account, in bytes.',
    code: 'payload_too_large',
  },
  magic_link_ttl_seconds: { value: 900, text: 'Lifetime of a login or recovery link. A link works once.' },
  session_ttl_seconds: { value: 86_400, text: 'Lifetime of a session.' },
  console_session_ttl_seconds: { value: 43_200, text: 'Lifetime of a console session, which a key opens.' },
  access_token_ttl_seconds: { value: 900, text: 'Lifetime of an access token.' },
  refresh_token_ttl_seconds: { value: 2_592_000, text: 'Lifetime of a refresh token. Each use replaces it.' },
  client_registrations_per_ip_per_hour: {
    value: 30,
    text: 'OAuth clients registered from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  // Each makes this service fetch a URL that the caller chose.
  client_documents_per_ip_per_hour: {
    value: 60,
    text: 'Metadata documents of OAuth clients fetched for one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  device_logins_per_ip_per_hour: {
    value: 60,
    text: 'Logins with a device code that one network begins in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  // After these no code is looked at, so that a code that another waits with cannot be guessed.
  device_wrong_codes_per_ip_per_hour: {
    value: 5,
    text: 'Wrong user codes of device logins that one network types in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  approval_ttl_seconds: { value: 86_400, text: 'Lifetime of an approval.' },
  review_ttl_seconds: { value: 604_800, text: 'Lifetime of a held email. Then it is rejected.' },
  quarantine_ttl_seconds: { value: 2_592_000, text: 'How long mail stays in quarantine. Then it is deleted.' },
  credential_ttl_seconds: { value: 600, text: 'Lifetime of a credential request.' },
  credential_requests: { value: 5, text: 'Open credential requests of an account.', code: 'credential_limit' },
  credential_wrong_codes: { value: 5, text: 'Wrong user codes after which a credential request ends.' },
  // With 20^8 codes, guessing one at this rate never succeeds in practice.
  credential_links_per_ip_per_hour: {
    value: 30,
    text: 'Links requested with a user code from one network in any hour.',
    code: 'rate_limited',
    windowMs: HOUR_MS,
  },
  mails_per_sender_per_hour: { value: 10_000, text: 'Mails of a sender to an account in an hour; more get 451.' },
  tried_recipients_per_hour: {
    value: 100,
    text: 'Recipients on this service of emails that an account only tries (`dry_run`), and those over SMTP that are not there, in a clock hour. Then submission takes none of this service.',
    code: 'rate_limited',
  },
  bad_recipients_per_session: { value: 20, text: 'Wrong recipients of an SMTP session. Then it ends with 421.' },
  bad_recipients_per_network_per_hour: {
    value: 1000,
    text: 'Wrong recipients named by one network over SMTP in an hour. Each further one ends its session with 421.',
  },
  mail_program_connections: {
    value: 20,
    text: 'Connections of [mail programs](mail-programs.md) to one address that are logged in, on each instance. More get `NO [LIMIT]`.',
  },
  confirmation_ttl_seconds: { value: 259_200, text: 'Lifetime of the link in a confirmation email.' },
  // Any account can name any address.
  confirmation_mails_per_email_per_day: {
    value: 5,
    text: 'Confirmation emails to one address in any 24 hours, from all accounts. A login with the address shows the rest.',
    windowMs: DAY_MS,
  },
  confirmation_refusals_per_day: { value: 10, text: 'Refusals in 24 hours that end an account’s confirmation emails.' },
  // An agent can ask its operator for any number of approvals.
  approval_mails_per_email_per_hour: {
    value: 10,
    text: 'Emails about approvals and held emails to a person in any hour. One more lists the rest.',
    windowMs: HOUR_MS,
  },
  approval_mails_per_email_per_day: { value: 100, text: 'The same, in a day.', windowMs: DAY_MS },
  news_mails_per_email_per_hour: {
    value: 10,
    text: 'Single emails with news of agents to a person in any hour. One more tells the rest.',
    windowMs: HOUR_MS,
  },
  calendar_invitations: { value: 20, text: 'Received invitations that an account never accepted, in its calendar.' },
  calendar_invitations_per_sender: { value: 3, text: 'The same, of one organizer.' },
} as const satisfies Record<string, LimitText & { value: number }>;

/** Every limit by its name. */
export const LIMIT_TABLE = { ...TIER_LIMITS, ...SERVICE_LIMITS, ...FIXED_LIMITS };

type LimitTable = typeof LIMIT_TABLE;
export type LimitName = keyof LimitTable;
/** Limits with a sliding window. */
type WindowLimit = { [N in LimitName]: LimitTable[N] extends { windowMs: number } ? N : never }[LimitName];
/** Limits that can refuse a request. */
export type RefusingLimit =
  | WindowLimit
  | { [N in LimitName]: LimitTable[N] extends { code: ErrorCode } ? N : never }[LimitName];

export type Tier = 'free' | 'paid';

type MayBeUnlimited<R> = R extends { free: number; paid: number } ? number : number | null;

/** The limits of a tier. `null`: unlimited. */
export type TierLimits = { [N in keyof typeof TIER_LIMITS]: MayBeUnlimited<(typeof TIER_LIMITS)[N]> };
/** The limits of every account, and those of each tier. */
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

/** A sliding-window limit in the form that {@link admitHit} takes, with its name for the refusal. */
export const windowRule = <N extends WindowLimit>(limits: Pick<Limits, N>, name: N) => ({
  name,
  limit: limits[name] as number,
  windowMs: LIMIT_TABLE[name].windowMs as number,
});
