import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListRequestsReply } from '../../../client/generated/operations.ts';
import { fill, time } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** The latest calls to an account: which, by what credential, with which result. */

type Call = ListRequestsReply['requests'][number];

const PAGE = 50;

const kindOf = (status: number): string => (status < 400 ? 'good' : status < 500 ? 'warn' : 'failed');

function row({ request_id: id, at, method, path, status, ms, credential, actor }: Call): TemplateResult {
  const [, statusLabel = '', tookLabel = '', byLabel = '', whenLabel = ''] = words.requests.columns;
  return html`
    <tr>
      <th scope="row" class="mono call wraps"><span class="method">${method}</span> ${path}<br><span class="fine">${id}</span></th>
      <td data-label=${statusLabel}><span class="badge ${kindOf(status)}">${status}</span></td>
      <td data-label=${tookLabel} class="figures">${fill(words.webhooks.took, { ms })}</td>
      <td data-label=${byLabel}>${words.requests.credentials[credential]}${credential === 'session' ? nothing : html`<br><span class="mono fine">${actor}…</span>`}</td>
      <td data-label=${whenLabel}>${time(at)}</td>
    </tr>`;
}

/** Whether only failed calls are shown. Kept while the console is open. */
let isFailedOnly = false;

function filters(desk: Desk): TemplateResult {
  const { filters: names, filter } = words.requests;
  const choose = (failed: boolean) => () => {
    isFailedOnly = failed;
    desk.repaint();
  };
  return html`
    <div class="tabs" role="group" aria-label=${filter}>
      <button type="button" aria-pressed=${!isFailedOnly} @click=${choose(false)}>${names.all}</button>
      <button type="button" aria-pressed=${isFailedOnly} @click=${choose(true)}>${names.failed}</button>
    </div>`;
}

async function open(desk: Desk): Promise<View> {
  let { requests, next_cursor: cursor } = await desk.service.listRequests({ limit: PAGE });
  const more = pressing(async () => {
    if (cursor === null) return;
    const page = await desk.service.listRequests({ limit: PAGE, cursor });
    [requests, cursor] = [[...requests, ...page.requests], page.next_cursor];
    desk.repaint();
  });
  return {
    render() {
      const { requests: text } = words;
      const shown = requests.filter(({ status }) => !isFailedOnly || status >= 400);
      return html`
        <div class="view">
          <div class="heading">
            <h1>${text.title}</h1>
            <button type="button" class="button" @click=${pressing(() => desk.refresh())}>${text.reload}</button>
          </div>
          <p class="intro">${text.intro}</p>
          ${filters(desk)}
          ${
            shown.length === 0
              ? empty(isFailedOnly ? text.noneFailed : text.none)
              : html`<table class="sheet calls">
                  <thead><tr>${text.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
                  <tbody>${shown.map(row)}</tbody>
                </table>`
          }
          ${cursor === null ? nothing : html`<button type="button" class="button" @click=${more}>${words.states.more}</button>`}
        </div>`;
    },
  };
}

export const requestsPage: Page = { name: 'requests', title: words.requests.title, scope: 'audit:read', open };
