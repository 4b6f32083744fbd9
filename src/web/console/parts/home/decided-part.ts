import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListOperatorDecisionsReply } from '../../../../client/generated/operations.ts';
import { agentName, time } from '../../ui/format.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import { section } from '../../ui/kit/section.ts';
import { linkTo } from '../../ui/route.ts';

/** What was decided about a person's agents: what, by whom and when. */

export type Decided = ListOperatorDecisionsReply['decisions'][number];

/** What stands for a name. */
const UNNAMED: Readonly<Record<string, string>> = {
  service: 'time ran out',
  administrator: 'by the administrator',
  person: 'by a mailed link',
  anonymous: 'by a mailed link',
};

const whose = ({ kind, name }: Decided['by']): string =>
  name === null ? (UNNAMED[kind] ?? 'by a key') : kind === 'person' ? `by ${name}` : `by the key “${name}”`;

const entry = ({ summary, agent, by, at }: Decided): TemplateResult => html`
  <li class="entry">
    <span class="entry-text">
      <strong>${summary}</strong>
      <span class="fine"><a href=${linkTo(agent.account_id, 'overview')}>${agentName(agent.name)}</a> · ${whose(by)}</span>
    </span>
    ${time(at, 'short')}
  </li>`;

export const decidedSection = (decisions: readonly Decided[]): TemplateResult | typeof nothing =>
  decisions.length === 0
    ? nothing
    : section('decided', 'Decided', entryList(decisions, '', entry, 'people'), { kind: 'sheet' });
