import { iso } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret, randomBase62 } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { usdc } from '../../kernel/usdc.ts';
import { type Account, findAccount, isOpen } from '../accounts/account-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import type { Approval } from './approval-data.ts';
import { isOverdue } from './approval-rules.ts';
import { findApproval, insertToken } from './approval-store.ts';

export interface ApprovalMailDeps {
  database: Database;
  mailer: LinkMailer;
  limits: Pick<Limits, 'approval_mails_per_email_per_hour' | 'approval_mails_per_email_per_day'>;
  baseUrl(): string;
}

/** An approval stays open for a day, so its mail may be retried for longer than a login link. */
const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const;

/** Text of an agent for a mail of ours: on one line, and without anything that a mail program turns into a link. */
const quoted = (text: string, charsMax: number): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/:\/\//g, ': //')
    // Most mail programs turn a bare host name into a link.
    .replace(/(?<=[\p{L}\p{N}-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}-]*\p{L})/gu, ' .')
    .trim()
    .slice(0, charsMax);

function mailText(approval: Approval, holder: Account, spender: Account | null, link: string): string {
  const { amountUsdc, category, description, referenceId, cause, expiresAt, id, delegationPath } = approval;
  const who = ({ id: accountId, name }: Account): string => (name ? `${quoted(name, 60)} (${accountId})` : accountId);
  const asks = spender && spender.id !== holder.id ? `${who(spender)}, a pod of ${who(holder)},` : who(holder);
  const why =
    cause === 'budget_exceeded' ? 'It exceeds a spending cap.' : 'It exceeds the limit for a single transaction.';
  const lines = [
    `${asks} asks to spend ${usdc(amountUsdc)} USDC. ${why}`,
    '',
    `Category: ${quoted(category, 100)}`,
    ...(description ? [`Description: ${quoted(description, 500)}`] : []),
    ...(referenceId ? [`Reference: ${quoted(referenceId, 200)}`] : []),
    `Approval: ${id}`,
    ...(delegationPath ? [`Asked for by a delegate: ${delegationPath.split('/').at(-1)}`] : []),
    '',
    'Approve or reject:',
    link,
    '',
    `The page shows the request. Nothing happens until you press a button there. It expires at ${iso(expiresAt)}.`,
    'Anyone with this email can decide. Do not forward it.',
  ];
  return `${lines.join('\n')}\n`;
}

/** Counts a mail to an operator. @returns the milliseconds until it may be sent, 0 for now */
async function waitFor(tx: Tx, email: string, limits: ApprovalMailDeps['limits'], now: number): Promise<number> {
  const perHour = windowRule(limits, 'approval_mails_per_email_per_hour');
  const perDay = windowRule(limits, 'approval_mails_per_email_per_day');
  try {
    await takeWindow(tx, `approval-mail:${hashSecret(email)}`, [perHour, perDay], now);
    return 0;
  } catch (err) {
    if (!(err instanceof ApiError) || err.code !== 'rate_limited') throw err;
    return Number(err.fields.retry_after) * 1000;
  }
}

/** Makes one attempt to mail the operator. It creates the token, so that none is ever stored with the job. */
export function createApprovalMailer(
  deps: ApprovalMailDeps,
): (attempt: JobAttempt<'mail.approval'>) => Promise<JobOutcome> {
  const { database, mailer, limits, baseUrl } = deps;
  return async (job) => {
    const { payload, now } = job;
    const approval = await findApproval(database, payload.approvalId);
    if (approval?.status !== 'pending' || isOverdue(approval, now)) return { status: 'done' };
    const holder = await findAccount(database, approval.holderId);
    const email = holder?.operatorEmail;
    if (!holder || !email || !(await isOpen(database, holder))) return { status: 'done' };
    const token = randomBase62(32);
    const { id: approvalId, expiresAt } = approval;
    const waitMs = await database.transaction(async (tx) => {
      const ms = await waitFor(tx, email, limits, now);
      if (ms === 0) await insertToken(tx, { hash: hashSecret(token), approvalId, email, expiresAt });
      return ms;
    });
    if (waitMs > 0) return { status: 'retry', reason: 'too many mails to this operator', runAt: now + waitMs };
    const link = `${baseUrl()}/approve#id=${approvalId}&token=${token}`;
    const spender = await findAccount(database, approval.spenderId);
    return mailer.send(job, {
      to: email,
      // No text of an agent: subjects show up on lock screens.
      subject: `Approve ${usdc(approval.amountUsdc)} USDC?`,
      text: mailText(approval, holder, spender, link),
      retryDelaysMs: RETRY_DELAYS_MS,
    });
  };
}
