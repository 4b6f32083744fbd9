import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListEventWebhookDeliveriesReply } from '../../../../client/generated/operations.ts';
import { counted, time } from '../../ui/format.ts';
import { change, rowAction } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { badge } from '../../ui/kit/section.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** What was posted to a webhook, and what the receiver said. */

export type Delivery = ListEventWebhookDeliveriesReply['deliveries'][number];

export const DELIVERY_STATES = {
  pending: ['Waiting', 'warn'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'failed'],
} as const;

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'No answer in 15 seconds',
  host_refused: 'Not a public address',
  redirect: 'A redirect, which is not followed',
  http_status: '',
  webhook_disabled: 'The webhook was off',
  refused_by_policy: 'The policy does not allow this host',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was cut',
  ENOTFOUND: 'The host has no address',
};

/** What went wrong with an attempt, in words. */
const errorText = (error: string | null): string => (error === null ? '' : (ERRORS[error] ?? error));

/** Sends the same body again. */
export const replay = (
  workspace: Workspace,
  { id, webhook_id: webhook }: Pick<Delivery, 'id' | 'webhook_id'>,
): Promise<void> =>
  change(
    workspace,
    () => workspace.service.retryEventWebhookDelivery({ id: webhook, delivery_id: id }),
    'Sent again. The result shows here.',
  );

type Attempt = Delivery['attempt_log'][number];

function answerText({ response_status: code, duration_ms: ms, error }: Omit<Attempt, 'at'>): string {
  const known = [code === null ? '' : String(code), errorText(error), ms === null ? '' : `${ms} ms`];
  return known.filter((fact) => fact !== '').join(' · ') || '–';
}

const attempt = (one: Attempt): TemplateResult => html`
  <li><span class="fine">${time(one.at)}</span> ${answerText(one)}
    ${one.response_snippet ? html`<pre class="payload" tabindex="0">${one.response_snippet}</pre>` : nothing}</li>`;

export const attemptList = ({ attempt_log: all }: Pick<Delivery, 'attempt_log'>): TemplateResult =>
  html`<ol class="attempts">${all.map(attempt)}</ol>`;

/** What came back at the last attempt, and on request at each. */
function answer(one: Delivery): TemplateResult {
  const { attempt_log: all } = one;
  if (all.length === 0) return html`${answerText(one)}`;
  const before =
    all.length === 1 ? nothing : html` <span class="fine">${counted(all.length, 'attempt', 'attempts')}</span>`;
  return html`<details><summary>${answerText(one)}${before}</summary>${attemptList(one)}</details>`;
}

export const deliveryTable = (workspace: Workspace, deliveries: readonly Delivery[]): TemplateResult =>
  dataTable<Delivery>(deliveries, 'Nothing was delivered yet.', [
    [
      'Event',
      ({ id, webhook_id: webhook, event }) => html`<a href=${workspace.link('webhooks', webhook, id)}>${event}</a>`,
      'mono wraps',
    ],
    ['State', ({ status }) => badge(DELIVERY_STATES[status])],
    ['Answer', answer],
    ['When', ({ created_at: at }) => time(at)],
    [
      'Actions',
      (one) => (one.status === 'pending' ? nothing : rowAction('Replay', one.event, () => replay(workspace, one))),
      'row-actions',
    ],
  ]);

/** Two parts of a list, newest first. What is in both is taken from the first. */
export const withNewer = (newer: readonly Delivery[], older: readonly Delivery[]): Delivery[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};
