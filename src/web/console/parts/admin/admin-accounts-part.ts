import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { count, counted, ends, fill, fullTime, time } from '../../ui/format.ts';
import { field, pressing, submitting } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { confirmed, say } from '../../ui/toast.ts';
import { adminWords } from '../../words/words-admin.ts';
import { bar } from '../bar-part.ts';
import type { AdminAccount, AdminAccountDetail, Tier } from './admin-service.ts';
import type { AdminDesk, AdminView } from './admin-workspace.ts';

/** The accounts of the service: the list with its search, and one of them. */

const { accounts: words } = adminWords;

const linkTo = (id: string): string => `#/accounts/${encodeURIComponent(id)}`;

const badge = ({ status }: AdminAccount): TemplateResult =>
  html`<span class="badge ${status === 'active' ? 'good' : 'failed'}">${words.status[status]}</span>`;

function row(account: AdminAccount): TemplateResult {
  const [, tierLabel = '', statusLabel = '', madeLabel = ''] = words.columns;
  const { id, name, tier, parent_account_id: parent, created_at: at } = account;
  return html`
    <tr>
      <th scope="row" class="wraps"><a href=${linkTo(id)}>${name || words.unnamed}</a><br>
        <span class="mono fine">${id}</span>${parent === null ? nothing : html`<br><span class="fine">${fill(words.podOf, { id: parent })}</span>`}</th>
      <td data-label=${tierLabel}>${words.tiers[tier]}</td>
      <td data-label=${statusLabel}>${badge(account)}</td>
      <td data-label=${madeLabel}>${time(at)}</td>
    </tr>`;
}

const table = (accounts: readonly AdminAccount[]): TemplateResult => html`
  <table class="sheet">
    <thead><tr>${words.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${accounts.map(row)}</tbody>
  </table>`;

/** @param search what was searched for; empty for all */
export async function openAccounts(desk: AdminDesk, search: string): Promise<AdminView> {
  let { accounts, next_after: next } = await desk.service.accounts(search, '');
  const more = pressing(async () => {
    if (next === null) return;
    const page = await desk.service.accounts(search, next);
    [accounts, next] = [[...accounts, ...page.accounts], page.next_after];
    desk.repaint();
  });
  const find = async (form: HTMLFormElement): Promise<void> =>
    desk.go(`#/accounts/search/${encodeURIComponent(field(form, 'search'))}`);
  return {
    render: () => html`
      <div class="view">
        <h1>${words.title}</h1>
        <form class="narrow" role="search" @submit=${submitting(find)}>
          <label for="search">${words.search}</label>
          <div class="joined">
            <input id="search" name="search" type="search" maxlength="254" autocomplete="off" spellcheck="false" aria-describedby="search-hint" value=${search}>
            <button class="button">${words.searchDo}</button>
          </div>
          <p class="fine" id="search-hint">${words.searchHint}</p>
        </form>
        ${accounts.length === 0 ? empty(search === '' ? words.none : words.noneFound) : table(accounts)}
        ${next === null ? nothing : html`<p class="actions"><button type="button" class="button" @click=${more}>${search === '' ? words.more : words.searchOn}</button></p>`}
      </div>`,
  };
}

const usagePart = ({ usage }: AdminAccountDetail): TemplateResult => html`
  <section class="sheet" aria-labelledby="used">
    <h2 id="used">${words.used}</h2>
    ${(['requests', 'emails'] as const).map((name) => {
      const { used, limit } = usage[name];
      return bar(words[name], used, limit, fill(words.ofLimit, { used: count(used), limit: count(limit) }));
    })}
  </section>`;

function tierPart(desk: AdminDesk, { id, tier, parent_account_id: parent }: AdminAccount): TemplateResult {
  const save = async (form: HTMLFormElement): Promise<void> => {
    await desk.service.setTier(id, field(form, 'tier') as Tier);
    say(words.tierSet);
    await desk.refresh();
  };
  if (parent !== null) return html`<p class="fine">${words.tierOfPod}</p>`;
  return html`
    <form @submit=${submitting(save)}>
      <label for="tier">${words.tier}</label>
      <div class="joined">
        <select id="tier" name="tier">
          ${(['free', 'paid'] as const).map((one) => html`<option value=${one} ?selected=${one === tier}>${words.tiers[one]}</option>`)}
        </select>
        <button class="button">${words.saveTier}</button>
      </div>
      <p class="problem" role="alert"></p>
    </form>`;
}

async function suspend(desk: AdminDesk, { id, name }: AdminAccount): Promise<void> {
  const { suspendAsk, suspendWhy: text, suspend: action } = words;
  if (!(await confirmed({ title: fill(suspendAsk, { name: name || words.unnamed }), text, action }))) return;
  await desk.service.suspend(id);
  say(words.suspended);
  await desk.refresh();
}

async function resume(desk: AdminDesk, { id }: AdminAccount): Promise<void> {
  await desk.service.resume(id);
  say(words.resumed);
  await desk.refresh();
}

async function remove(desk: AdminDesk, { id }: AdminAccount): Promise<void> {
  const { removeAsk: title, removeWhy: text, remove: action } = words;
  if (!(await confirmed({ title, text, action, typed: id }))) return;
  const { deletes_at: at } = await desk.service.remove(id);
  say(fill(words.removed, { date: fullTime(at) }));
  await desk.refresh();
}

async function keep(desk: AdminDesk, { id }: AdminAccount): Promise<void> {
  await desk.service.cancelRemoval(id);
  say(words.cancelled);
  await desk.refresh();
}

const button = (label: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button" @click=${pressing(work)}>${label}</button>`;

/** A pod is deleted with its platform. */
function removalPart(
  desk: AdminDesk,
  { account, deletes_at: at }: AdminAccountDetail,
): TemplateResult | typeof nothing {
  if (account.parent_account_id !== null) return nothing;
  if (at === null) return html`<p class="actions">${button(words.remove, () => remove(desk, account))}</p>`;
  if (Date.parse(at) <= systemNow()) return html`<p>${words.removing}</p>`;
  return html`
    <p>${words.removedOn} ${ends(at)}</p>
    <p class="actions">${button(words.cancelRemoval, () => keep(desk, account))}</p>`;
}

const accessPart = (desk: AdminDesk, found: AdminAccountDetail): TemplateResult => html`
  <section class="sheet" aria-labelledby="access">
    <h2 id="access">${words.access}</h2>
    ${tierPart(desk, found.account)}
    <p class="actions">
      ${found.account.status === 'suspended' ? button(words.resume, () => resume(desk, found.account)) : button(words.suspend, () => suspend(desk, found.account))}
    </p>
    ${removalPart(desk, found)}
  </section>`;

const addressPart = ({ addresses }: AdminAccountDetail): TemplateResult => html`
  <h2>${words.addresses}</h2>
  ${
    addresses.length === 0
      ? empty(words.noAddresses)
      : html`<ul class="entries sheet people">${addresses.map(({ address, total, unread }) => html`<li class="entry"><span class="mono">${address}</span><span class="fine">${counted(words.mails, total)}, ${fill(words.unread, { n: count(unread) })}</span></li>`)}</ul>`
  }`;

const keyPart = ({ keys }: AdminAccountDetail): TemplateResult => html`
  <h2>${words.keys}</h2>
  <ul class="entries sheet people">
    ${keys.map(
      ({ prefix, status, label, created_at: at }) => html`
        <li class="entry"><span class="entry-text"><span class="mono">${prefix}…</span><span class="fine">${label ?? ''} ${time(at)}</span></span>
          <span class="badge ${status === 'active' ? 'good' : ''}">${words.keyStatus[status]}</span></li>`,
    )}
  </ul>`;

export async function openAccount(desk: AdminDesk, id: string): Promise<AdminView> {
  const found = await desk.service.account(id);
  const { account } = found;
  return {
    render: () => html`
      <div class="view">
        <p><a href="#/accounts">${words.back}</a></p>
        <h1>${account.name || words.unnamed}</h1>
        <p>${badge(account)} <code>${account.id}</code> ${time(account.created_at)}</p>
        <div class="columns">${usagePart(found)} ${accessPart(desk, found)}</div>
        ${addressPart(found)} ${keyPart(found)}
      </div>`,
  };
}
