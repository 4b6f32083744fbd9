import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetPodReply, GetPodUsageReply, ListPodsReply } from '../../../client/generated/operations.ts';
import { usedBar } from '../parts/bar-part.ts';
import { PERIODS, type Period } from '../parts/money/spending-caps.ts';
import { podLimitForm } from '../parts/pod-limits-part.ts';
import { decided } from '../ui/decide.ts';
import { count, size, time, usdc } from '../ui/format.ts';
import { action, change } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { field, form, lineForm, textIn } from '../ui/kit/form.ts';
import { Pager } from '../ui/kit/pager.ts';
import { badge, facts, section, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The pods of a platform: its tenants, what they may use and what they used. */

type Pod = ListPodsReply['pods'][number];

const INTRO =
  'A pod is a tenant of yours: an account with its own key, mail and vault. You set its limits; you cannot read it.';
const WINDOWS = ['requests_per_minute', 'requests_per_hour', 'requests_per_day'] as const;
const EACH = {
  requests_per_minute: 'a minute',
  requests_per_hour: 'an hour',
  requests_per_day: 'a day',
  daily: 'a day',
  weekly: 'a week',
  monthly: 'a month',
};
const SPENT: Readonly<Record<Period, string>> = {
  daily: 'Spent today',
  weekly: 'Spent this week',
  monthly: 'Spent this month',
};
const STATUS = { active: ['Active', 'good'], suspended: ['Suspended', 'failed'] } as const;
const ROLES = { email: 'Owner', recovery: 'Recovery address', operator: 'Operator' };

const nameOf = ({ name }: Pick<Pod, 'name'>): string => name || 'Unnamed pod';

/** Shows the key of a pod once. */
const showKey = (title: string, key: string): Promise<void> =>
  showOnce(title, 'Give it to your tenant. Store it now: it cannot be shown again.', key, 'signet-pod-key.txt');

async function create(workspace: Workspace, of: HTMLFormElement): Promise<void> {
  const name = textIn(of, 'name') || null;
  const made = await decided(workspace, workspace.account.id, (service) => service.createPod({ name }));
  of.reset();
  await showKey('The key of the pod', made.api_key);
  workspace.go(workspace.link('pods', made.pod_id));
}

async function replaceKey(workspace: Workspace, pod: Pod): Promise<void> {
  const text = 'Its current key, its backup key and its sessions stop working at once.';
  if (!(await confirmed(`Replace the key of ${nameOf(pod)}?`, text, 'Replace its key'))) return;
  const made = await decided(workspace, workspace.account.id, (service) =>
    service.replacePodKey({ pod_id: pod.pod_id }),
  );
  await showKey('The new key of the pod', made.api_key);
  await workspace.refresh();
}

async function suspend(workspace: Workspace, pod: Pod): Promise<void> {
  const text = 'Its key gets refused and mail to it too. Nothing is deleted.';
  if (!(await confirmed(`Suspend ${nameOf(pod)}?`, text, 'Suspend'))) return;
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

const podName = (workspace: Workspace, pod: Pod): TemplateResult =>
  html`<a href=${workspace.link('pods', pod.pod_id)}>${nameOf(pod)}</a><br><span class="mono fine">${pod.account_id}</span>`;

const usagePart = ({
  requests,
  addresses,
  vault_keys: vault,
  calendar_events: events,
  storage,
  budget,
}: GetPodUsageReply) =>
  section(
    'pod-usage',
    'Usage',
    html`
      ${requests === null ? html`<p class="fine">Requests count with yours. Set a limit for each day to see those of this pod.</p>` : usedBar('Requests today', requests)}
      ${usedBar('Addresses', addresses)}
      ${vault.limit === null ? nothing : usedBar('Vault entries', { used: vault.used, limit: vault.limit })}
      ${usedBar('Calendar events', events)} ${usedBar('Storage', storage, size)}
      ${PERIODS.map((period) => html`<p class="usage-label usage"><span>${SPENT[period]}</span> <span class="figures">${usdc(budget[`${period}_spent_usdc`])}</span></p>`)}`,
  );

function people(workspace: Workspace, { pod_id, people: named }: GetPodReply): TemplateResult {
  const save = async (of: HTMLFormElement): Promise<void> => {
    const email = textIn(of, 'recovery') || null;
    const set = () =>
      decided(workspace, workspace.account.id, (service) => service.updatePod({ pod_id, recovery_email: email }));
    const done = email === null ? 'The pod has no recovery address.' : 'Saved. A mail asks the address to confirm.';
    await change(workspace, set, done);
  };
  const known = named.map(
    ({ role, address, confirmed: isConfirmed }) =>
      [ROLES[role], `${address}${isConfirmed ? '' : ' (not confirmed)'}`] as const,
  );
  const recovery = named.find(({ role }) => role === 'recovery')?.address ?? '';
  return section('pod-people', 'People', [
    known.length === 0 ? html`<p class="fine">Nobody is named.</p>` : facts(known, { kind: 'details' }),
    lineForm(save, {
      id: 'recovery',
      label: 'Recovery address',
      control: html`<input id="recovery" name="recovery" type="email" maxlength="254" autocomplete="off" value=${recovery} aria-describedby="recovery-hint">`,
      action: 'Save the address',
      hint: 'Replaces those of the pod. Empty removes them.',
    }),
  ]);
}

function settings(workspace: Workspace, pod: GetPodReply): TemplateResult {
  const rename = (of: HTMLFormElement): Promise<void> => {
    const name = textIn(of, 'name') || null;
    return change(workspace, () => workspace.service.updatePod({ pod_id: pod.pod_id, name }), 'Saved.');
  };
  return section('pod-settings', 'Settings', [
    lineForm(rename, {
      id: 'pod-name',
      label: 'Name',
      control: html`<input id="pod-name" name="name" maxlength="100" autocomplete="off" value=${pod.name ?? ''}>`,
      action: 'Save the name',
    }),
    html`
      <h3 class="apart">Access</h3>
      <p class="actions">
        ${action('Replace its key', () => replaceKey(workspace, pod))}
        ${pod.status === 'active' ? action('Suspend', () => suspend(workspace, pod)) : action('Resume', () => resume(workspace, pod, 'Active again.'))}
      </p>`,
  ]);
}

async function openOne(workspace: Workspace, id: string, read: ReadPart): Promise<View> {
  const [pod, usage] = await Promise.all([
    workspace.service.getPod({ pod_id: id }),
    read('Usage', () => workspace.service.getPodUsage({ pod_id: id })),
  ]);
  return {
    render: () =>
      view(
        nameOf(pod),
        { back: ['All pods', workspace.link('pods')] },
        html`
          <p>${badge(STATUS[pod.status])} <code>${pod.account_id}</code> <span class="fine">${time(pod.created_at)}</span></p>
          <div class="columns">${usage.show(usagePart)} ${people(workspace, pod)} ${settings(workspace, pod)}</div>
          <section>${podLimitForm(workspace, id, pod)}</section>`,
      ),
  };
}

const addForm = (workspace: Workspace): TemplateResult =>
  form(
    { id: 'add-pod', title: 'Create a pod' },
    (of) => create(workspace, of),
    field('name', 'Name', html`<input id="name" name="name" maxlength="100" autocomplete="off">`, undefined, 'narrow'),
    'Create the pod',
  );

async function open(workspace: Workspace, [id]: readonly string[], read: ReadPart): Promise<View> {
  if (workspace.account.parent_account_id !== null) {
    const why = 'This account is a pod itself, so it has no pods. Its platform sets its limits.';
    return { render: () => view('Pods', {}, empty(why)) };
  }
  if (id !== undefined) return openOne(workspace, id, read);
  const all = await Pager.open(workspace, async (cursor) => {
    const { pods, next_cursor: next } = await workspace.service.listPods({ cursor });
    return { entries: pods, next };
  });
  return {
    render: () =>
      view('Pods', { intro: INTRO }, [
        dataTable<Pod>(all.all, 'No pod yet. Create one for each customer whose agents you run.', [
          ['Name', (pod) => podName(workspace, pod), 'wraps'],
          ['Status', ({ status }) => badge(STATUS[status])],
          ['Limits', limitsOf, 'fine'],
          ['Created', ({ created_at: at }) => time(at)],
        ]),
        all.button(),
        html`<section>${addForm(workspace)}</section>`,
      ]),
  };
}

export const podsPage: Page = { name: 'pods', title: 'Pods', scope: 'pods:manage', open };
