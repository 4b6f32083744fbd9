import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { counted, time } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { action } from '../../ui/kit/action.ts';
import { icon } from '../../ui/kit/icon.ts';
import { menu } from '../../ui/kit/menu.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type Move, type Moved, moveRows } from './mail-moves.ts';
import type { Row } from './mail-rows.ts';

/** A list of received mail: its rows with their marks, and what is done with several at once. */

/** The rows that are selected, as long as the list stays. */
let selected = { place: '', ids: new Set<string>(), last: '' };

/** @param place an address and a folder; another one begins without selected rows */
function selectionIn(place: string): typeof selected {
  if (selected.place !== place) selected = { place, ids: new Set(), last: '' };
  return selected;
}

const DANGER = { suspicious: 'Suspicious', dangerous: 'Dangerous' };

const marks = ({ hasFiles, danger, hasCode, isHeld, count }: Row): TemplateResult => html`
  <span class="letter-marks">
    ${count > 1 ? html`<span class="letter-count">${count}<span class="visually-hidden"> messages</span></span>` : nothing}
    ${danger === null ? nothing : html`<span class="badge ${danger === 'dangerous' ? 'failed' : 'warn'}">${DANGER[danger]}</span>`}
    ${hasCode ? html`<span class="badge good">Code</span>` : nothing}
    ${isHeld ? html`<span class="badge pending">Held</span>` : nothing}
    ${hasFiles ? html`${icon('clip')}<span class="visually-hidden">Attachment</span>` : nothing}
  </span>`;

/** What a row says, as a link. */
const letterLink = (row: Row, href: string, isOpen: boolean, withAddress = false): TemplateResult => html`
  <a href=${href} aria-current=${isOpen ? 'true' : nothing}>
    <span class="letter-from">${row.isUnread ? html`<span class="visually-hidden">Unread:</span> ` : nothing}${row.who}</span>
    ${marks(row)} ${time(row.at, 'short')}
    <span class="letter-line"><span class="letter-subject">${row.subject || '(no subject)'}</span>
      <span class="letter-snippet">${row.isSealed ? 'Encrypted for the agent' : row.snippet}</span></span>
    ${withAddress ? html`<span class="letter-to" title=${row.address}><span class="visually-hidden">to ${row.address}</span><span aria-hidden="true">${row.address.split('@')[0]}</span></span>` : nothing}
  </a>`;

/** A row by itself, outside of a list that one works in. */
export const letter = (row: Row, href: string): TemplateResult =>
  html`<li class=${row.isUnread ? 'letter unread' : 'letter'}>${letterLink(row, href, false)}</li>`;

interface ListLook {
  rows: readonly Row[];
  /** Address and folder. */
  place: string;
  folder: string;
  /** The message that is open, and its conversation. */
  open: { message: string; thread: string | null } | null;
  /** Whether the rows are of several addresses. */
  isAll: boolean;
  /** Of the message that a row opens. */
  link(row: Row): string;
}

/** What a folder offers for the selected rows. The first ones are icons with their names, the rest is under More. */
function movesIn(
  folder: string,
): readonly (readonly [label: string, icon: 'archive' | 'spam' | 'trash' | 'inbox', move: Move, key: string])[] {
  if (folder === 'trash') return [['Move to inbox', 'inbox', 'restore', 'e']];
  const first =
    folder === 'archived'
      ? (['Move to inbox', 'inbox', 'unarchive', 'e'] as const)
      : folder === 'spam'
        ? (['Move to inbox', 'inbox', 'inbox', 'e'] as const)
        : (['Archive', 'archive', 'archive', 'e'] as const);
  return [
    first,
    ...(folder === 'spam' ? [] : [['Spam', 'spam', 'spam', '!'] as const]),
    ['Delete', 'trash', 'trash', '#'],
  ];
}

interface ButtonLook {
  /** Called when it is done. */
  after(move: Move): Promise<void> | void;
  /** More entries of the menu. */
  entries?: unknown;
  /** Whether the rows are the one that is open. */
  isOne?: boolean;
}

/** The buttons for rows, of a list or of the one that is open. */
export function moveButtons(
  workspace: Workspace,
  folder: string,
  rows: () => readonly Moved[],
  { after, entries = nothing, isOne = false }: ButtonLook,
): TemplateResult {
  const run = (move: Move) => async (): Promise<void> => {
    const chosen = rows();
    try {
      await moveRows(workspace, chosen, move);
    } finally {
      await after(move);
    }
  };
  const more = (label: string, move: Move): TemplateResult => action(label, run(move), { kind: 'quiet' });
  const [row] = rows();
  return html`
    ${movesIn(folder).map(([label, drawn, move, key]) => action(label, run(move), { icon: drawn, key }))}
    ${
      folder === 'trash'
        ? nothing
        : menu(html`
            ${isOne ? nothing : more('Mark read', 'read')} ${more('Mark unread', 'unread')}
            ${isOne ? (row?.isStarred ? more('Remove star', 'unstar') : more('Star', 'star')) : html`${more('Star', 'star')} ${more('Remove star', 'unstar')}`}
            ${entries}`)
    }`;
}

function rowView(workspace: Workspace, look: ListLook, row: Row): TemplateResult {
  const chosen = selectionIn(look.place);
  const isOpen =
    look.open !== null &&
    (row.isThread
      ? row.threadId === look.open.thread || row.opens === look.open.message
      : row.id === look.open.message);
  const choose = (event: MouseEvent): void => {
    const { checked } = event.target as HTMLInputElement;
    const ids = look.rows.map(({ id }) => id);
    const [from, to] = [ids.indexOf(chosen.last), ids.indexOf(row.id)];
    const range = event.shiftKey && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [row.id];
    for (const id of range) checked ? chosen.ids.add(id) : chosen.ids.delete(id);
    chosen.last = row.id;
    workspace.repaint();
  };
  const star = async (): Promise<void> => {
    const { id, isThread, address, opens } = row;
    const starred = !row.isStarred;
    // The star of a conversation is that of its latest message; taking it away takes all.
    if (isThread && !starred) await workspace.service.updateThread({ id, starred });
    else await workspace.service.updateMessage({ id: opens, address, starred });
    row.isStarred = starred;
    workspace.repaint();
  };
  const subject = row.subject || '(no subject)';
  const kinds = ['letter', row.isUnread ? 'unread' : '', chosen.ids.has(row.id) ? 'chosen' : '', isOpen ? 'open' : ''];
  return html`
    <li class=${kinds.filter(Boolean).join(' ')}>
      <label class="letter-box"><input type="checkbox" data-key="x" aria-label="Select: ${subject}" .checked=${live(chosen.ids.has(row.id))} @click=${choose}></label>
      ${letterLink(row, look.link(row), isOpen, look.isAll)}
      ${
        look.folder === 'trash'
          ? nothing
          : html`<button type="button" class="star" data-key="s" tabindex="-1" aria-pressed=${row.isStarred} aria-label="Star: ${subject}" @click=${onPress(star)}>${icon('star')}</button>`
      }
    </li>`;
}

/** The rows, and above them what selects all and works on the selected. @param tools shown while none is selected */
export function mailList(workspace: Workspace, look: ListLook, tools: unknown): TemplateResult {
  const chosen = selectionIn(look.place);
  for (const id of chosen.ids) if (!look.rows.some((row) => row.id === id)) chosen.ids.delete(id);
  const { size } = chosen.ids;
  const all = (): void => {
    const isAll = size === look.rows.length;
    chosen.ids = new Set(isAll ? [] : look.rows.map(({ id }) => id));
    workspace.repaint();
  };
  const rows = (): Row[] => look.rows.filter(({ id }) => chosen.ids.has(id));
  const after = async (): Promise<void> => {
    chosen.ids.clear();
    await workspace.refresh();
  };
  const clear = async (): Promise<void> => {
    chosen.ids.clear();
    workspace.repaint();
    toast('Nothing is selected.');
  };
  return html`
    <div class="list-head">
      ${
        look.rows.length === 0
          ? nothing
          : html`<label class="letter-box"><input type="checkbox" data-key="*" aria-label="Select all" .checked=${live(size === look.rows.length)} .indeterminate=${size > 0 && size < look.rows.length} @click=${all}></label>`
      }
      ${
        size === 0
          ? tools
          : html`<div class="bulk" role="toolbar" aria-label="Selected mail">
              <strong role="status">${counted(size, 'selected', 'selected')}</strong>
              ${moveButtons(workspace, look.folder, rows, { after, entries: action('Select none', clear, { kind: 'quiet' }) })}
            </div>`
      }
    </div>
    <ul class="letters">${repeat(
      look.rows,
      ({ id }) => id,
      (row) => rowView(workspace, look, row),
    )}</ul>`;
}
