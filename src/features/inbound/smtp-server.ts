import type { Log } from '../../kernel/log.ts';
import { localPartOf } from '../../kernel/mail-address.ts';
import type { Database } from '../../kernel/transaction.ts';
import { isReturnPath } from '../../mail/return-path.ts';
import { type AcceptAnswer, type RcptAnswer, type SmtpListener, startSmtpListener } from '../../mail/smtp-in.ts';
import { type AddressRules, findAddress } from '../addresses/address-rules.ts';
import type { BounceRules } from './bounce-rules.ts';
import type { AcceptedMail } from './incoming-mail-rules.ts';
import type { Intake } from './intake-rules.ts';

export interface InboundSmtpDeps {
  database: Database;
  addresses: Pick<AddressRules, 'receivesMail'>;
  intake: Pick<Intake, 'accept'>;
  bounces: BounceRules;
  log: Log;
  now(): number;
}

export interface InboundSmtpConfig {
  smtpHost: string;
  /** 0 picks a free port. */
  smtpPort: number;
  /** PEM texts. With them the server offers STARTTLS. */
  smtpTls: { cert: string; key: string } | null;
  mailDomain: string;
}

const NO_MAILBOX = '5.1.1 No such mailbox here';
const ACCEPTED: AcceptAnswer = { ok: true, text: '2.0.0 Accepted' };

/**
 * Starts the inbound SMTP server. It accepts mail only for addresses that exist and may receive, and never relays.
 * @throws if it cannot listen
 */
export const startInboundSmtp = (deps: InboundSmtpDeps, config: InboundSmtpConfig): Promise<SmtpListener> =>
  startSmtpListener({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: config.mailDomain,
    tls: config.smtpTls ?? undefined,
    logger: { ...deps.log, info: deps.log.debug },
    now: () => new Date(deps.now()),
    checkRecipient: (recipient) => checkRecipient(deps, recipient, config.mailDomain),
    accept: (mail) => accept(deps, mail),
  });

async function checkRecipient(
  { database, addresses, bounces, now }: InboundSmtpDeps,
  { local, domain }: { local: string; domain: string },
  mailDomain: string,
): Promise<RcptAnswer> {
  // A return path stands for the inbox of the mail's sender.
  const isBounce = domain === mailDomain && isReturnPath(local);
  const inbox = isBounce ? await bounces.senderOf(local, now()) : `${local}@${domain}`;
  const address = inbox === null ? null : await findAddress(database, inbox);
  const isKnown = address !== null && (await addresses.receivesMail(database, address));
  return isKnown ? { ok: true } : { ok: false, code: 550, text: NO_MAILBOX };
}

async function accept(deps: InboundSmtpDeps, { envelopeFrom, recipients, raw }: AcceptedMail): Promise<AcceptAnswer> {
  const inboxes = await inboxesOf(deps, recipients, raw);
  if (inboxes.length === 0) return ACCEPTED;
  const delivered = await deps.intake.accept({ envelopeFrom, recipients: inboxes, raw });
  return delivered > 0 ? ACCEPTED : { ok: false, code: 554, text: NO_MAILBOX };
}

/** Records the delivery reports in a mail. @returns the inboxes to deliver the mail to */
async function inboxesOf(
  { bounces, now }: InboundSmtpDeps,
  recipients: readonly string[],
  raw: Uint8Array,
): Promise<string[]> {
  const inboxes = new Set<string>();
  for (const recipient of recipients) {
    const local = localPartOf(recipient);
    const inbox = isReturnPath(local) ? await bounces.record(local, raw, now()) : recipient;
    if (inbox !== null) inboxes.add(inbox);
  }
  return [...inboxes];
}
