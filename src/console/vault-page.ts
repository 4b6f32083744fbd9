import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListVaultKeysReply } from '../client/operations.ts';
import { randomSeed, readSeed, writeSeed } from '../client/vault-seed.ts';
import { field, pressing, submitting } from './act.ts';
import type { Desk, Page, View } from './desk.ts';
import { fill, time } from './format.ts';
import { confirmed, say, showOnce } from './notice.ts';
import { empty } from './states.ts';
import { words } from './words.ts';

/** The vault of an agent: its entries are opened and sealed in the browser. */

type Entry = ListVaultKeysReply['keys'][number];

/** The seeds that were entered, by account. They live as long as this page of the browser. */
const seeds = new Map<string, Uint8Array>();

const vaultOf = (desk: Desk) => {
  const seed = seeds.get(desk.account.account_id);
  return seed === undefined ? null : desk.service.vault(seed);
};

async function unlock(desk: Desk, form: HTMLFormElement): Promise<void> {
  try {
    seeds.set(desk.account.account_id, readSeed(field(form, 'seed')));
  } catch {
    throw new Error(words.vault.badSeed);
  }
  form.reset();
  desk.repaint();
}

async function makeSeed(desk: Desk): Promise<void> {
  const seed = randomSeed();
  const { newSeedTitle: title, newSeedWhy: text } = words.vault;
  await showOnce({ title, text, secret: writeSeed(seed), filename: 'signet-seed.txt' });
  seeds.set(desk.account.account_id, seed);
  desk.repaint();
}

async function show(desk: Desk, name: string): Promise<void> {
  const secret = await vaultOf(desk)?.getText(name);
  if (secret !== undefined) await showOnce({ title: name, text: words.vault.opened, secret });
}

async function remove(desk: Desk, name: string): Promise<void> {
  const { removeAsk, removeWhy: text, remove: action } = words.vault;
  if (!(await confirmed({ title: fill(removeAsk, { name }), text, action, typed: name }))) return;
  await desk.service.deleteVaultEntry({ key: name });
  say(words.vault.removed);
  await desk.refresh();
}

async function seal(desk: Desk, form: HTMLFormElement): Promise<void> {
  await vaultOf(desk)?.put(field(form, 'name'), field(form, 'value'));
  form.reset();
  say(words.vault.sealed);
  await desk.refresh();
}

const locked = (desk: Desk): TemplateResult => html`
  <form class="sheet" id="unlock" @submit=${submitting((form) => unlock(desk, form))}>
    <label for="seed">${words.vault.seed}</label>
    <input id="seed" name="seed" type="password" class="mono" autocomplete="off" required aria-describedby="seed-hint">
    <p class="fine" id="seed-hint">${words.vault.seedHint}</p>
    <p class="problem" role="alert"></p>
    <p class="actions">
      <button class="button primary">${words.vault.unlock}</button>
      <button type="button" class="button" @click=${pressing(() => makeSeed(desk))}>${words.vault.newSeed}</button>
    </p>
  </form>`;

/** Shows or hides what is typed into the secret. */
const reveal = (event: Event): void => {
  const box = event.currentTarget as HTMLInputElement;
  const secret = box.form?.elements.namedItem('value');
  if (secret instanceof HTMLInputElement) secret.type = box.checked ? 'text' : 'password';
};

const sealForm = (desk: Desk): TemplateResult => html`
  <form class="sheet" id="seal" @submit=${submitting((form) => seal(desk, form))}>
    <h2>${words.vault.add}</h2>
    <div class="field">
      <label for="name">${words.vault.name}</label>
      <input id="name" name="name" class="mono" required pattern="[A-Za-z0-9_.\\-]{1,128}" autocomplete="off">
    </div>
    <div class="field">
      <label for="value">${words.vault.value}</label>
      <input id="value" name="value" type="password" class="mono" required autocomplete="off">
    </div>
    <label class="check"><input type="checkbox" @change=${reveal}> ${words.vault.reveal}</label>
    <p class="problem" role="alert"></p>
    <p class="actions">
      <button class="button primary">${words.vault.seal}</button>
      <button type="button" class="button" @click=${() => {
        seeds.delete(desk.account.account_id);
        desk.repaint();
      }}>${words.vault.lock}</button>
    </p>
  </form>`;

function row(desk: Desk, { key, version, updated_at: changed }: Entry): TemplateResult {
  const [, versionLabel = '', changedLabel = '', actionsLabel = ''] = words.vault.columns;
  const act = (label: string, work: () => Promise<void>) =>
    html`<button type="button" class="button quiet" aria-label="${label}: ${key}" @click=${pressing(work)}>${label}</button>`;
  return html`
    <tr>
      <th scope="row" class="mono">${key}</th>
      <td data-label=${versionLabel}>${version}</td>
      <td data-label=${changedLabel}>${time(changed)}</td>
      <td data-label=${actionsLabel}>
        ${seeds.has(desk.account.account_id) ? act(words.vault.open, () => show(desk, key)) : nothing}
        ${act(words.vault.remove, () => remove(desk, key))}
      </td>
    </tr>`;
}

async function open(desk: Desk): Promise<View> {
  const { keys } = await desk.service.listVaultKeys({});
  return {
    render: () => html`
      <div class="view">
        <h1>${words.vault.title}</h1>
        <p class="intro">${words.vault.intro}</p>
        ${
          keys.length === 0
            ? empty(words.vault.none)
            : html`<table class="sheet">
                <thead><tr>${words.vault.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
                <tbody>${keys.map((entry) => row(desk, entry))}</tbody>
              </table>`
        }
        ${seeds.has(desk.account.account_id) ? sealForm(desk) : locked(desk)}
      </div>`,
    onEvent: ({ type }) => (type === 'vault.updated' ? desk.refresh() : undefined),
  };
}

export const vaultPage: Page = { name: 'vault', title: words.vault.title, scope: 'vault:read', open };
