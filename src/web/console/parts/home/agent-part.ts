import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { agentName, counted, shortDay, usdc } from '../../ui/format.ts';
import { rowAction } from '../../ui/kit/action.ts';
import { linkTo } from '../../ui/route.ts';
import { toast } from '../../ui/toast.ts';
import type { Agent, Workspace } from '../../ui/workspace.ts';
import { bar } from '../bar-part.ts';

/** An agent in the list of its operator: what it spends, mails and waits for, and when it was last seen. */

/** The days that the list of agents looks back. */
const ACTIVE_DAYS = 30;

/** Suspending is undone with one press, so it does not ask first. */
async function setSuspended(
  workspace: Workspace,
  { account_id: id, name }: Agent,
  isSuspended: boolean,
): Promise<void> {
  const change = (to: boolean) =>
    decided(workspace, id, (service) => (to ? service.suspendAgent({ id }) : service.resumeAgent({ id })));
  await change(isSuspended);
  const text = isSuspended
    ? `${agentName(name)} is suspended: its keys stopped working. You can still do everything here.`
    : `${agentName(name)} is active again.`;
  toast(text, {
    undo: async () => {
      await change(!isSuspended);
      await workspace.refresh();
    },
  });
  await workspace.refresh();
}

/** How much of it waits for a person, as the list of agents says. */
function waitingOf({ open_approvals: charges, open_reviews: mails, open_items: others }: Agent): string {
  return [
    ...(charges > 0 ? [counted(charges, 'charge waits', 'charges wait')] : []),
    ...(mails > 0 ? [counted(mails, 'mail waits', 'mails wait')] : []),
    ...(others > 0 ? [counted(others, 'alert', 'alerts')] : []),
  ].join(' · ');
}

/**
 * When it last called, to the day, and its emails of today. Calls that a person makes for it do not count. Those of a pod
 * count as its platform's, so nothing is said of a pod.
 */
function seen({ last_active_day: day, active_today: isToday, emails_today: emails }: Agent): string {
  if (emails === null) return 'A pod: its platform counts what it does';

  const last = day === null ? `No calls in ${ACTIVE_DAYS} days` : `Last active ${shortDay(day)}`;
  return [isToday ? 'Active today' : last, ...(emails > 0 ? [counted(emails, 'mail today', 'mails today')] : [])].join(
    ' · ',
  );
}

const STATUS = { active: 'Active', suspended: 'Suspended' };

function spentBar({ caps: { daily }, spent_today_usdc: spent }: Agent): TemplateResult {
  if (daily === null) return html`<p class="fine">Spent today: ${usdc(spent)}, no daily cap</p>`;
  const left = `${usdc(daily.remaining_usdc)} left today of ${usdc(daily.limit_usdc)}`;
  return bar('Spent today', daily.spent_usdc, daily.limit_usdc, usdc(daily.spent_usdc), left);
}

export function agentCard(workspace: Workspace, agent: Agent): TemplateResult {
  const { account_id: id, name, status, suspended_by: by } = agent;
  const isSuspended = by.includes('operator');
  const waiting = waitingOf(agent);
  const why = by.includes('administrator') ? 'Suspended by the administrator' : 'Suspended by an operator';
  return html`
    <li class="agent-card">
      <div>
        <h3><a href=${linkTo(id, 'overview')}>${agentName(name)}</a></h3>
        <p class="fine mono">${agent.addresses[0] ?? id}</p>
      </div>
      <div>
        <p><span class="badge ${status === 'active' ? 'good' : 'failed'}" title=${status === 'active' ? nothing : why}>${STATUS[status]}</span></p>
        <p class="fine seen">${seen(agent)}</p>
        ${waiting === '' ? nothing : html`<p class="fine waits">${waiting}</p>`}
      </div>
      <div>${spentBar(agent)}</div>
      <p class="actions">
        <a class="button quiet" href=${linkTo(id, 'overview')}>Open<span class="visually-hidden"> ${agentName(name)}</span></a>
        ${rowAction(isSuspended ? 'Resume' : 'Suspend', agentName(name), () => setSuspended(workspace, agent, !isSuspended))}
      </p>
    </li>`;
}
