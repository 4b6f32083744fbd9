import type { SignetError } from '../../../../client/signet-error.ts';
import { count, returnsIn } from '../format.ts';

/**
 * What a person reads when a limit is used up: what it is, when there is more, and what to do. What a limit on the size of
 * one request says comes from the service, which names the field.
 */

const WAIT = 'Wait until then.';
const ASK = 'Ask the administrator of this service for more.';
const TIER = 'The paid tier has more.';
const DELETE = 'Delete one that you no longer need.';
const BY_ADDRESS = 'Log in with a confirmed address: what a person asks does not count here.';

/** By the name of the limit: what is used up, in the plural, and what to do. */
export const LIMIT_WORDS: Readonly<Record<string, readonly [used: string, todo: string]>> = {
  requests_per_day: ['the requests of this account today', `${BY_ADDRESS} ${TIER}`],
  requests_per_day_shared: [
    'the requests that named keys and applications share today',
    'Log in with the primary key.',
  ],
  requests_share: ['the requests of this named key today', 'Give the key a larger share on the page Keys.'],
  requests_per_minute: ['the requests of this pod in this minute', 'Wait, or ask its platform for more.'],
  requests_per_hour: ['the requests of this pod in this hour', 'Wait, or ask its platform for more.'],
  requests_per_person_per_day: ['your requests today', `Close tabs of the console that you do not use. ${ASK}`],
  console_requests_per_day: ['the views of this account by key today', BY_ADDRESS],
  console_logins_per_hour: ['the logins with this key in this hour', 'Use a tab that is logged in, or wait.'],
  inspections_per_hour: ['the looks at keys, sessions and the like in this hour', WAIT],
  searches_per_hour: ['the searches in this hour', WAIT],
  revocations_per_hour: ['the calls that end keys, sessions and the like in this hour', 'What you ended stays ended.'],
  key_rotations_per_hour: ['the key replacements in this hour', 'The newest key works. Wait to replace it again.'],
  backup_activations_per_hour: ['the activations of a backup key in this hour', WAIT],
  secures_per_hour: ['the calls that secure this account in this hour', 'What was secured stays secured.'],
  pod_changes_per_hour: ['the changes of pods in this hour', WAIT],
  token_refreshes_per_hour: ['the refreshes of this application in this hour', WAIT],
  account_exports_per_day: ['the exports of this account today', 'Use the latest one, or wait.'],
  picture_loads_per_hour: [
    'the loads of remote pictures in this hour',
    'The text of the mail is complete without them.',
  ],
  picture_loads_at_once: ['the loads of remote pictures at a time', 'Try again in a moment.'],
  tried_recipients_per_hour: ['the recipients that are only tried in this hour', 'Wait to try more of them.'],
  max_recipients_per_day: ['the recipients that the mail policy allows today', 'Wait, or raise it on the page Policy.'],
  emails_per_day: ['the mails of this account today', `Wait, or pay for this mail by x402. ${TIER}`],
  emails_per_hour: ['the mails of this account in this hour', `Wait, or pay for this mail by x402. ${TIER}`],
  mail_program_bytes_per_day: ['the bytes of mail programs today', `Wait until then. ${TIER}`],
  waiting_requests: ['the requests that wait for mail at a time', 'End one of them.'],
  event_streams: ['the open streams of events', 'Close tabs of the console that you do not use.'],

  logins_per_email_per_hour: ['the login mails to this address in this hour', 'Use the newest link, or a passkey.'],
  logins_per_ip_per_hour: ['the login mails from your network in this hour', 'Use the newest link, or a passkey.'],
  passkey_logins_per_ip_per_hour: [
    'the logins with passkeys from your network in this hour',
    'Ask for a link by mail.',
  ],
  passkey_logins_per_email_per_hour: [
    'the logins with passkeys of this address in this hour',
    'Ask for a link by mail.',
  ],
  recovery_codes_per_ip_per_hour: [
    'the tries of recovery codes from your network in this hour',
    'Ask for a link by mail.',
  ],
  recovery_codes_per_email_per_hour: [
    'the tries of recovery codes for this address in this hour',
    'Ask for a link by mail.',
  ],
  recoveries_per_email_per_hour: ['the recovery mails to this address in this hour', 'Use the newest link.'],
  recoveries_per_email_per_day: ['the recovery mails to this address today', 'Use the newest link.'],
  recoveries_per_ip_per_hour: ['the recovery mails from your network in this hour', 'Use the newest link.'],
  signups_per_ip_per_hour: ['the new accounts from your network in this hour', 'Wait. The agents that you have go on.'],
  registrations_per_ip_per_hour: ['the new agents from your network in this hour', 'Wait. Those that you have go on.'],
  client_registrations_per_ip_per_hour: ['the new applications from your network in this hour', WAIT],
  client_documents_per_ip_per_hour: ['the looks at applications from your network in this hour', WAIT],
  device_logins_per_ip_per_hour: ['the logins of command lines from your network in this hour', WAIT],
  device_wrong_codes_per_ip_per_hour: [
    'the wrong codes from your network in this hour',
    'Check the code on your screen.',
  ],
  credential_links_per_ip_per_hour: [
    'the links for credentials from your network in this hour',
    'Use the newest link.',
  ],
  credential_links_per_code: ['the links for this code', 'Use the newest link in your mailbox.'],
  legacy_vault_entries_per_email_per_day: ['the anonymous vault entries of this address today', WAIT],
  legacy_vault_entries_per_ip_per_hour: ['the anonymous vault entries from your network in this hour', WAIT],
  legacy_vault_entries_per_email: ['the anonymous vault entries of this address', ASK],
  legacy_vault_bytes: ['the anonymous vault entries of this service', ASK],

  addresses: ['the addresses of this account', `Release one that you no longer need. ${TIER}`],
  vault_keys: ['the vault entries of this account', `${DELETE} ${TIER}`],
  storage_bytes: ['the bytes that this account may store', `Delete mail, drafts or vault entries. ${TIER}`],
  stacks: ['the domains of this account', `${DELETE} ${TIER}`],
  dns_records: ['the records of this domain', TIER],
  pods: ['the pods of this platform', `Suspend one that you no longer need. ${TIER}`],
  calendar_events: ['the events of this calendar', `Delete past ones. ${TIER}`],
  drafts: ['the drafts of this account', `Send or delete one. ${TIER}`],
  named_keys: ['the named keys of this account', `${DELETE} ${TIER}`],
  delegations: ['the delegations of this account', `End one that you no longer need. ${TIER}`],
  credential_requests: ['the open requests for credentials', 'Answer or reject one on Home.'],
  operators: ['the operators of this account', 'Remove one first.'],
  webhooks: ['the webhooks of this account', DELETE],
  programs: ['the programs of this account', 'End one first.'],
  signing_keys: ['the signing keys of this account', 'Revoke one that you no longer use.'],
  grants: ['the applications of this account', 'End one that you no longer use.'],
  passkeys: ['your passkeys', 'Remove one that you no longer have.'],
};

interface Limit {
  name: string;
  used: number;
  max: number;
}

/** The limit that a refusal names: as `quota` where the reply has a number by the name `limit`. */
function limitOf({ limit, quota }: Readonly<Record<string, unknown>>): Limit | null {
  const found = [limit, quota].find((one) => typeof one === 'object' && one !== null);
  return (found as Limit | undefined) ?? null;
}

/** @returns null for a refusal that no limit is the cause of, or whose own message says more */
export function limitMessage({ fields, retryAfterSeconds: seconds, status, message }: SignetError): string | null {
  const limit = limitOf(fields);
  const words = limit && LIMIT_WORDS[limit.name];
  const again = seconds === null ? '' : `There is more ${returnsIn(seconds)}.`;
  if (!words) return status === 429 && again !== '' ? `${message} ${again}` : null;
  const [used, todo] = words;
  const figures = `(${count(Math.min(limit.used, limit.max))} of ${count(limit.max)})`;
  return [`${used.charAt(0).toUpperCase()}${used.slice(1)} are used up ${figures}.`, again, todo]
    .filter((part) => part !== '')
    .join(' ');
}
