import { html, type TemplateResult } from 'lit-html';
import type {
  ListDelegationsReply,
  ListSigningKeysReply,
  ListTokensReply,
} from '../../../client/generated/operations.ts';
import { delegationForm } from '../parts/identity/delegation-part.ts';
import { profileForm, signingKeyForm } from '../parts/identity/profile-part.ts';
import { readTrust, trustSection } from '../parts/identity/trust-part.ts';
import { allOf } from '../ui/console-service.ts';
import { fill, time } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, say } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** What others see of an agent: its profile, the tokens it issued, its signing keys, and what it passed on. */

type Token = ListTokensReply['tokens'][number];
type SigningKey = ListSigningKeysReply['keys'][number];
type Delegation = ListDelegationsReply['delegations'][number];

const badge = (status: Token['status']): TemplateResult =>
  html`<span class="badge ${status === 'active' ? 'good' : ''}">${words.identity.states[status]}</span>`;

async function revoke(desk: Desk, { jti, audience }: Token): Promise<void> {
  const { revokeAsk, revokeWhy: text, revoke: action, revoked } = words.identity;
  if (!(await confirmed({ title: fill(revokeAsk, { audience }), text, action }))) return;
  await desk.service.revokeToken({ token: jti });
  say(revoked);
  await desk.refresh();
}

function token(desk: Desk, one: Token): TemplateResult {
  const { audience, scopes, expires_at: expires, status } = one;
  const [, scopesLabel = '', expiresLabel = '', statusLabel = ''] = words.identity.tokenColumns;
  return html`
    <tr>
      <th scope="row" class="mono wraps">${audience}</th>
      <td data-label=${scopesLabel}>${scopes.join(', ')}</td>
      <td data-label=${expiresLabel}>${time(expires)}</td>
      <td data-label=${statusLabel} class="row-actions">${badge(status)}
        ${status === 'active' && desk.account.scopes.includes('identity:issue') ? html`<button type="button" class="button quiet" @click=${pressing(() => revoke(desk, one))}>${words.identity.revoke}</button>` : ''}</td>
    </tr>`;
}

async function removeKey(desk: Desk, keyid: string): Promise<void> {
  const { removeKeyAsk: title, removeKeyWhy: text, removeKey: action } = words.identity;
  if (!(await confirmed({ title, text, action }))) return;
  await desk.service.deleteSigningKey({ keyid });
  say(words.identity.removedKey);
  await desk.refresh();
}

const signingKey = (desk: Desk, { keyid, label, created_at: at }: SigningKey): TemplateResult => html`
  <li class="entry">
    <span class="entry-text"><span>${label ?? '–'}</span><code>${keyid}</code></span>
    <span>${time(at, 'short')}
      <button type="button" class="button quiet" @click=${pressing(() => removeKey(desk, keyid))}>${words.identity.removeKey}</button></span>
  </li>`;

async function end(desk: Desk, id: string): Promise<void> {
  const { endAsk: title, endWhy: text, end: action } = words.identity;
  if (!(await confirmed({ title, text, action }))) return;
  await desk.service.endDelegation({ id });
  say(words.identity.ended);
  await desk.refresh();
}

function delegation(
  desk: Desk,
  all: readonly Delegation[],
  one: Delegation,
  above: ReadonlySet<string>,
): TemplateResult {
  const { id, from, to, scopes, spent_usdc_display: spent, budget_usdc_display: budget, status } = one;
  const path = new Set([...above, id]);
  // Who got it may have passed it on: the account stays the same.
  const below = all.filter((next) => next.account_id === one.account_id && next.from === to && !path.has(next.id));
  return html`
    <li>
      <p>
        <strong class="mono">${fill(words.identity.delegated, { from, to })}</strong> ${badge(status)}
        <span class="fine">${scopes.join(', ')}${budget === null ? '' : ` · ${fill(words.identity.budget, { spent, budget })}`} · ${words.identity.until}</span>
        ${time(one.expires_at)}
        ${status === 'active' && from === desk.account.account_id ? html`<button type="button" class="button quiet" @click=${pressing(() => end(desk, id))}>${words.identity.end}</button>` : ''}
      </p>
      ${below.length === 0 ? '' : html`<ul>${below.map((next) => delegation(desk, all, next, path))}</ul>`}
    </li>`;
}

const section = (
  title: string,
  none: string,
  entries: readonly unknown[],
  body: () => TemplateResult,
): TemplateResult => html`<h2>${title}</h2>${entries.length === 0 ? empty(none) : body()}`;

/** Those that were granted, each with what was passed on below it. */
function delegationTree(desk: Desk, all: readonly Delegation[]): TemplateResult {
  const roots = all.filter((one) => one.from === one.account_id);
  const { delegations, noDelegations } = words.identity;
  const tree = () => html`<ul class="sheet tree">${roots.map((one) => delegation(desk, all, one, new Set()))}</ul>`;
  return section(delegations, noDelegations, roots, tree);
}

const tokenTable = (desk: Desk, tokens: readonly Token[]): TemplateResult =>
  section(
    words.identity.tokens,
    words.identity.noTokens,
    tokens,
    () => html`<table class="sheet">
      <thead><tr>${words.identity.tokenColumns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${tokens.map((one) => token(desk, one))}</tbody>
    </table>`,
  );

async function open(desk: Desk, _parts: readonly string[], read: ReadPart): Promise<View> {
  const { identity } = words;
  const [profile, trust, tokens, keys, delegations] = await Promise.all([
    read(identity.edit, () => desk.service.getProfile({})),
    read(words.trust.title, () => readTrust(desk)),
    read(identity.tokens, async () => (await desk.service.listTokens({})).tokens),
    read(identity.signing, async () => (await desk.service.listSigningKeys({})).keys),
    read(identity.delegations, () => allOf(desk.service.paginate('listDelegations', {}))),
  ]);
  const mayManage = desk.account.scopes.includes('identity:manage');
  return {
    render: () => html`
      <div class="view">
        <h1>${identity.title}</h1>
        <p class="intro">${identity.intro}</p>
        ${profile.show((one) => (mayManage ? html`<h2>${identity.edit}</h2>${profileForm(desk, one)}` : html`<p class="actions"><a class="button" href=${new URL(one.profile_url).pathname}>${identity.profile}</a></p>`))}
        ${trust.show((one) => (one === null ? '' : trustSection(one)))}
        ${delegations.show((all) => delegationTree(desk, all))}
        ${delegationForm(desk)}
        ${tokens.show((all) => tokenTable(desk, all))}
        ${keys.show((all) => section(identity.signing, identity.noSigning, all, () => html`<ul class="entries sheet people">${all.map((one) => signingKey(desk, one))}</ul>`))}
        ${mayManage ? signingKeyForm(desk) : ''}
      </div>`,
  };
}

export const identityPage: Page = { name: 'identity', title: words.identity.title, scope: 'identity:read', open };
