import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListEventWebhookDeliveriesReply, ListEventWebhooksReply } from '../../../client/generated/operations.ts';
import { chosenEvents, eventPicker, showEvents } from '../parts/webhook-events-part.ts';
import { counted, time } from '../ui/format.ts';
import { onPress, onSubmit, textIn } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The webhooks of an agent and what was delivered to each. */

type Webhook = ListEventWebhooksReply['webhooks'][number];
type Delivery = ListEventWebhookDeliveriesReply['deliveries'][number];

/** How often, and how many times, the answer to a new delivery is looked for. */
const LOOK_MS = 1000;
const LOOKS = 20;

const button = (label: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button quiet" @click=${onPress(work)}>${label}</button>`;

async function add(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  await workspace.service.createEventWebhook({ url: textIn(form, 'url'), events: chosenEvents(form) });
  form.reset();
  showEvents(form);
  toast('Added. Rotate its secret to sign deliveries.');
  await workspace.refresh();
}

async function rotate(workspace: Workspace, id: string): Promise<void> {
  const { secret } = await workspace.service.rotateWebhookSecret({ id });

  await showOnce({
    title: 'Your signing secret',
    text: 'Verify the header webhook-signature with it. The former secret works for a day.',
    secret,
    filename: 'signet-webhook-secret.txt',
  });
  await workspace.refresh();
}

const DELIVERY = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' };

async function test(workspace: Workspace, id: string): Promise<void> {
  const { status } = await workspace.service.testEventWebhook({ id });
  toast(`Test sent: ${DELIVERY[status]}.`);
  await workspace.refresh();
}

async function remove(workspace: Workspace, id: string): Promise<void> {
  if (
    !(await confirmed({ title: 'Delete this webhook?', text: 'Deliveries that wait are dropped.', action: 'Delete' }))
  )
    return;
  await workspace.service.deleteEventWebhook({ id });
  toast('Deleted.');
  workspace.go(workspace.link('webhooks'));
}

async function resume(workspace: Workspace, id: string): Promise<void> {
  await workspace.service.updateEventWebhook({ id, status: 'active' });
  toast('Events are sent again.');
  await workspace.refresh();
}

const STATUS = { active: 'Active', disabled: 'Disabled' };

const badges = ({ status, has_secret: isSigned }: Webhook): TemplateResult => html`
  <span class="badge ${status === 'active' ? 'good' : 'failed'}">${STATUS[status]}</span>
  <span class="badge ${isSigned ? 'good' : 'warn'}">${isSigned ? 'Signed' : 'Unsigned'}</span>`;

const entry = (workspace: Workspace, webhook: Webhook): TemplateResult => html`
  <li class="entry">
    <span>${badges(webhook)}</span>
    <span class="entry-text">
      <a class="mono" href=${workspace.link('webhooks', webhook.id)}>${webhook.url}</a>
      <span class="fine">${webhook.events.join(', ')}</span>
    </span>
    ${time(webhook.created_at, 'short')}
  </li>`;

const form = (workspace: Workspace): TemplateResult => html`
  <form class="sheet" id="add-webhook" @submit=${onSubmit((of) => add(workspace, of))}>
    <h2>Add a webhook</h2>
    <div class="field">
      <label for="url">URL</label>
      <input id="url" name="url" type="url" class="mono" required placeholder="https://example.com/hooks">
    </div>
    ${eventPicker('email.received')}
    <p class="problem" role="alert"></p>
    <button class="button primary">Add a webhook</button>
  </form>`;

function delivery(workspace: Workspace, one: Delivery): TemplateResult {
  const { id, webhook_id: webhook, event, status, attempts, response_status: code, response_snippet: said } = one;
  const replay = async (): Promise<void> => {
    await workspace.service.retryEventWebhookDelivery({ id: webhook, delivery_id: id });
    toast('Queued again.');
    await workspace.refresh();
  };
  const kind = { pending: 'warn', delivered: 'good', failed: 'failed' }[status];
  const took = one.duration_ms === null ? '' : `${one.duration_ms} ms`;
  const facts = [event, counted(attempts, 'attempt', 'attempts'), code ?? '', took, one.error ?? ''];
  return html`
    <li class="entry">
      <span class="badge ${kind}">${DELIVERY[status]}</span>
      <span class="entry-text">
        <span>${facts.filter((fact) => fact !== '').join(' · ')}</span>
        ${said ? html`<details><summary>Reply</summary><pre tabindex="0">${said}</pre></details>` : nothing}
        <span>${status === 'pending' ? nothing : button('Send again', replay)}</span>
      </span>
      ${time(one.created_at, 'short')}
    </li>`;
}

/** Two parts of a list, newest first. What is in both is taken from the first. */
const withNewer = (newer: readonly Delivery[], older: readonly Delivery[]): Delivery[] => {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))];
};

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
    render: () => html`
      <div class="view">
        <p><a href=${workspace.link('webhooks')}>All webhooks</a></p>
        <h1 class="mono">${webhook.url}</h1>
        <p>${badges(webhook)} <span class="fine">${webhook.events.join(', ')}</span></p>
        <p class="actions">
          ${button('Send a test', () => test(workspace, id))} ${button('Rotate the secret', () => rotate(workspace, id))}
          ${webhook.status === 'active' ? nothing : button('Resume', () => resume(workspace, id))}
          ${button('Delete', () => remove(workspace, id))}
        </p>
        <h2>Deliveries</h2>
        ${page.show(({ deliveries, next_cursor: cursor }) => [
          deliveries.length === 0
            ? empty('Nothing was delivered yet.')
            : html`<ol class="entries sheet">${deliveries.map((one) => delivery(workspace, one))}</ol>`,
          cursor === null ? nothing : button('Show older', more),
        ])}
      </div>`,
    close: () => clearTimeout(timer),
  };
}

async function open(workspace: Workspace, [id]: readonly string[], read: ReadPart): Promise<View> {
  if (id !== undefined) return openOne(workspace, id, read);
  const { webhooks } = await workspace.service.listEventWebhooks({});
  return {
    render: () => html`
      <div class="view">
        <h1>Webhooks</h1>
        <p class="intro">The service posts each event that you choose to your URL, signed, and tries again until you answer 2xx.</p>
        ${webhooks.length === 0 ? empty('No webhook yet.') : html`<ul class="entries sheet">${webhooks.map((one) => entry(workspace, one))}</ul>`}
        ${form(workspace)}
      </div>`,
  };
}

export const webhooksPage: Page = { name: 'webhooks', title: 'Webhooks', scope: 'events:read', open };
