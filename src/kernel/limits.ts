/** Every limit of the service in one table (contract.md, "The limit table"). `null` means unlimited. */
export interface TierLimits {
  requests_per_day: number;
  emails_per_day: number;
  emails_per_hour: number;
  recipients_per_send: number;
  addresses: number;
  vault_keys: number | null;
  vault_versions_per_key: number;
  vault_ciphertext_bytes: number;
  stacks: number;
  dns_records: number;
  pods: number;
  calendar_events: number;
  /** Open WebSockets, event streams and waiting polls of one account, on each instance. */
  event_streams: number;
}

export type Tier = 'free' | 'paid';

export interface Limits {
  free: TierLimits;
  paid: TierLimits;
  vault_metadata_bytes: number;
  signups_per_ip_per_hour: number;
  registrations_per_ip_per_hour: number;
  logins_per_email_per_hour: number;
  /** Not in the specification: keeps one network from filling the queue with other people's addresses. */
  logins_per_ip_per_hour: number;
  recoveries_per_email_per_hour: number;
  recoveries_per_email_per_day: number;
  legacy_vault_entries_per_email_per_day: number;
  /** These five are not in the specification's table: they bound what strangers can make the service keep and send. */
  legacy_vault_entries_per_email: number;
  legacy_vault_entries_per_ip_per_hour: number;
  recoveries_per_ip_per_hour: number;
  legacy_vault_seed_bytes: number;
  vault_seed_bytes: number;
  magic_link_ttl_seconds: number;
  session_ttl_seconds: number;
  approval_ttl_seconds: number;
  /** Not in the specification: an account can name anybody its operator, and ask them as often as it likes. */
  approval_mails_per_email_per_hour: number;
  approval_mails_per_email_per_day: number;
  credential_ttl_seconds: number;
  /** Open requests of an account at a time. */
  credential_requests: number;
  /** This many wrong user codes end a request. */
  credential_wrong_codes: number;
  /** Links asked for with a user code: with 20^8 codes, guessing one at this rate takes for ever. */
  credential_links_per_ip_per_hour: number;
}

export const DEFAULT_LIMITS: Limits = {
  free: {
    requests_per_day: 100,
    emails_per_day: 10,
    emails_per_hour: 10,
    recipients_per_send: 10,
    addresses: 10,
    vault_keys: 10,
    vault_versions_per_key: 3,
    vault_ciphertext_bytes: 16_384,
    stacks: 1,
    dns_records: 10,
    pods: 10,
    calendar_events: 100,
    event_streams: 100,
  },
  paid: {
    requests_per_day: 10_000,
    emails_per_day: 1000,
    emails_per_hour: 200,
    recipients_per_send: 50,
    addresses: 25,
    vault_keys: null,
    vault_versions_per_key: 100,
    vault_ciphertext_bytes: 65_536,
    stacks: 100,
    dns_records: 100,
    pods: 100,
    calendar_events: 10_000,
    event_streams: 1000,
  },
  vault_metadata_bytes: 4096,
  signups_per_ip_per_hour: 5,
  registrations_per_ip_per_hour: 5,
  logins_per_email_per_hour: 5,
  logins_per_ip_per_hour: 300,
  recoveries_per_email_per_hour: 3,
  recoveries_per_email_per_day: 5,
  legacy_vault_entries_per_email_per_day: 5,
  legacy_vault_entries_per_email: 100,
  legacy_vault_entries_per_ip_per_hour: 60,
  recoveries_per_ip_per_hour: 300,
  legacy_vault_seed_bytes: 51_200,
  vault_seed_bytes: 102_400,
  magic_link_ttl_seconds: 900,
  session_ttl_seconds: 86_400,
  approval_ttl_seconds: 86_400,
  approval_mails_per_email_per_hour: 20,
  approval_mails_per_email_per_day: 100,
  credential_ttl_seconds: 600,
  credential_requests: 5,
  credential_wrong_codes: 5,
  credential_links_per_ip_per_hour: 30,
};

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
    const mayBeNull = name === 'vault_keys';
    if (!isCount && !(mayBeNull && value === null)) {
      throw new Error(`${leaf} must be a non-negative integer${mayBeNull ? ' or null' : ''}`);
    }
    merged[name] = value;
  }
  return merged;
}
