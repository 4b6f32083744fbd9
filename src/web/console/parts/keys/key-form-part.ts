import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { onSubmit, textIn } from '../../ui/handlers.ts';
import { showOnce } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { SCOPE_LABELS, type Scope } from './scope-labels.ts';

/** The form of a named key: what it may do, for which addresses, and how long. */

const NAMED_KEYS_GROUPS = {
  mail: 'Mail',
  vault: 'Vault',
  money: 'Money',
  calendar: 'Calendar',
  identity: 'Identity',
  account: 'Account',
  others: 'Others',
};

type Group = keyof typeof NAMED_KEYS_GROUPS;

const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];
const GROUPS = Object.keys(NAMED_KEYS_GROUPS) as Group[];

const groupOf = (scope: Scope): Group => {
  const area = scope.split(':')[0] as Group;
  return GROUPS.includes(area) ? area : 'others';
};

const chosenIn = (form: HTMLFormElement, name: string): string[] => new FormData(form).getAll(name).map(String);

async function create(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  const scopes = chosenIn(form, 'scope') as Scope[];
  if (scopes.length === 0) throw new Error('Choose at least one permission.');
  const addresses = chosenIn(form, 'address');
  const expiry = textIn(form, 'expiry');
  const name = textIn(form, 'name');
  const wanted = {
    name,
    scopes,
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(expiry === '' ? {} : { expires_in_seconds: Number(expiry) }),
  };
  const { api_key: secret } = await decided(workspace, workspace.account.id, (service) =>
    service.createNamedKey(wanted),
  );

  await showOnce({
    title: `Your new key “${name}”`,
    text: 'Store it now. It cannot be shown again.',
    secret,
    filename: 'signet-named-key.txt',
  });
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
    <div class="scope-group" role="group" aria-label=${NAMED_KEYS_GROUPS[group]}>
      <h3 aria-hidden="true">${NAMED_KEYS_GROUPS[group]}</h3>
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

const EXPIRIES = {
  '86400': 'In a day',
  '604800': 'In 7 days',
  '2592000': 'In 30 days',
  '31536000': 'In a year',
  '': 'Never',
};

export const NAMED_KEY_INTRO =
  'A key for one job: it can do only what you choose, and you can delete it without touching the others.';

export function keyForm(workspace: Workspace): TemplateResult {
  return html`
    <div class="view">
      <p><a href=${workspace.link('keys')}>Keys</a></p>
      <h1>New named key</h1>
      <p class="intro">${NAMED_KEY_INTRO}</p>
      <form class="sheet stack" id="named-key" @submit=${onSubmit((form) => create(workspace, form))}>
        <div class="field narrow">
          <label for="key-name">Name</label>
          <input id="key-name" name="name" required maxlength="100" data-focus autocomplete="off" aria-describedby="key-name-hint">
          <p class="fine" id="key-name-hint">What it is for, such as “support bot”.</p>
        </div>
        <fieldset>
          <legend>What it may do</legend>
          <p class="actions">
            <button type="button" class="button quiet" @click=${choose((scope) => scope.endsWith(':read'))}>Read everything</button>
            <button type="button" class="button quiet" @click=${choose(() => false)}>Clear</button>
          </p>
          <div class="scopes">${GROUPS.map((group) => scopeGroup(workspace, group))}</div>
        </fieldset>
        ${addressChoice(workspace)}
        <div class="field narrow">
          <label for="expiry">Expires</label>
          <select id="expiry" name="expiry">
            ${Object.entries(EXPIRIES)
              .sort(([one], [other]) => Number(one) - Number(other))
              .map(([seconds, text]) => html`<option value=${seconds}>${text}</option>`)}
          </select>
        </div>
        <p class="problem" role="alert"></p>
        <p class="actions">
          <button class="button primary">Create the key</button>
          <a class="button" href=${workspace.link('keys')}>Cancel</a>
        </p>
      </form>
    </div>`;
}
