import { html, nothing, type TemplateResult } from 'lit-html';
import type { SignetEvent } from '../../../client/generated/operations.ts';
import { composer } from '../parts/mail/mail-compose-part.ts';
import { type Entries, FOLDERS, type Folder, folderList, readFolder } from '../parts/mail/mail-folder-part.ts';
import { messageView, readMessage } from '../parts/mail/mail-message-part.ts';
import { policyForm } from '../parts/mail/mail-policy-part.ts';
import { sentView } from '../parts/mail/mail-sent-part.ts';
import { onSubmit } from '../ui/handlers.ts';
import { action } from '../ui/kit/action.ts';
import { problem, textIn } from '../ui/kit/form.ts';
import { tabs, view } from '../ui/kit/section.ts';
import { empty } from '../ui/placeholders.ts';
import { toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** Mail: `mail/{address}/{folder}/{message}/reply`. The list stays beside the message that is read. */

interface At {
  address: string;
  folder: Folder | 'policy' | 'new';
  id: string | undefined;
  action: string | undefined;
}

/** What was searched for, as long as the folder stays. */
let searched = { place: '', text: '' };

const isFolder = (name: string | undefined): name is Folder => name !== undefined && Object.hasOwn(FOLDERS, name);

function readAt({ account }: Workspace, [wanted, place, id, action]: readonly string[]): At | null {
  const address = account.addresses.find((own) => own === wanted) ?? account.addresses[0];
  if (address === undefined) return null;
  const folder = place === 'policy' || place === 'new' || isFolder(place) ? place : 'inbox';
  return { address, folder, id, action };
}

function claimForm(workspace: Workspace): TemplateResult {
  const claim = async (form: HTMLFormElement): Promise<void> => {
    const { address } = await workspace.service.claimAddress({ address: textIn(form, 'claim-name') });
    toast(`You claimed ${address}.`);
    await workspace.refresh();
    workspace.go(workspace.link('mail', address));
  };
  return html`
    <form class="claim" @submit=${onSubmit(claim)}>
      <label for="claim-name">Name of the address</label>
      <div class="joined">
        <input id="claim-name" name="claim-name" required maxlength="254" autocapitalize="none" autocomplete="off" spellcheck="false" placeholder="hello">
        <button class="button primary">Claim</button>
      </div>
      ${problem}
    </form>`;
}

const firstAddress = (workspace: Workspace): View => ({
  render: () =>
    view(
      'Mail',
      {},
      html`<section class="sheet"><h2>Claim an address</h2><p>Anyone can write to it right away.</p>${claimForm(workspace)}</section>`,
    ),
});

function addressBar(workspace: Workspace, { address }: At): TemplateResult {
  const choose = (event: Event): void =>
    workspace.go(workspace.link('mail', (event.target as HTMLSelectElement).value));
  return html`
    <div class="address-bar">
      <select id="address" class="mono" aria-label="Address" @change=${choose}>
        ${workspace.account.addresses.map((own) => html`<option .selected=${own === address}>${own}</option>`)}
      </select>
      <a class="button primary" id="write" href=${workspace.link('mail', address, 'new')}>Send a mail</a>
      <details class="claim-more"><summary class="button">Claim another address</summary>${claimForm(workspace)}</details>
    </div>`;
}

function folderBar(workspace: Workspace, { address, folder }: At): TemplateResult {
  const { isSession, link } = workspace;
  // Held mail is for those who decide about it.
  const shown = Object.entries(FOLDERS).filter(([name]) => name !== 'held' || isSession);
  return tabs('Folders', [
    ...shown.map(([name, [title]]) => [title, link('mail', address, name), name === folder] as const),
    ['Policy', link('mail', address, 'policy'), folder === 'policy'],
  ]);
}

class MailView implements View {
  readonly #workspace: Workspace;
  readonly #at: At;
  #entries: Entries | null;
  readonly #reading: () => TemplateResult;

  constructor(workspace: Workspace, at: At, entries: Entries | null, reading: () => TemplateResult) {
    this.#workspace = workspace;
    this.#at = at;
    this.#entries = entries;
    this.#reading = reading;
  }

  readonly #search = async (form: HTMLFormElement): Promise<void> => {
    searched = { place: placeOf(this.#at), text: textIn(form, 'q') };
    await this.#workspace.refresh();
  };

  readonly #more = async (): Promise<void> => {
    const held = this.#entries;
    const { folder } = this.#at;
    if (held === null || !isFolder(folder)) return;
    const page = await readFolder(this.#workspace, { ...this.#at, folder, search: searchIn(this.#at) }, held.next);
    this.#entries = { ...page, all: [...held.all, ...page.all] } as Entries;
    this.#workspace.repaint();
  };

  /** Arrivals show at once. */
  async onEvent({ type, data }: SignetEvent): Promise<void> {
    if (!type.startsWith('email.') || !isFolder(this.#at.folder) || this.#entries === null) return;
    const { folder } = this.#at;
    this.#entries = await readFolder(this.#workspace, { ...this.#at, folder, search: searchIn(this.#at) });
    if (type === 'email.received' && 'from' in data) toast(`New mail from ${String(data.from)}.`);
    this.#workspace.repaint();
  }

  #list(entries: Entries, folder: Folder): TemplateResult {
    const { address, id } = this.#at;
    const link = (message: string): string => this.#workspace.link('mail', address, folder, message);
    return html`
      <section class="list-pane" aria-label="Messages of ${address}">
        ${
          entries.kind === 'letters'
            ? html`
                <form class="list-tools" role="search" @submit=${onSubmit(this.#search)}>
                  <input name="q" type="search" aria-label="Search mail" placeholder="Search, or from:ada" .value=${searchIn(this.#at)}>
                  <button class="button quiet">Search</button>
                </form>`
            : nothing
        }
        ${entries.all.length === 0 ? empty(FOLDERS[folder][1]) : folderList(this.#workspace, entries, id, link)}
        ${entries.next === null ? nothing : action('Show older', this.#more)}
      </section>`;
  }

  render(): TemplateResult {
    const { folder, id } = this.#at;
    const isWide = this.#entries === null || this.#entries.kind !== 'letters';
    const isOpen = id !== undefined || this.#entries === null;
    return html`
      <div class="view mail ${isOpen ? 'opened' : ''}">
        <h1>Mail</h1>
        ${addressBar(this.#workspace, this.#at)} ${folderBar(this.#workspace, this.#at)}
        <div class="panes ${isWide ? 'single' : ''}">
          ${this.#entries !== null && isFolder(folder) ? this.#list(this.#entries, folder) : nothing}
          ${isWide && this.#entries !== null ? nothing : html`<section class="reading-pane">${this.#reading()}</section>`}
        </div>
      </div>`;
  }
}

const placeOf = ({ address, folder }: At): string => `${address} ${folder}`;
const searchIn = (at: At): string => (searched.place === placeOf(at) ? searched.text : '');

/** What is beside the list: a message, the form to answer it, or nothing yet. */
async function readingPane(workspace: Workspace, at: At): Promise<() => TemplateResult> {
  const { address, folder, id, action: what } = at;
  if (folder === 'policy') {
    const policy = await workspace.service.getMailPolicy({});
    return () => policyForm(workspace, policy);
  }
  if (folder === 'new') return composer(workspace, { how: 'new', address, folder: 'inbox' });
  if (id === undefined) return () => empty('Select a message to read it.');
  if (folder === 'sent') {
    const sent = await workspace.service.getSentEmail({ id });
    return () => sentView(workspace, address, sent);
  }
  if (folder === 'drafts')
    return composer(workspace, { how: 'draft', address, folder, draft: await workspace.service.getDraft({ id }) });
  const open = await readMessage(workspace, at, id);
  if (what !== undefined) {
    const how = what === 'reply-all' || what === 'forward' ? what : 'reply';
    return composer(workspace, { how, address, folder, answered: open.message });
  }
  return () => messageView(workspace, at, open);
}

async function open(workspace: Workspace, parts: readonly string[]): Promise<View> {
  const at = readAt(workspace, parts);
  if (at === null) return firstAddress(workspace);
  const { folder } = at;
  // The message first: reading it marks it read in the list.
  const reading = await readingPane(workspace, at);
  const isAlone = at.id !== undefined && (folder === 'sent' || folder === 'drafts');
  const entries =
    isFolder(folder) && !isAlone ? await readFolder(workspace, { ...at, folder, search: searchIn(at) }) : null;
  return new MailView(workspace, at, entries, reading);
}

export const mailPage: Page = { name: 'mail', title: 'Mail', scope: 'mail:read', open };
