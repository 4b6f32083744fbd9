import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import type { LoginDeps, LoginRules, MailedLink } from './mailed-login.ts';

/** Writes a login mail: one link for each account of the address, below our own text. */
function loginMailText(links: readonly MailedLink[], baseUrl: string, limits: Limits): string {
  const entries = links.map(({ accountId, accountName, operator, opens, token }) => {
    const name = quoteWords(accountName ?? '', 80);
    const does =
      opens === 'confirm'
        ? `Confirm that you operate ${accountId}`
        : `Log in to ${accountId}${operator ? ', as its operator' : ''}`;
    return `${does}:\n${baseUrl}/${opens}#token=${token}${name && `\nThe agent calls itself: ${name}`}`;
  });
  const minutes = Math.round(limits.magic_link_ttl_seconds / 60);
  return `\
Someone, probably you, asked to log in with this address. A login link works once and expires after ${minutes} minutes.
If it was not you, ignore this email. Never give a link to anybody.

${entries.join('\n\n')}
`;
}

/** Makes one attempt at a login mail. Tokens are minted here, so that none is stored with the job. */
export function createLoginMailer(
  login: LoginRules,
  { mailer, limits, baseUrl }: LoginDeps,
): (attempt: JobAttempt<'mail.login'>) => Promise<JobOutcome> {
  return async (job) => {
    const { email } = job.payload;
    const links = await login.mintLinks(email, job.now);
    if (links.length === 0) return { status: 'done' };
    return mailer.send(job, {
      to: email,
      subject: 'Your login link',
      text: loginMailText(links, baseUrl(), limits),
    });
  };
}
