import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { DAY_MS } from '../../kernel/period.ts';
import { hashSecret, randomBase62 } from '../../kernel/secret.ts';
import type { Database } from '../../kernel/transaction.ts';
import { composeMail, newMessageId } from '../../mail/compose.ts';
import type { MailTransport } from '../../mail/smtp-out.ts';
import { type Account, findAccount } from '../accounts/account-rules.ts';
import { plainName } from '../login/login-mail-rules.ts';
import { insertLink } from './link-store.ts';
import { findByUserCode } from './request-store.ts';

export interface LinkMailDeps {
  database: Database;
  transport: MailTransport;
  mailDomain: string;
  baseUrl(): string;
  /** Told where the development outbox put a mail; never what is in it. */
  onSent(fact: { id: string; provider: string; providerId: string }): void;
}

/** The request lives for ten minutes; a mail that comes later is of no use. */
const RETRY_DELAYS_MS = [5000, 30_000, 120_000] as const;

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
export function createLinkMailer(deps: LinkMailDeps): (attempt: JobAttempt<'mail.credential'>) => Promise<JobOutcome> {
  const { database, transport, mailDomain, baseUrl, onSent } = deps;
  return async ({ id: jobId, payload, attempt, now }) => {
    const request = await findByUserCode(database, payload.codeHash);
    if (request?.status !== 'pending' || request.expiresAt <= now) return { status: 'done' };
    const { operatorId } = request;
    const operator = await findAccount(database, operatorId);
    const agent = await findAccount(database, request.accountId);
    const email = operator?.operatorEmail;
    if (!email || operator?.status !== 'active' || agent?.status !== 'active') return { status: 'done' };
    const token = randomBase62(32);
    // Kept longer than the request, to tell whoever comes late that it has expired.
    const link = {
      hash: hashSecret(token),
      requestId: request.id,
      operatorId,
      email,
      expiresAt: request.expiresAt + DAY_MS,
    };
    await database.transaction((tx) => insertLink(tx, link));
    const from = `noreply@${mailDomain}`;
    const raw = await composeMail({
      from: { address: from, name: 'Signet' },
      to: [email],
      // Nothing that an agent wrote: subjects show up on lock screens.
      subject: 'An agent asks you for a credential',
      text: mailText(agent, `${baseUrl()}/credentials#token=${token}`),
      messageId: newMessageId(randomBase62(32), mailDomain),
      date: new Date(now),
      autoSubmitted: 'auto-generated',
    });
    const result = await transport.send({ id: `${jobId}-${attempt}`, envelopeFrom: from, recipients: [email], raw });
    if (result.status === 'sent') onSent({ id: jobId, provider: transport.provider, providerId: result.providerId });
    const delay = RETRY_DELAYS_MS[attempt - 1];
    if (result.status !== 'deferred' || delay === undefined) return { status: 'done' };
    return { status: 'retry', reason: result.reason, runAt: now + delay };
  };
}
