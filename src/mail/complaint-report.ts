import { addressIn, fieldGroups, returnedIdOf, textOf } from './delivery-report.ts';
import type { ParsedMail } from './parsed-mail.ts';

/** A recipient's complaint, as his provider reports it (RFC 5965). Untrusted, as a delivery report is. */
export interface ComplaintReport {
  /** The recipients that the report names; many providers leave them out. */
  recipients: string[];
  /** Message-ID of the mail, if the report includes its header. */
  messageId: string | null;
}

const RECIPIENTS_MAX = 20;
/** RFC 5965 7.3 and its registry: `not-spam`, `auth-failure`, `dmarc` and `other` are no complaints. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'miscategorized']);

/**
 * Reads a report in the Abuse Reporting Format. Null for any other mail, and for a report that is no complaint. Linear in
 * at most 128 KiB; the mail was parsed in a worker.
 */
export function readComplaint({ attachments }: Pick<ParsedMail, 'attachments'>): ComplaintReport | null {
  const report = attachments.find(({ contentType }) => contentType === 'message/feedback-report');
  if (!report) return null;
  const text = textOf(report.content);
  const [fields] = fieldGroups(text);
  if (!COMPLAINTS.has(fields?.get('feedback-type')?.toLowerCase() ?? '')) return null;
  const recipients = new Set<string>();
  // The field may stand more than once (RFC 5965 3.2); `fieldGroups` keeps the first.
  for (const [, value] of text.matchAll(/^(?:Original-Rcpt-To|Removal-Recipient):[ \t]*(\S{1,320})[ \t]*\r?$/gim)) {
    const address = addressIn(value);
    if (address !== null && recipients.size < RECIPIENTS_MAX) recipients.add(address);
  }
  return { recipients: [...recipients], messageId: returnedIdOf(attachments) };
}
