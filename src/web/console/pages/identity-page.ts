import { html, nothing, type TemplateResult } from 'lit-html';
import type {
  GetProfileReply,
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
import { badge, tabs, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** Three tabs: what others see of an agent, what it signed, and who acts for it. */

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
  return roots.length === 0
    ? empty('No other account acts for this one.')
    : html`<ul class="sheet tree">${roots.map((one) => delegation(workspace, all, one, new Set()))}</ul>`;
}

/** The tabs, by the part of the address that opens them. */
const TABS = { '': 'Profile', signatures: 'Tokens and keys', delegations: 'Delegations' } as const;

type Tab = keyof typeof TABS;

const INTROS: Readonly<Record<Tab, string>> = {
  '': 'What others see of this agent, and what speaks for it.',
  signatures: 'What this agent has signed, and the keys that others check its signatures with.',
  delegations: 'Who may act for this agent, and what they passed on.',
};

const page = (workspace: Workspace, tab: Tab, content: unknown): TemplateResult =>
  view('Identity', { intro: INTROS[tab] }, [
    tabs(
      'Identity',
      (Object.keys(TABS) as Tab[]).map((one) => [
        TABS[one],
        one === '' ? workspace.link('identity') : workspace.link('identity', one),
        one === tab,
      ]),
    ),
    content,
  ]);

async function openProfile(workspace: Workspace, read: ReadPart): Promise<View> {
  const mayManage = workspace.account.scopes.includes('identity:manage');
  const [profile, trust] = await Promise.all([
    read('Profile', () => workspace.service.getProfile({})),
    read('Trust', () => readTrust(workspace)),
  ]);
  const shown = (one: GetProfileReply): TemplateResult =>
    mayManage
      ? profileForm(workspace, one)
      : html`<p class="actions"><a class="button" href=${new URL(one.profile_url).pathname}>Open the public profile</a></p>`;
  return {
    render: () =>
      page(
        workspace,
        '',
        html`<div class="columns">
          <div>${profile.show(shown)}</div>
          <div>${trust.show((one) => (one === null ? nothing : trustSection(one)))}</div>
        </div>`,
      ),
  };
}

async function openSignatures(workspace: Workspace, read: ReadPart): Promise<View> {
  const [tokens, keys] = await Promise.all([
    read('Tokens issued', async () => (await workspace.service.listTokens({})).tokens),
    read('Signing keys', async () => (await workspace.service.listSigningKeys({})).keys),
  ]);
  const mayManage = workspace.account.scopes.includes('identity:manage');
  return {
    render: () =>
      page(workspace, 'signatures', [
        tokens.show((all) => tokenTable(workspace, all)),
        keys.show((all) => keyList(workspace, all)),
        mayManage ? signingKeyForm(workspace) : nothing,
      ]),
  };
}

async function openDelegations(workspace: Workspace, read: ReadPart): Promise<View> {
  const all = await read('Delegations', () => allOf(workspace.service.paginate('listDelegations', {})));
  return {
    render: () =>
      page(workspace, 'delegations', [all.show((one) => delegationTree(workspace, one)), delegationForm(workspace)]),
  };
}

const open = (workspace: Workspace, [tab]: readonly string[], read: ReadPart): Promise<View> =>
  tab === 'signatures'
    ? openSignatures(workspace, read)
    : tab === 'delegations'
      ? openDelegations(workspace, read)
      : openProfile(workspace, read);

export const identityPage: Page = { name: 'identity', title: 'Identity', scope: 'identity:read', open };
