import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type Account, findAccount } from '../../account/accounts/account-lifecycle.ts';
import { confirmedOperators, isOperator } from '../../account/people/person.ts';
import { mintLink } from '../../service/mailer/mailed-link.ts';
import type { SecretRequestDeps } from './secret-request.ts';
import { findByUserCode } from './secret-request-store.ts';

/** The mail leaves out the agent's description: only our page shows it, to a proven operator. */
function mailText({ id, name }: Account, link: string): string {
  const shown = quoteWords(name ?? '');
  return `\
An agent of yours asks you for a credential. Someone entered its code on our page.

Review the request, then approve or deny it:
${link}

You need the code that your agent shows. The agent gets nothing until you approve on that page. No email of ours ever
contains a code. If you did not expect this, ignore this email. Nothing happens without the code.
Anyone with this email and the code can decide, so do not forward it.

Account: ${id}
${shown ? `The agent calls itself: ${shown}\n` : ''}`;
}

/** Makes one attempt to mail a link to an operator. The job holds no token: each attempt creates its own. */
export function createRequestMailer(
  deps: SecretRequestDeps,
): (job: JobAttempt<'mail.credential'>) => Promise<JobOutcome> {
  const { database, mailer, enqueueJob, baseUrl } = deps;
  return async (job) => {
    const { payload, now } = job;
    const { codeHash, email } = payload;
    const request = await findByUserCode(database, codeHash);
    if (request?.status !== 'pending' || request.expiresAt <= now) return { status: 'done' };
    const { id: subject, operatorId } = request;
    if (email === undefined) {
      const operators = await confirmedOperators(database, operatorId);
      const complete: JobOutcome['complete'] = async (tx) => {
        for (const { address } of operators)
          await enqueueJob(tx, { kind: 'mail.credential', payload: { codeHash, email: address }, runAt: now });
      };
      return { status: 'done', complete };
    }
    const operator = await findAccount(database, operatorId);
    const agent = await findAccount(database, request.accountId);
    const isTheirs = await isOperator(database, operatorId, email);
    if (!isTheirs || operator?.status !== 'active' || agent?.status !== 'active') return { status: 'done' };
    // The link outlives the request, so that a late operator learns that the request has expired.
    const expiresAt = request.expiresAt + DAY_MS;
    const link = { kind: 'credential', accountId: operatorId, subject, email, detail: null, expiresAt } as const;
    const token = await database.transaction((tx) => mintLink(tx, link));
    const text = mailText(agent, `${baseUrl()}/credentials#token=${token}`);
    return mailer.send(job, { to: email, subject: 'An agent asks you for a credential', text });
  };
}
