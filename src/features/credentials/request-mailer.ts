import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { DAY_MS } from '../../kernel/period.ts';
import { hashSecret, randomBase62 } from '../../kernel/secret.ts';
import type { Database } from '../../kernel/transaction.ts';
import { type Account, findAccount } from '../accounts/account-rules.ts';
import { plainName } from '../login/login-mailer.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { insertLink } from './link-store.ts';
import { findByUserCode } from './request-store.ts';

export interface RequestMailDeps {
  database: Database;
  mailer: LinkMailer;
  baseUrl(): string;
}

/** The mail leaves out the agent's description: only our page shows it, to a proven operator. */
function mailText({ id, name }: Account, link: string): string {
  const shown = plainName(name ?? '');
  return `${shown ? `${shown} (${id})` : id} asks you for a credential. Someone entered its code on our page.

Review the request, then approve or deny it:
${link}

You need the code that your agent shows. The agent gets nothing until you approve on that page.
If you did not expect this, ignore this email. Nothing happens without the code.
Anyone with this email and the code can decide, so do not forward it.
`;
}

/** Makes one attempt to mail a link. The job holds no token: each attempt creates its own. */
export function createRequestMailer(
  deps: RequestMailDeps,
): (job: JobAttempt<'mail.credential'>) => Promise<JobOutcome> {
  const { database, mailer, baseUrl } = deps;
  return async (job) => {
    const request = await findByUserCode(database, job.payload.codeHash);
    if (request?.status !== 'pending' || request.expiresAt <= job.now) return { status: 'done' };
    const { id: requestId, operatorId } = request;
    const operator = await findAccount(database, operatorId);
    const agent = await findAccount(database, request.accountId);
    const email = operator?.operatorEmail;
    if (!email || operator?.status !== 'active' || agent?.status !== 'active') return { status: 'done' };
    const token = randomBase62(32);
    // The link outlives the request, so that a late operator learns that the request has expired.
    const expiresAt = request.expiresAt + DAY_MS;
    const link = { hash: hashSecret(token), requestId, operatorId, email, expiresAt };
    await database.transaction((tx) => insertLink(tx, link));
    const text = mailText(agent, `${baseUrl()}/credentials#token=${token}`);
    return mailer.send(job, { to: email, subject: 'An agent asks you for a credential', text });
  };
}
