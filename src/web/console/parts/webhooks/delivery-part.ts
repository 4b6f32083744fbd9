import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListEventWebhookDeliveriesReply } from '../../../../client/generated/operations.ts';
import { counted, time } from '../../ui/format.ts';
import { action, change } from '../../ui/kit/action.ts';
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
const replay = (workspace: Workspace, { id, webhook_id: webhook }: Delivery): Promise<void> =>
  change(
    workspace,
    () => workspace.service.retryEventWebhookDelivery({ id: webhook, delivery_id: id }),
    'Sent again. The result shows here.',
  );

export function deliveryEntry(workspace: Workspace, one: Delivery): TemplateResult {
  const { event, status, attempts, response_status: code, response_snippet: said } = one;
  const took = one.duration_ms === null ? '' : `${one.duration_ms} ms`;
  const known = [
    counted(attempts, 'attempt', 'attempts'),
    code === null ? '' : `answered ${code}`,
    took,
    errorText(one.error),
  ];
  return html`
    <li class="entry">
      ${badge(DELIVERY_STATES[status])}
      <span class="entry-text">
        <span class="mono">${event}</span>
        <span class="fine">${known.filter((fact) => fact !== '').join(' · ')}</span>
        ${said ? html`<details><summary>Reply</summary><pre tabindex="0">${said}</pre></details>` : nothing}
        <span>${status === 'pending' ? nothing : action('Replay', () => replay(workspace, one), { kind: 'quiet' })}</span>
      </span>
      ${time(one.created_at, 'short')}
    </li>`;
}

/** Two parts of a list, newest first. What is in both is taken from the first. */
export const withNewer = (newer: readonly Delivery[], older: readonly Delivery[]): Delivery[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};
