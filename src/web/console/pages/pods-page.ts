import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetPodReply, GetPodUsageReply, ListPodsReply } from '../../../client/generated/operations.ts';
import { bar } from '../parts/bar-part.ts';
import { podLimitForm } from '../parts/pod-limits-part.ts';
import { decided } from '../ui/decide.ts';
import { count, size, time, usdc } from '../ui/format.ts';
import { onPress, onSubmit, textIn } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The pods of a platform: its tenants, what they may use and what they used. */

type Pod = ListPodsReply['pods'][number];

const PERIODS = ['daily', 'weekly', 'monthly'] as const;
const WINDOWS = ['requests_per_minute', 'requests_per_hour', 'requests_per_day'] as const;
const EACH = {
  requests_per_minute: 'a minute',
  requests_per_hour: 'an hour',
  requests_per_day: 'a day',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
};

const nameOf = ({ name }: Pick<Pod, 'name'>): string => name || 'Unnamed pod';

const STATUS = { active: 'Active', suspended: 'Suspended' };

const badge = ({ status }: Pick<Pod, 'status'>): TemplateResult =>
  html`<span class="badge ${status === 'active' ? 'good' : 'failed'}">${STATUS[status]}</span>`;

const button = (label: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button" @click=${onPress(work)}>${label}</button>`;

async function create(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  const name = textIn(form, 'name') || null;
  const made = await decided(workspace, workspace.account.id, (service) => service.createPod({ name }));

  form.reset();
  await showOnce({
    title: 'The key of the pod',
    text: 'Give it to your tenant. Store it now: it cannot be shown again.',
    secret: made.api_key,
    filename: 'signet-pod-key.txt',
  });
  workspace.go(workspace.link('pods', made.pod_id));
}

async function replaceKey(workspace: Workspace, pod: Pod): Promise<void> {
  const title = `Replace the key of ${nameOf(pod)}?`;
  if (
    !(await confirmed({
      title,
      text: 'Its current key, its backup key and its sessions stop working at once.',
      action: 'Replace its key',
    }))
  )
    return;
  const made = await decided(workspace, workspace.account.id, (service) =>
    service.replacePodKey({ pod_id: pod.pod_id }),
  );
  await showOnce({
    title: 'The new key of the pod',
    text: 'Give it to your tenant. Store it now: it cannot be shown again.',
    secret: made.api_key,
    filename: 'signet-pod-key.txt',
  });
  await workspace.refresh();
}

async function suspend(workspace: Workspace, pod: Pod): Promise<void> {
  if (
    !(await confirmed({
      title: `Suspend ${nameOf(pod)}?`,
      text: 'Its key gets refused and mail to it too. Nothing is deleted.',
      action: 'Suspend',
    }))
  )
    return;
  await workspace.service.suspendPod({ pod_id: pod.pod_id });
  toast('Suspended.', { undo: () => resume(workspace, pod, '') });
  await workspace.refresh();
}

async function resume(workspace: Workspace, { pod_id }: Pod, text: string): Promise<void> {
  await workspace.service.updatePod({ pod_id, status: 'active' });
  if (text !== '') toast(text);
  await workspace.refresh();
}

function limitsOf({ rate_limits: rates, spending_caps: caps }: Pod): string {
  const parts = [
    ...WINDOWS.flatMap((name) => {
      const n = rates?.[name];
      return n === undefined ? [] : [`${count(n)} ${EACH[name]}`];
    }),
    ...PERIODS.flatMap((period) => {
      const cap = caps?.[period];
      return cap === undefined ? [] : [`${usdc(cap)} ${EACH[period]}`];
    }),
  ];
  return parts.join(' · ') || 'none of its own';
}

const COLUMNS = ['Name', 'Status', 'Limits', 'Created'];

function row(workspace: Workspace, pod: Pod): TemplateResult {
  const [, statusLabel = '', limitsLabel = '', madeLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="wraps"><a href=${workspace.link('pods', pod.pod_id)}>${nameOf(pod)}</a><br><span class="mono fine">${pod.account_id}</span></th>
      <td data-label=${statusLabel}>${badge(pod)}</td>
      <td data-label=${limitsLabel} class="fine">${limitsOf(pod)}</td>
      <td data-label=${madeLabel}>${time(pod.created_at)}</td>
    </tr>`;
}

const SPENT = { daily: 'Spent today', weekly: 'Spent this week', monthly: 'Spent this month' };

function usagePart({
  requests,
  addresses,
  vault_keys: vault,
  calendar_events: events,
  storage,
  budget,
}: GetPodUsageReply) {
  const of = (used: number, limit: number, text = count): string => `${text(used)} of ${text(limit)}`;
  const spent = {
    daily: budget.daily_spent_usdc,
    weekly: budget.weekly_spent_usdc,
    monthly: budget.monthly_spent_usdc,
  };
  return html`
    <section class="sheet" aria-labelledby="pod-usage">
      <h2 id="pod-usage">Usage</h2>
      ${requests === null ? html`<p class="fine">Requests count with yours. Set a limit for each day to see those of this pod.</p>` : bar('Requests today', requests.used, requests.limit, of(requests.used, requests.limit))}
      ${bar('Addresses', addresses.used, addresses.limit, of(addresses.used, addresses.limit))}
      ${vault.limit === null ? nothing : bar('Vault entries', vault.used, vault.limit, of(vault.used, vault.limit))}
      ${bar('Calendar events', events.used, events.limit, of(events.used, events.limit))}
      ${bar('Storage', storage.used, storage.limit, of(storage.used, storage.limit, size))}
      ${PERIODS.map((period) => html`<p class="usage-label usage"><span>${SPENT[period]}</span> <span class="figures">${usdc(spent[period])}</span></p>`)}
    </section>`;
}

const ROLES = { email: 'Owner', recovery: 'Recovery address', operator: 'Operator' };

function people(workspace: Workspace, { pod_id, people: named }: GetPodReply): TemplateResult {
  const save = async (form: HTMLFormElement): Promise<void> => {
    const email = textIn(form, 'recovery') || null;
    await decided(workspace, workspace.account.id, (service) => service.updatePod({ pod_id, recovery_email: email }));
    toast(email === null ? 'The pod has no recovery address.' : 'Saved. A mail asks the address to confirm.');
    await workspace.refresh();
  };
  const recovery = named.find(({ role }) => role === 'recovery')?.address ?? '';
  return html`
    <section class="sheet" aria-labelledby="pod-people">
      <h2 id="pod-people">People</h2>
      ${
        named.length === 0
          ? html`<p class="fine">Nobody is named.</p>`
          : html`<dl class="details">${named.map(
              ({ role, address, confirmed: isConfirmed }) =>
                html`<div><dt>${ROLES[role]}</dt><dd>${address}${isConfirmed ? '' : ` (not confirmed)`}</dd></div>`,
            )}</dl>`
      }
      <form @submit=${onSubmit(save)}>
        <label for="recovery">Recovery address</label>
        <div class="joined">
          <input id="recovery" name="recovery" type="email" maxlength="254" autocomplete="off" value=${recovery} aria-describedby="recovery-hint">
          <button class="button">Save the address</button>
        </div>
        <p class="fine" id="recovery-hint">Replaces those of the pod. Empty removes them.</p>
        <p class="problem" role="alert"></p>
      </form>
    </section>`;
}

function settings(workspace: Workspace, pod: GetPodReply): TemplateResult {
  const rename = async (form: HTMLFormElement): Promise<void> => {
    await workspace.service.updatePod({ pod_id: pod.pod_id, name: textIn(form, 'name') || null });
    toast('Saved.');
    await workspace.refresh();
  };
  return html`
    <section class="sheet" aria-labelledby="pod-settings">
      <h2 id="pod-settings">Settings</h2>
      <form @submit=${onSubmit(rename)}>
        <label for="pod-name">Name</label>
        <div class="joined">
          <input id="pod-name" name="name" maxlength="100" autocomplete="off" value=${pod.name ?? ''}>
          <button class="button">Save the name</button>
        </div>
        <p class="problem" role="alert"></p>
      </form>
      <h3 class="apart">Access</h3>
      <p class="actions">
        ${button('Replace its key', () => replaceKey(workspace, pod))}
        ${pod.status === 'active' ? button('Suspend', () => suspend(workspace, pod)) : button('Resume', () => resume(workspace, pod, 'Active again.'))}
      </p>
    </section>`;
}

async function openOne(workspace: Workspace, id: string, read: ReadPart): Promise<View> {
  const [pod, usage] = await Promise.all([
    workspace.service.getPod({ pod_id: id }),
    read('Usage', () => workspace.service.getPodUsage({ pod_id: id })),
  ]);
  return {
    render: () => html`
      <div class="view">
        <p><a href=${workspace.link('pods')}>All pods</a></p>
        <h1>${nameOf(pod)}</h1>
        <p>${badge(pod)} <code>${pod.account_id}</code> <span class="fine">${time(pod.created_at)}</span></p>
        <div class="columns">${usage.show(usagePart)} ${people(workspace, pod)} ${settings(workspace, pod)}</div>
        <section>${podLimitForm(workspace, id, pod)}</section>
      </div>`,
  };
}

const table = (workspace: Workspace, pods: readonly Pod[]): TemplateResult => html`
  <table class="sheet">
    <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${pods.map((pod) => row(workspace, pod))}</tbody>
  </table>`;

async function open(workspace: Workspace, [id]: readonly string[], read: ReadPart): Promise<View> {
  if (workspace.account.parent_account_id !== null)
    return {
      render: () =>
        html`<div class="view"><h1>Pods</h1>${empty('This account is a pod itself, so it has no pods. Its platform sets its limits.')}</div>`,
    };
  if (id !== undefined) return openOne(workspace, id, read);
  let { pods, next_cursor: cursor } = await workspace.service.listPods({});
  const more = onPress(async () => {
    if (cursor === null) return;
    const page = await workspace.service.listPods({ cursor });
    [pods, cursor] = [[...pods, ...page.pods], page.next_cursor];
    workspace.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        <h1>Pods</h1>
        <p class="intro">A pod is a tenant of yours: an account with its own key, mail and vault. You set its limits; you cannot read it.</p>
        ${pods.length === 0 ? empty('No pod yet. Create one for each customer whose agents you run.') : table(workspace, pods)}
        ${cursor === null ? nothing : html`<button type="button" class="button" @click=${more}>Show older</button>`}
        <section>
          <form class="sheet" id="add-pod" @submit=${onSubmit((form) => create(workspace, form))}>
            <h2>Create a pod</h2>
            <div class="field narrow">
              <label for="name">Name</label>
              <input id="name" name="name" maxlength="100" autocomplete="off">
            </div>
            <p class="problem" role="alert"></p>
            <p class="actions"><button class="button primary">Create the pod</button></p>
          </form>
        </section>
      </div>`,
  };
}

export const podsPage: Page = { name: 'pods', title: 'Pods', scope: 'pods:manage', open };
