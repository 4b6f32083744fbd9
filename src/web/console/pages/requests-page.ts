import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListRequestsReply } from '../../../client/generated/operations.ts';
import { time } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The latest calls to an account: which, by what credential, with which result. */

type Call = ListRequestsReply['requests'][number];

const PAGE = 50;

const kindOf = (status: number): string => (status < 400 ? 'good' : status < 500 ? 'warn' : 'failed');

const COLUMNS = ['Call', 'Status', 'Took', 'By', 'When'];
const CREDENTIALS = {
  primary_key: 'Key',
  backup_key: 'Backup key',
  named_key: 'Named key',
  session: 'Session',
  access_token: 'Access token',
};

function row({ request_id: id, at, method, path, status, ms, credential, actor }: Call): TemplateResult {
  const [, statusLabel = '', tookLabel = '', byLabel = '', whenLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="mono call wraps"><span class="method">${method}</span> ${path}<br><span class="fine">${id}</span></th>
      <td data-label=${statusLabel}><span class="badge ${kindOf(status)}">${status}</span></td>
      <td data-label=${tookLabel} class="figures">${ms} ms</td>
      <td data-label=${byLabel}>${CREDENTIALS[credential]}${credential === 'session' ? nothing : html`<br><span class="mono fine">${actor}…</span>`}</td>
      <td data-label=${whenLabel}>${time(at)}</td>
    </tr>`;
}

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
  let { requests, next_cursor: cursor } = await workspace.service.listRequests({ limit: PAGE });
  const more = onPress(async () => {
    if (cursor === null) return;
    const page = await workspace.service.listRequests({ limit: PAGE, cursor });
    [requests, cursor] = [[...requests, ...page.requests], page.next_cursor];
    workspace.repaint();
  });
  return {
    render() {
      const shown = requests.filter(({ status }) => !isFailedOnly || status >= 400);
      return html`
        <div class="view">
          <div class="heading">
            <h1>Requests</h1>
            <button type="button" class="button" @click=${onPress(() => workspace.refresh())}>Reload</button>
          </div>
          <p class="intro">The last 500 calls to this account, newest first. Kept in the memory of the process that answers: a restart empties it, and where several run, each shows its own.</p>
          ${filters(workspace)}
          ${
            shown.length === 0
              ? empty(isFailedOnly ? 'No request failed.' : 'No request yet.')
              : html`<table class="sheet calls">
                  <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
                  <tbody>${shown.map(row)}</tbody>
                </table>`
          }
          ${cursor === null ? nothing : html`<button type="button" class="button" @click=${more}>Show older</button>`}
        </div>`;
    },
  };
}

export const requestsPage: Page = { name: 'requests', title: 'Requests', scope: 'audit:read', open };
