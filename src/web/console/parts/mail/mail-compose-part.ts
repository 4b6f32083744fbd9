import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { ref } from 'lit-html/directives/ref.js';
import { systemNow } from '../../../../client/client-clock.ts';
import { hasCode, isSignedOut } from '../../ui/console-service.ts';
import { clockTime, fullTime, size } from '../../ui/format.ts';
import { onSubmit } from '../../ui/handlers.ts';
import { forgetText, keptOfDraft, keptText, setApart } from '../../ui/kept-text.ts';
import { action } from '../../ui/kit/action.ts';
import { options, problem } from '../../ui/kit/form.ts';
import { ask, confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type Composed, placeOf } from './mail-answer.ts';
import { Composer, openComposer } from './mail-composer.ts';
import { letLeave, outcome } from './mail-leaving.ts';

/** The form that writes a mail, answers and forwards one, and goes on with a draft. */

const TITLES = {
  new: 'New message',
  draft: 'Draft',
  reply: 'Reply',
  'reply-all': 'Reply all',
  forward: 'Forward',
} as const;

const backOf = ({ workspace, composed }: Composer): string =>
  workspace.link(
    'mail',
    composed.address,
    composed.folder,
    ...('answered' in composed ? [composed.answered.message_id] : []),
  );

/** Sends at once, where no draft can hold it: then nothing can take it back. */
async function sendNow(composer: Composer): Promise<void> {
  const { workspace } = composer;
  const mail = await composer.body();
  await workspace.service.sendEmail(mail, { dryRun: true });
  const text = 'There is no room for a draft, so it leaves now and cannot be taken back.';
  if (!(await confirmed('Send it now?', text, 'Send'))) return;
  const reply = await workspace.service.sendEmail(mail);
  composer.end();
  toast(outcome(reply));
  workspace.go(backOf(composer));
}

/** @param later ISO 8601; undefined: in ten seconds */
async function send(composer: Composer, later?: string): Promise<void> {
  const { workspace, composed, fields } = composer;
  if (`${fields.to}${fields.cc}${fields.bcc}`.trim() === '') {
    document.getElementById('to')?.focus();
    throw new Error('Name at least one recipient.');
  }
  try {
    await composer.save({ send_at: null });
  } catch (err) {
    // It is tried again by itself, as if it had not been pressed.
    composer.failed(err);
    if (isSignedOut(err)) return;
    if (!hasCode(err, 'limit_reached') || later !== undefined) throw err;
    return sendNow(composer);
  }
  const id = composer.draftId as string;
  const schedule = (at: string): Promise<void> => composer.save({ send_at: at });
  const clock = (ms: number): string => composer.serviceTimeIn(ms);
  if (!(await letLeave(workspace, { id, address: composed.address, later, schedule, clock }))) return;
  composer.end();
  workspace.go(later === undefined ? backOf(composer) : workspace.link('mail', composed.address, 'drafts'));
}

/** A time as `datetime-local` takes it. */
const local = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Such as `Fri 8:00 AM`. */
const shortTime = (at: Date): string =>
  `${at.toLocaleDateString(undefined, { weekday: 'short' })} ${clockTime(at.toISOString())}`;

/** Times that people choose often. */
function suggestions(now: Date): [string, Date][] {
  const at = (days: number, hour: number): Date => {
    const day = new Date(now);
    day.setDate(day.getDate() + days);
    day.setHours(hour, 0, 0, 0);
    return day;
  };
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    ['In an hour', new Date(now.getTime() + 3_600_000)],
    ['Tomorrow morning', at(1, 8)],
    ['Tomorrow afternoon', at(1, 14)],
    ['Monday morning', at(toMonday, 8)],
  ];
}

/** Asks when. @returns ISO 8601, or null */
async function askWhen(now: Date): Promise<string | null> {
  const answer = await ask((close) => {
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      close(String(new FormData(event.currentTarget as HTMLFormElement).get('when')));
    };
    return html`
      <form @submit=${submit}>
        <h2 id="dialog-title">Send later</h2>
        <ul class="choices">${suggestions(now).map(
          ([name, at]) =>
            html`<li><button type="button" class="button quiet" @click=${() => close(at.toISOString())}><span>${name}</span> <span class="fine">${shortTime(at)}</span></button></li>`,
        )}</ul>
        <label for="when">Or at</label>
        <input id="when" name="when" type="datetime-local" required min=${local(now)} .value=${local(new Date(now.getTime() + 3_600_000))}>
        <p class="actions">
          <button class="button primary">Send then</button>
          <button type="button" class="button" @click=${() => close('')}>Cancel</button>
        </p>
      </form>`;
  });
  return answer === '' ? null : new Date(answer).toISOString();
}

async function sendLater(composer: Composer): Promise<void> {
  const at = await askWhen(new Date(systemNow()));
  if (at !== null) await send(composer, at);
}

async function discard(composer: Composer): Promise<void> {
  const { workspace, draftId, fields } = composer;
  const isEmpty = draftId === null && fields.text.trim() === '';
  if (!isEmpty && !(await confirmed('Discard this message?', 'It cannot be restored.', 'Discard'))) return;
  // What is being saved now would come back.
  await composer.settled();
  if (composer.draftId !== null)
    await workspace.service.deleteDraft({ id: composer.draftId }).catch((err) => {
      if (!hasCode(err, 'not_found')) throw err;
    });
  composer.end();
  toast('Discarded.');
  workspace.go(backOf(composer));
}

async function saveAsDraft(composer: Composer): Promise<void> {
  const { workspace, composed } = composer;
  await composer.save({ autosaved: false }).catch((err) => {
    composer.failed(err);
    throw err;
  });
  composer.end();
  toast('Draft saved.');
  workspace.go(workspace.link('mail', composed.address, 'drafts'));
}

const line = (id: string, label: string, control: unknown): TemplateResult =>
  html`<div class="line"><label for=${id}>${label}</label>${control}</div>`;

function recipients(composer: Composer): TemplateResult {
  const { fields } = composer;
  const list = (name: 'to' | 'cc' | 'bcc', label: string) =>
    line(
      name,
      label,
      html`<input id=${name} name=${name} type="text" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="email"
        ?data-focus=${name === 'to' && !('answered' in composer.composed && composer.composed.how !== 'forward')}
        placeholder=${name === 'to' ? 'ada@example.com, …' : nothing} .value=${fields[name]}>`,
    );
  const show = (): void => {
    composer.areCopiesShown = true;
    composer.workspace.repaint();
    document.getElementById('cc')?.focus();
  };
  const hasCopies = composer.areCopiesShown || `${fields.cc}${fields.bcc}` !== '';
  return html`
    ${list('to', 'To')}
    ${
      hasCopies
        ? html`${list('cc', 'Cc')} ${list('bcc', 'Bcc')}`
        : html`<button type="button" class="link copies" id="copies" @click=${show}>Cc, Bcc</button>`
    }`;
}

function sender({ workspace, fields }: Composer): TemplateResult | typeof nothing {
  const { addresses } = workspace.account;
  if (addresses.length === 1) return nothing;
  const own = Object.fromEntries(addresses.map((address) => [address, address]));
  return line('from', 'From', html`<select id="from" name="from">${options(own, fields.from)}</select>`);
}

function files(composer: Composer): TemplateResult | typeof nothing {
  const { heldFiles, files: chosen } = composer;
  if (heldFiles.length === 0 && chosen.length === 0) return nothing;
  const remove = (name: string, work: () => void) =>
    html`<button type="button" class="link" aria-label="Remove ${name}" @click=${work}>×</button>`;
  const rows =
    chosen.length > 0
      ? chosen.map(
          (file) =>
            html`<li>${file.name} <span class="fine">${size(file.size)}</span> ${remove(file.name, () => composer.removeFile(file))}</li>`,
        )
      : [html`<li>${heldFiles.join(', ')} ${remove('the attachments', () => composer.removeHeld())}</li>`];
  return html`<ul class="attached" aria-label="Attachments">${rows}</ul>`;
}

/** What is to know before one writes on. */
function notes({ composed, isRestored, sendAt, heldFiles, files: chosen }: Composer): TemplateResult {
  const markup = composed.how === 'draft' && composed.draft.html !== null;
  const failure = composed.how === 'draft' ? composed.draft.error : null;
  const isReplaced = heldFiles.length > 0 && chosen.length === 0;
  return html`
    ${failure ? html`<p class="banner">It was not sent. ${failure}</p>` : nothing}
    ${sendAt === null ? nothing : html`<p class="banner">It leaves on ${fullTime(sendAt)}. When you change it, it waits for you to send it again.</p>`}
    ${isRestored ? html`<p class="fine">This is what you wrote before.</p>` : nothing}
    ${markup ? html`<p class="fine">The HTML part of this draft stays as it is.</p>` : nothing}
    ${isReplaced ? html`<p class="fine">Files that you choose now replace those of the draft.</p>` : nothing}`;
}

function buttons(composer: Composer): TemplateResult {
  const attach = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    try {
      composer.addFiles(input.files ?? []);
    } catch (err) {
      toast((err as Error).message, { isProblem: true });
    }
    input.value = '';
  };
  const { kind, text } = composer.status;
  return html`
    <div class="compose-bar">
      <p class="actions">
        <button class="button primary" aria-keyshortcuts="Control+Enter Meta+Enter">Send</button>
        ${action('Send later', () => sendLater(composer), { id: 'send-later' })}
        <span class="attach"><input id="files" class="visually-hidden" type="file" multiple @change=${attach}><label class="button" for="files">Attach files</label></span>
        ${action('Save draft', () => saveAsDraft(composer), { id: 'save-draft' })}
        ${action('Discard', () => discard(composer), { id: 'discard' })}
      </p>
      <p class="fine compose-status ${kind}" id="compose-status" role=${kind === 'problem' ? 'status' : nothing}>${text}</p>
    </div>`;
}

/** Ctrl and Enter sends, as in mail programs. Enter alone sends nothing: it is pressed after an address without thought. */
const sendByKey = (event: KeyboardEvent): void => {
  if (event.key !== 'Enter' || event.isComposing) return;
  const isSend = (event.ctrlKey || event.metaKey) && !event.repeat;
  const { target } = event;
  if (isSend || (target instanceof HTMLInputElement && target.type === 'text')) event.preventDefault();
  if (isSend) (event.currentTarget as HTMLFormElement).requestSubmit();
};

function form(composer: Composer): TemplateResult {
  const { composed, fields } = composer;
  const isAnswer = composed.how === 'reply' || composed.how === 'reply-all';
  return html`
    <form class="compose full" id="compose" ${ref(composer.shown)} @submit=${onSubmit(() => send(composer))} @input=${composer.typed} @keydown=${sendByKey}>
      <h2>${TITLES[composed.how]}</h2>
      ${notes(composer)}
      <div class="lines">
        ${sender(composer)} ${recipients(composer)}
        ${line('subject', 'Subject', html`<input id="subject" name="subject" type="text" maxlength="998" autocomplete="off" .value=${fields.subject}>`)}
      </div>
      <label class="visually-hidden" for="text">Text</label>
      <textarea id="text" name="text" rows="14" ?data-focus=${isAnswer} .value=${fields.text}></textarea>
      ${files(composer)} ${problem} ${buttons(composer)}
    </form>`;
}

/** Going back leads to the draft of a mail that has left. */
const alreadySent = ({ link }: Workspace, { address, draft }: Composed & { how: 'draft' }): TemplateResult => html`
  <div class="empty">
    <h2 tabindex="-1" data-focus>${draft.subject || '(no subject)'}</h2>
    <p>This mail was sent. <a href=${draft.email_id === null ? link('mail', address, 'sent') : link('mail', address, 'sent', draft.email_id)}>Open it</a></p>
  </div>`;

/** What is kept in this browser for a mail, as far as it still stands: another device may have sent or changed the draft. */
async function keptFor({ service, account }: Workspace, composed: Composed) {
  const kept =
    composed.how === 'draft'
      ? keptOfDraft(account.id, composed.draft.draft_id)
      : keptText(account.id, placeOf(composed));
  if (kept === null) return null;
  if (composed.how === 'draft') {
    if (kept.isSaved || kept.draftAt === composed.draft.updated_at) return kept.isSaved ? null : kept;
    setApart(kept);
    toast('This draft was changed elsewhere. What you wrote here becomes another draft.');
    return null;
  }
  const { draftId } = kept;
  const draft = draftId === null ? null : await service.getDraft({ id: draftId }).catch((err) => ({ err }));
  if (draft === null || ('err' in draft && !hasCode(draft.err, 'not_found'))) return kept;
  const isGone = 'err' in draft || draft.status === 'sent';
  if (isGone && kept.isSaved) forgetText(account.id, kept.place);
  if (isGone) return kept.isSaved ? null : { ...kept, draftId: null };
  if (!kept.isSaved) return draft.updated_at === kept.draftAt ? kept : { ...kept, draftId: null };
  const { subject, text } = draft;
  return {
    ...kept,
    subject,
    text: text ?? '',
    to: draft.to.join(', '),
    cc: draft.cc.join(', '),
    bcc: draft.bcc.join(', '),
  };
}

/** @returns the form; it keeps what was typed when the page is drawn again, but not for another mail */
export async function composer(workspace: Workspace, composed: Composed): Promise<() => TemplateResult> {
  if (composed.how === 'draft' && composed.draft.status === 'sent') return () => alreadySent(workspace, composed);
  const kept = await keptFor(workspace, composed);
  const made =
    openComposer(workspace.account.id, kept?.place ?? placeOf(composed)) ?? new Composer(workspace, composed, kept);
  made.workspace = workspace;
  return () => html`${keyed(made, form(made))}`;
}
