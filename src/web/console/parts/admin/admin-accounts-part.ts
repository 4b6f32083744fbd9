import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { count, counted, ends, fullTime, time } from '../../ui/format.ts';
import { onPress, onSubmit, textIn } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import { bar } from '../bar-part.ts';
import type { AdminAccount, AdminAccountDetail, Tier } from './admin-service.ts';
import type { AdminView, AdminWorkspace } from './admin-workspace.ts';

/** The accounts of the service: the list with its search, and one of them. */

const linkTo = (id: string): string => `#/accounts/${encodeURIComponent(id)}`;

const STATUS = { active: 'Active', suspended: 'Suspended', paused: 'Suspended by its platform' };

const badge = ({ status }: AdminAccount): TemplateResult =>
  html`<span class="badge ${status === 'active' ? 'good' : 'failed'}">${STATUS[status]}</span>`;

const COLUMNS = ['Account', 'Tier', 'Status', 'Created'];
const TIERS = { free: 'Free', paid: 'Paid' };

function row(account: AdminAccount): TemplateResult {
  const [, tierLabel = '', statusLabel = '', madeLabel = ''] = COLUMNS;
  const { id, name, tier, parent_account_id: parent, created_at: at } = account;
  return html`
    <tr>
      <th scope="row" class="wraps"><a href=${linkTo(id)}>${name || 'Unnamed'}</a><br>
        <span class="mono fine">${id}</span>${parent === null ? nothing : html`<br><span class="fine">Pod of ${parent}</span>`}</th>
      <td data-label=${tierLabel}>${TIERS[tier]}</td>
      <td data-label=${statusLabel}>${badge(account)}</td>
      <td data-label=${madeLabel}>${time(at)}</td>
    </tr>`;
}

const table = (accounts: readonly AdminAccount[]): TemplateResult => html`
  <table class="sheet">
    <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${accounts.map(row)}</tbody>
  </table>`;

/** @param search what was searched for; empty for all */
export async function openAccounts(workspace: AdminWorkspace, search: string): Promise<AdminView> {
  let { accounts, next_after: next } = await workspace.service.accounts(search, '');
  const more = onPress(async () => {
    if (next === null) return;
    const page = await workspace.service.accounts(search, next);
    [accounts, next] = [[...accounts, ...page.accounts], page.next_after];
    workspace.repaint();
  });
  const find = async (form: HTMLFormElement): Promise<void> =>
    workspace.go(`#/accounts/search/${encodeURIComponent(textIn(form, 'search'))}`);
  return {
    render: () => html`
      <div class="view">
        <h1>Accounts</h1>
        <form class="narrow" role="search" @submit=${onSubmit(find)}>
          <label for="search">Search</label>
          <div class="joined">
            <input id="search" name="search" type="search" maxlength="254" autocomplete="off" spellcheck="false" aria-describedby="search-hint" value=${search}>
            <button class="button">Search</button>
          </div>
          <p class="fine" id="search-hint">An account id, an email address of an agent, or part of a name.</p>
        </form>
        ${accounts.length === 0 ? empty(search === '' ? 'No account yet.' : 'No account matches.') : table(accounts)}
        ${next === null ? nothing : html`<p class="actions"><button type="button" class="button" @click=${more}>${search === '' ? 'Show more' : 'Search further'}</button></p>`}
      </div>`,
  };
}

const USED = { requests: 'Requests', emails: 'Emails' };

const usagePart = ({ usage }: AdminAccountDetail): TemplateResult => html`
  <section class="sheet" aria-labelledby="used">
    <h2 id="used">Used today</h2>
    ${(['requests', 'emails'] as const).map((name) => {
      const { used, limit } = usage[name];
      return bar(USED[name], used, limit, `${count(used)} of ${count(limit)}`);
    })}
  </section>`;

function tierPart(workspace: AdminWorkspace, { id, tier, parent_account_id: parent }: AdminAccount): TemplateResult {
  const save = async (form: HTMLFormElement): Promise<void> => {
    await workspace.service.setTier(id, textIn(form, 'tier') as Tier);
    toast('The tier is set.');
    await workspace.refresh();
  };
  if (parent !== null) return html`<p class="fine">A pod has the tier of its platform.</p>`;
  return html`
    <form @submit=${onSubmit(save)}>
      <label for="tier">Tier</label>
      <div class="joined">
        <select id="tier" name="tier">
          ${(['free', 'paid'] as const).map((one) => html`<option value=${one} ?selected=${one === tier}>${TIERS[one]}</option>`)}
        </select>
        <button class="button">Set the tier</button>
      </div>
      <p class="problem" role="alert"></p>
    </form>`;
}

async function suspend(workspace: AdminWorkspace, { id, name }: AdminAccount): Promise<void> {
  if (
    !(await confirmed({
      title: `Suspend ${name || 'Unnamed'}?`,
      text: 'Its keys, its sessions and mail to it are refused. Nothing is deleted.',
      action: 'Suspend',
    }))
  )
    return;
  await workspace.service.suspend(id);
  toast('The account is suspended.');
  await workspace.refresh();
}

async function resume(workspace: AdminWorkspace, { id }: AdminAccount): Promise<void> {
  await workspace.service.resume(id);
  toast('The account is active again.');
  await workspace.refresh();
}

async function remove(workspace: AdminWorkspace, { id }: AdminAccount): Promise<void> {
  if (
    !(await confirmed({
      title: 'Delete this account?',
      text: 'It and its pods are deleted after 72 hours. Only you can cancel that.',
      action: 'Delete',
      typed: id,
    }))
  )
    return;
  const { deletes_at: at } = await workspace.service.remove(id);
  toast(`It will be deleted on ${fullTime(at)}.`);
  await workspace.refresh();
}

async function keep(workspace: AdminWorkspace, { id }: AdminAccount): Promise<void> {
  await workspace.service.cancelRemoval(id);
  toast('The account stays.');
  await workspace.refresh();
}

const button = (label: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button" @click=${onPress(work)}>${label}</button>`;

/** A pod is deleted with its platform. */
function removalPart(
  workspace: AdminWorkspace,
  { account, deletes_at: at }: AdminAccountDetail,
): TemplateResult | typeof nothing {
  if (account.parent_account_id !== null) return nothing;
  if (at === null) return html`<p class="actions">${button('Delete', () => remove(workspace, account))}</p>`;
  if (Date.parse(at) <= systemNow()) return html`<p>It is being deleted.</p>`;
  return html`
    <p>It will be deleted on ${ends(at)}</p>
    <p class="actions">${button('Cancel the deletion', () => keep(workspace, account))}</p>`;
}

const accessPart = (workspace: AdminWorkspace, found: AdminAccountDetail): TemplateResult => html`
  <section class="sheet" aria-labelledby="access">
    <h2 id="access">Access</h2>
    ${tierPart(workspace, found.account)}
    <p class="actions">
      ${found.account.status === 'suspended' ? button('Resume', () => resume(workspace, found.account)) : button('Suspend', () => suspend(workspace, found.account))}
    </p>
    ${removalPart(workspace, found)}
  </section>`;

const addressPart = ({ addresses }: AdminAccountDetail): TemplateResult => html`
  <h2>Addresses</h2>
  ${
    addresses.length === 0
      ? empty('It has no address.')
      : html`<ul class="entries sheet people">${addresses.map(({ address, total, unread }) => html`<li class="entry"><span class="mono">${address}</span><span class="fine">${counted(total, 'mail', 'mails')}, ${count(unread)} unread</span></li>`)}</ul>`
  }`;

const KEY_STATUS = { active: 'Active', backup: 'Backup', revoked: 'Revoked' };

const keyPart = ({ keys }: AdminAccountDetail): TemplateResult => html`
  <h2>Keys</h2>
  <ul class="entries sheet people">
    ${keys.map(
      ({ prefix, status, label, created_at: at }) => html`
        <li class="entry"><span class="entry-text"><span class="mono">${prefix}…</span><span class="fine">${label ?? ''} ${time(at)}</span></span>
          <span class="badge ${status === 'active' ? 'good' : ''}">${KEY_STATUS[status]}</span></li>`,
    )}
  </ul>`;

export async function openAccount(workspace: AdminWorkspace, id: string): Promise<AdminView> {
  const found = await workspace.service.account(id);
  const { account } = found;
  return {
    render: () => html`
      <div class="view">
        <p><a href="#/accounts">All accounts</a></p>
        <h1>${account.name || 'Unnamed'}</h1>
        <p>${badge(account)} <code>${account.id}</code> ${time(account.created_at)}</p>
        <div class="columns">${usagePart(found)} ${accessPart(workspace, found)}</div>
        ${addressPart(found)} ${keyPart(found)}
      </div>`,
  };
}
