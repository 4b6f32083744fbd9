import type { EnqueueJob, JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { DAY_MS } from '../../../base/period.ts';
import { usdc } from '../../../base/usdc.ts';
import { type Account, findAccount, isOpen } from '../../account/accounts/account-lifecycle.ts';
import { confirmedOperators, isOperator } from '../../account/people/person.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { mintLink } from '../../service/mailer/mailed-link.ts';
import { isOverdue } from './approval.ts';
import { findApproval } from './approval-store.ts';
import type { Approval } from './approval-table.ts';
import { DECISION_RETRY_DELAYS_MS, type DecisionMails, type FindWaiting } from './decision-mail.ts';

export interface ApprovalMailDeps {
  database: Database;
  mailer: LinkMailer;
  enqueueJob: EnqueueJob;
  decisionMails: Pick<DecisionMails, 'mayMail'>;
  baseUrl(): string;
}

/** The words of the agent, quoted, for below our own text. */
function wordsOf({ category, description, referenceId }: Approval, { name }: Account): string[] {
  const given: [string, string][] = [
    ['The agent calls itself', name ?? ''],
    ['Category', category],
    ['Description', description],
    ['Reference', referenceId ?? ''],
  ];
  return given.flatMap(([label, words]) => {
    const quoted = quoteWords(words);
    return quoted === '' ? [] : [`${label}: ${quoted}`];
  });
}

const whoAsks = (approval: Approval): string =>
  approval.spenderId === approval.holderId
    ? `Account ${approval.holderId}`
    : `Account ${approval.spenderId}, a pod of ${approval.holderId},`;

function mailText(approval: Approval, spender: Account, link: string): string {
  const { amountUsdc, cause, expiresAt, id, delegationPath } = approval;
  const why =
    cause === 'budget_exceeded' ? 'It exceeds a spending cap.' : 'It exceeds the limit for a single transaction.';
  const lines = [
    `${whoAsks(approval)} asks to spend ${usdc(amountUsdc)} USDC. ${why}`,
    '',
    'Approve or reject:',
    link,
    '',
    `The page shows the request. Nothing happens until you press a button there. It expires at ${iso(expiresAt)}.`,
    'Anyone with this email can decide. Do not forward it.',
    `Approval: ${id}`,
    ...(delegationPath ? [`Asked for by a delegate: ${delegationPath.split('/').at(-1)}`] : []),
    '',
    'What the agent wrote:',
    ...wordsOf(approval, spender),
  ];
  return `${lines.join('\n')}\n`;
}

/** Finds an approval that the address may decide now. Null: it was decided, or the address is no operator. */
async function openApproval(
  { database }: Pick<ApprovalMailDeps, 'database'>,
  approvalId: string,
  email: string,
  now: number,
): Promise<Approval | null> {
  const approval = await findApproval(database, approvalId);
  if (approval?.status !== 'pending' || isOverdue(approval, now)) return null;
  const isTheirs = await isOperator(database, approval.holderId, email);
  return isTheirs && (await isOpen(database, await findAccount(database, approval.holderId))) ? approval : null;
}

async function linkTo(tx: Tx, approval: Approval, email: string, baseUrl: string): Promise<string> {
  const { id, holderId: accountId } = approval;
  // It outlives the approval, so that a late click learns that the approval expired.
  const expiresAt = approval.expiresAt + DAY_MS;
  const token = await mintLink(tx, { kind: 'approval', accountId, subject: id, email, detail: null, expiresAt });
  return `${baseUrl}/approve#id=${id}&token=${token}`;
}

/** Makes one attempt to mail an operator. It creates the token, so that none is ever stored with the job. */
export function createApprovalMailer(
  deps: ApprovalMailDeps,
): (attempt: JobAttempt<'mail.approval'>) => Promise<JobOutcome> {
  const { database, mailer, decisionMails, baseUrl } = deps;
  return async (job) => {
    const { now } = job;
    const { approvalId, email } = job.payload;
    if (email === undefined) return toEach(deps, approvalId, now);
    const approval = await openApproval(deps, approvalId, email, now);
    const spender = approval && (await findAccount(database, approval.spenderId));
    if (!spender) return { status: 'done' };
    const link = await database.transaction(async (tx) => {
      // A repeat of a deferred mail counts once.
      const mayMail = job.attempt > 1 || (await decisionMails.mayMail(tx, email, approvalId, now));
      return mayMail ? linkTo(tx, approval, email, baseUrl()) : null;
    });
    if (link === null) return { status: 'done' };
    return mailer.send(job, {
      to: email,
      // No text of an agent: subjects show up on lock screens.
      subject: `Approve ${usdc(approval.amountUsdc)} USDC?`,
      text: mailText(approval, spender, link),
      retryDelaysMs: DECISION_RETRY_DELAYS_MS,
    });
  };
}

/** Finds an approval for a digest. */
export const waitingApproval =
  ({ database, baseUrl }: Pick<ApprovalMailDeps, 'database' | 'baseUrl'>): FindWaiting =>
  async (id, email, now) => {
    const approval = await openApproval({ database }, id, email, now);
    return (
      approval && {
        line: `${whoAsks(approval)} asks to spend ${usdc(approval.amountUsdc)} USDC, until ${iso(approval.expiresAt)}`,
        mint: (tx) => linkTo(tx, approval, email, baseUrl()),
      }
    );
  };

/** A job of an earlier version names no operator. */
async function toEach(
  { database, enqueueJob }: ApprovalMailDeps,
  approvalId: string,
  now: number,
): Promise<JobOutcome> {
  const approval = await findApproval(database, approvalId);
  const operators = approval ? await confirmedOperators(database, approval.holderId) : [];
  const settle: JobOutcome['settle'] = async (tx) => {
    for (const { address } of operators)
      await enqueueJob(tx, { kind: 'mail.approval', payload: { approvalId, email: address }, runAt: now });
  };
  return { status: 'done', settle };
}
