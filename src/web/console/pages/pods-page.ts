import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetPodReply, GetPodUsageReply, ListPodsReply } from '../../../client/generated/operations.ts';
import { bar } from '../parts/bar-part.ts';
import { podLimitForm } from '../parts/pod-limits-part.ts';
import { decided } from '../ui/decide.ts';
import { count, fill, size, time, usdc } from '../ui/format.ts';
import { field, pressing, submitting } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, say, showOnce } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** The pods of a platform: its tenants, what they may use and what they used. */

type Pod = ListPodsReply['pods'][number];

const PERIODS = ['daily', 'weekly', 'monthly'] as const;
const WINDOWS = ['requests_per_minute', 'requests_per_hour', 'requests_per_day'] as const;

const nameOf = ({ name }: Pick<Pod, 'name'>): string => name || words.pods.unnamed;

const badge = ({ status }: Pick<Pod, 'status'>): TemplateResult =>
  html`<span class="badge ${status === 'active' ? 'good' : 'failed'}">${words.pods.status[status]}</span>`;

const button = (label: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button" @click=${pressing(work)}>${label}</button>`;

async function create(desk: Desk, form: HTMLFormElement): Promise<void> {
  const name = field(form, 'name') || null;
  const made = await decided(desk, desk.account.id, (service) => service.createPod({ name }));
  const { made: title, madeWhy: text } = words.pods;
  form.reset();
  await showOnce({ title, text, secret: made.api_key, filename: 'signet-pod-key.txt' });
  desk.go(desk.link('pods', made.pod_id));
}

async function replaceKey(desk: Desk, pod: Pod): Promise<void> {
  const { replaceAsk, replaceWhy, replace: action, replaced, madeWhy } = words.pods;
  const title = fill(replaceAsk, { name: nameOf(pod) });
  if (!(await confirmed({ title, text: replaceWhy, action }))) return;
  const made = await decided(desk, desk.account.id, (service) => service.replacePodKey({ pod_id: pod.pod_id }));
  await showOnce({ title: replaced, text: madeWhy, secret: made.api_key, filename: 'signet-pod-key.txt' });
  await desk.refresh();
}

async function suspend(desk: Desk, pod: Pod): Promise<void> {
  const { suspendAsk, suspendWhy: text, suspend: action, suspended } = words.pods;
  if (!(await confirmed({ title: fill(suspendAsk, { name: nameOf(pod) }), text, action }))) return;
  await desk.service.suspendPod({ pod_id: pod.pod_id });
  say(suspended, { undo: () => resume(desk, pod, '') });
  await desk.refresh();
}

async function resume(desk: Desk, { pod_id }: Pod, text: string): Promise<void> {
  await desk.service.updatePod({ pod_id, status: 'active' });
  if (text !== '') say(text);
  await desk.refresh();
}

function limitsOf({ rate_limits: rates, spending_caps: caps }: Pod): string {
  const parts = [
    ...WINDOWS.flatMap((name) => {
      const n = rates?.[name];
      return n === undefined ? [] : [fill(words.pods.perWindow[name], { n: count(n) })];
    }),
    ...PERIODS.flatMap((period) => {
      const cap = caps?.[period];
      return cap === undefined ? [] : [fill(words.pods.perPeriod[period], { amount: usdc(cap) })];
    }),
  ];
  return parts.join(' · ') || words.pods.noLimits;
}

function row(desk: Desk, pod: Pod): TemplateResult {
  const [, statusLabel = '', limitsLabel = '', madeLabel = ''] = words.pods.columns;
  return html`
    <tr>
      <th scope="row" class="wraps"><a href=${desk.link('pods', pod.pod_id)}>${nameOf(pod)}</a><br><span class="mono fine">${pod.account_id}</span></th>
      <td data-label=${statusLabel}>${badge(pod)}</td>
      <td data-label=${limitsLabel} class="fine">${limitsOf(pod)}</td>
      <td data-label=${madeLabel}>${time(pod.created_at)}</td>
    </tr>`;
}

function usagePart({
  requests,
  addresses,
  vault_keys: vault,
  calendar_events: events,
  storage,
  budget,
}: GetPodUsageReply) {
  const { pods } = words;
  const of = (used: number, limit: number, text = count): string =>
    fill(pods.ofLimit, { used: text(used), limit: text(limit) });
  const spent = {
    daily: budget.daily_spent_usdc,
    weekly: budget.weekly_spent_usdc,
    monthly: budget.monthly_spent_usdc,
  };
  return html`
    <section class="sheet" aria-labelledby="pod-usage">
      <h2 id="pod-usage">${pods.usage}</h2>
      ${requests === null ? html`<p class="fine">${pods.noRequests}</p>` : bar(pods.requests, requests.used, requests.limit, of(requests.used, requests.limit))}
      ${bar(pods.addresses, addresses.used, addresses.limit, of(addresses.used, addresses.limit))}
      ${vault.limit === null ? nothing : bar(pods.vault, vault.used, vault.limit, of(vault.used, vault.limit))}
      ${bar(pods.events, events.used, events.limit, of(events.used, events.limit))}
      ${bar(pods.storage, storage.used, storage.limit, of(storage.used, storage.limit, size))}
      ${PERIODS.map((period) => html`<p class="usage-label usage"><span>${pods.spent[period]}</span> <span class="figures">${usdc(spent[period])}</span></p>`)}
    </section>`;
}

function people(desk: Desk, { pod_id, people: named }: GetPodReply): TemplateResult {
  const { pods } = words;
  const save = async (form: HTMLFormElement): Promise<void> => {
    const email = field(form, 'recovery') || null;
    await decided(desk, desk.account.id, (service) => service.updatePod({ pod_id, recovery_email: email }));
    say(email === null ? pods.clearedRecovery : pods.savedRecovery);
    await desk.refresh();
  };
  const recovery = named.find(({ role }) => role === 'recovery')?.address ?? '';
  return html`
    <section class="sheet" aria-labelledby="pod-people">
      <h2 id="pod-people">${pods.people}</h2>
      ${
        named.length === 0
          ? html`<p class="fine">${pods.noPeople}</p>`
          : html`<dl class="details">${named.map(
              ({ role, address, confirmed: isConfirmed }) =>
                html`<div><dt>${pods.roles[role]}</dt><dd>${address}${isConfirmed ? '' : ` (${pods.unconfirmed})`}</dd></div>`,
            )}</dl>`
      }
      <form @submit=${submitting(save)}>
        <label for="recovery">${pods.recovery}</label>
        <div class="joined">
          <input id="recovery" name="recovery" type="email" maxlength="254" autocomplete="off" value=${recovery} aria-describedby="recovery-hint">
          <button class="button">${pods.saveRecovery}</button>
        </div>
        <p class="fine" id="recovery-hint">${pods.recoveryHint}</p>
        <p class="problem" role="alert"></p>
      </form>
    </section>`;
}

function settings(desk: Desk, pod: GetPodReply): TemplateResult {
  const { pods } = words;
  const rename = async (form: HTMLFormElement): Promise<void> => {
    await desk.service.updatePod({ pod_id: pod.pod_id, name: field(form, 'name') || null });
    say(pods.savedName);
    await desk.refresh();
  };
  return html`
    <section class="sheet" aria-labelledby="pod-settings">
      <h2 id="pod-settings">${pods.settings}</h2>
      <form @submit=${submitting(rename)}>
        <label for="pod-name">${pods.name}</label>
        <div class="joined">
          <input id="pod-name" name="name" maxlength="100" autocomplete="off" value=${pod.name ?? ''}>
          <button class="button">${pods.saveName}</button>
        </div>
        <p class="problem" role="alert"></p>
      </form>
      <h3 class="apart">${pods.access}</h3>
      <p class="actions">
        ${button(pods.replace, () => replaceKey(desk, pod))}
        ${pod.status === 'active' ? button(pods.suspend, () => suspend(desk, pod)) : button(pods.resume, () => resume(desk, pod, pods.resumed))}
      </p>
    </section>`;
}

async function openOne(desk: Desk, id: string, read: ReadPart): Promise<View> {
  const [pod, usage] = await Promise.all([
    desk.service.getPod({ pod_id: id }),
    read(words.pods.usage, () => desk.service.getPodUsage({ pod_id: id })),
  ]);
  return {
    render: () => html`
      <div class="view">
        <p><a href=${desk.link('pods')}>${words.pods.back}</a></p>
        <h1>${nameOf(pod)}</h1>
        <p>${badge(pod)} <code>${pod.account_id}</code> <span class="fine">${time(pod.created_at)}</span></p>
        <div class="columns">${usage.show(usagePart)} ${people(desk, pod)} ${settings(desk, pod)}</div>
        <section>${podLimitForm(desk, id, pod)}</section>
      </div>`,
  };
}

const table = (desk: Desk, pods: readonly Pod[]): TemplateResult => html`
  <table class="sheet">
    <thead><tr>${words.pods.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${pods.map((pod) => row(desk, pod))}</tbody>
  </table>`;

async function open(desk: Desk, [id]: readonly string[], read: ReadPart): Promise<View> {
  const { pods: text } = words;
  if (desk.account.parent_account_id !== null)
    return { render: () => html`<div class="view"><h1>${text.title}</h1>${empty(text.isPod)}</div>` };
  if (id !== undefined) return openOne(desk, id, read);
  let { pods, next_cursor: cursor } = await desk.service.listPods({});
  const more = pressing(async () => {
    if (cursor === null) return;
    const page = await desk.service.listPods({ cursor });
    [pods, cursor] = [[...pods, ...page.pods], page.next_cursor];
    desk.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        <h1>${text.title}</h1>
        <p class="intro">${text.intro}</p>
        ${pods.length === 0 ? empty(text.none) : table(desk, pods)}
        ${cursor === null ? nothing : html`<button type="button" class="button" @click=${more}>${words.states.more}</button>`}
        <section>
          <form class="sheet" id="add-pod" @submit=${submitting((form) => create(desk, form))}>
            <h2>${text.add}</h2>
            <div class="field narrow">
              <label for="name">${text.name}</label>
              <input id="name" name="name" maxlength="100" autocomplete="off">
            </div>
            <p class="problem" role="alert"></p>
            <p class="actions"><button class="button primary">${text.create}</button></p>
          </form>
        </section>
      </div>`,
  };
}

export const podsPage: Page = { name: 'pods', title: words.pods.title, scope: 'pods:manage', open };
