import { html, nothing, type TemplateResult } from 'lit-html';
import type { SignetEvent } from '../../../client/generated/operations.ts';
import { composer } from '../parts/mail/mail-compose-part.ts';
import {
  type Entries,
  emptyText,
  FOLDERS,
  type Folder,
  folderList,
  readFolder,
} from '../parts/mail/mail-folder-part.ts';
import { mailList } from '../parts/mail/mail-list-part.ts';
import { messageView, type OpenMessage, readMessage } from '../parts/mail/mail-message-part.ts';
import { policyForm } from '../parts/mail/mail-policy-part.ts';
import { newestFirst } from '../parts/mail/mail-rows.ts';
import { sentView } from '../parts/mail/mail-sent-part.ts';
import { onSubmit } from '../ui/handlers.ts';
import { action } from '../ui/kit/action.ts';
import { problem, textIn } from '../ui/kit/form.ts';
import { tabs, view } from '../ui/kit/section.ts';
import { empty } from '../ui/placeholders.ts';
import { toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/**
 * Mail: `mail/{address}/{folder}/{message}/reply`. The list stays beside the message that is read. `all` lists every address;
 * then a message names its own: `mail/all/{folder}/{message}/read/{address}`.
 */

const ALL = 'all';

interface At {
  /** Whether the list has all addresses. */
  isAll: boolean;
  /** Of the list; of all addresses that of the message, or the one to write from. */
  address: string;
  folder: Folder | 'policy' | 'new';
  id: string | undefined;
  action: string | undefined;
}

/** What was searched for, as long as the folder stays. */
let searched = { place: '', text: '' };

const isFolder = (name: string | undefined): name is Folder => name !== undefined && Object.hasOwn(FOLDERS, name);

function readAt({ account }: Workspace, [wanted, place, id, action, received]: readonly string[]): At | null {
  const { addresses } = account;
  const listed = addresses.find((own) => own === wanted);
  const isAll = listed === undefined && addresses.length > 1;
  const address = listed ?? addresses.find((own) => own === received) ?? addresses[0];
  if (address === undefined) return null;
  const folder = place === 'policy' || place === 'new' || isFolder(place) ? place : 'inbox';
  return { isAll, address, folder, id, action: action === 'read' ? undefined : action };
}

/** A link to a folder of the same list, or to a message in it. @param address that received it */
function linkIn(
  { link }: Workspace,
  { isAll, address: listed }: At,
  folder: string,
  id?: string,
  action?: string,
  address = listed,
) {
  const place = ['mail', isAll ? ALL : listed, folder] as const;
  if (id === undefined) return link(...place);
  return isAll ? link(...place, id, action ?? 'read', address) : link(...place, id, ...(action ? [action] : []));
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

function addressBar(workspace: Workspace, { address, isAll }: At): TemplateResult {
  const choose = (event: Event): void =>
    workspace.go(workspace.link('mail', (event.target as HTMLSelectElement).value));
  return html`
    <div class="address-bar">
      <select id="address" class="mono" aria-label="Address" @change=${choose}>
        ${workspace.account.addresses.length > 1 ? html`<option value=${ALL} .selected=${isAll}>All addresses</option>` : nothing}
        ${workspace.account.addresses.map((own) => html`<option .selected=${!isAll && own === address}>${own}</option>`)}
      </select>
      <a class="button primary" id="write" href=${workspace.link('mail', address, 'new')}>Send a mail</a>
      <details class="claim-more"><summary class="button">Claim another address</summary>${claimForm(workspace)}</details>
    </div>`;
}

function folderBar(workspace: Workspace, at: At): TemplateResult {
  const { isSession } = workspace;
  const { folder } = at;
  // Held mail is for those who decide about it.
  const shown = Object.entries(FOLDERS).filter(([name]) => name !== 'held' || isSession);
  return tabs('Folders', [
    ...shown.map(([name, [title]]) => [title, linkIn(workspace, at, name), name === folder] as const),
    ['Policy', linkIn(workspace, at, 'policy'), folder === 'policy'],
  ]);
}

class MailView implements View {
  readonly #workspace: Workspace;
  readonly #at: At;
  #entries: Entries | null;
  readonly #reading: Reading;

  constructor(workspace: Workspace, at: At, entries: Entries | null, reading: Reading) {
    [this.#workspace, this.#at, this.#entries, this.#reading] = [workspace, at, entries, reading];
  }

  #read(folder: Folder, cursor?: string | null): Promise<Entries> {
    const { isAll, address } = this.#at;
    const asked = { address: isAll ? null : address, folder, search: searchIn(this.#at) };
    return readFolder(this.#workspace, asked, cursor);
  }

  readonly #search = async (form: HTMLFormElement): Promise<void> => {
    searched = { place: placeOf(this.#at), text: textIn(form, 'q') };
    await this.#workspace.refresh();
  };

  readonly #more = async (): Promise<void> => {
    const held = this.#entries;
    const { folder } = this.#at;
    if (held === null || !isFolder(folder)) return;
    const page = await this.#read(folder, held.next);
    const all = [...held.all, ...page.all];
    // What several addresses received is read by address.
    this.#entries = { ...page, all: page.kind === 'received' ? newestFirst(all as typeof page.all) : all } as Entries;
    this.#workspace.repaint();
  };

  /** Arrivals show at once. */
  async onEvent({ type, data }: SignetEvent): Promise<void> {
    if (!type.startsWith('email.') || !isFolder(this.#at.folder) || this.#entries === null) return;
    const { folder } = this.#at;
    this.#entries = await this.#read(folder);
    if (type === 'email.received' && 'from' in data) toast(`New mail from ${String(data.from)}.`);
    this.#workspace.repaint();
  }

  #received(rows: Extract<Entries, { kind: 'received' }>['all'], folder: Folder): TemplateResult {
    const [workspace, at] = [this.#workspace, this.#at];
    const search = html`
      <form class="list-tools" role="search" @submit=${onSubmit(this.#search)}>
        <input name="q" type="search" aria-label="Search mail" placeholder="Search, or from:ada" .value=${searchIn(at)}>
        <button class="button quiet">Search</button>
      </form>`;
    const { message } = this.#reading;
    const look = {
      rows,
      place: `${placeOf(at)} ${searchIn(at)}`,
      folder,
      open: message === null ? null : { message: message.message_id, thread: message.thread_id },
      isAll: at.isAll,
      link: ({ opens, address }: (typeof rows)[number]) => linkIn(workspace, at, folder, opens, undefined, address),
    };
    return mailList(workspace, look, search);
  }

  #list(entries: Entries, folder: Folder): TemplateResult {
    const { address, isAll } = this.#at;
    const isEmpty = entries.all.length === 0;
    const link = (id: string): string => linkIn(this.#workspace, this.#at, folder, id);
    return html`
      <section class="list-pane" aria-label=${isAll ? 'Messages of all addresses' : `Messages of ${address}`}>
        ${entries.kind === 'received' ? this.#received(entries.all, folder) : isEmpty ? nothing : folderList(this.#workspace, entries, link)}
        ${isEmpty ? empty(emptyText(entries, folder, searchIn(this.#at))) : nothing}
        ${entries.next === null ? nothing : action('Show older', this.#more)}
      </section>`;
  }

  render(): TemplateResult {
    const { folder, id } = this.#at;
    const isWide = this.#entries === null || this.#entries.kind !== 'received';
    const isOpen = id !== undefined || this.#entries === null;
    return html`
      <div class="view mail ${isOpen ? 'opened' : ''}">
        <h1>Mail</h1>
        ${addressBar(this.#workspace, this.#at)} ${folderBar(this.#workspace, this.#at)}
        <div class="panes ${isWide ? 'single' : ''}">
          ${this.#entries !== null && isFolder(folder) ? this.#list(this.#entries, folder) : nothing}
          ${isWide && this.#entries !== null ? nothing : html`<section class="reading-pane">${this.#reading.draw()}</section>`}
        </div>
      </div>`;
  }
}

const placeOf = ({ isAll, address, folder }: At): string => `${isAll ? ALL : address} ${folder}`;
const searchIn = (at: At): string => (searched.place === placeOf(at) ? searched.text : '');

/** What is beside the list: a message, the form to answer it, or nothing yet. */
interface Reading {
  draw(): TemplateResult;
  /** The message that is read or answered. */
  message: OpenMessage['message'] | null;
}

const drawing = (draw: () => TemplateResult): Reading => ({ draw, message: null });

async function readingPane(workspace: Workspace, at: At): Promise<Reading> {
  const { address, folder, id, action: what } = at;
  if (folder === 'policy') {
    const policy = await workspace.service.getMailPolicy({});
    return drawing(() => policyForm(workspace, policy));
  }
  if (folder === 'new') return drawing(await composer(workspace, { how: 'new', address, folder: 'inbox' }));
  if (id === undefined) return drawing(() => empty('Select a message to read it.'));
  if (folder === 'sent') {
    const sent = await workspace.service.getSentEmail({ id });
    return drawing(() => sentView(workspace, address, sent));
  }
  if (folder === 'drafts') {
    const draft = await workspace.service.getDraft({ id });
    return drawing(await composer(workspace, { how: 'draft', address, folder, draft }));
  }
  const open = await readMessage(workspace, at, id);
  const { message } = open;
  if (what !== undefined) {
    const how = what === 'reply-all' || what === 'forward' ? what : 'reply';
    return { message, draw: await composer(workspace, { how, address, folder, answered: message }) };
  }
  const isThread = ['inbox', 'unread', 'archived'].includes(folder) && searchIn(at) === '';
  const link = (action?: string): string =>
    linkIn(workspace, at, folder, action === undefined ? undefined : id, action);
  return { message, draw: () => messageView(workspace, { address, folder, isThread, link }, open) };
}

async function open(workspace: Workspace, parts: readonly string[]): Promise<View> {
  const at = readAt(workspace, parts);
  if (at === null) return firstAddress(workspace);
  const { folder } = at;
  // The message first: reading it marks it read in the list.
  const reading = await readingPane(workspace, at);
  const isAlone = at.id !== undefined && (folder === 'sent' || folder === 'drafts');
  const entries =
    isFolder(folder) && !isAlone
      ? await readFolder(workspace, { address: at.isAll ? null : at.address, folder, search: searchIn(at) })
      : null;
  return new MailView(workspace, at, entries, reading);
}

export const mailPage: Page = { name: 'mail', title: 'Mail', scope: 'mail:read', open };
