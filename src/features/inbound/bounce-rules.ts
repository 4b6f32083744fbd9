import type { AppendEvent } from '../../kernel/events.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { type DeliveryReport, type ReportedRecipient, readDeliveryReport } from '../../mail/delivery-report.ts';
import type { ParsedMail } from '../../mail/parsed-mail.ts';
import type { ReturnPaths } from '../../mail/return-path.ts';
import { findOutbox, type OutboxEntry, type Outcome } from '../mailboxes/sent-rules.ts';
import { recordOutcomes } from '../outbox/outcome-rules.ts';

export interface BounceDeps {
  database: Database;
  returnPaths: ReturnPaths;
  /** Never throws for what a message says; see `mail/mime.ts`. */
  parse(raw: Uint8Array): Promise<ParsedMail>;
  appendEvent: AppendEvent<Tx>;
}

export interface BounceRules {
  /** The sender to whom a return path leads; null for one that is forged, too old, or of no mail we know. */
  senderBehind(local: string, now: number): Promise<string | null>;
  /**
   * Takes mail to a return path. A report of failure ends the outbox entry, any other report changes nothing.
   * @returns the inbox to deliver it to when it is something else, such as a note of absence; null when it is dealt with
   */
  take(local: string, raw: Uint8Array, now: number): Promise<string | null>;
}

/** A failure as `error` shows it: the status, then the words of the server, which often hold a better one. */
function reasonOf({ status, diagnostic }: ReportedRecipient): string {
  if (diagnostic === null) return status === null ? 'The mail came back undelivered.' : `${status} undelivered`;
  return status === null || /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.test(diagnostic)
    ? diagnostic
    : `${status} ${diagnostic}`;
}

/**
 * Whether the report is about this very mail. The return path was the proof; this keeps out a report about another mail
 * that somebody sent on under our envelope. A relay that writes Message-IDs of its own names the mail by it in its 250.
 */
function isAbout(entry: OutboxEntry, { envelopeId, messageId }: DeliveryReport): boolean {
  if (envelopeId === entry.id || messageId === null || messageId === entry.rfcMessageId) return true;
  const left = messageId.slice(1).split('@', 1)[0];
  return entry.outcomes.some(({ providerId }) => providerId === messageId || providerId === left);
}

/** The recipient of ours that is meant. Behind a forwarder it has another name: then there must be no choice. */
function recipientMeant(entry: OutboxEntry, { original, address }: ReportedRecipient): string | null {
  const ours = new Map(entry.externalRecipients.map((recipient) => [recipient.toLowerCase(), recipient]));
  const named = ours.get((original ?? '').toLowerCase()) ?? ours.get(address.toLowerCase());
  if (named !== undefined) return named;
  return entry.externalRecipients.length === 1 ? (entry.externalRecipients[0] as string) : null;
}

/** Mail that comes back (docs/adr/0016). */
export function createBounceRules({ database, returnPaths, parse, appendEvent }: BounceDeps): BounceRules {
  async function entryBehind(local: string, now: number): Promise<OutboxEntry | null> {
    const id = returnPaths.read(local, now);
    return id === null ? null : findOutbox(database, id);
  }

  return {
    senderBehind: async (local, now) => (await entryBehind(local, now))?.address ?? null,
    take: async (local, raw, now) => {
      const entry = await entryBehind(local, now);
      if (!entry) return null;
      const report = readDeliveryReport(raw, await parse(raw));
      if (report === null || !isAbout(entry, report)) return entry.address;
      const outcomes: Outcome[] = [];
      let unclear = false;
      for (const reported of report.recipients) {
        if (reported.action !== 'failed') continue;
        const address = recipientMeant(entry, reported);
        if (address === null) unclear = true;
        else outcomes.push({ address, providerId: null, error: reasonOf(reported) });
      }
      if (outcomes.length > 0)
        await database.transaction((tx) =>
          recordOutcomes(tx, appendEvent, { outboxId: entry.id, outcomes, source: 'report', now }),
        );
      // Somebody it was passed on to did not get it, and the report does not say by whom: for the agent to read.
      return unclear ? entry.address : null;
    },
  };
}
