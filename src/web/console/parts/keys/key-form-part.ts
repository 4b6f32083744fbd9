import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { fill } from '../../ui/format.ts';
import { field, submitting } from '../../ui/handlers.ts';
import { showOnce } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

/** The form of a named key: what it may do, for which addresses, and how long. */

type Scope = keyof typeof words.namedKeys.scopes;
type Group = keyof typeof words.namedKeys.groups;

const SCOPES = Object.keys(words.namedKeys.scopes) as Scope[];
const GROUPS = Object.keys(words.namedKeys.groups) as Group[];

const groupOf = (scope: Scope): Group => {
  const area = scope.split(':')[0] as Group;
  return GROUPS.includes(area) ? area : 'others';
};

const chosenIn = (form: HTMLFormElement, name: string): string[] => new FormData(form).getAll(name).map(String);

async function create(desk: Desk, form: HTMLFormElement): Promise<void> {
  const scopes = chosenIn(form, 'scope') as Scope[];
  if (scopes.length === 0) throw new Error(words.namedKeys.chooseOne);
  const addresses = chosenIn(form, 'address');
  const expiry = field(form, 'expiry');
  const name = field(form, 'name');
  const wanted = {
    name,
    scopes,
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(expiry === '' ? {} : { expires_in_seconds: Number(expiry) }),
  };
  const { api_key: secret } = await decided(desk, desk.account.id, (service) => service.createNamedKey(wanted));
  const { made, store: text } = words.namedKeys;
  await showOnce({ title: fill(made, { name }), text, secret, filename: 'signet-named-key.txt' });
  desk.go(desk.link('keys'));
}

/** Checks the boxes of some scopes and no others. */
const choose = (isChosen: (scope: string) => boolean) => (event: Event) => {
  const form = (event.currentTarget as HTMLElement).closest('form');
  for (const box of form?.querySelectorAll<HTMLInputElement>('input[name="scope"]') ?? [])
    box.checked = isChosen(box.value);
};

const scopeGroup = (desk: Desk, group: Group): TemplateResult | typeof nothing => {
  const scopes = SCOPES.filter((scope) => groupOf(scope) === group && desk.account.scopes.includes(scope));
  if (scopes.length === 0) return nothing;
  return html`
    <div class="scope-group" role="group" aria-label=${words.namedKeys.groups[group]}>
      <h3 aria-hidden="true">${words.namedKeys.groups[group]}</h3>
      ${scopes.map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope}> ${words.namedKeys.scopes[scope]}</label>`)}
    </div>`;
};

function addressChoice({ account }: Desk): TemplateResult | typeof nothing {
  if (account.addresses.length === 0) return nothing;
  const { addresses, addressesHint } = words.namedKeys;
  return html`
    <fieldset>
      <legend>${addresses}</legend>
      <p class="fine">${addressesHint}</p>
      ${account.addresses.map((address) => html`<label class="check mono"><input type="checkbox" name="address" value=${address}> ${address}</label>`)}
    </fieldset>`;
}

export function keyForm(desk: Desk): TemplateResult {
  const { namedKeys } = words;
  return html`
    <div class="view">
      <p><a href=${desk.link('keys')}>${words.keys.title}</a></p>
      <h1>${namedKeys.add}</h1>
      <p class="intro">${namedKeys.intro}</p>
      <form class="sheet stack" id="named-key" @submit=${submitting((form) => create(desk, form))}>
        <div class="field narrow">
          <label for="key-name">${namedKeys.name}</label>
          <input id="key-name" name="name" required maxlength="100" data-focus autocomplete="off" aria-describedby="key-name-hint">
          <p class="fine" id="key-name-hint">${namedKeys.nameHint}</p>
        </div>
        <fieldset>
          <legend>${namedKeys.may}</legend>
          <p class="actions">
            <button type="button" class="button quiet" @click=${choose((scope) => scope.endsWith(':read'))}>${namedKeys.readAll}</button>
            <button type="button" class="button quiet" @click=${choose(() => false)}>${namedKeys.clear}</button>
          </p>
          <div class="scopes">${GROUPS.map((group) => scopeGroup(desk, group))}</div>
        </fieldset>
        ${addressChoice(desk)}
        <div class="field narrow">
          <label for="expiry">${namedKeys.expiry}</label>
          <select id="expiry" name="expiry">
            ${Object.entries(namedKeys.expiries)
              .sort(([one], [other]) => Number(one) - Number(other))
              .map(([seconds, text]) => html`<option value=${seconds}>${text}</option>`)}
          </select>
        </div>
        <p class="problem" role="alert"></p>
        <p class="actions">
          <button class="button primary">${namedKeys.create}</button>
          <a class="button" href=${desk.link('keys')}>${words.notices.cancel}</a>
        </p>
      </form>
    </div>`;
}
