import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListGrantsReply } from '../../../../client/generated/operations.ts';
import { time } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { scopeLabel } from './scope-labels.ts';

/** The applications that people let act for an agent, and the end of each. */

type Grant = ListGrantsReply['grants'][number];

async function end(workspace: Workspace, { id, client_name: name }: Grant): Promise<void> {
  if (
    !(await confirmed({
      title: `End the access of ${name}?`,
      text: 'It can do nothing for the agent from now on. It must ask again.',
      action: 'End',
    }))
  )
    return;
  await workspace.service.endGrant({ id });
  toast('The access has ended.');
  await workspace.refresh();
}

const COLUMNS = ['Application', 'May', 'Let in by', 'Last used', 'Actions'];

function row(workspace: Workspace, grant: Grant): TemplateResult {
  const { client_name: name, client_id: client, scopes, allowed_by: by, created_at: at, last_used_at: used } = grant;
  const [, mayLabel = '', byLabel = '', usedLabel = '', actionsLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="wraps">${name}<br><span class="mono fine">${client}</span></th>
      <td data-label=${mayLabel}><ul class="plain">${scopes.map((scope) => html`<li>${scopeLabel(scope)}</li>`)}</ul></td>
      <td data-label=${byLabel} class="wraps">${by}<br>${time(at)}</td>
      <td data-label=${usedLabel}>${used === null ? 'Never' : time(used)}</td>
      <td data-label=${actionsLabel} class="row-actions">
        <button type="button" class="button quiet" @click=${onPress(() => end(workspace, grant))}>End<span class="visually-hidden"> ${name}</span></button>
      </td>
    </tr>`;
}

/** Nothing is shown where no application was let in. */
export const grantSection = (workspace: Workspace, grants: readonly Grant[]): TemplateResult | typeof nothing =>
  grants.length === 0
    ? nothing
    : html`
        <section aria-labelledby="grants">
          <h2 id="grants">Applications</h2>
          <p class="intro">People let these applications act for the agent.</p>
          <table class="sheet">
            <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
            <tbody>${grants.map((grant) => row(workspace, grant))}</tbody>
          </table>
        </section>`;
