import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { EventData, ListEventsReply } from '../../../../client/generated/operations.ts';
import { time, usdc } from '../../ui/format.ts';
import { empty } from '../../ui/placeholders.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** An entry of the event log as a person reads it. */

export type LoggedEvent = ListEventsReply['events'][number];

export const EVENT_TITLES: Readonly<Record<keyof EventData, string>> = {
  'email.received': 'Mail received',
  'email.sent': 'Mail sent',
  'email.failed': 'Mail failed',
  'email.held': 'Mail held for approval',
  'email.released': 'Held mail approved',
  'email.rejected': 'Held mail rejected',
  'email.quarantined': 'Mail quarantined',
  'email.suppressed': 'Recipient suppressed',
  'sending.paused': 'Sending paused',
  'address.released': 'Address released',
  'vault.updated': 'Vault changed',
  'payment.settled': 'Payment settled',
  'payment.failed': 'Payment failed',
  'key.rotated': 'Key replaced',
  'account.suspended': 'Account suspended',
  'account.resumed': 'Account resumed',
  'account.person_changed': 'Person changed',
  'account.notice_started': 'Removal announced',
  'account.notice_ended': 'Announced removal ended',
  'account.secured': 'Account secured',
  'account.deletion_scheduled': 'Deletion scheduled',
  'account.deletion_cancelled': 'Deletion cancelled',
  'charge.completed': 'Charge recorded',
  'approval.requested': 'Approval requested',
  'approval.resolved': 'Approval decided',
  'budget.limit_reached': 'Cap reached',
  'token.issued': 'Token issued',
  'token.revoked': 'Token revoked',
  'delegation.created': 'Delegation created',
  'delegation.ended': 'Delegation ended',
  'grant.created': 'Application allowed',
  'grant.ended': 'Application ended',
  'calendar.updated': 'Calendar changed',
  'credential.requested': 'Credential requested',
  'credential.resolved': 'Credential request decided',
  'finding.judged': 'Finding judged',
  'storage.filling': 'Storage filling up',
};

/** What an event is called. A newer service may know more types. */
export const titleOf = (type: string): string => (EVENT_TITLES as Readonly<Record<string, string>>)[type] ?? type;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The facts of an event, in one line. */
export function summaryOf(data: Readonly<Record<string, unknown>>): string {
  const amount = data.amount_usdc ?? data.limit_usdc;
  return [
    text(data.subject),
    data.from ? `from ${text(data.from)}` : '',
    Array.isArray(data.to) ? `to ${data.to.join(', ')}` : '',
    typeof amount === 'number' ? usdc(amount) : '',
    ...['key_prefix', 'category', 'status', 'period', 'summary', 'key', 'action', 'audience', 'jti', 'error'].map(
      (name) => text(data[name]),
    ),
    ...['reason', 'address', 'change', 'what', 'client_name', 'description'].map((name) => text(data[name])),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const eventRow = ({ link }: Workspace, event: LoggedEvent): TemplateResult => html`
  <li class="entry">
    <span class="dot ${event.type.replace('.', '-')}" aria-hidden="true"></span>
    <span class="entry-text">
      <a href=${link('activity', event.id)}><strong>${titleOf(event.type)}</strong></a>
      <span class="fine">${summaryOf(event.data)}</span>
    </span>
    ${time(event.created_at, 'short')}
  </li>`;

/** Newest first. */
export const eventList = (workspace: Workspace, events: readonly LoggedEvent[]): TemplateResult =>
  events.length === 0
    ? empty('No events yet.')
    : html`<ol class="entries sheet opens" reversed>${repeat(
        events,
        ({ id }) => id,
        (event) => eventRow(workspace, event),
      )}</ol>`;
