import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetReviewReply } from '../../../client/generated/operations.ts';
import { ends, size, time } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import { field, options } from '../ui/kit/form.ts';
import { type Fact, facts } from '../ui/kit/section.ts';
import { mailFrame, SAFE_NOTE } from '../ui/mail/mail-frame.ts';
import { download } from '../ui/toast.ts';

/** An outgoing mail that waits for a person: whole, because what a part hides could deceive the one who decides. */

/** Frames by the mail that they show: making one again would lose its scroll position. */
const frames = new WeakMap<object, HTMLIFrameElement>();

function frameOf(review: GetReviewReply, markup: string): HTMLIFrameElement {
  const frame = frames.get(review) ?? mailFrame(markup);
  frames.set(review, frame);
  return frame;
}

const htmlPart = (review: GetReviewReply, markup: string): TemplateResult => html`
  <p><strong>HTML part</strong></p>
  ${frameOf(review, markup)}
  <p class="fine">${SAFE_NOTE}</p>
  <details><summary>Source of the HTML part</summary><pre class="message-text boxed" tabindex="0">${markup}</pre></details>`;

function files({ attachments }: GetReviewReply, file: (n: number) => Promise<unknown>): TemplateResult {
  const rows = attachments.map(({ filename, size_bytes: bytes }, n) => {
    const name = filename ?? `attachment-${n + 1}`;
    const save = async (): Promise<void> => download((await file(n)) as BlobPart, name);
    return html`
      <li>${name} <span class="fine">${size(bytes)}</span>
        <button type="button" class="button quiet" aria-label="Download: ${name}" @click=${onPress(save)}>Download</button></li>`;
  });
  return html`<ul class="files" aria-label="Attachments">${rows}</ul>`;
}

/** What an approval is remembered for, in words. */
const REMEMBER = {
  none: 'Nothing: ask again next time',
  recipient: 'The recipients',
  domain: 'Their domains, in the mail policy',
};
export type Remember = keyof typeof REMEMBER;

/** Asks what an approval is remembered for. A mailed link changes no policy, so it cannot remember a domain. */
export function rememberField(id: string, { withDomain }: { withDomain: boolean }): TemplateResult {
  const { domain, ...others } = REMEMBER;
  const labels = options(withDomain ? { ...others, domain } : others, 'none');
  return field(id, 'If you approve, remember', html`<select id=${id} name="remember">${labels}</select>`);
}

type Envelope = Pick<GetReviewReply, 'from' | 'to' | 'subject' | 'created_at' | 'expires_at'>;

export const mailFacts = (review: Envelope, more: { before?: Fact[]; after?: Fact[] } = {}): TemplateResult =>
  facts([
    ...(more.before ?? []),
    ['From', review.from],
    ['To', review.to.join(', ')],
    ['Subject', review.subject],
    ...(more.after ?? []),
    ['Held since', time(review.created_at)],
    ['Expires', ends(review.expires_at)],
  ]);

/** What only the whole mail shows beside its envelope. */
export const senderFacts = ({ from_name: name, reply_to: replies }: GetReviewReply): Fact[] => [
  ['Sender’s name', name],
  ['Answers go to', replies.join(', ')],
];

/** @param file downloads an attachment */
export const heldMail = (review: GetReviewReply, file: (n: number) => Promise<unknown>): TemplateResult => html`
  <p id="cause">${review.why}</p>
  ${review.secrets.length > 0 ? html`<p class="problem">Secrets found: ${review.secrets.join(', ')}</p>` : nothing}
  <pre class="message-text boxed" id="text" tabindex="0" aria-label="Text">${review.text || '(no text)'}</pre>
  ${review.html === null ? nothing : htmlPart(review, review.html)}
  ${review.attachments.length > 0 ? files(review, file) : nothing}`;
