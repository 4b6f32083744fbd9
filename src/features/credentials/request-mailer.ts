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

/** What the agent wrote about its wish stays out: it is shown on our page, to whoever has proven to be asked. */
function mailText({ id, name }: Account, link: string): string {
  const shown = plainName(name ?? '');
  return `${shown ? `${shown} (${id})` : id} asks you for a credential, and somebody entered the code that it was given.

See what it asks for, and give it or refuse:
${link}

You need the code that your agent shows. Nothing is given before you do it on that page.
If you expect no agent to ask you for anything, ignore this mail: without the code nothing can happen.
Whoever has this mail and the code can decide: do not forward it.
`;
}

/** One attempt at mailing a link. Its token is minted here, so that none is ever stored with the job. */
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
    // Kept longer than the request, to tell whoever comes late that it has expired.
    const expiresAt = request.expiresAt + DAY_MS;
    const link = { hash: hashSecret(token), requestId, operatorId, email, expiresAt };
    await database.transaction((tx) => insertLink(tx, link));
    const text = mailText(agent, `${baseUrl()}/credentials#token=${token}`);
    return mailer.send(job, { to: email, subject: 'An agent asks you for a credential', text });
  };
}
