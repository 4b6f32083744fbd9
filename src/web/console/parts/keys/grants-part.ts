import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListGrantsReply } from '../../../../client/generated/operations.ts';
import { fill, time } from '../../ui/format.ts';
import { pressing } from '../../ui/handlers.ts';
import { confirmed, say } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

/** The applications that people let act for an agent, and the end of each. */

type Grant = ListGrantsReply['grants'][number];

const scopeWords: Readonly<Record<string, string>> = words.namedKeys.scopes;

async function end(desk: Desk, { id, client_name: name }: Grant): Promise<void> {
  const { endAsk, endWhy: text, end: action, ended } = words.grants;
  if (!(await confirmed({ title: fill(endAsk, { name }), text, action }))) return;
  await desk.service.endGrant({ id });
  say(ended);
  await desk.refresh();
}

function row(desk: Desk, grant: Grant): TemplateResult {
  const { client_name: name, client_id: client, scopes, allowed_by: by, created_at: at, last_used_at: used } = grant;
  const [, mayLabel = '', byLabel = '', usedLabel = '', actionsLabel = ''] = words.grants.columns;
  return html`
    <tr>
      <th scope="row" class="wraps">${name}<br><span class="mono fine">${client}</span></th>
      <td data-label=${mayLabel}><ul class="plain">${scopes.map((scope) => html`<li>${scopeWords[scope] ?? scope}</li>`)}</ul></td>
      <td data-label=${byLabel} class="wraps">${by}<br>${time(at)}</td>
      <td data-label=${usedLabel}>${used === null ? words.namedKeys.notUsed : time(used)}</td>
      <td data-label=${actionsLabel} class="row-actions">
        <button type="button" class="button quiet" @click=${pressing(() => end(desk, grant))}>${words.grants.end}<span class="visually-hidden"> ${name}</span></button>
      </td>
    </tr>`;
}

/** Nothing is shown where no application was let in. */
export const grantSection = (desk: Desk, grants: readonly Grant[]): TemplateResult | typeof nothing =>
  grants.length === 0
    ? nothing
    : html`
        <section aria-labelledby="grants">
          <h2 id="grants">${words.grants.title}</h2>
          <p class="intro">${words.grants.intro}</p>
          <table class="sheet">
            <thead><tr>${words.grants.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>${grants.map((grant) => row(desk, grant))}</tbody>
          </table>
        </section>`;
