import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ListDraftsReply, ListInboxReply } from '../../../../client/generated/operations.ts';
import { time } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { askerOf } from '../charge-part.ts';
import { type Quarantined, quarantineItem, type Review, reviewItem } from '../pending-item-part.ts';
import { outcome } from './mail-compose-part.ts';
import { MAIL_STATUS, readSent, type Sent, sentRow } from './mail-sent-part.ts';

/** The folders of mail: how each is read, and how its entries look. */

export const FOLDERS = [
  'inbox',
  'unread',
  'archived',
  'quarantine',
  'spam',
  'sent',
  'held',
  'drafts',
  'trash',
] as const;
export type Folder = (typeof FOLDERS)[number];

export type Letter = ListInboxReply['messages'][number];
export type Draft = ListDraftsReply['drafts'][number];

export type Entries =
  | { kind: 'letters'; all: Letter[]; next: string | null }
  | { kind: 'sent'; all: Sent[]; next: string | null }
  | { kind: 'drafts'; all: Draft[]; next: string | null }
  | { kind: 'held'; all: Review[]; next: string | null }
  | { kind: 'quarantine'; all: Quarantined[]; next: string | null };

export interface Asked {
  address: string;
  folder: Folder;
  /** Words and operators, as the API's `q` takes them. */
  search: string;
}

const LIMIT = 50;

/** Reads a page of a folder. */
export async function readFolder(workspace: Workspace, asked: Asked, cursor?: string | null): Promise<Entries> {
  const { service } = workspace;
  const page = { limit: LIMIT, ...(cursor ? { cursor } : {}) };
  const { address, folder, search } = asked;
  if (folder === 'sent') return { kind: 'sent', ...(await readSent(workspace, address, cursor ?? null)) };
  if (folder === 'drafts') {
    const { drafts, next_cursor: next } = await service.listDrafts(page);
    return { kind: 'drafts', all: drafts.filter(({ status }) => status !== 'sent'), next };
  }
  if (folder === 'held') {
    const { reviews, next_cursor: next } = await service.listReviews({ ...page, status: 'pending' });
    return { kind: 'held', all: reviews, next };
  }
  if (folder === 'quarantine') {
    const { messages, next_cursor: next } = await service.listQuarantine(page);
    return { kind: 'quarantine', all: messages, next };
  }
  const narrowed =
    folder === 'unread'
      ? { unread: true }
      : folder === 'archived'
        ? { archived: true }
        : folder === 'inbox'
          ? {}
          : { folder };
  const { messages, next_cursor: next } = await service.email.inbox({
    address,
    ...page,
    ...narrowed,
    ...(search === '' ? {} : { q: search }),
  });
  return { kind: 'letters', all: messages, next };
}

const letter = (link: string, entry: Letter, isOpen: boolean): TemplateResult => html`
  <li class=${entry.read ? 'letter' : 'letter unread'}>
    <a href=${link} aria-current=${isOpen ? 'true' : 'false'}>
      <span class="letter-from">${entry.read ? '' : html`<span class="visually-hidden">Unread:</span> `}${entry.from_name ?? entry.from}</span>
      ${time(entry.received_at, 'short')}
      <span class="letter-subject">${entry.subject || '(no subject)'}</span>
      <span class="letter-snippet">${entry.e2e_encrypted ? 'Encrypted for the agent' : entry.snippet}</span>
    </a>
  </li>`;

function draftRow(workspace: Workspace, link: string, { draft_id: id, ...draft }: Draft): TemplateResult {
  const send = async (): Promise<void> => {
    toast(outcome(await workspace.service.sendDraft({ id })));
    await workspace.refresh();
  };
  const remove = async (): Promise<void> => {
    if (!(await confirmed({ title: 'Delete this draft?', text: 'It cannot be restored.', action: 'Delete draft' })))
      return;
    await workspace.service.deleteDraft({ id });
    toast('Draft deleted.');
    await workspace.refresh();
  };
  return html`
    <li class="entry">
      <span class="badge ${draft.status}">${MAIL_STATUS[draft.status]}</span>
      <div class="entry-text">
        <strong>${draft.subject || '(no subject)'}</strong>
        <span class="fine">to ${draft.to.join(', ')}</span>
        ${draft.error ? html`<span class="problem">${draft.error}</span>` : ''}
        <p class="actions">
          <a class="button quiet" href=${link}>Edit<span class="visually-hidden"> ${draft.subject}</span></a>
          <button type="button" class="button quiet" @click=${onPress(send)}>Send now</button>
          <button type="button" class="button quiet" @click=${onPress(remove)}>Delete draft</button>
        </p>
      </div>
      ${time(draft.send_at ?? draft.updated_at, 'short')}
    </li>`;
}

/** @param link of a message, by its id */
export function entryList(
  workspace: Workspace,
  entries: Entries,
  open: string | undefined,
  link: (id: string) => string,
): TemplateResult {
  switch (entries.kind) {
    case 'letters':
      return html`<ul class="letters">${repeat(
        entries.all,
        ({ message_id: id }) => id,
        (one) => letter(link(one.message_id), one, one.message_id === open),
      )}</ul>`;
    case 'sent':
      return html`<ol class="entries inset">${entries.all.map((one) => sentRow(link(one.id), one))}</ol>`;
    case 'drafts':
      return html`<ol class="entries inset">${entries.all.map((one) => draftRow(workspace, link(one.draft_id), one))}</ol>`;
    case 'held':
      return html`<ul class="needs inset">${repeat(
        entries.all,
        ({ review_id: id }) => id,
        (one) => reviewItem(workspace, askerOf(workspace.account), one),
      )}</ul>`;
    case 'quarantine':
      return html`<ul class="needs inset">${repeat(
        entries.all,
        ({ message_id: id }) => id,
        (one) => quarantineItem(workspace, workspace.account.id, one),
      )}</ul>`;
  }
}
