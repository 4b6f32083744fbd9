import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListEventWebhookDeliveriesReply, ListEventWebhooksReply } from '../../../client/generated/operations.ts';
import { DELIVERY, openDelivery } from '../parts/record/delivery-part.ts';
import { chosenEvents, eventPicker, showEvents } from '../parts/webhook-events-part.ts';
import { counted, time } from '../ui/format.ts';
import { action, change } from '../ui/kit/action.ts';
import { entryList } from '../ui/kit/data-table.ts';
import { field, form, textIn } from '../ui/kit/form.ts';
import { badge, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The webhooks of an agent and what was delivered to each. */

type Webhook = ListEventWebhooksReply['webhooks'][number];
type Delivery = ListEventWebhookDeliveriesReply['deliveries'][number];

/** How often, and how many times, the answer to a new delivery is looked for. */
const LOOK_MS = 1000;
const LOOKS = 20;

const QUIET = { kind: 'quiet' };
const INTRO = 'The service posts each event that you choose to your URL, signed, and tries again until you answer 2xx.';
const STATUS = { active: ['Active', 'good'], disabled: ['Disabled', 'failed'] } as const;

async function add(workspace: Workspace, of: HTMLFormElement): Promise<void> {
  const { secret } = await workspace.service.createEventWebhook({ url: textIn(of, 'url'), events: chosenEvents(of) });
  of.reset();
  showEvents(of);
  const text = 'Verify the header webhook-signature with it. It is not shown again; you can rotate it.';
  if (secret) await showOnce('Your signing secret', text, secret, 'signet-webhook-secret.txt');
  await workspace.refresh();
}

async function rotate(workspace: Workspace, id: string): Promise<void> {
  const { secret } = await workspace.service.rotateWebhookSecret({ id });
  const text = 'Verify the header webhook-signature with it. The former secret works for a day.';
  await showOnce('Your signing secret', text, secret, 'signet-webhook-secret.txt');
  await workspace.refresh();
}

async function test(workspace: Workspace, id: string): Promise<void> {
  const { status } = await workspace.service.testEventWebhook({ id });
  toast(`Test sent: ${DELIVERY[status][0]}.`);
  await workspace.refresh();
}

async function remove(workspace: Workspace, id: string): Promise<void> {
  if (!(await confirmed('Delete this webhook?', 'Deliveries that wait are dropped.', 'Delete'))) return;
  await workspace.service.deleteEventWebhook({ id });
  toast('Deleted.');
  workspace.go(workspace.link('webhooks'));
}

const resume = (workspace: Workspace, id: string): Promise<void> =>
  change(workspace, () => workspace.service.updateEventWebhook({ id, status: 'active' }), 'Events are sent again.');

const badges = ({ status, has_secret: isSigned }: Webhook): TemplateResult => html`
  ${badge(STATUS[status])} ${badge(isSigned ? ['Signed', 'good'] : ['Unsigned', 'warn'])}`;

const entry = (workspace: Workspace, webhook: Webhook): TemplateResult => html`
  <li class="entry">
    <span>${badges(webhook)}</span>
    <span class="entry-text">
      <a class="mono" href=${workspace.link('webhooks', webhook.id)}>${webhook.url}</a>
      <span class="fine">${webhook.events.join(', ')}</span>
    </span>
    ${time(webhook.created_at, 'short')}
  </li>`;

const addForm = (workspace: Workspace): TemplateResult =>
  form(
    { id: 'add-webhook', title: 'Add a webhook' },
    (of) => add(workspace, of),
    [
      field(
        'url',
        'URL',
        html`<input id="url" name="url" type="url" class="mono" required placeholder="https://example.com/hooks">`,
      ),
      eventPicker('email.received'),
    ],
    'Add a webhook',
  );

function delivery(workspace: Workspace, one: Delivery): TemplateResult {
  const { id, webhook_id: webhook, event, status, attempts, response_status: code, response_snippet: said } = one;
  const replay = (): Promise<void> => {
    const work = () => workspace.service.retryEventWebhookDelivery({ id: webhook, delivery_id: id });
    return change(workspace, work, 'Queued again.');
  };
  const took = one.duration_ms === null ? '' : `${one.duration_ms} ms`;
  const known = [event, counted(attempts, 'attempt', 'attempts'), code ?? '', took, one.error ?? ''];
  return html`
    <li class="entry">
      ${badge(DELIVERY[status])}
      <span class="entry-text">
        <a href=${workspace.link('webhooks', webhook, id)}>${known.filter((fact) => fact !== '').join(' · ')}</a>
        ${said ? html`<details><summary>Reply</summary><pre tabindex="0">${said}</pre></details>` : nothing}
        <span>${status === 'pending' ? nothing : action('Send again', replay, { kind: 'quiet' })}</span>
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
    render: () =>
      view(
        webhook.url,
        { kind: 'mono', back: ['All webhooks', workspace.link('webhooks')] },
        html`
          <p>${badges(webhook)} <span class="fine">${webhook.events.join(', ')}</span></p>
          <p class="actions">
            ${action('Send a test', () => test(workspace, id), QUIET)} ${action('Rotate the secret', () => rotate(workspace, id), QUIET)}
            ${webhook.status === 'active' ? nothing : action('Resume', () => resume(workspace, id), QUIET)}
            ${action('Delete', () => remove(workspace, id), QUIET)}
          </p>
          <h2>Deliveries</h2>
          ${page.show(({ deliveries, next_cursor: cursor }) => [
            entryList(deliveries, 'Nothing was delivered yet.', (one) => delivery(workspace, one)),
            cursor === null ? nothing : action('Show older', more, QUIET),
          ])}`,
      ),
    close: () => clearTimeout(timer),
  };
}

async function open(workspace: Workspace, [id, delivery]: readonly string[], read: ReadPart): Promise<View> {
  if (id !== undefined && delivery !== undefined) return openDelivery(workspace, id, delivery);
  if (id !== undefined) return openOne(workspace, id, read);
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
