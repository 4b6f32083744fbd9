/** The kinds of things that entries are about, and where the API has one. Empty: it has none by its id alone. */
const PATHS = {
  account: '/v1/account/me',
  address: '/v1/inbox/{id}',
  application: '',
  approval: '/v1/approvals/{id}',
  budget: '/v1/budget',
  calendar: '/v1/calendar/settings',
  calendar_event: '/v1/calendar/events/{id}',
  charge: '',
  credential_request: '',
  delegation: '',
  delivery: '',
  domain: '/v1/stack/{id}',
  draft: '/v1/email/drafts/{id}',
  finding: '/v1/findings/{id}',
  grant: '',
  held_mail: '/v1/email/reviews/{id}',
  invitation: '',
  job: '',
  key: '',
  message: '',
  network: '',
  notice: '',
  observation: '/v1/observations/{id}',
  passkey: '',
  person: '',
  pod: '/v1/pods/{id}',
  policy: '/v1/account/policy',
  mail_policy: '/v1/email/policy',
  profile: '/v1/account/profile',
  program: '',
  recipient: '',
  sent_mail: '/v1/email/outbox/{id}',
  session: '',
  signing_key: '',
  thread: '/v1/email/threads/{id}',
  token: '/v1/audit/{id}',
  vault_entry: '/v1/vault/{id}',
  webhook: '/v1/webhooks/{id}',
} as const;
export type TargetKind = keyof typeof PATHS;

/** What was done, with `{}` for the name of what it was done to, and what that is. */
type Words = readonly [did: string, kind: TargetKind];

const OF_ACCESS: Readonly<Record<string, Words>> = {
  'account.closed': ['Deleted the account', 'account'],
  'account.created': ['Created the account', 'account'],
  'account.deletion_cancelled': ['Cancelled the deletion of the account', 'account'],
  'account.deletion_scheduled': ['Scheduled the deletion of the account', 'account'],
  'account.exported': ['Exported the account', 'account'],
  'account.factor_removal_asked': ['Announced the removal of a factor', 'account'],
  'account.notice_undone': ['Undid an announced removal', 'notice'],
  'account.operator_email_set': ['Named an operator', 'account'],
  'account.operator_removed': ['Removed an operator', 'person'],
  'account.operator_replacement_asked': ['Announced a new operator', 'person'],
  'account.operator_replacement_cancelled': ['Cancelled the announced new operator', 'person'],
  'account.recovery_email_set': ['Changed the recovery email', 'account'],
  'account.resumed': ['Resumed the account', 'account'],
  'account.searched': ['Searched', 'account'],
  'account.scopes_set': ['Set the scopes that tokens may have', 'account'],
  'account.secured': ['Secured the account', 'key'],
  'account.suspended': ['Suspended the account', 'account'],
  'account.tier_set': ['Changed the tier', 'account'],
  'account.unsuspended': ['Resumed the account', 'account'],
  'client.registered': ['Registered an application', 'application'],
  'delegation.created': ['Delegated to another agent', 'delegation'],
  'delegation.ended': ['Ended a delegation', 'delegation'],
  'delegation.exchanged': ['Got a token for a delegation', 'delegation'],
  'grant.asked': ['Asked to log in on a machine', 'grant'],
  'grant.created': ['Let an application in', 'grant'],
  'grant.denied': ['Turned an application away', 'application'],
  'grant.ended': ['Ended the access of an application', 'grant'],
  'grant.redeemed': ['Gave an application its first token', 'grant'],
  'grant.refreshed': ['Gave an application a new token', 'grant'],
  'grant.viewed': ['Looked at the request of an application', 'application'],
  'invite.created': ['Made an invitation code', 'invitation'],
  'key.backup_activated': ['Activated the backup key', 'key'],
  'key.backup_generated': ['Made a backup key', 'key'],
  'key.backup_removal_asked': ['Announced the removal of the backup key', 'key'],
  'key.backup_removed': ['Removed the backup key', 'key'],
  'key.named_changed': ['Changed a named key', 'key'],
  'key.named_created': ['Created a named key', 'key'],
  'key.named_deleted': ['Deleted a named key', 'key'],
  'key.named_rotated': ['Replaced the text of a named key', 'key'],
  'key.rotated': ['Replaced the primary key', 'key'],
  'login.passkey_options_made': ['Began to log in with a passkey', 'passkey'],
  'login.requested': ['Asked for a login link', 'account'],
  'login.session_ended': ['Ended a session', 'session'],
  'login.session_opened': ['Logged in', 'session'],
  'notice.carried_out': ['Carried out an announced removal', 'notice'],
  'operator.settings_changed': ['Changed the settings of an operator', 'account'],
  'passkey.activated': ['Activated a passkey', 'passkey'],
  'passkey.added': ['Added a passkey', 'passkey'],
  'passkey.codes_made': ['Made recovery codes', 'passkey'],
  'passkey.options_made': ['Began to add a passkey', 'passkey'],
  'passkey.removed': ['Removed a passkey', 'passkey'],
  'person.confirmed': ['Confirmed an address of a person', 'person'],
  'person.refused': ['Refused to be a person of this account', 'person'],
  'pod.created': ['Created a pod', 'pod'],
  'pod.key_replaced': ['Replaced the key of a pod', 'pod'],
  'pod.suspended': ['Suspended a pod', 'pod'],
  'pod.updated': ['Changed a pod', 'pod'],
  'sign_up.mode_set': ['Set who may sign up', 'account'],
  'way_policy.changed': ['Changed what may leave the account', 'policy'],
};

const OF_MAIL: Readonly<Record<string, Words>> = {
  'address.claimed': ['Claimed {}', 'address'],
  'address.emptied': ['Deleted the mail of the released address {}', 'address'],
  'address.mail_expired': ['Deleted old mail of {}', 'address'],
  'address.released': ['Released {}', 'address'],
  'address.updated': ['Changed the settings of {}', 'address'],
  'draft.created': ['Wrote a draft', 'draft'],
  'draft.deleted': ['Deleted a draft', 'draft'],
  'draft.failed': ['Failed to send a scheduled mail', 'draft'],
  'draft.sent': ['Sent a scheduled mail', 'draft'],
  'draft.updated': ['Changed a draft', 'draft'],
  'e2e.key_removal_asked': ['Announced the end of mail encryption', 'account'],
  'e2e.key_removed': ['Ended mail encryption', 'account'],
  'e2e.rotated': ['Replaced the key of mail encryption', 'account'],
  'email.sent': ['Sent a mail', 'sent_mail'],
  'mail_policy.changed': ['Changed the mail policy', 'mail_policy'],
  'message.copied': ['Copied a mail', 'message'],
  'message.deleted': ['Deleted a mail for good', 'message'],
  'message.imported': ['Imported a mail', 'message'],
  'message.purged': ['Deleted a mail from the trash', 'message'],
  'message.read': ['Read a mail', 'message'],
  'message.trashed': ['Moved a mail to the trash', 'message'],
  'message.updated': ['Changed a mail', 'message'],
  'quarantine.deleted': ['Deleted a mail from the quarantine', 'message'],
  'quarantine.expired': ['Deleted old mail from the quarantine', 'message'],
  'quarantine.released': ['Released a mail from the quarantine', 'message'],
  'recipient.unsubscribed': ['Unsubscribed from mail', 'recipient'],
  'review.approved': ['Let a held mail go out', 'held_mail'],
  'review.decided': ['Decided about a held mail', 'held_mail'],
  'review.expired': ['Let a held mail expire', 'held_mail'],
  'review.rejected': ['Rejected a held mail', 'held_mail'],
  'review.withdrawn': ['Withdrew a held mail', 'held_mail'],
  'sent_mail.deleted': ['Deleted an imported sent mail', 'sent_mail'],
  'sent_mail.hidden': ['Took a sent mail out of its folder', 'sent_mail'],
  'sent_mail.imported': ['Imported a sent mail', 'sent_mail'],
  'storage.cleared': ['Emptied the trash and spam of the full account', 'message'],
  'suppression.deleted': ['Let mail go to {} again', 'recipient'],
  'thread.updated': ['Changed a thread', 'thread'],
};

const OF_THE_REST: Readonly<Record<string, Words>> = {
  'approval.approved': ['Approved a charge', 'approval'],
  'approval.decided': ['Decided about a charge', 'approval'],
  'approval.expired': ['Let an approval expire', 'approval'],
  'approval.rejected': ['Rejected a charge', 'approval'],
  'budget.changed': ['Changed the budget', 'budget'],
  'calendar.event_created': ['Created an event', 'calendar_event'],
  'calendar.event_deleted': ['Deleted an event', 'calendar_event'],
  'calendar.event_updated': ['Changed an event', 'calendar_event'],
  'calendar.feed_created': ['Made the calendar feed', 'calendar'],
  'calendar.feed_rotated': ['Replaced the link of the calendar feed', 'calendar'],
  'calendar.invitation_answered': ['Answered an invitation', 'calendar_event'],
  'calendar.settings_changed': ['Changed the settings of the calendar', 'calendar'],
  'charge.made': ['Charged the budget', 'charge'],
  'credential.code_refused': ['Entered a wrong code for a credential', 'credential_request'],
  'credential.delivered': ['Took a credential', 'credential_request'],
  'credential.link_requested': ['Asked for the link to a credential request', 'credential_request'],
  'credential.polled': ['Asked whether a credential is there', 'credential_request'],
  'credential.requested': ['Asked for a credential', 'credential_request'],
  'credential.resolved': ['Decided about a request for a credential', 'credential_request'],
  'credential.viewed': ['Looked at a request for a credential', 'credential_request'],
  'finding.judged': ['Judged a finding', 'finding'],
  'finding.submitted': ['Submitted a finding', 'finding'],
  'job.run': ['Ran a job again', 'job'],
  'observation.created': ['Wrote an observation', 'observation'],
  'profile.changed': ['Changed the profile', 'profile'],
  'program.created': ['Opened a program for findings', 'program'],
  'program.ended': ['Ended a program for findings', 'program'],
  'signing_key.deleted': ['Deleted a signing key', 'signing_key'],
  'signing_key.registered': ['Registered a signing key', 'signing_key'],
  'socket.ticket_issued': ['Got a ticket for a stream', 'account'],
  'stack.created': ['Added a domain', 'domain'],
  'stack.deleted': ['Removed a domain', 'domain'],
  'stack.verified': ['Looked up the records of a domain', 'domain'],
  'telemetry.submitted': ['Submitted telemetry', 'observation'],
  'token.issued': ['Issued a token', 'token'],
  'token.revoked': ['Revoked a token', 'token'],
  'vault.deleted': ['Deleted the secret {}', 'vault_entry'],
  'vault.listed': ['Listed the vault', 'account'],
  'vault.read': ['Read the secret {}', 'vault_entry'],
  'vault.recovered': ['Recovered the vault', 'account'],
  'vault.recovery_requested': ['Asked to recover the vault', 'account'],
  'vault.recovery_set': ['Set the recovery of the vault', 'account'],
  'vault.seed_stored': ['Stored a sealed seed of the vault', 'account'],
  'vault.stored': ['Stored the secret {}', 'vault_entry'],
  'webhook.created': ['Created a webhook', 'webhook'],
  'webhook.deleted': ['Deleted a webhook', 'webhook'],
  'webhook.delivery_retried': ['Sent a delivery again', 'delivery'],
  'webhook.secret_rotated': ['Replaced the secret of a webhook', 'webhook'],
  'webhook.tested': ['Sent a test to a webhook', 'webhook'],
  'webhook.updated': ['Changed a webhook', 'webhook'],
};

const WORDS = { ...OF_ACCESS, ...OF_MAIL, ...OF_THE_REST };

const SUMMARY_MAX = 300;

/** One line, without characters that hide or reorder others. */
const plain = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, SUMMARY_MAX);

/** What was done, in words: those of the handler, else those of the action. */
export function summaryOf(action: string, resourceId: string | null, given: string | undefined): string {
  return plain(given ?? (WORDS[action]?.[0] ?? action).replace('{}', () => resourceId ?? 'it'));
}

/** What an entry is about. `href`: where the API has it, if it has it by its id alone. */
export interface AuditTarget {
  kind: TargetKind;
  id: string;
  href: string | null;
}

/** Ids that tell their kind, where an action is about things of several kinds. */
const BY_ID: Readonly<Record<string, TargetKind>> = {
  apr: 'approval',
  out: 'sent_mail',
  rev: 'held_mail',
  grt: 'grant',
  per: 'person',
};

/** What an entry is about: its kind follows from the action. Null: nothing that has an id. */
export function targetOf(action: string, resourceId: string | null): AuditTarget | null {
  const kind = BY_ID[resourceId?.slice(0, 4).replace(/_$/, '') ?? ''] ?? WORDS[action]?.[1];
  if (resourceId === null || resourceId === '' || kind === undefined) return null;
  const path = PATHS[kind];
  return { kind, id: resourceId, href: path === '' ? null : path.replace('{id}', encodeURIComponent(resourceId)) };
}
