import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { GetEventWebhookDeliveryReply } from '../../../../client/generated/operations.ts';
import { hasCode } from '../../ui/console-service.ts';
import { counted, time } from '../../ui/format.ts';
import { action } from '../../ui/kit/action.ts';
import { badge, facts, section, view } from '../../ui/kit/section.ts';
import { forgotten } from '../../ui/placeholders.ts';
import type { View, Workspace } from '../../ui/workspace.ts';
import { attemptList, DELIVERY_STATES, replay } from './delivery-part.ts';

/** A delivery of a webhook: what was sent, and what came back. */

/** How often an answer is looked for, and how long before and after its time. */
const LOOK_MS = 1000;
const SOON_MS = 20_000;

const isSoon = (at: string | null): boolean => at !== null && Math.abs(Date.parse(at) - systemNow()) < SOON_MS;

/** The body as it is easier to read. It is sent without spaces. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function deliveryView(workspace: Workspace, one: GetEventWebhookDeliveryReply): TemplateResult {
  const { id, webhook_id: webhook, event, status, attempts, event_id: eventId } = one;
  const { link } = workspace;
  return view(
    event,
    { kind: 'mono', back: ['Deliveries', link('webhooks', webhook)], beside: badge(DELIVERY_STATES[status]) },
    [
      html`<p class="actions">
      ${status === 'pending' ? nothing : action('Replay', () => replay(workspace, one), { id: 'replay' })} ${action('Reload', () => workspace.refresh(), { kind: 'quiet' })}
    </p>`,
      section('delivery', 'What was sent, and when', [
        facts([
          ['Created', time(one.created_at)],
          ['Attempts', counted(Math.max(attempts, one.attempt_log.length), 'attempt', 'attempts')],
          ['Last attempt', one.last_attempt_at && time(one.last_attempt_at)],
          ['Next attempt', one.next_attempt_at && time(one.next_attempt_at)],
          [
            'Event',
            eventId.startsWith('ev_')
              ? html`<a class="mono" href=${link('activity', eventId)}>${eventId}</a>`
              : html`<span class="mono">${eventId}</span>`,
          ],
          ['Id', html`<span class="mono">${id}</span>`],
        ]),
        html`<h3>Body</h3><pre class="payload" tabindex="0">${indented(one.body)}</pre>`,
      ]),
      one.attempt_log.length === 0 ? nothing : section('answer', 'What came back', attemptList(one)),
    ],
  );
}

export async function openDelivery(workspace: Workspace, id: string, deliveryId: string): Promise<View> {
  const { service, link } = workspace;
  const one = await service.getEventWebhookDelivery({ id, delivery_id: deliveryId }).catch((err) => {
    if (hasCode(err, 'no_longer_kept')) return null;
    throw err;
  });
  if (one === null)
    return { render: () => forgotten('Deliveries are kept for 30 days.', ['All deliveries', link('webhooks', id)]) };
  // A delivery makes no event: the page looks again until there is an answer.
  const timer =
    one.status === 'pending' && isSoon(one.next_attempt_at)
      ? setTimeout(() => workspace.refresh(), LOOK_MS)
      : undefined;
  return { render: () => deliveryView(workspace, one), close: () => clearTimeout(timer) };
}
