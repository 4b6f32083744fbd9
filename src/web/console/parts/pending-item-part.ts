import { html, nothing, type TemplateResult } from 'lit-html';
import type {
  GetReviewReply,
  ListCredentialRequestsReply,
  ListNoticesReply,
  ListQuarantineReply,
  ListReviewsReply,
  OperatorWaitingItem,
} from '../../../client/generated/operations.ts';
import { hasCode } from '../ui/console-service.ts';
import { answered, decided } from '../ui/decide.ts';
import { agentName, ends, time, usdc } from '../ui/format.ts';
import { action } from '../ui/kit/action.ts';
import { facts } from '../ui/kit/section.ts';
import { linkTo } from '../ui/route.ts';
import { confirmed, toast } from '../ui/toast.ts';
import type { WaitingAgent, Workspace } from '../ui/workspace.ts';
import { type Approval, type Asker, askerFacts, type Caps, chargeFacts } from './charge-part.ts';
import { heldMail, mailFacts, type Remember, rememberField, senderFacts } from './held-mail-part.ts';
import { PAGE_OF } from './waiting-pages.ts';
import { youngOperator } from './young-operator-part.ts';

/** What waits for a person: charges, held and quarantined mail, agents that name the person. */

export type Review = ListReviewsReply['reviews'][number];
export type CredentialRequest = ListCredentialRequestsReply['requests'][number];
export type Notice = ListNoticesReply['notices'][number];
export type Quarantined = ListQuarantineReply['messages'][number];

const DECIDE = { kind: 'decide' };

const need = (title: TemplateResult | string, body: TemplateResult, actions: TemplateResult): TemplateResult => html`
  <li class="need"><h3>${title}</h3>${body}<p class="actions">${actions}</p></li>`;

/** Does what a person decided, and loads again: another person may have decided first. */
export async function settle(workspace: Workspace, work: () => Promise<unknown>, done: string): Promise<void> {
  try {
    await work();
    toast(done);
  } catch (err) {
    if (!hasCode(err, 'already_resolved', 'expired', 'not_found')) throw err;
    toast('Someone decided this already.');
  }
  await workspace.refresh();
}

export function approvalItem(
  workspace: Workspace,
  agent: Asker,
  approval: Approval,
  caps: Caps | null,
): TemplateResult {
  const { id, account_id: spender, amount_usdc: amount } = approval;
  // A pod asks its platform, which knows the id alone.
  const isOwn = spender === agent.account_id;
  const asker = isOwn ? agent : { account_id: spender, name: null, address: null };
  const decide = (isApproved: boolean) => () =>
    settle(
      workspace,
      () =>
        decided(workspace, approval.decided_by_account, (service) =>
          isApproved ? service.approveCharge({ id }) : service.rejectCharge({ id }),
        ),
      isApproved ? 'Approved. The charge is recorded.' : 'Rejected. Nothing is recorded.',
    );
  return need(
    `${agentName(agent.name)} wants to spend ${usdc(amount)}`,
    chargeFacts(approval, asker, isOwn ? caps : null),
    html`${action('Approve', decide(true), DECIDE)} ${action('Reject', decide(false))}`,
  );
}

const HOLDS = {
  always: 'Every mail of this agent waits for you.',
  first_contact: 'A recipient is new.',
  not_listed: 'A recipient is not on the list.',
  after_suspicious: 'It follows a suspicious mail.',
  secrets: 'It holds a secret.',
  unauthenticated: 'Its sender is not proven.',
  suspicious: 'It looks suspicious.',
  dangerous: 'It looks dangerous.',
};

/** Why a mail is held, in words. A newer service may know more reasons. */
export const reasonOf = (reason: string): string => (HOLDS as Readonly<Record<string, string>>)[reason] ?? reason;

/** Reviews that are shown whole, by id. */
const opened = new Map<string, GetReviewReply>();

export function reviewItem(workspace: Workspace, agent: Asker, review: Review): TemplateResult {
  const { review_id: id, account_id: accountId } = review;
  const whole = opened.get(id);
  const read = async (): Promise<void> => {
    if (!opened.delete(id)) opened.set(id, await workspace.serviceOf(accountId).getReview({ id }));
    workspace.repaint();
  };
  const choice = `remember-${id}`;
  const remember = () => (document.getElementById(choice) as HTMLSelectElement).value as Remember;
  const decide = (isApproved: boolean) => () =>
    settle(
      workspace,
      () =>
        decided(workspace, accountId, (service) =>
          isApproved ? service.approveReview({ id, remember: remember() }) : service.rejectReview({ id }),
        ),
      isApproved ? 'Approved. The mail is on its way.' : 'Rejected. The mail is not sent.',
    );
  return need(
    `${agentName(agent.name)} wants to send a mail`,
    html`${mailFacts(whole ?? review, { before: askerFacts(agent), after: whole ? senderFacts(whole) : [['Reason', reasonOf(review.reason)]] })}
      ${whole ? heldMail(whole, (n) => workspace.serviceOf(accountId).getReviewAttachment({ id, n })) : nothing}
      ${rememberField(choice, { withDomain: true })}`,
    html`${action('Send', decide(true), DECIDE)} ${action('Reject', decide(false))}
      ${action(whole ? 'Hide' : 'Read it', read, { kind: 'quiet' })}`,
  );
}

export function quarantineItem(workspace: Workspace, accountId: string, mail: Quarantined): TemplateResult {
  const id = mail.message_id;
  const release = () => {
    const work = () => decided(workspace, accountId, (service) => service.releaseQuarantined({ id }));
    return settle(workspace, work, 'Released to the inbox.');
  };
  const remove = async (): Promise<void> => {
    const text = 'The agent never sees it. It cannot be restored.';
    if (!(await confirmed('Delete this mail?', text, 'Delete'))) return;
    const work = () => decided(workspace, accountId, (service) => service.deleteQuarantined({ id }));
    await settle(workspace, work, 'Deleted.');
  };
  return need(
    `A mail to ${mail.address} is held`,
    facts([
      ['From', mail.from],
      ['Reason', reasonOf(mail.reason)],
      ['Received', time(mail.received_at)],
    ]),
    html`${action('Release', release)} ${action('Delete', remove)}`,
  );
}

const ROLES = { email: 'owner', recovery: 'recovery address', operator: 'operator' };

export function confirmationItem(
  workspace: Workspace,
  { id, account_id: accountId, name, role, removable_days }: WaitingAgent,
): TemplateResult {
  const decide = (decision: 'confirm' | 'refuse') => () => {
    const answer = { id, decision };
    const work = () =>
      answered(
        () => workspace.service.confirmPerson(answer),
        (own) => own.confirmPerson(answer),
      );
    return settle(workspace, work, decision === 'confirm' ? 'Confirmed.' : 'Refused.');
  };
  return need(
    `${agentName(name)} names you as its ${ROLES[role]}`,
    html`<p class="mono">${accountId}</p>${role === 'operator' ? html`<p>As operator you get its requests for money and credentials, and decide about them.</p>${youngOperator({ removable_days })}` : nothing}`,
    html`${action('Confirm', decide('confirm'), DECIDE)} ${action('Not mine', decide('refuse'))}`,
  );
}

/** It is decided on its own page: only the code that the agent shows tells which request is meant. */
export const credentialItem = (accountId: string, request: CredentialRequest): TemplateResult =>
  need(
    `${agentName(request.agent.name)} asks for a credential`,
    facts([
      ...askerFacts(request.agent),
      ['It asks for', request.description],
      ['Stores it as', request.vault_key],
      ['Expires', ends(request.expires_at)],
    ]),
    html`<a class="button decide" href="/credentials#account=${accountId}">Enter its code</a>`,
  );

const NOTICE_KINDS = {
  backup_key: 'a backup key',
  e2e_key: 'an encryption key',
  vault_recovery_email: 'the recovery address of the vault',
  email: 'the account address',
  recovery_email: 'the recovery address',
  operator: 'an operator',
  operator_replacement: 'the operators before',
};

type Waits = Pick<OperatorWaitingItem, 'account_id' | 'agent' | 'summary' | 'since' | 'expires_at'>;

const waitingFacts = ({ agent, summary, since, expires_at: end }: Waits): TemplateResult =>
  facts([...askerFacts(agent), ['What', summary], ['Since', time(since)], ['Until', end && ends(end)]]);

/** An account that will be deleted unless a person keeps it. */
export function deletionItem(workspace: Workspace, item: Waits): TemplateResult {
  const keep = () => {
    const work = () => decided(workspace, item.account_id, (service) => service.cancelAccountDeletion({}));
    return settle(workspace, work, 'The account stays.');
  };
  return need(`${agentName(item.agent.name)} will be deleted`, waitingFacts(item), action('Keep it', keep, DECIDE));
}

/** What it is about, beside whose it is. */
const MATTER_OF: Readonly<Record<string, string>> = {
  low_budget: ' has little or nothing left to spend',
  paused_webhook: ' has a webhook that sends nothing',
  expiring_key: ' has a key that ends soon',
  failed_mail: ' could not send a mail',
};

/** What is decided on a page of the agent, also of a kind that a newer service knows. */
export const otherItem = (item: Waits & Pick<OperatorWaitingItem, 'kind'>): TemplateResult =>
  need(
    `${agentName(item.agent.name)}${MATTER_OF[item.kind] ?? ''}`,
    waitingFacts(item),
    html`<a class="button" href=${linkTo(item.account_id, PAGE_OF[item.kind] ?? 'overview')}>Open</a>`,
  );

/** A removal that was announced, which an older factor may stop. */
export function noticeItem(workspace: Workspace, agent: Asker, notice: Notice): TemplateResult {
  const undo = () => {
    const work = () => decided(workspace, agent.account_id, (service) => service.undoNotice({ id: notice.id }));
    return settle(workspace, work, 'It stays.');
  };
  return need(
    `${agentName(agent.name)}: ${NOTICE_KINDS[notice.what]} will be removed`,
    facts([
      ...askerFacts(agent),
      ['What', html`<span class="mono">${notice.target}</span>`],
      ['Requested', time(notice.asked_at)],
      ['Removed', ends(notice.ends_at)],
    ]),
    action('Keep it', undo, DECIDE),
  );
}
