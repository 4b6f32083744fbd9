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
import { time } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** What others see of an agent: its profile, the tokens it issued, its signing keys, and what it passed on. */

type Token = ListTokensReply['tokens'][number];
type SigningKey = ListSigningKeysReply['keys'][number];
type Delegation = ListDelegationsReply['delegations'][number];

const STATES = { active: 'Active', expired: 'Expired', revoked: 'Revoked' };

const badge = (status: Token['status']): TemplateResult =>
  html`<span class="badge ${status === 'active' ? 'good' : ''}">${STATES[status]}</span>`;

async function revoke(workspace: Workspace, { jti, audience }: Token): Promise<void> {
  if (
    !(await confirmed({
      title: `Revoke the token for ${audience}?`,
      text: 'Verifiers that ask this service refuse it from now on.',
      action: 'Revoke',
    }))
  )
    return;
  await workspace.service.revokeToken({ token: jti });
  toast('Revoked.');
  await workspace.refresh();
}

const COLUMNS = ['Audience', 'Scopes', 'Expires', 'Status'];

function token(workspace: Workspace, one: Token): TemplateResult {
  const { audience, scopes, expires_at: expires, status } = one;
  const [, scopesLabel = '', expiresLabel = '', statusLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="mono wraps">${audience}</th>
      <td data-label=${scopesLabel}>${scopes.join(', ')}</td>
      <td data-label=${expiresLabel}>${time(expires)}</td>
      <td data-label=${statusLabel} class="row-actions">${badge(status)}
        ${status === 'active' && workspace.account.scopes.includes('identity:issue') ? html`<button type="button" class="button quiet" @click=${onPress(() => revoke(workspace, one))}>Revoke</button>` : ''}</td>
    </tr>`;
}

async function removeKey(workspace: Workspace, keyid: string): Promise<void> {
  if (
    !(await confirmed({
      title: 'Remove this signing key?',
      text: 'Verifiers no longer find it in the agent’s documents.',
      action: 'Remove',
    }))
  )
    return;
  await workspace.service.deleteSigningKey({ keyid });
  toast('Removed.');
  await workspace.refresh();
}

const signingKey = (workspace: Workspace, { keyid, label, created_at: at }: SigningKey): TemplateResult => html`
  <li class="entry">
    <span class="entry-text"><span>${label ?? '–'}</span><code>${keyid}</code></span>
    <span>${time(at, 'short')}
      <button type="button" class="button quiet" @click=${onPress(() => removeKey(workspace, keyid))}>Remove</button></span>
  </li>`;

async function end(workspace: Workspace, id: string): Promise<void> {
  if (
    !(await confirmed({
      title: 'End this delegation?',
      text: 'Everything that was passed on with it ends too.',
      action: 'End',
    }))
  )
    return;
  await workspace.service.endDelegation({ id });
  toast('Ended.');
  await workspace.refresh();
}

function delegation(
  workspace: Workspace,
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
        <strong class="mono">${from} to ${to}</strong> ${badge(status)}
        <span class="fine">${scopes.join(', ')}${budget === null ? '' : ` · ${spent} of ${budget} USDC spent`} · until</span>
        ${time(one.expires_at)}
        ${status === 'active' && from === workspace.account.account_id ? html`<button type="button" class="button quiet" @click=${onPress(() => end(workspace, id))}>End</button>` : ''}
      </p>
      ${below.length === 0 ? '' : html`<ul>${below.map((next) => delegation(workspace, all, next, path))}</ul>`}
    </li>`;
}

const section = (
  title: string,
  none: string,
  entries: readonly unknown[],
  body: () => TemplateResult,
): TemplateResult => html`<h2>${title}</h2>${entries.length === 0 ? empty(none) : body()}`;

/** Those that were granted, each with what was passed on below it. */
function delegationTree(workspace: Workspace, all: readonly Delegation[]): TemplateResult {
  const roots = all.filter((one) => one.from === one.account_id);

  const tree = () =>
    html`<ul class="sheet tree">${roots.map((one) => delegation(workspace, all, one, new Set()))}</ul>`;
  return section('Delegations', 'Nothing is delegated.', roots, tree);
}

const tokenTable = (workspace: Workspace, tokens: readonly Token[]): TemplateResult =>
  section(
    'Tokens issued',
    'No token was issued.',
    tokens,
    () => html`<table class="sheet">
      <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${tokens.map((one) => token(workspace, one))}</tbody>
    </table>`,
  );

async function open(workspace: Workspace, _parts: readonly string[], read: ReadPart): Promise<View> {
  const [profile, trust, tokens, keys, delegations] = await Promise.all([
    read('Profile', () => workspace.service.getProfile({})),
    read('Trust', () => readTrust(workspace)),
    read('Tokens issued', async () => (await workspace.service.listTokens({})).tokens),
    read('Signing keys', async () => (await workspace.service.listSigningKeys({})).keys),
    read('Delegations', () => allOf(workspace.service.paginate('listDelegations', {}))),
  ]);
  const mayManage = workspace.account.scopes.includes('identity:manage');
  return {
    render: () => html`
      <div class="view">
        <h1>Identity</h1>
        <p class="intro">What others see of this agent, and what it has signed or passed on.</p>
        ${profile.show((one) => (mayManage ? html`<h2>Profile</h2>${profileForm(workspace, one)}` : html`<p class="actions"><a class="button" href=${new URL(one.profile_url).pathname}>Open the public profile</a></p>`))}
        ${trust.show((one) => (one === null ? '' : trustSection(one)))}
        ${delegations.show((all) => delegationTree(workspace, all))}
        ${delegationForm(workspace)}
        ${tokens.show((all) => tokenTable(workspace, all))}
        ${keys.show((all) => section('Signing keys', 'No signing key is published.', all, () => html`<ul class="entries sheet people">${all.map((one) => signingKey(workspace, one))}</ul>`))}
        ${mayManage ? signingKeyForm(workspace) : ''}
      </div>`,
  };
}

export const identityPage: Page = { name: 'identity', title: 'Identity', scope: 'identity:read', open };
