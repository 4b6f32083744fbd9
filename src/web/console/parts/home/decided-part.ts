import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListOperatorDecisionsReply } from '../../../../client/generated/operations.ts';
import { agentName, time } from '../../ui/format.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import { section } from '../../ui/kit/section.ts';
import { linkTo } from '../../ui/route.ts';

/** What was decided about a person's agents: what, by whom and when. */

export type Decided = ListOperatorDecisionsReply['decisions'][number];

/** In the words of people, where the entry has none. */
const WORDS: Readonly<Record<string, string>> = {
  'account.deletion_cancelled': 'Kept the account',
  'account.notice_undone': 'Stopped a removal',
  'account.resumed': 'Resumed the agent',
  'account.suspended': 'Suspended the agent',
  'approval.approved': 'Approved a charge',
  'approval.decided': 'Decided about a charge',
  'approval.expired': 'A charge was not decided in time',
  'approval.rejected': 'Rejected a charge',
  'credential.resolved': 'Answered a credential request',
  'person.confirmed': 'Answered for an address',
  'quarantine.deleted': 'Deleted a quarantined mail',
  'quarantine.released': 'Released a quarantined mail',
  'review.approved': 'Let a mail go out',
  'review.decided': 'Decided about a mail',
  'review.expired': 'A mail was not decided in time',
  'review.rejected': 'Rejected a mail',
};

/** What stands for a name. */
const UNNAMED: Readonly<Record<string, string>> = {
  service: 'time ran out',
  administrator: 'by the administrator',
  person: 'by a mailed link',
  anonymous: 'by a mailed link',
};

const whose = ({ kind, name }: Decided['by']): string =>
  name === null ? (UNNAMED[kind] ?? 'by a key') : kind === 'person' ? `by ${name}` : `by the key “${name}”`;

const entry = ({ action, summary, agent, by, at }: Decided): TemplateResult => html`
  <li class="entry">
    <span class="entry-text">
      <strong>${summary ?? WORDS[action] ?? action}</strong>
      <span class="fine"><a href=${linkTo(agent.account_id, 'overview')}>${agentName(agent.name)}</a> · ${whose(by)}</span>
    </span>
    ${time(at, 'short')}
  </li>`;

export const decidedSection = (decisions: readonly Decided[]): TemplateResult | typeof nothing =>
  decisions.length === 0
    ? nothing
    : section('decided', 'Decided', entryList(decisions, '', entry, 'people'), { kind: 'sheet' });
