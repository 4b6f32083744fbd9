import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListGrantsReply } from '../../../../client/generated/operations.ts';
import { time } from '../../ui/format.ts';
import { change, rowAction } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { section } from '../../ui/kit/section.ts';
import { confirmed } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { scopeLabel } from './scope-labels.ts';

/** The applications that people let act for an agent, and the end of each. */

type Grant = ListGrantsReply['grants'][number];

async function end(workspace: Workspace, { id, client_name: name }: Grant): Promise<void> {
  const text = 'It can do nothing for the agent from now on. It must ask again.';
  if (!(await confirmed(`End the access of ${name}?`, text, 'End'))) return;
  await change(workspace, () => workspace.service.endGrant({ id }), 'The access has ended.');
}

/** Nothing is shown where no application was allowed. */
export function grantSection(workspace: Workspace, grants: readonly Grant[]): TemplateResult | typeof nothing {
  if (grants.length === 0) return nothing;
  const table = dataTable<Grant>(grants, '', [
    [
      'Application',
      ({ client_name: name, client_id: id }) => html`${name}<br><span class="mono fine">${id}</span>`,
      'wraps',
    ],
    ['May', ({ scopes }) => html`<ul class="plain">${scopes.map((scope) => html`<li>${scopeLabel(scope)}</li>`)}</ul>`],
    ['Allowed by', ({ allowed_by: by, created_at: at }) => html`${by}<br>${time(at)}`, 'wraps'],
    ['Last used', ({ last_used_at: at }) => (at === null ? 'Never' : time(at))],
    ['Actions', (grant) => rowAction('End', grant.client_name, () => end(workspace, grant)), 'row-actions'],
  ]);
  const intro = html`<p class="intro">People let these applications act for the agent.</p>`;
  return section('grants', 'Applications', [intro, table], { kind: '' });
}
