import { html, type TemplateResult } from 'lit-html';
import type { GetBudgetReply, ListApprovalsReply } from '../../../client/generated/operations.ts';
import { agentName, ends, time, usdc } from '../ui/format.ts';
import { type Fact, facts } from '../ui/kit/section.ts';
import { PERIODS } from './money/spending-caps.ts';

/** A charge that waits for a person, with everything that the decision needs. */

export type Approval = ListApprovalsReply['approvals'][number];
export type Caps = GetBudgetReply['caps'];

/** What the service knows about who asks. Anyone can choose any name, so the address and the id stand beside it. */
export interface Asker {
  account_id: string;
  name: string | null;
  address: string | null;
}

/** An agent as the lists of the console name it. */
export const askerOf = (agent: { account_id: string; name: string | null; addresses: string[] }): Asker => ({
  account_id: agent.account_id,
  name: agent.name,
  address: agent.addresses[0] ?? null,
});

export const askerFacts = ({ account_id: id, name, address }: Asker): Fact[] => [
  ['Agent', agentName(name)],
  ['Address', address && html`<span class="mono">${address}</span>`],
  ['Account', html`<span class="mono">${id}</span>`],
];

const CAPS = { daily: 'Daily cap', weekly: 'Weekly cap', monthly: 'Monthly cap' };

/** Each cap with what is left of it after a charge. */
function capFacts(caps: Caps | null, amount: number): Fact[] {
  const rows = PERIODS.flatMap((period): Fact[] => {
    const cap = caps?.[period] ?? null;
    if (cap === null) return [];
    const left = cap.limit_usdc - cap.spent_usdc - amount;

    const spent = `${usdc(cap.spent_usdc)} of ${usdc(cap.limit_usdc)} spent`;
    const after =
      left >= 0
        ? `${usdc(Math.abs(left))} left after this`
        : `${usdc(Math.abs(left))} over the ${CAPS[period].toLowerCase()} after this`;
    return [[CAPS[period], html`${spent}, <strong>${after}</strong>`]];
  });
  return rows.length > 0 || caps === null ? rows : [['Daily cap', 'no daily cap']];
}

const CAUSES = {
  budget_exceeded: 'The charge exceeds a spending cap.',
  single_tx_limit_exceeded: 'The charge exceeds the limit for one transaction.',
};

/** @param caps null when they are not known */
export const chargeFacts = (approval: Approval, agent: Asker, caps: Caps | null): TemplateResult =>
  facts([
    ...askerFacts(agent),
    ['For', approval.description],
    ['Category', approval.category],
    ['Reference', approval.reference_id],
    ['By the delegation', approval.delegation_id && html`<span class="mono">${approval.delegation_id}</span>`],
    ['Reason', CAUSES[approval.cause]],
    ...capFacts(caps, approval.amount_usdc),
    ['Requested', time(approval.created_at)],
    ['Expires', ends(approval.expires_at)],
  ]);
