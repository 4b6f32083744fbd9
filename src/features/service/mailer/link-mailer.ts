import type { JobOutcome } from '../../../api/job-types.ts';
import { composeMail, newMessageId } from '../../../mail/mime/compose.ts';
import type { MailTransport } from '../../../mail/smtp-out/mail-transport.ts';

export interface LinkMailerDeps {
  transport: Pick<MailTransport, 'send' | 'provider'>;
  mailDomain: string;
  /** Called when a mail was sent, with its place in the development outbox. Never with its content. */
  onSent(sent: { id: string; provider: string; providerId: string }): void;
}

export interface LinkMail {
  to: string;
  /** One line without text that a stranger chose: lock screens show subjects. */
  subject: string;
  text: string;
  /** Milliseconds before the second and later attempts. The default suits a link that lives for 15 minutes. */
  retryDelaysMs?: readonly number[];
}

/** The attempt of the job that sends the mail. */
export interface MailAttempt {
  id: string;
  attempt: number;
  now: number;
  signal: AbortSignal;
}

const RETRY_DELAYS_MS = [5000, 30_000, 120_000, 300_000] as const;

/** Sends the service's own mails to people: each holds a link. */
export class LinkMailer {
  readonly #deps: LinkMailerDeps;

  constructor(deps: LinkMailerDeps) {
    this.#deps = deps;
  }

  /** Makes one attempt. @returns the outcome of the job: a deferred mail is tried again, a refused one is not */
  async send({ id, attempt, now, signal }: MailAttempt, mail: LinkMail): Promise<JobOutcome> {
    const { transport, mailDomain, onSent } = this.#deps;
    const raw = await composeMail({
      from: { address: `noreply@${mailDomain}`, name: 'Signet' },
      to: [mail.to],
      subject: mail.subject,
      text: mail.text,
      // The same in every attempt, so that a server that accepted an earlier attempt can detect the repeat.
      messageId: newMessageId(id, mailDomain),
      date: new Date(now),
      autoSubmitted: 'auto-generated',
    });
    // The null sender (RFC 3834 3.3), because no one reads replies and bounces.
    const result = await transport.send(
      { id: `${id}-${attempt}`, envelopeFrom: '', recipients: [mail.to], raw },
      signal,
    );
    if (result.status === 'sent') onSent({ id, provider: transport.provider, providerId: result.providerId });
    // No attempt was made, so none is counted.
    if (result.status === 'deferred' && result.busyMs !== undefined)
      return { status: 'retry', reason: result.reason, runAt: now + result.busyMs, isUncounted: true };
    const delay = (mail.retryDelaysMs ?? RETRY_DELAYS_MS)[attempt - 1];
    if (result.status !== 'deferred' || delay === undefined) return { status: 'done' };
    return { status: 'retry', reason: result.reason, runAt: now + delay };
  }
}
