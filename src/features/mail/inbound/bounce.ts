import { type ComplaintReport, readComplaint } from '../../../mail/mime/complaint-report.ts';
import { type DeliveryReport, type ReportedRecipient, readDeliveryReport } from '../../../mail/mime/delivery-report.ts';
import type { ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import { findOutbox, type OutboxEntry, type Outcome } from '../mailboxes/messages/sent.ts';
import { recordOutcomes } from '../outbox/delivery-status.ts';
import type { InboundDeps } from './intake.ts';

/** Formats a failure for `error`: the status code, then the text of the server, which often has a more precise code. */
function reasonOf({ status, diagnostic }: ReportedRecipient): string {
  if (diagnostic === null) return status === null ? 'The mail came back undelivered.' : `${status} undelivered`;
  return status === null || /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.test(diagnostic)
    ? diagnostic
    : `${status} ${diagnostic}`;
}

/**
 * Whether the report is about this mail. The return path proves the sender; this check excludes a report about another
 * mail that was forwarded under our envelope. A relay that writes its own Message-ID names it in its 250 reply.
 */
function isAbout(
  entry: OutboxEntry,
  { envelopeId, messageId }: Pick<DeliveryReport, 'envelopeId' | 'messageId'>,
): boolean {
  if (envelopeId === entry.id || messageId === null || messageId === entry.rfcMessageId) return true;
  const left = messageId.slice(1).split('@', 1)[0];
  return entry.outcomes.some(({ providerId }) => providerId === messageId || providerId === left);
}

/**
 * The recipient of the mail that a report names. A forwarder reports an address we do not know: then the mail must have
 * had one external recipient. Null if the recipient is not certain.
 */
function recipientOf(
  entry: OutboxEntry,
  { original, address }: Pick<ReportedRecipient, 'original' | 'address'>,
): string | null {
  const ours = new Map(entry.externalRecipients.map((recipient) => [recipient.toLowerCase(), recipient]));
  const named = ours.get((original ?? '').toLowerCase()) ?? ours.get(address.toLowerCase());
  if (named !== undefined) return named;
  return entry.externalRecipients.length === 1 ? (entry.externalRecipients[0] as string) : null;
}

/** A sent mail, and the recipient whose return path was used; null where all had one path. */
interface Copy {
  entry: OutboxEntry;
  recipient: string | null;
}

/** The failures that a report names, by recipient. A report about one copy names its recipient, whatever it says. */
function failuresIn({ entry, recipient }: Copy, report: DeliveryReport): { outcomes: Outcome[]; isUnclear: boolean } {
  const failed = report.recipients.filter(({ action }) => action === 'failed');
  const outcomes: Outcome[] = [];
  for (const reported of failed) {
    const address = recipient ?? recipientOf(entry, reported);
    if (address !== null) outcomes.push({ address, providerId: null, error: reasonOf(reported) });
  }
  return { outcomes, isUnclear: outcomes.length < failed.length };
}

/** Handles mail to signed return paths (docs/adr/0016). */
export class BounceRules {
  readonly #deps: InboundDeps;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
  }

  /** The address that sent the mail of a return path. Null if the path is forged, expired, or of an unknown mail. */
  async senderOf(local: string, now: number): Promise<string | null> {
    return (await this.#copyOf(local, now))?.entry.address ?? null;
  }

  /**
   * Handles mail to a return path. A report of failure ends the outbox entry, a complaint stops mail to its recipient, and
   * other reports change nothing.
   * @returns the inbox to deliver the mail to if it is not a report, such as an absence note; null if it was handled
   */
  async record(
    local: string,
    { raw, parsed }: { raw: Uint8Array; parsed(): Promise<ParsedMail> },
    now: number,
  ): Promise<string | null> {
    const { database, appendEvents, suppressions } = this.#deps;
    const copy = await this.#copyOf(local, now);
    if (!copy) return null;
    const { entry } = copy;
    const mail = await parsed();
    const complaint = readComplaint(mail);
    if (complaint !== null) return this.#complain(copy, complaint, now);
    const report = readDeliveryReport(raw, mail);
    if (report === null || !isAbout(entry, report)) return entry.address;
    const { outcomes, isUnclear } = failuresIn(copy, report);
    if (outcomes.length > 0)
      await database.transaction(async (tx) => {
        const news = await recordOutcomes(tx, appendEvents, { outboxId: entry.id, outcomes, source: 'report', now });
        if (news) await suppressions.learn(tx, news.entry, news, now);
      });
    // A forwarded copy failed, and the report does not say whose: the agent has to read it.
    return isUnclear ? entry.address : null;
  }

  async #complain({ entry, recipient }: Copy, { messageId }: ComplaintReport, now: number): Promise<string | null> {
    const { database, suppressions } = this.#deps;
    if (!isAbout(entry, { envelopeId: null, messageId })) return entry.address;
    // Where all recipients knew one return path, one of several could name the others.
    const known = recipient === null ? entry.externalRecipients : [recipient];
    if (known.length !== 1) return entry.address;
    await database.transaction((tx) => suppressions.complain(tx, entry, known, now));
    return null;
  }

  async #copyOf(local: string, now: number): Promise<Copy | null> {
    const { database, returnPaths } = this.#deps;
    const copy = returnPaths.read(local, now);
    const entry = copy && (await findOutbox(database, copy.outboxId));
    return entry && { entry, recipient: entry.recipients[copy.recipient ?? -1] ?? null };
  }
}
