import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetReviewReply } from '../../../client/generated/operations.ts';
import { ends, fill, size, time } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import { mailFrame } from '../ui/mail-frame.ts';
import { download } from '../ui/toast.ts';
import { words } from '../words/console-words.ts';
import { type Fact, facts } from './card-part.ts';

/** An outgoing mail that waits for a person: whole, because what a part hides could deceive the one who decides. */

/** Frames by the mail that they show: making one again would lose its scroll position. */
const frames = new WeakMap<object, HTMLIFrameElement>();

function frameOf(review: GetReviewReply, markup: string): HTMLIFrameElement {
  const frame = frames.get(review) ?? mailFrame(markup);
  frames.set(review, frame);
  return frame;
}

const htmlPart = (review: GetReviewReply, markup: string): TemplateResult => html`
  <p><strong>${words.home.htmlPart}</strong></p>
  ${frameOf(review, markup)}
  <p class="fine">${words.mail.htmlSafe}</p>
  <details><summary>${words.decide.source}</summary><pre class="message-text boxed" tabindex="0">${markup}</pre></details>`;

function files({ attachments }: GetReviewReply, file: (n: number) => Promise<unknown>): TemplateResult {
  const rows = attachments.map(({ filename, size_bytes: bytes }, n) => {
    const name = filename ?? fill(words.mail.attachment, { n: n + 1 });
    const save = async (): Promise<void> => download((await file(n)) as BlobPart, name);
    return html`
      <li>${name} <span class="fine">${size(bytes)}</span>
        <button type="button" class="button quiet" aria-label="${words.notices.download}: ${name}" @click=${pressing(save)}>${words.notices.download}</button></li>`;
  });
  return html`<ul class="files" aria-label=${words.mail.attachments}>${rows}</ul>`;
}

type Envelope = Pick<GetReviewReply, 'from' | 'to' | 'subject' | 'created_at' | 'expires_at'>;

export const mailFacts = (review: Envelope, more: { before?: Fact[]; after?: Fact[] } = {}): TemplateResult =>
  facts([
    ...(more.before ?? []),
    [words.home.from, review.from],
    [words.home.to, review.to.join(', ')],
    [words.home.subject, review.subject],
    ...(more.after ?? []),
    [words.decide.held, time(review.created_at)],
    [words.home.expires, ends(review.expires_at)],
  ]);

/** What only the whole mail shows beside its envelope. */
export const senderFacts = ({ from_name: name, reply_to: replies }: GetReviewReply): Fact[] => [
  [words.decide.fromName, name],
  [words.decide.replyTo, replies.join(', ')],
];

/** @param file downloads an attachment */
export const heldMail = (review: GetReviewReply, file: (n: number) => Promise<unknown>): TemplateResult => html`
  <p id="cause">${review.why}</p>
  ${review.secrets.length > 0 ? html`<p class="problem">${fill(words.home.secrets, { list: review.secrets.join(', ') })}</p>` : nothing}
  <pre class="message-text boxed" id="text" tabindex="0" aria-label=${words.mail.text}>${review.text || words.mail.noText}</pre>
  ${review.html === null ? nothing : htmlPart(review, review.html)}
  ${review.attachments.length > 0 ? files(review, file) : nothing}`;
