import { html, nothing, type TemplateResult } from 'lit-html';
import type {
  GetReviewReply,
  ListApprovalsReply,
  ListQuarantineReply,
  ListReviewsReply,
} from '../client/operations.ts';
import { pressing } from './act.ts';
import { decided } from './decide.ts';
import type { Desk, WaitingAgent } from './desk.ts';
import { agentName, distance, fill, time, usdc } from './format.ts';
import { confirmed, say } from './notice.ts';
import { hasCode } from './service.ts';
import { words } from './words.ts';

/** What waits for a person: charges, held and quarantined mail, agents that name him. */

export type Approval = ListApprovalsReply['approvals'][number];
export type Review = ListReviewsReply['reviews'][number];
export type Quarantined = ListQuarantineReply['messages'][number];

type Details = readonly (readonly [string, string | TemplateResult | null])[];

const details = (rows: Details): TemplateResult => html`
  <dl class="facts">
    ${rows.map(([name, value]) => (value === null || value === '' ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;

const need = (title: TemplateResult | string, body: TemplateResult, actions: TemplateResult): TemplateResult => html`
  <li class="need"><h3>${title}</h3>${body}<p class="actions">${actions}</p></li>`;

const button = (label: string, kind: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button ${kind}" @click=${pressing(work)}>${label}</button>`;

/** Does what a person decided, and loads again: another person may have decided first. */
async function settle(desk: Desk, work: () => Promise<string>): Promise<void> {
  try {
    say(await work());
  } catch (err) {
    if (!hasCode(err, 'already_resolved', 'expired', 'not_found')) throw err;
    say(words.home.alreadyDone);
  }
  await desk.refresh();
}

/** The daily cap of the agent that asks; null when it has none. */
export interface DailyCap {
  limit_usdc: number;
  spent_usdc: number;
  remaining_usdc: number;
}

/** What is left of a cap after a charge. */
function leftAfter(cap: DailyCap | null, amount: number): string {
  if (cap === null) return words.home.noCap;
  const left = cap.remaining_usdc - amount;
  return left >= 0
    ? fill(words.home.leftAfter, { left: usdc(left) })
    : fill(words.home.overAfter, { over: usdc(-left) });
}

export function approvalNeed(
  desk: Desk,
  name: string | null,
  approval: Approval,
  cap: DailyCap | null,
): TemplateResult {
  const { id, account_id: accountId, amount_usdc: amount } = approval;
  const decide = (isApproved: boolean) => () =>
    settle(desk, async () => {
      const input = { id };
      await decided(desk, approval.decided_by_account, (service) =>
        isApproved ? service.approveCharge(input) : service.rejectCharge(input),
      );
      return isApproved ? words.home.approved : words.home.rejected;
    });
  return need(
    fill(words.home.charge, { name: agentName(name), amount: usdc(amount) }),
    details([
      [words.home.account, html`<span class="mono">${accountId}</span>`],
      [words.home.description, approval.description],
      [words.home.category, approval.category],
      [words.home.reference, approval.reference_id],
      [words.home.reason, `${words.home.causes[approval.cause]}, ${leftAfter(cap, amount)}`],
      [words.home.expires, distance(approval.expires_at)],
    ]),
    html`${button(words.home.approve, 'primary', decide(true))} ${button(words.home.reject, '', decide(false))}`,
  );
}

/** Reviews that are shown whole, by id. */
const opened = new Map<string, GetReviewReply>();

const reviewText = (review: GetReviewReply): TemplateResult => html`
  <p>${review.why}</p>
  <pre class="message-text boxed" tabindex="0">${[review.text, review.html && `${words.home.htmlPart}:\n${review.html}`].filter(Boolean).join('\n\n')}</pre>
  ${review.secrets.length > 0 ? html`<p class="problem">${fill(words.home.secrets, { list: review.secrets.join(', ') })}</p>` : nothing}
  ${
    review.attachments.length > 0
      ? html`<p class="fine">${fill(words.home.attached, { files: review.attachments.map(({ filename }) => filename ?? '–').join(', ') })}</p>`
      : nothing
  }`;

export function reviewNeed(desk: Desk, name: string | null, review: Review): TemplateResult {
  const { review_id: id, account_id: accountId } = review;
  const whole = opened.get(id);
  const read = async (): Promise<void> => {
    if (!opened.delete(id)) opened.set(id, await desk.serviceOf(accountId).getReview({ id }));
    desk.repaint();
  };
  const decide = (isApproved: boolean) => () =>
    settle(desk, async () => {
      await decided(desk, accountId, (service) =>
        isApproved ? service.approveReview({ id }) : service.rejectReview({ id }),
      );
      return isApproved ? words.home.sent : words.home.notSent;
    });
  return need(
    fill(words.home.review, { name: agentName(name) }),
    html`${details([
      [words.home.from, review.from],
      [words.home.to, review.to.join(', ')],
      [words.home.subject, review.subject],
      [words.home.reason, review.reason],
      [words.home.expires, distance(review.expires_at)],
    ])}${whole ? reviewText(whole) : nothing}`,
    html`${button(words.home.send, 'primary', decide(true))} ${button(words.home.reject, '', decide(false))}
      ${button(whole ? words.home.hideIt : words.home.readIt, 'quiet', read)}`,
  );
}

export function quarantineNeed(desk: Desk, accountId: string, mail: Quarantined): TemplateResult {
  const id = mail.message_id;
  const release = () =>
    settle(desk, async () => {
      await decided(desk, accountId, (service) => service.releaseQuarantined({ id }));
      return words.home.released;
    });
  const remove = async (): Promise<void> => {
    const question = { title: words.home.deleteMail, text: words.home.deleteMailWhy, action: words.home.delete };
    if (!(await confirmed(question))) return;
    await settle(desk, async () => {
      await decided(desk, accountId, (service) => service.deleteQuarantined({ id }));
      return words.home.deleted;
    });
  };
  return need(
    fill(words.home.quarantined, { address: mail.address }),
    details([
      [words.home.from, mail.from],
      [words.home.reason, html`${mail.reason}, ${time(mail.received_at)}`],
    ]),
    html`${button(words.home.release, 'primary', release)} ${button(words.home.delete, '', remove)}`,
  );
}

export function confirmationNeed(desk: Desk, { id, account_id: accountId, name, role }: WaitingAgent): TemplateResult {
  const decide = (decision: 'confirm' | 'refuse') => () =>
    settle(desk, async () => {
      await desk.service.confirmPerson({ id, decision });
      return decision === 'confirm' ? words.home.confirmed : words.home.refused;
    });
  return need(
    fill(words.home.confirm, { name: agentName(name), role: words.home.roles[role] }),
    html`<p class="mono">${accountId}</p>${role === 'operator' ? html`<p>${words.home.confirmWhy}</p>` : nothing}`,
    html`${button(words.home.confirmYes, 'primary', decide('confirm'))} ${button(words.home.confirmNo, '', decide('refuse'))}`,
  );
}
