import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListRequestsInput, ListRequestsReply } from '../../../client/generated/operations.ts';
import { csvOf, hasCode } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { action } from '../ui/kit/action.ts';
import { type Filters, momentOf, openFiltered, readFilters } from '../ui/kit/address-filters.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { type FilterField, filterBar } from '../ui/kit/filter-bar.ts';
import { Pager } from '../ui/kit/pager.ts';
import { badge, facts, type State, section, view } from '../ui/kit/section.ts';
import { forgotten } from '../ui/placeholders.ts';
import { download } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The latest calls to an account: which, by what credential, with which result. */

type Call = ListRequestsReply['requests'][number];

const PAGE = 50;
const INTRO =
  'The last 500 calls to this account, newest first. Kept in the memory of the process that answers: a restart empties it, and where several run, each shows its own.';
const FORGOTTEN =
  'The last 500 requests are kept, until the service restarts, by the process that answered them. What a request changed is in the audit log.';
const CREDENTIALS = {
  primary_key: 'Key',
  backup_key: 'Backup key',
  named_key: 'Named key',
  session: 'Session',
  access_token: 'Access token',
};

const FIELDS: readonly FilterField[] = [
  { name: 'path', label: 'Path', kind: 'text', placeholder: '/v1/email' },
  { name: 'key', label: 'Key', kind: 'text', placeholder: 'id or start' },
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    options: { '2xx': 'Done (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' },
  },
  { name: 'since', label: 'Since', kind: 'date' },
  { name: 'until', label: 'Until', kind: 'date' },
  { name: 'console', label: 'With what consoles read', kind: 'check' },
];

/** The filters of the address as the API takes them. */
function filterOf({ since, until, console: all, ...rest }: Filters): ListRequestsInput {
  const times = { from: momentOf(since), to: momentOf(until, 1) };
  return { ...rest, ...times, ...(all === 'true' ? {} : { console: false }) };
}

const statusOf = ({ status }: Call): State => [
  String(status),
  status < 400 ? 'good' : status < 500 ? 'warn' : 'failed',
];

const caller = ({ credential, actor }: Call): TemplateResult =>
  html`${CREDENTIALS[credential]}${credential === 'session' ? nothing : html`<br><span class="mono fine">${actor}…</span>`}`;

const callTable = ({ link }: Workspace, calls: readonly Call[], none: string): TemplateResult =>
  dataTable<Call>(
    calls,
    none,
    [
      [
        'Call',
        ({ method, path, request_id: id }) =>
          html`<a href=${link('requests', id)}><span class="method">${method}</span> ${path}</a><span class="fine">${id}</span>`,
        'mono call wraps',
      ],
      ['Duration', ({ ms }) => `${ms} ms`, 'figures'],
      ['By', caller],
      ['When', ({ at }) => time(at)],
      ['Status', (call) => badge(statusOf(call))],
    ],
    'sheet opens',
  );

async function openOne(workspace: Workspace, id: string): Promise<View> {
  const { service, link } = workspace;
  const call = await service.getRequest({ id }).catch((err) => {
    if (hasCode(err, 'no_longer_kept')) return null;
    throw err;
  });
  if (call === null) return { render: () => forgotten(FORGOTTEN, ['All requests', link('requests')]) };
  const { method, path, request_id: requestId, at, ms, key, console: isConsole } = call;
  const toAudit = `?${new URLSearchParams({ request_id: requestId, console: 'true' })}${link('audit')}`;
  return {
    render: () =>
      view(`${method} ${path}`, { kind: 'mono', back: ['Requests', link('requests')], beside: badge(statusOf(call)) }, [
        section('request', 'Who, what, when', [
          facts([
            ['When', html`${time(at)}<br><span class="fine">${at}</span>`],
            ['By', caller(call)],
            ['Id of the key', key === null ? null : html`<span class="mono">${key}</span>`],
            ['Read by', isConsole ? 'this console or another one' : null],
            ['Time taken', `${ms} ms`],
            ['Request', html`<span class="mono">${requestId}</span>`],
            ['What it changed', html`<a href=${toAudit} @click=${openFiltered}>Its entries in the audit log</a>`],
          ]),
          html`<p class="fine">What was sent and answered is not kept.</p>`,
        ]),
      ]),
  };
}

async function open(workspace: Workspace, [id]: readonly string[]): Promise<View> {
  if (id !== undefined) return openOne(workspace, id);
  let filters = readFilters(FIELDS.map(({ name }) => name));
  let wanted = filters;
  const read = (of: Filters) =>
    Pager.open(workspace, async (cursor) => {
      const page = await workspace.service.listRequests({ ...filterOf(of), limit: PAGE, cursor });
      return { entries: page.requests, next: page.next_cursor };
    });
  let calls = await read(filters);
  const narrow = async (to: Filters): Promise<void> => {
    wanted = to;
    const found = await read(to);
    // What was chosen while it read counts.
    if (wanted !== to) return;
    [filters, calls] = [to, found];
    workspace.repaint();
  };
  const saveTable = async (): Promise<void> =>
    download(await csvOf(workspace.service, 'listRequests', filterOf(filters)), 'signet-requests.csv');
  const beside = html`
    <span class="actions">
      ${action('Reload', () => workspace.refresh())} ${action('Save as CSV', saveTable, { kind: 'quiet', id: 'save-csv' })}
    </span>`;
  return {
    render: () =>
      view('Requests', { intro: INTRO, beside }, [
        filterBar(FIELDS, filters, narrow),
        callTable(workspace, calls.all, Object.keys(filters).length === 0 ? 'No request yet.' : 'No such request.'),
        calls.button(),
      ]),
  };
}

export const requestsPage: Page = { name: 'requests', title: 'Requests', scope: 'audit:read', open };
