import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import type { Limits } from '../../kernel/limits.ts';
import type { Database } from '../../kernel/transaction.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import type { LoginRules, MailedLink } from './login-rules.ts';

export interface LoginMailDeps {
  database: Database;
  mailer: LinkMailer;
  login: LoginRules;
  limits: Limits;
  baseUrl(): string;
}

/** Makes an account's name safe for a mail. The account's creator chose the name, and it must not hold a link. */
export const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .slice(0, 60);

/** Writes a login mail: one link for each account of the address, with the account's name. */
function loginMailText(links: readonly MailedLink[], baseUrl: string, limits: Limits): string {
  const entries = links.map(({ accountId, accountName, operator, token }) => {
    const shown = plainName(accountName ?? '');
    const name = shown ? `${shown} (${accountId})` : accountId;
    const role = operator ? ', as its operator' : '';
    return `Log in to ${name}${role}:\n${baseUrl}/login#token=${token}`;
  });
  const minutes = Math.round(limits.magic_link_ttl_seconds / 60);
  const closing = `Each link works once and expires after ${minutes} minutes. If you did not request this email, you can ignore it.`;
  return `${entries.join('\n\n')}\n\n${closing}\n`;
}

/** Makes one attempt at a login mail. Tokens are minted here, so that none is stored with the job. */
export function createLoginMailer(deps: LoginMailDeps): (attempt: JobAttempt<'mail.login'>) => Promise<JobOutcome> {
  const { database, mailer, login, limits, baseUrl } = deps;
  return async (job) => {
    const { email } = job.payload;
    const links = await login.mintLinks(database, email, job.now);
    if (links.length === 0) return { status: 'done' };
    return mailer.send(job, {
      to: email,
      subject: 'Your login link',
      text: loginMailText(links, baseUrl(), limits),
    });
  };
}
