import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { count, counted, ends, fullTime, time } from '../../ui/format.ts';
import { onSubmit } from '../../ui/handlers.ts';
import { action, change } from '../../ui/kit/action.ts';
import { dataTable, entryList } from '../../ui/kit/data-table.ts';
import { lineForm, options, textIn } from '../../ui/kit/form.ts';
import { Pager } from '../../ui/kit/pager.ts';
import { badge, section, view } from '../../ui/kit/section.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import { usedBar } from '../bar-part.ts';
import type { AdminAccount, AdminAccountDetail, Tier } from './admin-service.ts';
import type { AdminView, AdminWorkspace } from './admin-workspace.ts';

/** The accounts of the service: the list with its search, and one of them. */

const linkTo = (id: string): string => `#/accounts/${encodeURIComponent(id)}`;

const STATUS = {
  active: ['Active', 'good'],
  suspended: ['Suspended', 'failed'],
  paused: ['Suspended by its platform', 'failed'],
} as const;

const TIERS = { free: 'Free', paid: 'Paid' };

const accountName = ({ id, name, parent_account_id: parent }: AdminAccount): TemplateResult => html`
  <a href=${linkTo(id)}>${name || 'Unnamed'}</a><br>
  <span class="mono fine">${id}</span>${parent === null ? nothing : html`<br><span class="fine">Pod of ${parent}</span>`}`;

const accountTable = (accounts: readonly AdminAccount[], none: string): TemplateResult =>
  dataTable<AdminAccount>(accounts, none, [
    ['Account', accountName, 'wraps'],
    ['Tier', ({ tier }) => TIERS[tier]],
    ['Status', ({ status }) => badge(STATUS[status])],
    ['Created', ({ created_at: at }) => time(at)],
  ]);

/** @param search what was searched for; empty for all */
export async function openAccounts(workspace: AdminWorkspace, search: string): Promise<AdminView> {
  const found = await Pager.open(workspace, async (after) => {
    const { accounts, next_after: next } = await workspace.service.accounts(search, after ?? '');
    return { entries: accounts, next };
  });
  const find = async (of: HTMLFormElement): Promise<void> =>
    workspace.go(`#/accounts/search/${encodeURIComponent(textIn(of, 'search'))}`);
  const searchForm = html`
    <form class="narrow" role="search" @submit=${onSubmit(find)}>
      <label for="search">Search</label>
      <div class="joined">
        <input id="search" name="search" type="search" maxlength="254" autocomplete="off" spellcheck="false" aria-describedby="search-hint" value=${search}>
        <button class="button">Search</button>
      </div>
      <p class="fine" id="search-hint">An account id, an email address of an agent, or part of a name.</p>
    </form>`;
  return {
    render: () =>
      view('Accounts', {}, [
        searchForm,
        accountTable(found.all, search === '' ? 'No account yet.' : 'No account matches.'),
        found.button(search === '' ? 'Show more' : 'Search further'),
      ]),
  };
}

const usagePart = ({ usage }: AdminAccountDetail): TemplateResult =>
  section('used', 'Used today', [usedBar('Requests', usage.requests), usedBar('Emails', usage.emails)]);

function tierPart(workspace: AdminWorkspace, { id, tier, parent_account_id: parent }: AdminAccount): TemplateResult {
  if (parent !== null) return html`<p class="fine">A pod has the tier of its platform.</p>`;
  return lineForm(
    (of) => change(workspace, () => workspace.service.setTier(id, textIn(of, 'tier') as Tier), 'The tier is set.'),
    {
      id: 'tier',
      label: 'Tier',
      control: html`<select id="tier" name="tier">${options(TIERS, tier)}</select>`,
      action: 'Set the tier',
    },
  );
}

async function suspend(workspace: AdminWorkspace, { id, name }: AdminAccount): Promise<void> {
  const text = 'Its keys, its sessions and mail to it are refused. Nothing is deleted.';
  if (!(await confirmed(`Suspend ${name || 'Unnamed'}?`, text, 'Suspend'))) return;
  await change(workspace, () => workspace.service.suspend(id), 'The account is suspended.');
}

const resume = (workspace: AdminWorkspace, { id }: AdminAccount): Promise<void> =>
  change(workspace, () => workspace.service.resume(id), 'The account is active again.');

async function remove(workspace: AdminWorkspace, { id }: AdminAccount): Promise<void> {
  const text = 'It and its pods are deleted after 72 hours. Only you can cancel that.';
  if (!(await confirmed('Delete this account?', text, 'Delete', id))) return;
  const { deletes_at: at } = await workspace.service.remove(id);
  toast(`It will be deleted on ${fullTime(at)}.`);
  await workspace.refresh();
}

const keep = (workspace: AdminWorkspace, { id }: AdminAccount): Promise<void> =>
  change(workspace, () => workspace.service.cancelRemoval(id), 'The account stays.');

/** A pod is deleted with its platform. */
function removalPart(
  workspace: AdminWorkspace,
  { account, deletes_at: at }: AdminAccountDetail,
): TemplateResult | typeof nothing {
  if (account.parent_account_id !== null) return nothing;
  if (at === null) return html`<p class="actions">${action('Delete', () => remove(workspace, account))}</p>`;
  if (Date.parse(at) <= systemNow()) return html`<p>It is being deleted.</p>`;
  return html`
    <p>It will be deleted on ${ends(at)}</p>
    <p class="actions">${action('Cancel the deletion', () => keep(workspace, account))}</p>`;
}

function accessPart(workspace: AdminWorkspace, found: AdminAccountDetail): TemplateResult {
  const { account } = found;
  const isSuspended = account.status === 'suspended';
  return section('access', 'Access', [
    tierPart(workspace, account),
    html`<p class="actions">
      ${isSuspended ? action('Resume', () => resume(workspace, account)) : action('Suspend', () => suspend(workspace, account))}
    </p>`,
    removalPart(workspace, found),
  ]);
}

const address = ({ address: name, total, unread }: AdminAccountDetail['addresses'][number]): TemplateResult => html`
  <li class="entry">
    <span class="mono">${name}</span><span class="fine">${counted(total, 'mail', 'mails')}, ${count(unread)} unread</span>
  </li>`;

const KEY_STATUS = { active: ['Active', 'good'], backup: ['Backup', ''], revoked: ['Revoked', ''] } as const;

const key = ({ prefix, status, label, created_at: at }: AdminAccountDetail['keys'][number]): TemplateResult => html`
  <li class="entry">
    <span class="entry-text"><span class="mono">${prefix}…</span><span class="fine">${label ?? ''} ${time(at)}</span></span>
    ${badge(KEY_STATUS[status])}
  </li>`;

export async function openAccount(workspace: AdminWorkspace, id: string): Promise<AdminView> {
  const found = await workspace.service.account(id);
  const { account, addresses, keys } = found;
  return {
    render: () =>
      view(
        account.name || 'Unnamed',
        { back: ['All accounts', '#/accounts'] },
        html`
          <p>${badge(STATUS[account.status])} <code>${account.id}</code> ${time(account.created_at)}</p>
          <div class="columns">${usagePart(found)} ${accessPart(workspace, found)}</div>
          <h2>Addresses</h2>
          ${entryList(addresses, 'It has no address.', address, 'sheet people')}
          <h2>Keys</h2>
          ${entryList(keys, '', key, 'sheet people')}`,
      ),
  };
}
