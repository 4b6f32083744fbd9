import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { GetMessageReply, SendEmailReply } from '../client/operations.ts';
import { field, pressing, submitting } from './act.ts';
import type { Desk } from './desk.ts';
import { fill, fullTime } from './format.ts';
import { say } from './notice.ts';
import { words } from './words.ts';

/** Writing a mail, and answering one. */

const FILES_MAX_BYTES = 25 * 1_048_576;

export interface Composed {
  address: string;
  folder: string;
  /** The message that it answers, and whether everybody gets the answer. */
  answered: GetMessageReply | null;
  toAll: boolean;
}

const addressesIn = (list: string): string[] =>
  list
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter((address) => address !== '');

/** The text that an answer starts with. */
function quote({ e2e_encrypted: isSealed, received_at: at, from, body }: GetMessageReply): string {
  if (isSealed) return '';
  const quoted = body.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  return `\n\n${fill(words.mail.wrote, { when: fullTime(at), from })}\n${quoted.join('\n')}`;
}

/** Base64 of a file, as the API takes it. */
const encoded = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

async function filesOf(form: HTMLFormElement) {
  const files = new FormData(form)
    .getAll('files')
    .filter((file): file is File => file instanceof File && file.size > 0);
  if (files.reduce((sum, file) => sum + file.size, 0) > FILES_MAX_BYTES) throw new Error(words.mail.tooLarge);
  const attachments = await Promise.all(
    files.map(async (file) => ({
      filename: file.name,
      ...(file.type === '' ? {} : { content_type: file.type }),
      content: await encoded(file),
    })),
  );
  return attachments.length > 0 ? { attachments } : {};
}

/** Says the truth about a mail: a development server sends none outside. */
function outcome(reply: SendEmailReply): string {
  if ('review_id' in reply) return words.mail.heldDone;
  if (reply.provider === 'file') return words.mail.keptDone;
  return reply.status === 'sent' ? words.mail.sentDone : words.mail.queued;
}

async function send(
  desk: Desk,
  form: HTMLFormElement,
  { answered, toAll }: Composed,
  idempotencyKey: string,
): Promise<void> {
  const cc = addressesIn(field(form, 'cc'));
  const text = String(new FormData(form).get('text') ?? '');
  const common = { text, ...(cc.length > 0 ? { cc } : {}), ...(await filesOf(form)) };
  const from = field(form, 'from');
  const options = { idempotencyKey };
  if (answered === null) {
    const mail = { from, to: addressesIn(field(form, 'to')), subject: field(form, 'subject'), ...common };
    say(outcome(await desk.service.sendEmail(mail, options)));
    return;
  }
  const reply = { id: answered.message_id, address: from, ...common };
  say(outcome(await (toAll ? desk.service.replyToAll(reply, options) : desk.service.replyToMessage(reply, options))));
}

const line = (id: string, label: string, input: TemplateResult): TemplateResult =>
  html`<div class="field"><label for=${id}>${label}</label>${input}</div>`;

function recipients({ answered, toAll }: Composed): TemplateResult {
  if (answered === null) {
    return html`
      ${line('to', words.mail.toField, html`<input id="to" name="to" required data-focus autocomplete="off" spellcheck="false" placeholder="ada@example.com, …">`)}
      ${line('cc', words.mail.ccField, html`<input id="cc" name="cc" autocomplete="off" spellcheck="false">`)}
      ${line('subject', words.mail.subject, html`<input id="subject" name="subject" maxlength="998" autocomplete="off">`)}`;
  }
  const others = toAll ? [answered.to, ...answered.cc] : [];
  const shown = [answered.reply_to[0] ?? answered.from, ...others].join(', ');
  return html`
    <p class="fine">${words.mail.to} ${shown}</p>
    ${line('cc', words.mail.ccField, html`<input id="cc" name="cc" autocomplete="off" spellcheck="false">`)}`;
}

/** @returns the form; it keeps what was typed when the page is drawn again, but not for another mail */
export function composer(desk: Desk, composed: Composed): () => TemplateResult {
  const { address, folder, answered, toAll } = composed;
  const back = desk.link('mail', address, folder, ...(answered ? [answered.message_id] : []));
  // The same text must not be sent twice, even if the network fails. A changed text is another mail.
  let key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const renew = (): void => {
    key = crypto.getRandomValues(new Uint32Array(4)).join('-');
  };
  const submit = async (form: HTMLFormElement): Promise<void> => {
    await send(desk, form, composed, key);
    desk.go(answered ? back : desk.link('mail', address, 'sent'));
  };
  const save = async (): Promise<void> => {
    const form = document.getElementById('compose') as HTMLFormElement;
    const text = String(new FormData(form).get('text') ?? '');
    const [to, cc] = [addressesIn(field(form, 'to')), addressesIn(field(form, 'cc'))];
    await desk.service.createDraft({
      from: field(form, 'from'),
      to,
      cc,
      subject: field(form, 'subject'),
      text,
      ...(await filesOf(form)),
    });
    say(words.mail.draftSaved);
    desk.go(desk.link('mail', address, 'drafts'));
  };
  const start = answered ? quote(answered) : '';
  const one = `${address} ${answered?.message_id} ${toAll}`;
  const form = (): TemplateResult => html`
    <form class="compose" id="compose" @submit=${submitting(submit)} @input=${renew}>
      <h2>${answered === null ? words.mail.newMessage : toAll ? words.mail.replyAll : words.mail.reply}</h2>
      ${line(
        'from',
        words.mail.from,
        html`<select id="from" name="from" class="mono">${desk.account.addresses.map((own) => html`<option ?selected=${own === address}>${own}</option>`)}</select>`,
      )}
      ${recipients(composed)}
      ${line('text', words.mail.text, html`<textarea id="text" name="text" rows="12" required ?data-focus=${answered !== null}>${start}</textarea>`)}
      ${line('files', words.mail.files, html`<input id="files" name="files" type="file" multiple>`)}
      <p class="problem" role="alert"></p>
      <p class="actions">
        <button class="button primary">${words.mail.send}</button>
        ${answered === null ? html`<button type="button" class="button" @click=${pressing(save)}>${words.mail.saveDraft}</button>` : nothing}
        <a class="button" href=${back}>${words.notices.cancel}</a>
      </p>
    </form>`;
  return () => html`${keyed(one, form())}`;
}
