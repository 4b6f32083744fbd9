import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type {
  GetDraftReply,
  GetMessageReply,
  SendDraftReply,
  SendEmailReply,
} from '../../../../client/generated/operations.ts';
import { fullTime } from '../../ui/format.ts';
import { action } from '../../ui/kit/action.ts';
import { field, form, listIn, textIn, typedText } from '../../ui/kit/form.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** Writing a mail, answering and forwarding one, and going on with a draft. */

const FILES_MAX_BYTES = 25 * 1_048_576;

export type Composed = { address: string; folder: string } & (
  | { how: 'new' }
  | { how: 'reply' | 'reply-all' | 'forward'; answered: GetMessageReply }
  | { how: 'draft'; draft: GetDraftReply }
);

/** The text that an answer starts with. */
function quote({ e2e_encrypted: isSealed, received_at: at, from, body }: GetMessageReply): string {
  if (isSealed) return '';
  const quoted = body.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  return `\n\nOn ${fullTime(at)}, ${from} wrote:\n${quoted.join('\n')}`;
}

/** Base64 of a file, as the API takes it. */
const encoded = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

async function filesOf(of: HTMLFormElement) {
  const files = new FormData(of).getAll('files').filter((file): file is File => file instanceof File && file.size > 0);
  if (files.reduce((sum, file) => sum + file.size, 0) > FILES_MAX_BYTES)
    throw new Error('The attachments are larger than 25 MB together.');
  const attachments = await Promise.all(
    files.map(async (file) => ({
      filename: file.name,
      content_type: file.type || undefined,
      content: await encoded(file),
    })),
  );
  return attachments.length > 0 ? { attachments } : {};
}

/** Says the truth about a mail: a development server sends none outside. */
export function outcome(reply: SendEmailReply | SendDraftReply): string {
  if ('review_id' in reply) return 'Held: an operator must approve it first.';
  if (reply.provider === 'file') return 'Kept on this machine: this development server sends no mail outside.';
  return reply.status === 'sent' ? 'Sent.' : 'Queued. The folder Sent shows its status.';
}

/** What the form says, as a draft or a new mail takes it. */
const written = async (form: HTMLFormElement) => ({
  from: textIn(form, 'from'),
  to: listIn(form, 'to'),
  cc: listIn(form, 'cc'),
  subject: textIn(form, 'subject'),
  text: typedText(form, 'text'),
  ...(await filesOf(form)),
});

async function send(
  { service }: Workspace,
  form: HTMLFormElement,
  composed: Composed,
  idempotencyKey: string,
): Promise<SendEmailReply | SendDraftReply> {
  const options = { idempotencyKey };
  if (composed.how === 'draft') {
    const { draft_id: id } = composed.draft;
    await service.updateDraft({ id, ...(await written(form)) }, { idempotencyKey: `${idempotencyKey}-text` });
    return service.sendDraft({ id }, options);
  }
  const { from, to, subject, ...content } = await written(form);
  if (composed.how === 'new') return service.sendEmail({ from, to, subject, ...content }, options);
  const about = { id: composed.answered.message_id, address: from };
  if (composed.how === 'forward') {
    const { text, cc } = content;
    return service.forwardMessage({ ...about, to, cc, text }, options);
  }
  const reply = { ...about, ...content };
  return composed.how === 'reply-all' ? service.replyToAll(reply, options) : service.replyToMessage(reply, options);
}

async function saveDraft(workspace: Workspace, composed: Composed): Promise<void> {
  const draft = await written(document.getElementById('compose') as HTMLFormElement);
  if (composed.how === 'draft') await workspace.service.updateDraft({ id: composed.draft.draft_id, ...draft });
  else await workspace.service.createDraft(draft);
  toast('Draft saved.');
  workspace.go(workspace.link('mail', composed.address, 'drafts'));
}

function recipients(composed: Composed): TemplateResult {
  const draft = composed.how === 'draft' ? composed.draft : null;
  const cc = field(
    'cc',
    'Cc',
    html`<input id="cc" name="cc" autocomplete="off" spellcheck="false" .value=${draft?.cc.join(', ') ?? ''}>`,
  );
  if (composed.how === 'reply' || composed.how === 'reply-all') {
    const { answered } = composed;
    const others = composed.how === 'reply-all' ? [answered.to, ...answered.cc] : [];
    const shown = [answered.reply_to[0] ?? answered.from, ...others].join(', ');
    return html`<p class="fine">to ${shown}</p>${cc}`;
  }
  return html`
    ${field('to', 'To', html`<input id="to" name="to" required data-focus autocomplete="off" spellcheck="false" placeholder="ada@example.com, …" .value=${draft?.to.join(', ') ?? ''}>`)}
    ${cc}
    ${
      composed.how === 'forward'
        ? nothing
        : field(
            'subject',
            'Subject',
            html`<input id="subject" name="subject" maxlength="998" autocomplete="off" .value=${draft?.subject ?? ''}>`,
          )
    }`;
}

const TITLES = {
  new: 'New message',
  draft: 'New message',
  reply: 'Reply',
  'reply-all': 'Reply all',
  forward: 'Forward',
} as const;

const startOf = (composed: Composed): string =>
  composed.how === 'draft'
    ? (composed.draft.text ?? '')
    : composed.how === 'reply' || composed.how === 'reply-all'
      ? quote(composed.answered)
      : '';

/** What goes along that is not in a field. */
function besides(composed: Composed): TemplateResult | typeof nothing {
  if (composed.how === 'forward') {
    const { answered } = composed;
    return html`
      <p class="fine">The message and its ${answered.attachments.length} attachments follow your text:</p>
      <div class="message-text">${quote(answered).trim()}</div>`;
  }
  if (composed.how !== 'draft') return nothing;
  const { html: markup, attachments = [] } = composed.draft;
  const list = attachments.map(({ filename }) => filename).join(', ');
  return html`
    ${list === '' ? nothing : html`<p class="fine">Attached: ${list}. Files that you choose here replace them.</p>`}
    ${markup ? html`<p class="fine">The HTML part of this draft stays as it is.</p>` : nothing}`;
}

/** The message or draft that is composed about. */
const idOf = (composed: Composed): string | undefined =>
  composed.how === 'new'
    ? undefined
    : composed.how === 'draft'
      ? composed.draft.draft_id
      : composed.answered.message_id;

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** @returns the form; it keeps what was typed when the page is drawn again, but not for another mail */
export function composer(workspace: Workspace, composed: Composed): () => TemplateResult {
  const { address, folder, how } = composed;
  const isAnswer = how === 'reply' || how === 'reply-all';
  const isDraft = how === 'new' || how === 'draft';
  const back = workspace.link(
    'mail',
    address,
    folder,
    ...('answered' in composed ? [composed.answered.message_id] : []),
  );
  // The same text must not be sent twice, even if the network fails. A changed text is another mail.
  let key = newKey();
  const renew = (): void => {
    key = newKey();
  };
  const submit = async (form: HTMLFormElement): Promise<void> => {
    toast(outcome(await send(workspace, form, composed, key)));
    workspace.go(isDraft ? workspace.link('mail', address, 'sent') : back);
  };
  const start = startOf(composed);
  const from = how === 'draft' ? composed.draft.from : address;
  const fields = (): TemplateResult => html`
    ${field('from', 'From', html`<select id="from" name="from" class="mono">${workspace.account.addresses.map((own) => html`<option ?selected=${own === from}>${own}</option>`)}</select>`)}
    ${recipients(composed)}
    ${field('text', 'Text', html`<textarea id="text" name="text" rows="12" ?required=${how !== 'forward'} ?data-focus=${isAnswer}>${start}</textarea>`)}
    ${how === 'forward' ? nothing : field('files', 'Attach files', html`<input id="files" name="files" type="file" multiple>`)}
    ${besides(composed)}`;
  const buttons = html`
    <button class="button primary">Send</button>
    ${isDraft ? action('Save draft', () => saveDraft(workspace, composed), { id: 'save-draft' }) : nothing}
    <a class="button" href=${back}>Cancel</a>`;
  const look = { id: 'compose', kind: 'compose', title: TITLES[how], onInput: renew };
  return () => html`${keyed(`${address} ${idOf(composed)} ${how}`, form(look, submit, fields(), buttons))}`;
}
