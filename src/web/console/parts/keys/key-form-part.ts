import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { fullTime } from '../../ui/format.ts';
import { chosenIn, field, form, options, textIn } from '../../ui/kit/form.ts';
import { facts, view } from '../../ui/kit/section.ts';
import { showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type Key, lastUse, usageSection } from './key-use-part.ts';
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

/** @throws with a text for people when none is chosen */
function scopesIn(form: HTMLFormElement): Scope[] {
  const scopes = chosenIn(form, 'scope') as Scope[];
  if (scopes.length === 0) throw new Error('Choose at least one permission.');
  return scopes;
}

async function create(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  const scopes = scopesIn(form);
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

const KEPT = 'kept';
const NEVER = 'never';

/** Sends only what differs: another end would else begin to count from now. */
async function save(workspace: Workspace, { id, name: before }: Key, form: HTMLFormElement): Promise<void> {
  const scopes = scopesIn(form);
  const [name, expiry] = [textIn(form, 'name'), textIn(form, 'expiry')];
  const seconds = expiry === KEPT ? undefined : expiry === NEVER ? null : Number(expiry);
  const changes = { id, name: name === before ? undefined : name, scopes, expires_in_seconds: seconds };
  await decided(workspace, workspace.account.id, (service) => service.changeNamedKey(changes));
  toast('Changed. It holds from the next call.');
  workspace.go(workspace.link('keys'));
}

/** Checks the boxes of some scopes and no others. */
const choose = (isChosen: (scope: string) => boolean) => (event: Event) => {
  const form = (event.currentTarget as HTMLElement).closest('form');
  for (const box of form?.querySelectorAll<HTMLInputElement>('input[name="scope"]') ?? [])
    box.checked = isChosen(box.value);
};

const scopeGroup = (workspace: Workspace, group: Group, chosen: readonly string[]): TemplateResult | typeof nothing => {
  const { scopes: own } = workspace.account;
  const scopes = SCOPES.filter((scope) => groupOf(scope) === group && (own.includes(scope) || chosen.includes(scope)));
  if (scopes.length === 0) return nothing;
  return html`
    <div class="scope-group" role="group" aria-label=${GROUP_LABELS[group]}>
      <h3 aria-hidden="true">${GROUP_LABELS[group]}</h3>
      ${scopes.map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope} ?checked=${chosen.includes(scope)}> ${SCOPE_LABELS[scope]}</label>`)}
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

const fields = (workspace: Workspace, key: Key | null): TemplateResult => html`
  ${field(
    'key-name',
    'Name',
    html`<input id="key-name" name="name" required maxlength="100" value=${key?.name ?? ''} ?data-focus=${key === null} autocomplete="off" aria-describedby="key-name-hint">`,
    'What it is for, such as “support bot”.',
    'narrow',
  )}
  <fieldset>
    <legend>What it may do</legend>
    <p class="actions">
      <button type="button" class="button quiet" @click=${choose((scope) => scope.endsWith(':read'))}>Read everything</button>
      <button type="button" class="button quiet" @click=${choose(() => false)}>Clear</button>
    </p>
    <div class="scopes">${GROUPS.map((group) => scopeGroup(workspace, group, key?.scopes ?? []))}</div>
  </fieldset>
  ${key === null ? addressChoice(workspace) : nothing}
  ${field('expiry', 'Expires', html`<select id="expiry" name="expiry">${key === null ? html`<option value="">Never</option>` : endOptions(key)}${options(EXPIRIES)}</select>`, undefined, 'narrow')}`;

const endOptions = ({ expires_at: at }: Key): TemplateResult =>
  at === null
    ? html`<option value=${KEPT}>Never</option>`
    : html`<option value=${KEPT}>As now: ${fullTime(at)}</option><option value=${NEVER}>Never</option>`;

/** What a key was used for, and the form that changes it. */
export function keyView(workspace: Workspace, key: Key): TemplateResult {
  const keys = workspace.link('keys');
  const { key_prefix: prefix, addresses } = key;
  const about = facts([
    ['Key', html`<span class="mono">${prefix}…</span>`],
    ['Last used', html`${lastUse(key)}`],
    ['Only these addresses', addresses === null ? null : addresses.join(', ')],
  ]);
  const change = form(
    { id: 'named-key', kind: 'sheet stack', title: 'Change the key' },
    (of) => save(workspace, key, of),
    fields(workspace, key),
    html`<button class="button primary">Save</button> <a class="button" href=${keys}>Cancel</a>`,
  );
  return view(key.name ?? prefix, { back: ['Keys', keys] }, [
    html`<section class="sheet" aria-label="The key">${about}</section>`,
    usageSection(key),
    key.kind === 'named' && key.status === 'active' ? change : nothing,
  ]);
}

export function keyForm(workspace: Workspace): TemplateResult {
  const keys = workspace.link('keys');
  return view(
    'New named key',
    { back: ['Keys', keys], intro: NAMED_KEY_INTRO },
    form(
      { id: 'named-key', kind: 'sheet stack' },
      (of) => create(workspace, of),
      fields(workspace, null),
      html`<button class="button primary">Create the key</button> <a class="button" href=${keys}>Cancel</a>`,
    ),
  );
}
