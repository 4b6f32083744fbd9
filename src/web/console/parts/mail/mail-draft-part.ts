import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { ListDraftsReply } from '../../../../client/generated/operations.ts';
import type { SignetClient } from '../../../../client/signet-client.ts';
import { hasCode } from '../../ui/console-service.ts';
import { shortDay, time } from '../../ui/format.ts';
import { forgetText, keepText, unsavedTexts } from '../../ui/kept-text.ts';
import { change, rowAction } from '../../ui/kit/action.ts';
import { confirmed } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { entriesOf } from './mail-answer.ts';
import { openComposer } from './mail-composer.ts';
import { letLeave, serviceClock } from './mail-leaving.ts';
import { MAIL_STATUS } from './mail-sent-part.ts';

/** The drafts: a row of their folder, and those that only this browser has yet. */

export type Draft = ListDraftsReply['drafts'][number];

/** Another tab may be typing what is younger. */
const QUIET_MS = 10_000;
const WEEK_MS = 7 * 86_400_000;

const draftNow = (service: SignetClient, id: string) =>
  service.getDraft({ id }).catch((err) => {
    if (hasCode(err, 'not_found')) return null;
    throw err;
  });

/** Makes drafts of what this browser kept when a tab was closed or a session had ended. A forward waits for its files. */
export async function saveKept({ service, account }: Workspace): Promise<void> {
  for (const kept of unsavedTexts(account.id)) {
    const isWritten = openComposer(account.id, kept.place) !== undefined || systemNow() - kept.at < QUIET_MS;
    if (isWritten || kept.how === 'forward') continue;
    const { from, to, cc, bcc, subject, text, message, draftId } = kept;
    const lists = { to: entriesOf(to), cc: entriesOf(cc), bcc: entriesOf(bcc) };
    const parent = message === null ? {} : { in_reply_to: message };
    const body = { from, ...lists, subject, text, ...parent, autosaved: true };
    try {
      const draft = draftId === null ? null : await draftNow(service, draftId);
      // What was changed elsewhere since is younger: this becomes another draft.
      const { draft_id: id, updated_at: draftAt } =
        draft !== null && draft.updated_at === kept.draftAt
          ? await service.updateDraft({ id: draft.draft_id, ...body, send_at: null })
          : await service.createDraft(body);
      forgetText(account.id, kept.place);
      const place = kept.place.startsWith('reply ') ? kept.place : `draft ${id}`;
      keepText({ ...kept, place, draftId: id, draftAt, isSaved: true });
    } catch {
      // It stays in this browser, and its page says why.
    }
  }
}

/** When a draft goes that the console saved by itself. */
function goes({ autosaved, status, updated_at: at }: Draft): TemplateResult | typeof nothing {
  if (!autosaved || status !== 'draft') return nothing;
  const day = new Date(Date.parse(at) + WEEK_MS).toISOString().slice(0, 10);
  return html`<span class="fine">Saved by itself. Deleted on ${shortDay(day)} unless you go on with it.</span>`;
}

export function draftRow(workspace: Workspace, link: string, draft: Draft): TemplateResult {
  const { draft_id: id, from, subject, status, error, to } = draft;
  const { service } = workspace;
  const send = async (): Promise<void> => {
    const { updated_at: now } = await service.updateDraft({ id, send_at: null });
    const schedule = (at: string) => service.updateDraft({ id, send_at: at });
    if (await letLeave(workspace, { id, address: from, schedule, clock: serviceClock(now) })) await workspace.refresh();
  };
  const stop = () => change(workspace, () => service.updateDraft({ id, send_at: null }), 'It stays a draft.');
  const remove = async (): Promise<void> => {
    if (!(await confirmed('Delete this draft?', 'It cannot be restored.', 'Delete draft'))) return;
    await change(workspace, () => service.deleteDraft({ id }), 'Draft deleted.');
    forgetText(workspace.account.id, `draft ${id}`);
  };
  return html`
    <li class="entry">
      <span class="badge ${status}">${MAIL_STATUS[status]}</span>
      <div class="entry-text">
        <strong><a href=${link}>${subject || '(no subject)'}</a></strong>
        <span class="fine">${to.length === 0 ? 'no recipient yet' : `to ${to.join(', ')}`}</span>
        ${error ? html`<span class="problem">${error}</span>` : nothing} ${goes(draft)}
        <p class="actions">
          <a class="button quiet" href=${link}>Edit<span class="visually-hidden"> ${subject}</span></a>
          ${status === 'scheduled' ? rowAction('Do not send', subject, stop) : rowAction('Send', subject, send)}
          ${rowAction('Delete draft', subject, remove)}
        </p>
      </div>
      ${time(draft.send_at ?? draft.updated_at, 'short')}
    </li>`;
}
