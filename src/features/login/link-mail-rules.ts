import type { JobOutcome } from '../../kernel/jobs.ts';
import { composeMail, newMessageId } from '../../mail/compose.ts';
import type { MailTransport } from '../../mail/smtp-out.ts';

/** What is needed to mail a link. */
export interface LinkMailDeps {
  transport: MailTransport;
  mailDomain: string;
  /** Told where the development outbox put a mail; never what is in it. */
  onSent(fact: { id: string; provider: string; providerId: string }): void;
}

export interface LinkMail {
  to: string;
  /** One line of text that holds nothing a stranger chose: subjects show up on lock screens. */
  subject: string;
  text: string;
}

/** A link is worth nothing after 15 minutes, so a mail that could not be handed over is given up soon. */
const RETRY_DELAYS_MS = [5000, 30_000, 120_000, 300_000] as const;

/** Hands one mail with a link in it over, from the service itself. @returns what becomes of its job */
export async function sendLinkMail(
  { transport, mailDomain, onSent }: LinkMailDeps,
  { id, attempt, now, signal }: { id: string; attempt: number; now: number; signal: AbortSignal },
  { to, subject, text }: LinkMail,
): Promise<JobOutcome> {
  const from = `noreply@${mailDomain}`;
  const raw = await composeMail({
    from: { address: from, name: 'Signet' },
    to: [to],
    subject,
    text,
    // The same at each attempt: who took one and lost the answer can tell the next as the same mail.
    messageId: newMessageId(id, mailDomain),
    date: new Date(now),
    autoSubmitted: 'auto-generated',
  });
  // The null sender (RFC 3834 3.3): nobody reads what would come back.
  const result = await transport.send({ id: `${id}-${attempt}`, envelopeFrom: '', recipients: [to], raw }, signal);
  if (result.status === 'sent') onSent({ id, provider: transport.provider, providerId: result.providerId });
  const delay = RETRY_DELAYS_MS[attempt - 1];
  if (result.status !== 'deferred' || delay === undefined) return { status: 'done' };
  return { status: 'retry', reason: result.reason, runAt: now + delay };
}
