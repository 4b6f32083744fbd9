import { html, nothing, type TemplateResult } from 'lit-html';
import { type Sent, sentBadge, sentContent } from '../parts/mail/mail-sent-part.ts';
import { hasCode } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { Pager } from '../ui/kit/pager.ts';
import { facts, section, view } from '../ui/kit/section.ts';
import { forgotten } from '../ui/placeholders.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** What all addresses of an account sent, newest first, and each mail at its own address. */

const PAGE = 50;
const INTRO = 'What all addresses of this account sent, and what became of it.';

const outbox = ({ link }: Workspace, mails: readonly Sent[]): TemplateResult =>
  dataTable<Sent>(
    mails,
    'Nothing was sent yet.',
    [
      [
        'Subject',
        ({ id, subject, error }) =>
          html`<a href=${link('outbox', id)}>${subject || '(no subject)'}</a>${error ? html`<br><span class="problem fine">${error}</span>` : nothing}`,
        'wraps',
      ],
      ['From', ({ from }) => from],
      ['To', ({ to }) => (to.length > 1 ? `${to[0]} and ${to.length - 1} more` : to[0])],
      ['When', ({ sent_at: at, queued_at: queued }) => time(at ?? queued)],
      ['Outcome', sentBadge],
    ],
    'sheet opens',
  );

async function openOne(workspace: Workspace, id: string): Promise<View> {
  const sent = await workspace.service.getSentEmail({ id }).catch((err) => {
    if (hasCode(err, 'no_longer_kept')) return null;
    throw err;
  });
  const list = workspace.link('outbox');
  if (sent === null)
    return {
      render: () => forgotten('Sent mail goes 30 days after its address was released.', ['All sent mail', list]),
    };
  return {
    render: () =>
      view(sent.subject || '(no subject)', { back: ['Outbox', list], beside: sentBadge(sent) }, [
        section('sent', 'From whom, to whom, when', [
          facts([
            ['From', sent.from],
            ['Written', time(sent.queued_at)],
            ['Sent', sent.sent_at && time(sent.sent_at)],
            ['Problem', sent.error],
            ['Id', html`<span class="mono">${id}</span>`],
          ]),
          html`<h3>Recipients, and the text</h3>`,
          sentContent(workspace, sent),
        ]),
      ]),
  };
}

async function open(workspace: Workspace, [id]: readonly string[]): Promise<View> {
  if (id !== undefined) return openOne(workspace, id);
  const mails = await Pager.open(workspace, async (cursor) => {
    const page = await workspace.service.listOutbox({ limit: PAGE, cursor });
    return { entries: page.messages, next: page.next_cursor };
  });
  return { render: () => view('Outbox', { intro: INTRO }, [outbox(workspace, mails.all), mails.button()]) };
}

export const outboxPage: Page = { name: 'outbox', title: 'Outbox', scope: 'mail:read', place: 'linked', open };
