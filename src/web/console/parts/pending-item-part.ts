import { html, nothing, type TemplateResult } from 'lit-html';
import type {
  GetReviewReply,
  ListCredentialRequestsReply,
  ListNoticesReply,
  ListQuarantineReply,
  ListReviewsReply,
} from '../../../client/generated/operations.ts';
import { hasCode } from '../ui/console-service.ts';
import { answered, decided } from '../ui/decide.ts';
import { agentName, ends, fill, time, usdc } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import { confirmed, say } from '../ui/toast.ts';
import type { Desk, WaitingAgent } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';
import { facts } from './card-part.ts';
import { type Approval, type Asker, askerFacts, type Caps, chargeFacts } from './charge-part.ts';
import { heldMail, mailFacts, senderFacts } from './held-mail-part.ts';

/** What waits for a person: charges, held and quarantined mail, agents that name the person. */

export type Review = ListReviewsReply['reviews'][number];
export type CredentialRequest = ListCredentialRequestsReply['requests'][number];
export type Notice = ListNoticesReply['notices'][number];
export type Quarantined = ListQuarantineReply['messages'][number];

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

export function approvalNeed(desk: Desk, agent: Asker, approval: Approval, caps: Caps | null): TemplateResult {
  const { id, account_id: spender, amount_usdc: amount } = approval;
  // A pod asks its platform, which knows the id alone.
  const isOwn = spender === agent.account_id;
  const asker = isOwn ? agent : { account_id: spender, name: null, address: null };
  const decide = (isApproved: boolean) => () =>
    settle(desk, async () => {
      const input = { id };
      await decided(desk, approval.decided_by_account, (service) =>
        isApproved ? service.approveCharge(input) : service.rejectCharge(input),
      );
      return isApproved ? words.home.approved : words.home.rejected;
    });
  return need(
    fill(words.home.charge, { name: agentName(agent.name), amount: usdc(amount) }),
    chargeFacts(approval, asker, isOwn ? caps : null),
    html`${button(words.home.approve, 'decide', decide(true))} ${button(words.home.reject, '', decide(false))}`,
  );
}

/** Why a mail is held, in words. A newer service may know more reasons. */
const reasonOf = (reason: string): string => (words.home.holds as Readonly<Record<string, string>>)[reason] ?? reason;

/** Reviews that are shown whole, by id. */
const opened = new Map<string, GetReviewReply>();

export function reviewNeed(desk: Desk, agent: Asker, review: Review): TemplateResult {
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
    fill(words.home.review, { name: agentName(agent.name) }),
    html`${mailFacts(whole ?? review, { before: askerFacts(agent), after: whole ? senderFacts(whole) : [[words.home.reason, reasonOf(review.reason)]] })}
      ${whole ? heldMail(whole, (n) => desk.serviceOf(accountId).getReviewAttachment({ id, n })) : nothing}`,
    html`${button(words.home.send, 'decide', decide(true))} ${button(words.home.reject, '', decide(false))}
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
    facts([
      [words.home.from, mail.from],
      [words.home.reason, reasonOf(mail.reason)],
      [words.home.received, time(mail.received_at)],
    ]),
    html`${button(words.home.release, 'decide', release)} ${button(words.home.delete, '', remove)}`,
  );
}

export function confirmationNeed(desk: Desk, { id, account_id: accountId, name, role }: WaitingAgent): TemplateResult {
  const decide = (decision: 'confirm' | 'refuse') => () =>
    settle(desk, async () => {
      const answer = { id, decision };
      await answered(
        () => desk.service.confirmPerson(answer),
        (own) => own.confirmPerson(answer),
      );
      return decision === 'confirm' ? words.home.confirmed : words.home.refused;
    });
  return need(
    fill(words.home.confirm, { name: agentName(name), role: words.home.roles[role] }),
    html`<p class="mono">${accountId}</p>${role === 'operator' ? html`<p>${words.home.confirmWhy}</p>` : nothing}`,
    html`${button(words.home.confirmYes, 'decide', decide('confirm'))} ${button(words.home.confirmNo, '', decide('refuse'))}`,
  );
}

/** It is decided on its own page: only the code that the agent shows tells which request is meant. */
export const credentialNeed = (accountId: string, request: CredentialRequest): TemplateResult =>
  need(
    fill(words.credential.asks, { name: agentName(request.agent.name) }),
    facts([
      ...askerFacts(request.agent),
      [words.credential.wants, request.description],
      [words.credential.storesAs, request.vault_key],
      [words.home.expires, ends(request.expires_at)],
    ]),
    html`<a class="button decide" href="/credentials#account=${accountId}">${words.credential.enter}</a>`,
  );

/** A removal that was announced, which an older factor may stop. */
export function noticeNeed(desk: Desk, agent: Asker, notice: Notice): TemplateResult {
  const undo = () =>
    settle(desk, async () => {
      await decided(desk, agent.account_id, (service) => service.undoNotice({ id: notice.id }));
      return words.home.noticeUndone;
    });
  return need(
    fill(words.home.notice, { name: agentName(agent.name), what: words.home.noticeKinds[notice.what] }),
    facts([
      ...askerFacts(agent),
      [words.home.noticeTarget, html`<span class="mono">${notice.target}</span>`],
      [words.decide.requested, time(notice.asked_at)],
      [words.home.noticeEnds, ends(notice.ends_at)],
    ]),
    button(words.home.noticeUndo, 'decide', undo),
  );
}
