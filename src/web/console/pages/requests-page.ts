import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListRequestsReply } from '../../../client/generated/operations.ts';
import { time } from '../ui/format.ts';
import { action } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { Pager } from '../ui/kit/pager.ts';
import { badge, view } from '../ui/kit/section.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The latest calls to an account: which, by what credential, with which result. */

type Call = ListRequestsReply['requests'][number];

const PAGE = 50;
const INTRO =
  'The last 500 calls to this account, newest first. Kept in the memory of the process that answers: a restart empties it, and where several run, each shows its own.';
const CREDENTIALS = {
  primary_key: 'Key',
  backup_key: 'Backup key',
  named_key: 'Named key',
  session: 'Session',
  access_token: 'Access token',
};

const kindOf = (status: number): string => (status < 400 ? 'good' : status < 500 ? 'warn' : 'failed');

const callName = ({ method, path, request_id: id }: Call): TemplateResult =>
  html`<span class="method">${method}</span> ${path}<br><span class="fine">${id}</span>`;

const caller = ({ credential, actor }: Call): TemplateResult =>
  html`${CREDENTIALS[credential]}${credential === 'session' ? nothing : html`<br><span class="mono fine">${actor}…</span>`}`;

const callTable = (calls: readonly Call[], none: string): TemplateResult =>
  dataTable<Call>(
    calls,
    none,
    [
      ['Call', callName, 'mono call wraps'],
      ['Status', ({ status }) => badge([String(status), kindOf(status)])],
      ['Duration', ({ ms }) => `${ms} ms`, 'figures'],
      ['By', caller],
      ['When', ({ at }) => time(at)],
    ],
    'sheet calls',
  );

/** Whether only failed calls are shown. Kept while the console is open. */
let isFailedOnly = false;

function filters(workspace: Workspace): TemplateResult {
  const choose = (failed: boolean) => () => {
    isFailedOnly = failed;
    workspace.repaint();
  };
  return html`
    <div class="tabs" role="group" aria-label="Which requests">
      <button type="button" aria-pressed=${!isFailedOnly} @click=${choose(false)}>All</button>
      <button type="button" aria-pressed=${isFailedOnly} @click=${choose(true)}>Failed</button>
    </div>`;
}

async function open(workspace: Workspace): Promise<View> {
  const calls = await Pager.open(workspace, async (cursor) => {
    const { requests, next_cursor: next } = await workspace.service.listRequests({ limit: PAGE, cursor });
    return { entries: requests, next };
  });
  const reload = action('Reload', () => workspace.refresh());
  return {
    render() {
      const shown = calls.all.filter(({ status }) => !isFailedOnly || status >= 400);
      const none = isFailedOnly ? 'No request failed.' : 'No request yet.';
      return view('Requests', { intro: INTRO, beside: reload }, [
        filters(workspace),
        callTable(shown, none),
        calls.button(),
      ]);
    },
  };
}

export const requestsPage: Page = { name: 'requests', title: 'Requests', scope: 'audit:read', open };
