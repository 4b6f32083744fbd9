import { html, nothing, type TemplateResult } from 'lit-html';
import { DELIVERY_STATES, deliveryTable, withNewer } from '../parts/webhooks/delivery-part.ts';
import { openDelivery } from '../parts/webhooks/one-delivery-part.ts';
import { chosenEvents, eventPicker, eventsText, showEvents } from '../parts/webhooks/webhook-events-part.ts';
import {
  badges,
  showWebhookSecret,
  urlField,
  type Webhook,
  webhookEditView,
  webhookHead,
  weekSection,
} from '../parts/webhooks/webhook-part.ts';
import { time } from '../ui/format.ts';
import { action } from '../ui/kit/action.ts';
import { entryList } from '../ui/kit/data-table.ts';
import { form, textIn } from '../ui/kit/form.ts';
import { view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The webhooks of an agent and what was delivered to each. */

/** How often, and how many times, the answer to a new delivery is looked for. */
const LOOK_MS = 1000;
const LOOKS = 20;

const QUIET = { kind: 'quiet' };
const INTRO = 'The service posts each event that you choose to your URL, signed, and tries again until you answer 2xx.';

async function add(workspace: Workspace, of: HTMLFormElement): Promise<void> {
  const { secret } = await workspace.service.createEventWebhook({ url: textIn(of, 'url'), events: chosenEvents(of) });
  of.reset();
  showEvents(of);
  if (secret) await showWebhookSecret(secret);
  await workspace.refresh();
}

async function test(workspace: Workspace, id: string): Promise<void> {
  const { status } = await workspace.service.testEventWebhook({ id });
  toast(status === 'pending' ? 'The test is on its way.' : `Test sent: ${DELIVERY_STATES[status][0]}.`);
  await workspace.refresh();
}

const entry = (workspace: Workspace, webhook: Webhook): TemplateResult => html`
  <li class="entry">
    <span>${badges(webhook)}</span>
    <span class="entry-text">
      <a class="mono" href=${workspace.link('webhooks', webhook.id)}>${webhook.url}</a>
      <span class="fine">${eventsText(webhook)}</span>
    </span>
    ${time(webhook.created_at, 'short')}
  </li>`;

const addForm = (workspace: Workspace): TemplateResult =>
  form(
    { id: 'add-webhook', title: 'Add a webhook' },
    (of) => add(workspace, of),
    [urlField(), eventPicker(['email.received'])],
    'Add a webhook',
  );

async function openOne(workspace: Workspace, id: string, read: ReadPart): Promise<View> {
  const [webhook, page] = await Promise.all([
    workspace.service.getEventWebhook({ id }),
    read('Deliveries', () => workspace.service.listEventWebhookDeliveries({ id })),
  ]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A delivery makes no event, so a new one is looked at again until it has its answer.
  const look = (left: number): void => {
    if (left === 0 || !page.value?.deliveries.some(({ status }) => status === 'pending')) return;
    timer = setTimeout(async () => {
      const again = await workspace.service.listEventWebhookDeliveries({ id }).catch(() => null);
      const { value } = page;
      if (again && value) page.value = { ...value, deliveries: withNewer(again.deliveries, value.deliveries) };
      workspace.repaint();
      look(left - 1);
    }, LOOK_MS);
  };
  look(LOOKS);
  const more = async (): Promise<void> => {
    const cursor = page.value?.next_cursor;
    if (!cursor) return;
    const older = await workspace.service.listEventWebhookDeliveries({ id, cursor });
    page.value = { ...older, deliveries: withNewer(page.value?.deliveries ?? [], older.deliveries) };
    workspace.repaint();
  };
  return {
    render: () =>
      view(webhook.url, { kind: 'mono', back: ['All webhooks', workspace.link('webhooks')] }, [
        webhookHead(workspace, webhook, () => test(workspace, id)),
        weekSection(webhook.days),
        html`<h2>Deliveries</h2>`,
        page.show(({ deliveries, next_cursor: cursor }) => [
          deliveryTable(workspace, deliveries),
          cursor === null ? nothing : html`<p class="actions">${action('Show older', more, QUIET)}</p>`,
        ]),
      ]),
    close: () => clearTimeout(timer),
  };
}

async function openEdit(workspace: Workspace, id: string): Promise<View> {
  const webhook = await workspace.service.getEventWebhook({ id });
  return { render: () => webhookEditView(workspace, webhook) };
}

async function open(workspace: Workspace, [id, what]: readonly string[], read: ReadPart): Promise<View> {
  if (id !== undefined && what === undefined) return openOne(workspace, id, read);
  if (id !== undefined && what !== undefined)
    return what === 'edit' ? openEdit(workspace, id) : openDelivery(workspace, id, what);
  const { webhooks } = await workspace.service.listEventWebhooks({});
  return {
    render: () =>
      view('Webhooks', { intro: INTRO }, [
        entryList(webhooks, 'No webhook yet.', (one) => entry(workspace, one)),
        addForm(workspace),
      ]),
  };
}

export const webhooksPage: Page = { name: 'webhooks', title: 'Webhooks', scope: 'events:read', open };
