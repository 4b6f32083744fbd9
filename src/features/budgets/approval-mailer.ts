import { quoteWords } from '../../kernel/agent-words.ts';
import { iso } from '../../kernel/clock.ts';
import type { EnqueueJob, JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret, randomBase62 } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { usdc } from '../../kernel/usdc.ts';
import { type Account, findAccount, isOpen } from '../accounts/account-rules.ts';
import { admits } from '../limits/window-rules.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { confirmedOperators, isOperator } from '../people/person-rules.ts';
import type { Approval } from './approval-data.ts';
import { isOverdue } from './approval-rules.ts';
import { findApproval, insertToken } from './approval-store.ts';
import { addToDigest, dropFromDigest, listDigest } from './digest-store.ts';

export interface ApprovalMailDeps {
  database: Database;
  mailer: LinkMailer;
  enqueueJob: EnqueueJob;
  limits: Pick<Limits, 'approval_mails_per_email_per_hour' | 'approval_mails_per_email_per_day'>;
  baseUrl(): string;
}

/** An approval stays open for a day, so its mail may be retried for longer than a login link. */
const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const;

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

/** Counts a mail to an operator. @returns null when it may be sent now, else when one may be, in milliseconds */
function waitFor(tx: Tx, email: string, limits: ApprovalMailDeps['limits'], now: number): Promise<number | null> {
  const perHour = windowRule(limits, 'approval_mails_per_email_per_hour');
  const perDay = windowRule(limits, 'approval_mails_per_email_per_day');
  return admits(tx, `approval-mail:${hashSecret(email)}`, [perHour, perDay], now);
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

async function mintLink(tx: Tx, { id, expiresAt }: Approval, email: string, baseUrl: string): Promise<string> {
  const token = randomBase62(32);
  await insertToken(tx, { hash: hashSecret(token), approvalId: id, email, expiresAt });
  return `${baseUrl}/approve#id=${id}&token=${token}`;
}

/** Makes one attempt to mail an operator. It creates the token, so that none is ever stored with the job. */
export function createApprovalMailer(
  deps: ApprovalMailDeps,
): (attempt: JobAttempt<'mail.approval'>) => Promise<JobOutcome> {
  const { database, mailer, enqueueJob, limits, baseUrl } = deps;
  return async (job) => {
    const { now } = job;
    const { approvalId, email } = job.payload;
    if (email === undefined) return toEach(deps, approvalId, now);
    const approval = await openApproval(deps, approvalId, email, now);
    const spender = approval && (await findAccount(database, approval.spenderId));
    if (!spender) return { status: 'done' };
    const link = await database.transaction(async (tx) => {
      // A repeat of a deferred mail counts once.
      const waitUntil = job.attempt === 1 ? await waitFor(tx, email, limits, now) : null;
      if (waitUntil === null) return mintLink(tx, approval, email, baseUrl());
      // Of the mails over the limit, the first queues the one mail that lists them.
      if (await addToDigest(tx, email, approvalId))
        await enqueueJob(tx, { kind: 'mail.approval_digest', payload: { email }, runAt: waitUntil });
      return null;
    });
    if (link === null) return { status: 'done' };
    return mailer.send(job, {
      to: email,
      // No text of an agent: subjects show up on lock screens.
      subject: `Approve ${usdc(approval.amountUsdc)} USDC?`,
      text: mailText(approval, spender, link),
      retryDelaysMs: RETRY_DELAYS_MS,
    });
  };
}

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

/** What one digest lists. The rest is in the list of approvals. */
const LISTED_MAX = 20;

function digestText(open: readonly Approval[], links: readonly string[], baseUrl: string): string {
  const listed = links.map((link, i) => {
    const approval = open[i] as Approval;
    return `${whoAsks(approval)} asks to spend ${usdc(approval.amountUsdc)} USDC, until ${iso(approval.expiresAt)}:\n${link}`;
  });
  const rest = open.length - links.length;
  const more = rest > 0 ? `\n\n${rest} more. To see them, log in: ${baseUrl}/login` : '';
  return `\
${open.length} requests wait for your decision. They came faster than we mail single ones.

${listed.join('\n\n')}${more}

Each page shows the request. Nothing happens until you press a button there.
Anyone with this email can decide. Do not forward it.
`;
}

/** Makes one attempt to mail an operator one list of what came over the limit. */
export function createDigestMailer(
  deps: ApprovalMailDeps,
): (attempt: JobAttempt<'mail.approval_digest'>) => Promise<JobOutcome> {
  const { database, mailer, enqueueJob, limits, baseUrl } = deps;
  return async (job) => {
    const { now } = job;
    const { email } = job.payload;
    const ids = await listDigest(database, email);
    const open: Approval[] = [];
    for (const id of ids) {
      const approval = await openApproval(deps, id, email, now);
      if (approval) open.push(approval);
    }
    const links = await database.transaction(async (tx) => {
      const waitUntil = open.length === 0 ? null : await waitFor(tx, email, limits, now);
      if (waitUntil !== null) return waitUntil;
      const minted: string[] = [];
      for (const approval of open.slice(0, LISTED_MAX)) minted.push(await mintLink(tx, approval, email, baseUrl()));
      return minted;
    });
    if (typeof links === 'number') return { status: 'retry', reason: 'too many mails to this operator', runAt: links };
    const settle = async (tx: Tx): Promise<void> => {
      for (const id of ids) await dropFromDigest(tx, email, id);
      // What came meanwhile is for the next digest.
      if ((await listDigest(tx, email)).length > 0)
        await enqueueJob(tx, { kind: 'mail.approval_digest', payload: { email }, runAt: now });
    };
    if (open.length === 0) return { status: 'done', settle };
    const outcome = await mailer.send(job, {
      to: email,
      subject: `${open.length} requests wait for your decision`,
      text: digestText(open, links, baseUrl()),
      retryDelaysMs: RETRY_DELAYS_MS,
    });
    return outcome.status === 'done' ? { ...outcome, settle } : outcome;
  };
}
