import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetEventWebhookReply, ListEventWebhooksReply } from '../../../../client/generated/operations.ts';
import { count, counted, fullTime } from '../../ui/format.ts';
import { action, change } from '../../ui/kit/action.ts';
import { type DayValue, dayBars, dayFeet, dayList } from '../../ui/kit/day-chart.ts';
import { field, form, textIn } from '../../ui/kit/form.ts';
import { badge, type State, section, view } from '../../ui/kit/section.ts';
import { confirmed, showOnce } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { chosenEvents, eventPicker, eventsText } from './webhook-events-part.ts';

/** A webhook: its state, its week, and what is changed of it. */

export type Webhook = ListEventWebhooksReply['webhooks'][number];

const QUIET = { kind: 'quiet' };
const CHART_HEIGHT = 70;
const SECRET_TEXT = 'Verify the header webhook-signature with it. It is not shown again; you can rotate it.';

/** Shows the secret that signs what a webhook gets. */
export const showWebhookSecret = (secret: string, text = SECRET_TEXT): Promise<void> =>
  showOnce('Your signing secret', text, secret, 'signet-webhook-secret.txt');

const WHY_OFF: Readonly<Record<string, string>> = {
  gone: 'The receiver answered that it is gone (410).',
  failing: 'Every delivery failed for five days.',
  secured: 'It was paused when the account was secured.',
  paused: 'You paused it.',
};

function stateOf({ status, disabled_reason: why, paused, failing_since: failing }: Webhook): State {
  if (status === 'disabled') return why === 'paused' ? ['Paused', 'warn'] : ['Disabled', 'failed'];
  if (paused) return ['Held back', 'warn'];
  return failing === null ? ['Active', 'good'] : ['Failing', 'warn'];
}

export const badges = (webhook: Webhook): TemplateResult => html`
  ${badge(stateOf(webhook))} ${badge(webhook.has_secret ? ['Signed', 'good'] : ['Unsigned', 'warn'])}`;

/** What its state means, where that is not plain. */
function stateText({ status, disabled_reason: why, paused, failing_since: failing }: Webhook): string {
  if (status === 'disabled') return WHY_OFF[why ?? ''] ?? '';
  if (paused) return 'The policy of the account does not let it post to this host.';
  return failing === null ? '' : `Deliveries have failed since ${fullTime(failing)}.`;
}

async function rotate(workspace: Workspace, { id, has_secret: isSigned }: Webhook): Promise<void> {
  const { secret } = await workspace.service.rotateWebhookSecret({ id });
  const former = isSigned ? 'The former secret works for a day.' : 'Deliveries are signed from now on.';
  await showWebhookSecret(secret, `Verify the header webhook-signature with it. ${former}`);
  await workspace.refresh();
}

async function remove(workspace: Workspace, id: string): Promise<void> {
  if (!(await confirmed('Delete this webhook?', 'Deliveries that wait are dropped.', 'Delete'))) return;
  await change(
    { refresh: async () => workspace.go(workspace.link('webhooks')) },
    () => workspace.service.deleteEventWebhook({ id }),
    'Deleted.',
  );
}

const turn = (workspace: Workspace, id: string, status: Webhook['status'], done: string): Promise<void> =>
  change(workspace, () => workspace.service.updateEventWebhook({ id, status }), done);

/** What a person does with a webhook. @param sendTest sends one, and shows it */
const actions = (workspace: Workspace, webhook: Webhook, sendTest: () => Promise<void>): TemplateResult => html`
  <p class="actions">
    ${action('Send a test', sendTest)}
    <a class="button quiet" href=${workspace.link('webhooks', webhook.id, 'edit')}>Edit</a>
    ${action(webhook.has_secret ? 'Rotate the secret' : 'Sign deliveries', () => rotate(workspace, webhook), QUIET)}
    ${
      webhook.status === 'active'
        ? action('Pause', () => turn(workspace, webhook.id, 'disabled', 'Paused. Events are not sent.'), QUIET)
        : action('Resume', () => turn(workspace, webhook.id, 'active', 'Events are sent again.'), QUIET)
    }
    ${action('Delete', () => remove(workspace, webhook.id), QUIET)}
  </p>`;

export function weekSection(days: GetEventWebhookReply['days']): TemplateResult {
  const bars = days.map(({ day, delivered, failed }): DayValue => [day, delivered + failed, failed]);
  const [delivered, failed] = [
    days.reduce((sum, day) => sum + day.delivered, 0),
    days.reduce((sum, day) => sum + day.failed, 0),
  ];
  return section('week', 'Last 7 days', [
    html`
      <div class="usage few">
        <p class="usage-label"><span id="week-deliveries">Deliveries</span>
          <span class="figures">${counted(delivered, 'delivered', 'delivered')}, ${counted(failed, 'failed', 'failed')}</span></p>
        ${dayBars('week-deliveries', bars, count, CHART_HEIGHT)} ${dayFeet(bars)} ${dayList(bars, count)}
      </div>`,
  ]);
}

/** The head of its page. */
export function webhookHead(workspace: Workspace, webhook: Webhook, sendTest: () => Promise<void>): TemplateResult {
  const why = stateText(webhook);
  return html`
    <p>${badges(webhook)} <span class="fine">${webhook.address ?? 'The whole account'}: ${eventsText(webhook)}</span></p>
    ${why === '' ? nothing : html`<p>${why}</p>`}
    ${actions(workspace, webhook, sendTest)}`;
}

async function save(workspace: Workspace, { id, url: before, events: watched }: Webhook, of: HTMLFormElement) {
  const [url, events] = [textIn(of, 'url'), chosenEvents(of)];
  const isSame = events.length === watched.length && events.every((event) => watched.includes(event));
  const changes = { url: url === before ? undefined : url, events: isSame ? undefined : events };
  const back = { refresh: async () => workspace.go(workspace.link('webhooks', id)) };
  if (changes.url === undefined && isSame) return back.refresh();
  await change(back, () => workspace.service.updateEventWebhook({ id, ...changes }), 'Saved.');
}

/** The form that changes where a webhook posts, and what. */
export function webhookEditView(workspace: Workspace, webhook: Webhook): TemplateResult {
  const back = workspace.link('webhooks', webhook.id);
  return view(
    'Edit the webhook',
    { back: [webhook.url, back] },
    form(
      { id: 'edit-webhook' },
      (of) => save(workspace, webhook, of),
      [urlField(webhook.url), eventPicker(webhook.events)],
      html`<button class="button primary">Save</button> <a class="button" href=${back}>Cancel</a>`,
    ),
  );
}

export const urlField = (url = ''): TemplateResult =>
  field(
    'url',
    'URL',
    html`<input id="url" name="url" type="url" class="mono" required maxlength="2048" value=${url} placeholder="https://example.com/hooks">`,
  );
