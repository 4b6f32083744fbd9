import { fieldGroups, returnedIdOf, textOf } from './delivery-report.ts';
import type { ParsedMail } from './parsed-mail.ts';

/**
 * A recipient's complaint, as the recipient's provider reports it (RFC 5965). Untrusted, as a delivery report is; the
 * recipients that it names are not read.
 */
export interface ComplaintReport {
  /** Message-ID of the mail, if the report includes its header. */
  messageId: string | null;
}

/** RFC 5965 7.3 and its registry: `not-spam`, `auth-failure`, `dmarc` and `other` are no complaints. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'miscategorized']);

/**
 * Reads a report in the Abuse Reporting Format. Null for any other mail, and for a report that is no complaint. Linear in
 * at most 128 KiB; the mail was parsed in a worker.
 */
export function readComplaint({ attachments }: Pick<ParsedMail, 'attachments'>): ComplaintReport | null {
  const report = attachments.find(({ contentType }) => contentType === 'message/feedback-report');
  if (!report) return null;
  const [fields] = fieldGroups(textOf(report.content));
  if (!COMPLAINTS.has(fields?.get('feedback-type')?.toLowerCase() ?? '')) return null;
  return { messageId: returnedIdOf(attachments) };
}
