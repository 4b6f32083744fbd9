import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { chosenIn, field, form, options, textIn } from '../../ui/kit/form.ts';
import { view } from '../../ui/kit/section.ts';
import { showOnce } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { SCOPE_LABELS, type Scope } from './scope-labels.ts';

/** The form of a named key: what it may do, for which addresses, and how long. */

const GROUP_LABELS = {
  mail: 'Mail',
  vault: 'Vault',
  money: 'Money',
  calendar: 'Calendar',
  identity: 'Identity',
  account: 'Account',
  others: 'Others',
};

type Group = keyof typeof GROUP_LABELS;

const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];
const GROUPS = Object.keys(GROUP_LABELS) as Group[];

const groupOf = (scope: Scope): Group => {
  const area = scope.split(':')[0] as Group;
  return GROUPS.includes(area) ? area : 'others';
};

async function create(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  const scopes = chosenIn(form, 'scope') as Scope[];
  if (scopes.length === 0) throw new Error('Choose at least one permission.');
  const addresses = chosenIn(form, 'address');
  const expiry = textIn(form, 'expiry');
  const name = textIn(form, 'name');
  const wanted = {
    name,
    scopes,
    addresses: addresses.length === 0 ? undefined : addresses,
    expires_in_seconds: expiry === '' ? undefined : Number(expiry),
  };
  const { api_key: secret } = await decided(workspace, workspace.account.id, (service) =>
    service.createNamedKey(wanted),
  );

  await showOnce(`Your new key “${name}”`, 'Store it now. It cannot be shown again.', secret, 'signet-named-key.txt');
  workspace.go(workspace.link('keys'));
}

/** Checks the boxes of some scopes and no others. */
const choose = (isChosen: (scope: string) => boolean) => (event: Event) => {
  const form = (event.currentTarget as HTMLElement).closest('form');
  for (const box of form?.querySelectorAll<HTMLInputElement>('input[name="scope"]') ?? [])
    box.checked = isChosen(box.value);
};

const scopeGroup = (workspace: Workspace, group: Group): TemplateResult | typeof nothing => {
  const scopes = SCOPES.filter((scope) => groupOf(scope) === group && workspace.account.scopes.includes(scope));
  if (scopes.length === 0) return nothing;
  return html`
    <div class="scope-group" role="group" aria-label=${GROUP_LABELS[group]}>
      <h3 aria-hidden="true">${GROUP_LABELS[group]}</h3>
      ${scopes.map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope}> ${SCOPE_LABELS[scope]}</label>`)}
    </div>`;
};

function addressChoice({ account }: Workspace): TemplateResult | typeof nothing {
  if (account.addresses.length === 0) return nothing;

  return html`
    <fieldset>
      <legend>Only these addresses</legend>
      <p class="fine">Leave all unchecked for every address, also later ones.</p>
      ${account.addresses.map((address) => html`<label class="check mono"><input type="checkbox" name="address" value=${address}> ${address}</label>`)}
    </fieldset>`;
}

const EXPIRIES = { '86400': 'In a day', '604800': 'In 7 days', '2592000': 'In 30 days', '31536000': 'In a year' };

export const NAMED_KEY_INTRO =
  'A key for one job: it can do only what you choose, and you can delete it without touching the others.';

const fields = (workspace: Workspace): TemplateResult => html`
  ${field(
    'key-name',
    'Name',
    html`<input id="key-name" name="name" required maxlength="100" data-focus autocomplete="off" aria-describedby="key-name-hint">`,
    'What it is for, such as “support bot”.',
    'narrow',
  )}
  <fieldset>
    <legend>What it may do</legend>
    <p class="actions">
      <button type="button" class="button quiet" @click=${choose((scope) => scope.endsWith(':read'))}>Read everything</button>
      <button type="button" class="button quiet" @click=${choose(() => false)}>Clear</button>
    </p>
    <div class="scopes">${GROUPS.map((group) => scopeGroup(workspace, group))}</div>
  </fieldset>
  ${addressChoice(workspace)}
  ${field('expiry', 'Expires', html`<select id="expiry" name="expiry"><option value="">Never</option>${options(EXPIRIES)}</select>`, undefined, 'narrow')}`;

export function keyForm(workspace: Workspace): TemplateResult {
  const keys = workspace.link('keys');
  return view(
    'New named key',
    { back: ['Keys', keys], intro: NAMED_KEY_INTRO },
    form(
      { id: 'named-key', kind: 'sheet stack' },
      (of) => create(workspace, of),
      fields(workspace),
      html`<button class="button primary">Create the key</button> <a class="button" href=${keys}>Cancel</a>`,
    ),
  );
}
