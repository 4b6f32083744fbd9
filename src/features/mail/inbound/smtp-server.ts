import type { Limits } from '../../../api/limits.ts';
import { clientNetwork } from '../../../base/client-network.ts';
import { localPartOf } from '../../../mail/address/mail-address.ts';
import type { ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import {
  type AcceptAnswer,
  type RcptAnswer,
  type ReceivedMail,
  type SmtpListener,
  startSmtpListener,
} from '../../../mail/smtp-in/smtp-listener.ts';
import { isReturnPath } from '../../../mail/smtp-out/return-path.ts';
import { findAddress } from '../../account/addresses/address.ts';
import type { BounceRules } from './bounce.ts';
import { type InboundDeps, type Intake, QuotaExceededError } from './intake.ts';
import { ParsingFullError } from './parsing-memory.ts';
import type { PostmasterRules } from './postmaster.ts';

export interface InboundSmtpDeps extends InboundDeps {
  intake: Intake;
  bounces: BounceRules;
  postmaster: PostmasterRules;
  /** Counts an answer about a recipient or a mail, by its code. */
  count(code: string): void;
}

export interface InboundSmtpConfig {
  smtpHost: string;
  /** 0 picks a free port. */
  smtpPort: number;
  /** PEM texts. With them the server offers STARTTLS. */
  smtpTls: { cert: string; key: string } | null;
  mailDomain: string;
  mailHost: string;
  limits: Pick<Limits, 'bad_recipients_per_session' | 'bad_recipients_per_network_per_hour'>;
}

const NO_MAILBOX = '5.1.1 No such mailbox here';
const REFUSED = '5.7.1 The recipient does not take this mail';
/** RFC 3463 3.3, 3.8. */
const NO_ROOM: Record<QuotaExceededError['reason'], AcceptAnswer> = {
  storage_full: { ok: false, code: 452, text: '4.2.2 The mailbox is full' },
  sender_share: { ok: false, code: 452, text: '4.2.2 The mailbox has no room for more mail of this sender' },
  sender_rate: { ok: false, code: 451, text: '4.7.1 Too much mail of this sender, try again later' },
};
const DISK_FULL = { ok: false, code: 451, text: '4.3.1 Not enough space, try again later' } as const;
const TOO_MUCH_WAITS = { ok: false, code: 451, text: '4.3.2 Too much mail waits to be read, try again later' } as const;
const ACCEPTED: AcceptAnswer = { ok: true, text: '2.0.0 Accepted' };

/**
 * Starts the inbound SMTP server. It accepts mail only for addresses that exist and may receive and for the postmaster,
 * and never relays.
 * @throws if it cannot listen
 */
export const startInboundSmtp = (deps: InboundSmtpDeps, config: InboundSmtpConfig): Promise<SmtpListener> =>
  startSmtpListener({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: config.mailHost,
    tls: config.smtpTls ?? undefined,
    logger: { ...deps.log, info: deps.log.debug },
    now: () => new Date(deps.now()),
    checkRecipient: async (recipient) => counted(deps, await checkRecipient(deps, recipient, config.mailDomain)),
    accept: async (mail) => counted(deps, await accept(deps, mail)),
    limits: {
      badRecipients: {
        perSession: config.limits.bad_recipients_per_session,
        perNetworkPerHour: config.limits.bad_recipients_per_network_per_hour,
      },
    },
  });

function counted<T extends RcptAnswer | AcceptAnswer>({ count }: InboundSmtpDeps, answer: T): T {
  count(String(answer.ok ? 250 : answer.code));
  return answer;
}

async function checkRecipient(
  deps: InboundSmtpDeps,
  { local, domain }: { local: string; domain: string },
  mailDomain: string,
): Promise<RcptAnswer> {
  const { bounces, disk, now } = deps;
  if (disk.isLow) return DISK_FULL;
  // A return path stands for the inbox of the mail's sender.
  const isBounce = domain === mailDomain && isReturnPath(local);
  const inbox = isBounce ? await bounces.senderOf(local, now()) : domain === '' ? local : `${local}@${domain}`;
  const owner = inbox === null ? null : await ownerOf(deps, inbox);
  // Said of one recipient, a full mailbox keeps no mail from the others. It keeps no report of a bounce or complaint away:
  // a sender to bad addresses would fill the mailbox.
  if (owner !== null && !isBounce && (await deps.storage.isShut(owner)))
    return { ok: false, code: 452, text: '4.2.2 The mailbox is full' };
  const isKnown = owner !== null || (inbox !== null && (await deps.postmaster.serves(deps.database, inbox)));
  return isKnown ? { ok: true } : { ok: false, code: 550, text: NO_MAILBOX };
}

/** The account that has the address, if it may receive mail. */
async function ownerOf({ database, addresses }: InboundSmtpDeps, inbox: string): Promise<string | null> {
  const address = await findAddress(database, inbox);
  return address !== null && (await addresses.receiver(database, address)) !== null ? address.accountId : null;
}

/** The same result for every call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

async function accept(deps: InboundSmtpDeps, mail: ReceivedMail): Promise<AcceptAnswer> {
  const { envelopeFrom, raw } = mail;
  if (deps.disk.isLow) return DISK_FULL;
  const roles = await rolesOf(deps, mail.recipients);
  const others = mail.recipients.filter((recipient) => !roles.includes(recipient));
  // First, because the people of the service can be sent a mail twice when the rest must be tried again.
  const answer = roles.length === 0 ? ACCEPTED : await deps.postmaster.accept(mail, roles);
  if (others.length === 0) return answer;
  // The sender tries again for all. A refusal for good, of a loop, does not concern the others.
  if (!answer.ok && answer.code === 451) return answer;
  const network = clientNetwork(mail.remoteAddress);
  const parsed = once(() => deps.parser.parse(raw, { network, addresses: others }));
  const inboxes = await inboxesOf(deps, others, { raw, parsed });
  if (inboxes.length === 0) return ACCEPTED;
  const toInboxes = { envelopeFrom, recipients: inboxes, raw, network, parsed };
  // A report about a sent mail is no mail from a stranger.
  const isReport = others.some((recipient) => isReturnPath(localPartOf(recipient)));
  const judged = roles.length === 0 && !isReport ? await deps.intake.judge(toInboxes) : null;
  if (judged?.isRefused) return { ok: false, code: 550, text: REFUSED };
  const delivered = await deps.intake.accept(toInboxes, judged?.read).catch((err: unknown) => {
    if (err instanceof QuotaExceededError) return NO_ROOM[err.reason];
    if (err instanceof ParsingFullError) return TOO_MUCH_WAITS;
    throw err;
  });
  if (typeof delivered !== 'number') return delivered;
  return delivered > 0 || roles.length > 0 ? ACCEPTED : { ok: false, code: 554, text: NO_MAILBOX };
}

/** The recipients that stand for the people who run the service. */
async function rolesOf(deps: InboundSmtpDeps, recipients: readonly string[]): Promise<string[]> {
  const roles: string[] = [];
  for (const recipient of recipients)
    if ((await deps.postmaster.serves(deps.database, recipient)) && (await ownerOf(deps, recipient)) === null)
      roles.push(recipient);
  return roles;
}

/** Records the delivery reports in a mail. @returns the inboxes to deliver the mail to */
async function inboxesOf(
  { bounces, now }: InboundSmtpDeps,
  recipients: readonly string[],
  mail: { raw: Uint8Array; parsed(): Promise<ParsedMail> },
): Promise<string[]> {
  const inboxes = new Set<string>();
  for (const recipient of recipients) {
    const local = localPartOf(recipient);
    const inbox = isReturnPath(local) ? await bounces.record(local, mail, now()) : recipient;
    if (inbox !== null) inboxes.add(inbox);
  }
  return [...inboxes];
}
