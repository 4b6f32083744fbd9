import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import type { Limits } from '../../kernel/limits.ts';
import { randomBase62 } from '../../kernel/secret.ts';
import type { Database } from '../../kernel/transaction.ts';
import { composeMail, newMessageId } from '../../mail/compose.ts';
import type { MailTransport } from '../../mail/smtp-out.ts';
import type { LoginRules, MailedLink } from './login-rules.ts';

export interface LoginMailDeps {
  database: Database;
  login: LoginRules;
  transport: MailTransport;
  limits: Limits;
  mailDomain: string;
  baseUrl(): string;
  /** Told where the development outbox put a mail; never what is in it. */
  onSent(fact: { id: string; provider: string; providerId: string }): void;
}

/** A login link is worth nothing after 15 minutes, so a mail that could not be handed over is given up soon. */
const RETRY_DELAYS_MS = [5000, 30_000, 120_000, 300_000] as const;

/** An account's name as a mail of ours may repeat it: whoever made the account chose it, and it must not hold a link. */
export const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .slice(0, 60);

/** The text of a login mail: one link per account the address belongs to, each naming the account. */
function loginMailText(links: readonly MailedLink[], baseUrl: string, limits: Limits): string {
  const entries = links.map(({ accountId, accountName, operator, token }) => {
    const shown = plainName(accountName ?? '');
    const name = shown ? `${shown} (${accountId})` : accountId;
    const role = operator ? ', as its operator' : '';
    return `Log in to ${name}${role}:\n${baseUrl}/login#token=${token}`;
  });
  const minutes = Math.round(limits.magic_link_ttl_seconds / 60);
  const closing = `Each link works once, for ${minutes} minutes. If you did not ask for this mail, ignore it: nothing happens without the link.`;
  return `${entries.join('\n\n')}\n\n${closing}\n`;
}

/** One attempt at a login mail. Tokens are minted here, so that none is ever stored with the job. */
export function createLoginMailer(deps: LoginMailDeps): (attempt: JobAttempt<'mail.login'>) => Promise<JobOutcome> {
  const { database, login, transport, limits, mailDomain, baseUrl, onSent } = deps;
  return async ({ id, payload, attempt, now }) => {
    const links = await login.mintLinks(database, payload.email, now);
    if (links.length === 0) return { status: 'done' };
    const from = `noreply@${mailDomain}`;
    // One line of text holds no name of an account: a stranger may have chosen it, and subjects show up on lock screens.
    const raw = await composeMail({
      from: { address: from, name: 'Signet' },
      to: [payload.email],
      subject: 'Your login link',
      text: loginMailText(links, baseUrl(), limits),
      messageId: newMessageId(randomBase62(32), mailDomain),
      date: new Date(now),
      autoSubmitted: 'auto-generated',
    });
    const result = await transport.send({
      id: `${id}-${attempt}`,
      envelopeFrom: from,
      recipients: [payload.email],
      raw,
    });
    if (result.status === 'sent') onSent({ id, provider: transport.provider, providerId: result.providerId });
    const delay = RETRY_DELAYS_MS[attempt - 1];
    if (result.status !== 'deferred' || delay === undefined) return { status: 'done' };
    return { status: 'retry', reason: result.reason, runAt: now + delay };
  };
}
