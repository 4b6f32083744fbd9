import { html, nothing, type TemplateResult } from 'lit-html';
import type {
  GetAccountPolicyReply,
  GetPowerReply,
  SetAccountPolicyInput,
} from '../../../../client/generated/operations.ts';
import { change } from '../../ui/kit/action.ts';
import { field, form, listIn, options, textIn } from '../../ui/kit/form.ts';
import { section } from '../../ui/kit/section.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** What the agent of an account can do, and by which ways something may leave it. */

type Ways = GetAccountPolicyReply['ways'];
type Way = keyof SetAccountPolicyInput['ways'] & string;
type Given = NonNullable<SetAccountPolicyInput['ways'][Way]>;

const RULES = { open: 'Open', list: 'Only the list', operator: 'The list, and operators', off: 'Off' };
const RULES_WITHOUT_LIST = { open: 'Open', operator: 'Operators only', off: 'Off' };

/** What each way lets out, and what its list holds; without one, it has no list. */
const WAYS: Readonly<Record<Way, { label: string; targets?: string }>> = {
  webhook: { label: 'Webhooks', targets: 'Hosts, one a line' },
  feed: { label: 'Calendar feed' },
  share: { label: 'Shared observations' },
  publish: { label: 'Public profile' },
  delegate: { label: 'Delegations', targets: 'Account ids, one a line' },
  grant: { label: 'Applications', targets: 'Client ids, one a line' },
  invite: { label: 'New pods' },
  fetch: { label: 'Pictures in mail', targets: 'Hosts, one a line' },
  token: { label: 'Identity tokens', targets: 'Audiences, one a line' },
};

function wayField(way: Way, { rule, allow, from }: Ways[Way]): TemplateResult {
  const { label, targets } = WAYS[way] as { label: string; targets?: string };
  const hint = from === 'platform' ? 'The platform of this pod set this.' : undefined;
  return html`<div class="way">
    ${field(
      `way-${way}`,
      label,
      html`<select id="way-${way}" name=${way} aria-describedby=${hint === undefined ? nothing : `way-${way}-hint`}>${options(targets === undefined && rule !== 'list' ? RULES_WITHOUT_LIST : RULES, rule)}</select>`,
      hint,
    )}
    ${
      targets === undefined
        ? nothing
        : html`<details ?open=${allow.length > 0}>
            <summary>List</summary>
            ${field(`list-${way}`, targets, html`<textarea id="list-${way}" name="list-${way}" class="mono" rows="2" spellcheck="false">${allow.join('\n')}</textarea>`)}
          </details>`
    }
  </div>`;
}

/** The ways that were changed in the form. */
function changedIn(of: HTMLFormElement, ways: Ways): SetAccountPolicyInput['ways'] {
  const entries = (Object.keys(WAYS) as Way[]).flatMap((way) => {
    const before = ways[way];
    const rule = textIn(of, way);
    const allow = WAYS[way]?.targets === undefined ? [] : listIn(of, `list-${way}`, /\s+/);
    const isSame = rule === before.rule && allow.join(' ') === before.allow.join(' ');
    return isSame ? [] : [[way, { rule, ...(WAYS[way]?.targets === undefined ? {} : { allow }) } as Given] as const];
  });
  return Object.fromEntries(entries);
}

const named = (summary: string, operations: readonly string[]): TemplateResult =>
  html`<details><summary>${summary}</summary><p class="mono">${operations.join(', ')}</p></details>`;

export const powerSection = (workspace: Workspace, power: GetPowerReply, { ways }: GetAccountPolicyReply) =>
  section(
    'power',
    'What this agent can do',
    html`
      <p class="intro">${
        power.authority === 'operator'
          ? 'Its operators have the authority: they decide about limits, addresses of people and these ways.'
          : 'The account has the authority: its key may change limits and these ways.'
      }</p>
      ${named(`You can call ${power.can.length} operations now`, power.can)}
      ${power.operator_decides.length === 0 ? nothing : named(`${power.operator_decides.length} are for an operator`, power.operator_decides)}
      ${form(
        { kind: 'apart', title: 'Ways out' },
        (of) => change(workspace, () => workspace.service.setAccountPolicy({ ways: changedIn(of, ways) }), 'Saved.'),
        html`
          <p class="fine">By these ways words, data or authority leave the account. While mail goes only to a list, the others are for operators unless you open them.</p>
          ${(Object.keys(WAYS) as Way[]).map((way) => wayField(way, ways[way]))}`,
        'Save the ways',
      )}`,
  );
