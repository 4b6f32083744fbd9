import { html, type TemplateResult } from 'lit-html';
import type { ListEventsReply } from '../../../../client/generated/operations.ts';
import { time, usdc } from '../../ui/format.ts';
import { words } from '../../words/console-words.ts';

/** An entry of the event log as a person reads it. */

export type LoggedEvent = ListEventsReply['events'][number];

const TITLES: Readonly<Record<string, string>> = words.activity.titles;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function summaryOf(data: Readonly<Record<string, unknown>>): string {
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

export const eventRow = (event: LoggedEvent): TemplateResult => html`
  <li class="entry">
    <span class="dot ${event.type.replace('.', '-')}" aria-hidden="true"></span>
    <details class="entry-text">
      <summary><strong>${TITLES[event.type] ?? event.type}</strong><span class="fine">${summaryOf(event.data)}</span></summary>
      <pre tabindex="0">${JSON.stringify({ id: event.id, type: event.type, data: event.data }, null, 2)}</pre>
    </details>
    ${time(event.created_at, 'short')}
  </li>`;
