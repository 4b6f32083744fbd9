import { html, type TemplateResult } from 'lit-html';
import type { GetBudgetReply, ListApprovalsReply } from '../../../client/generated/operations.ts';
import { agentName, ends, fill, time, usdc } from '../ui/format.ts';
import { words } from '../words/console-words.ts';
import { type Fact, facts } from './card-part.ts';

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
  [words.decide.agent, agentName(name)],
  [words.decide.address, address && html`<span class="mono">${address}</span>`],
  [words.home.account, html`<span class="mono">${id}</span>`],
];

/** Each cap with what is left of it after a charge. */
function capFacts(caps: Caps | null, amount: number): Fact[] {
  const periods = ['daily', 'weekly', 'monthly'] as const;
  const rows = periods.flatMap((period): Fact[] => {
    const cap = caps?.[period] ?? null;
    if (cap === null) return [];
    const left = cap.limit_usdc - cap.spent_usdc - amount;
    const { capSpent, leftAfter, overAfter } = words.decide;
    const spent = fill(capSpent, { spent: usdc(cap.spent_usdc), limit: usdc(cap.limit_usdc) });
    const after = fill(left >= 0 ? leftAfter : overAfter, {
      amount: usdc(Math.abs(left)),
      cap: words.decide.caps[period].toLowerCase(),
    });
    return [[words.decide.caps[period], html`${spent}, <strong>${after}</strong>`]];
  });
  return rows.length > 0 || caps === null ? rows : [[words.decide.caps.daily, words.home.noCap]];
}

/** @param caps null when they are not known */
export const chargeFacts = (approval: Approval, agent: Asker, caps: Caps | null): TemplateResult =>
  facts([
    ...askerFacts(agent),
    [words.home.description, approval.description],
    [words.home.category, approval.category],
    [words.home.reference, approval.reference_id],
    [words.decide.delegation, approval.delegation_id && html`<span class="mono">${approval.delegation_id}</span>`],
    [words.home.reason, words.decide.causes[approval.cause]],
    ...capFacts(caps, approval.amount_usdc),
    [words.decide.requested, time(approval.created_at)],
    [words.home.expires, ends(approval.expires_at)],
  ]);
