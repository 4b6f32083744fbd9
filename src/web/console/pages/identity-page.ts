import { html, nothing, type TemplateResult } from 'lit-html';
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
import { action, change } from '../ui/kit/action.ts';
import { dataTable, entryList } from '../ui/kit/data-table.ts';
import { badge, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** What others see of an agent: its profile, the tokens it issued, its signing keys, and what it passed on. */

type Token = ListTokensReply['tokens'][number];
type SigningKey = ListSigningKeysReply['keys'][number];
type Delegation = ListDelegationsReply['delegations'][number];

const STATES = { active: ['Active', 'good'], expired: ['Expired', ''], revoked: ['Revoked', ''] } as const;

async function revoke(workspace: Workspace, { jti, audience }: Token): Promise<void> {
  const text = 'Verifiers that ask this service refuse it from now on.';
  if (!(await confirmed(`Revoke the token for ${audience}?`, text, 'Revoke'))) return;
  await change(workspace, () => workspace.service.revokeToken({ token: jti }), 'Revoked.');
}

function tokenTable(workspace: Workspace, tokens: readonly Token[]): TemplateResult {
  const mayRevoke = workspace.account.scopes.includes('identity:issue');
  const state = (one: Token) => html`${badge(STATES[one.status])}
    ${one.status === 'active' && mayRevoke ? action('Revoke', () => revoke(workspace, one), { kind: 'quiet' }) : nothing}`;
  return html`
    <h2>Tokens issued</h2>
    ${dataTable<Token>(tokens, 'No token was issued.', [
      ['Audience', ({ audience }) => audience, 'mono wraps'],
      ['Scopes', ({ scopes }) => scopes.join(', ')],
      ['Expires', ({ expires_at: at }) => time(at)],
      ['Status', state, 'row-actions'],
    ])}`;
}

async function removeKey(workspace: Workspace, keyid: string): Promise<void> {
  const text = 'Verifiers no longer find it in the agent’s documents.';
  if (!(await confirmed('Remove this signing key?', text, 'Remove'))) return;
  await change(workspace, () => workspace.service.deleteSigningKey({ keyid }), 'Removed.');
}

const signingKey = (workspace: Workspace, { keyid, label, created_at: at }: SigningKey): TemplateResult => html`
  <li class="entry">
    <span class="entry-text"><span>${label ?? '–'}</span><code>${keyid}</code></span>
    <span>${time(at, 'short')} ${action('Remove', () => removeKey(workspace, keyid), { kind: 'quiet' })}</span>
  </li>`;

const keyList = (workspace: Workspace, keys: readonly SigningKey[]): TemplateResult => html`
  <h2>Signing keys</h2>
  ${entryList(keys, 'No signing key is published.', (one) => signingKey(workspace, one), 'sheet people')}`;

async function end(workspace: Workspace, id: string): Promise<void> {
  if (!(await confirmed('End this delegation?', 'Everything that was passed on with it ends too.', 'End'))) return;
  await change(workspace, () => workspace.service.endDelegation({ id }), 'Ended.');
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
        <strong class="mono">${from} to ${to}</strong> ${badge(STATES[status])}
        <span class="fine">${scopes.join(', ')}${budget === null ? '' : ` · ${spent} of ${budget} USDC spent`} · until</span>
        ${time(one.expires_at)}
        ${status === 'active' && from === workspace.account.account_id ? action('End', () => end(workspace, id), { kind: 'quiet' }) : nothing}
      </p>
      ${below.length === 0 ? '' : html`<ul>${below.map((next) => delegation(workspace, all, next, path))}</ul>`}
    </li>`;
}

/** Those that were granted, each with what was passed on below it. */
function delegationTree(workspace: Workspace, all: readonly Delegation[]): TemplateResult {
  const roots = all.filter((one) => one.from === one.account_id);
  return html`
    <h2>Delegations</h2>
    ${
      roots.length === 0
        ? empty('Nothing is delegated.')
        : html`<ul class="sheet tree">${roots.map((one) => delegation(workspace, all, one, new Set()))}</ul>`
    }`;
}

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
    render: () =>
      view('Identity', { intro: 'What others see of this agent, and what it has signed or passed on.' }, [
        profile.show((one) =>
          mayManage
            ? html`<h2>Profile</h2>${profileForm(workspace, one)}`
            : html`<p class="actions"><a class="button" href=${new URL(one.profile_url).pathname}>Open the public profile</a></p>`,
        ),
        trust.show((one) => (one === null ? nothing : trustSection(one))),
        delegations.show((all) => delegationTree(workspace, all)),
        delegationForm(workspace),
        tokens.show((all) => tokenTable(workspace, all)),
        keys.show((all) => keyList(workspace, all)),
        mayManage ? signingKeyForm(workspace) : nothing,
      ]),
  };
}

export const identityPage: Page = { name: 'identity', title: 'Identity', scope: 'identity:read', open };
