import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetSentEmailReply, ListOutboxReply } from '../../../../client/generated/operations.ts';
import { ends, time } from '../../ui/format.ts';
import { action } from '../../ui/kit/action.ts';
import { facts } from '../../ui/kit/section.ts';
import { confirmed } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { reasonOf, settle } from '../pending-item-part.ts';

/** Mail that was sent: an entry of its folder, and the whole of it. */

export type Sent = ListOutboxReply['messages'][number];

const LIMIT = 50;
/** What the service lists at once, at most. */
const READ_LIMIT = 100;

/**
 * Reads a page of what an address sent. The service lists the mail of all addresses, so this reads until the page is full
 * or nothing is left.
 */
export async function readSent(
  { service }: Workspace,
  address: string,
  cursor: string | null,
): Promise<{ all: Sent[]; next: string | null }> {
  const all: Sent[] = [];
  let next = cursor;
  do {
    const page = await service.listOutbox({ limit: READ_LIMIT, cursor: next ?? undefined });
    all.push(...page.messages.filter(({ from }) => from === address));
    next = page.next_cursor;
  } while (next !== null && all.length < LIMIT);
  return { all, next };
}

export const MAIL_STATUS = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  draft: 'Draft',
  scheduled: 'Scheduled',
};

/** A mail that lies in a folder of this machine was not sent, whatever its status says. */
export const sentBadge = ({ left_machine: left, status, review }: Pick<Sent, 'left_machine' | 'status' | 'review'>) =>
  left === false
    ? html`<span class="badge pending">Kept on this machine</span>`
    : html`<span class="badge ${status}">${review ? 'Held' : MAIL_STATUS[status]}</span>`;

export const sentRow = (link: string, entry: Sent): TemplateResult => html`
  <li class="entry">
    ${sentBadge(entry)}
    <div class="entry-text">
      <strong><a href=${link}>${entry.subject || '(no subject)'}</a></strong>
      <span class="fine">to ${entry.to.join(', ')}</span>
      ${entry.error ? html`<span class="problem">${entry.error}</span>` : nothing}
    </div>
    ${time(entry.sent_at ?? entry.queued_at, 'short')}
  </li>`;

const recipient = (sent: GetSentEmailReply, one: GetSentEmailReply['recipients'][number]): TemplateResult => html`
  <li>${sentBadge({ ...sent, status: one.status })} ${one.address} ${one.error ? html`<span class="problem">${one.error}</span>` : nothing}</li>`;

/** What a held mail waits for, and how to take it back. */
function heldPart(workspace: Workspace, { id, reason, asked_at: asked, expires_at: end }: NonNullable<Sent['review']>) {
  const withdraw = async (): Promise<void> => {
    if (!(await confirmed('Withdraw this mail?', 'It is not sent.', 'Withdraw'))) return;
    await settle(workspace, () => workspace.service.withdrawReview({ id }), 'Withdrawn. The mail is not sent.');
  };
  return html`
    <section>
      <h3>An operator decides whether it is sent</h3>
      ${facts([
        ['Reason', reasonOf(reason)],
        ['Held since', time(asked)],
        ['Expires', ends(end)],
      ])}
      <p class="actions">${action('Withdraw', withdraw)}</p>
    </section>`;
}

/** What became of it at each recipient, what it waits for, and its text. */
export const sentContent = (workspace: Workspace, sent: GetSentEmailReply): TemplateResult => html`
  <ul class="plain" aria-label="To">${sent.recipients.map((one) => recipient(sent, one))}</ul>
  ${sent.review === null ? nothing : heldPart(workspace, sent.review)}
  ${sent.text === null ? html`<p class="sealed">This message was encrypted for its recipient. Its text is not kept here.</p>` : html`<div class="message-text">${sent.text || '(no text)'}</div>`}`;

export const sentView = (workspace: Workspace, address: string, sent: GetSentEmailReply): TemplateResult => html`
  <article class="message">
    <header class="message-head">
      <a class="back" href=${workspace.link('mail', address, 'sent')}>← All messages</a>
      <h2 tabindex="-1" data-focus>${sent.subject || '(no subject)'}</h2>
      <p class="message-from">${sent.from}</p>
      <p class="fine">${time(sent.sent_at ?? sent.queued_at)}</p>
    </header>
    ${sentContent(workspace, sent)}
  </article>`;
