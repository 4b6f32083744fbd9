import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { hasCode } from '../../ui/console-service.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { askerOf } from '../charge-part.ts';
import { type Quarantined, quarantineItem, type Review, reviewItem } from '../pending-item-part.ts';
import { type Draft, draftRow, saveKept } from './mail-draft-part.ts';
import { type RowPage, readLetters, readThreads } from './mail-rows.ts';
import { readSent, type Sent, sentRow } from './mail-sent-part.ts';

/** The folders of mail: how each is read, and how its entries look. */

/** What each is called, and what it says while it is empty. */
export const FOLDERS = {
  inbox: ['Inbox', 'No messages yet. Anyone can write to this address.'],
  unread: ['Unread', 'Everything is read.'],
  starred: ['Starred', 'Nothing is starred.'],
  archived: ['Archived', 'No messages.'],
  quarantine: ['Quarantine', 'Nothing is in quarantine.'],
  spam: ['Spam', 'No messages.'],
  sent: ['Sent', 'No messages sent yet.'],
  held: ['Held', 'No mail waits for approval.'],
  drafts: ['Drafts', 'No drafts.'],
  trash: ['Trash', 'No messages.'],
} as const;
export type Folder = keyof typeof FOLDERS;

export type Entries =
  | ({ kind: 'received' } & RowPage)
  | { kind: 'sent'; all: Sent[]; next: string | null }
  | { kind: 'drafts'; all: Draft[]; next: string | null }
  | { kind: 'held'; all: Review[]; next: string | null }
  | { kind: 'quarantine'; all: Quarantined[]; next: string | null; isBarred?: boolean };

/** What a folder says while it is empty. */
export function emptyText(entries: Entries, folder: Folder, search: string): string {
  if (entries.kind === 'quarantine' && entries.isBarred)
    return 'Only an operator sees what is in quarantine, releases it or deletes it. Log in as one.';
  return search === '' ? FOLDERS[folder][1] : 'Nothing was found.';
}

export interface Asked {
  /** Null: all addresses. */
  address: string | null;
  folder: Folder;
  /** Words and operators, as the API's `q` takes them. */
  search: string;
}

const LIMIT = 50;

/** Reads a page of a folder. */
export async function readFolder(workspace: Workspace, asked: Asked, cursor?: string | null): Promise<Entries> {
  const { service } = workspace;
  const page = { limit: LIMIT, cursor: cursor ?? undefined };
  const { address, folder, search } = asked;
  if (folder === 'sent') return { kind: 'sent', ...(await readSent(workspace, address, cursor ?? null)) };
  if (folder === 'drafts') {
    await saveKept(workspace);
    const { drafts, next_cursor: next } = await service.listDrafts(page);
    return { kind: 'drafts', all: drafts.filter(({ status }) => status !== 'sent'), next };
  }
  if (folder === 'held') {
    const { reviews, next_cursor: next } = await service.listReviews({ ...page, status: 'pending' });
    return { kind: 'held', all: reviews, next };
  }
  if (folder === 'quarantine') {
    try {
      const { messages, next_cursor: next } = await service.listQuarantine(page);
      return { kind: 'quarantine', all: messages, next };
    } catch (err) {
      if (!hasCode(err, 'operator_required')) throw err;
      return { kind: 'quarantine', all: [], next: null, isBarred: true };
    }
  }
  const flags = folder === 'unread' ? { unread: true } : folder === 'archived' ? { archived: true } : {};
  const isThreads = folder === 'inbox' || folder === 'unread' || folder === 'archived';
  if (isThreads && search === '')
    return { kind: 'received', ...(await readThreads(service, { address, ...flags }, cursor ?? null)) };
  const narrowed = isThreads ? flags : folder === 'starred' ? { starred: true } : { folder };
  const addresses = address === null ? workspace.account.addresses : [address];
  const found = await readLetters(service, addresses, { ...narrowed, q: search || undefined }, cursor ?? null);
  return { kind: 'received', ...found };
}

/** What waits, was sent or is written. @param link of an entry, by its id */
export function folderList(
  workspace: Workspace,
  entries: Exclude<Entries, { kind: 'received' }>,
  link: (id: string) => string,
): TemplateResult {
  const needs = <Entry>(all: readonly Entry[], id: (entry: Entry) => string, show: (entry: Entry) => TemplateResult) =>
    html`<ul class="needs inset">${repeat(all, id, show)}</ul>`;
  switch (entries.kind) {
    case 'sent':
      return entryList(entries.all, '', (one) => sentRow(link(one.id), one), 'inset');
    case 'drafts':
      return entryList(entries.all, '', (one) => draftRow(workspace, link(one.draft_id), one), 'inset');
    case 'held':
      return needs(
        entries.all,
        ({ review_id: id }) => id,
        (one) => reviewItem(workspace, askerOf(workspace.account), one),
      );
    case 'quarantine':
      return needs(
        entries.all,
        ({ message_id: id }) => id,
        (one) => quarantineItem(workspace, workspace.account.id, one),
      );
  }
}
