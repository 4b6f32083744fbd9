import { fallbackParse } from './mime-fallback.ts';
import { cleanLine, readMessageIds } from './mime-fields.ts';
import type { ParsedMail } from './parsed-mail.ts';
import { reasonsIn, reportInWords } from './report-in-words.ts';

const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
type ReportedAction = (typeof ACTIONS)[number];

/** The report about one recipient. */
export interface ReportedRecipient {
  /** The address known to the reporting server. Behind a forwarder it differs from ours. */
  address: string;
  /** The address that we sent to, if the servers kept it (RFC 3461 ORCPT). */
  original: string | null;
  action: ReportedAction;
  /** RFC 3463: `5.1.1`. */
  status: string | null;
  /** The text of the refusing server: one line, at most 400 characters. */
  diagnostic: string | null;
}

/** Another server's report about mail that we sent. Its text is untrusted: its length is limited, but it is not verified yet. */
export interface DeliveryReport {
  /** ENVID of RFC 3461, as we gave it to the relay. */
  envelopeId: string | null;
  /** Message-ID of the reported mail, if the report includes its header. */
  messageId: string | null;
  recipients: ReportedRecipient[];
}

/** How much of a part is read: a genuine report has a few lines for each recipient. */
const PART_BYTES = 131_072;
const RECIPIENTS_MAX = 200;
const DIAGNOSTIC_CHARS = 400;

const STATUS_PARTS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const RETURNED_PARTS = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global-headers',
]);

/** The text of a part, or its beginning. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, PART_BYTES));

/** The Message-ID of the mail that a report returns. */
export function returnedIdOf(attachments: ParsedMail['attachments']): string | null {
  const returned = attachments.find(({ contentType }) => RETURNED_PARTS.has(contentType));
  return returned ? fallbackParse(returned.content).rfcMessageId : null;
}

/**
 * Reads a delivery status notification (RFC 3464, RFC 6533), or the prose that qmail, old Exim, Postfix, Sendmail and
 * Exchange send in its place. Null for any other mail, such as an out-of-office reply or a person's answer.
 * `mail` is what the parser made of `raw`. Linear in at most 128 KiB for each part.
 */
export function readDeliveryReport(raw: Uint8Array, mail: ParsedMail): DeliveryReport | null {
  const status = mail.attachments.find(({ contentType }) => STATUS_PARTS.has(contentType));
  const returnedId = returnedIdOf(mail.attachments);
  if (status) {
    const groups = fieldGroups(textOf(status.content));
    const recipients = withWords(
      groups.map(recipientOf).filter((recipient) => recipient !== null),
      mail.text,
    );
    const envelopeId = groups.find((group) => group.has('original-envelope-id'))?.get('original-envelope-id') ?? null;
    if (recipients.length > 0)
      return { envelopeId, messageId: returnedId, recipients: recipients.slice(0, RECIPIENTS_MAX) };
  }
  const words = reportInWords(mail.text.slice(0, PART_BYTES), textOf(raw.subarray(0, 65_536)));
  if (words === null) return null;
  return {
    envelopeId: null,
    messageId: returnedId ?? (words.returned === null ? null : (readMessageIds(words.returned)[0] ?? null)),
    recipients: words.failures.slice(0, RECIPIENTS_MAX).map(({ address, reason }) => ({
      address,
      original: null,
      action: 'failed',
      status: statusIn(reason),
      diagnostic: cleanLine(reason, DIAGNOSTIC_CHARS) || null,
    })),
  };
}

/** A status code in prose, but not an IPv4 address. */
const statusIn = (text: string): string | null =>
  /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1] ?? null;

/** Groups of fields between empty lines, each unfolded, names in lower case (RFC 3464 2.1). */
export function fieldGroups(text: string): Map<string, string>[] {
  const groups: Map<string, string>[] = [];
  let group = new Map<string, string>();
  let last = '';
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') {
      if (group.size > 0) groups.push(group);
      group = new Map();
      continue;
    }
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line) && last !== '') group.set(last, `${group.get(last) ?? ''} ${line.trim()}`);
    else if (colon > 0) {
      last = line.slice(0, colon).trim().toLowerCase();
      // The first of two fields wins.
      if (group.has(last)) last = `${last} again`;
      group.set(last, line.slice(colon + 1).trim());
    }
  }
  if (group.size > 0) groups.push(group);
  return groups;
}

/** `rfc822; bob@example.com` and its sloppy variants. */
function addressIn(value: string | undefined): string | null {
  if (value === undefined) return null;
  const semicolon = value.indexOf(';');
  const address = cleanLine(value.slice(semicolon + 1), 320).replace(/^<|>$/g, '');
  return address.includes('@') ? address : null;
}

function recipientOf(group: Map<string, string>): ReportedRecipient | null {
  const original = addressIn(group.get('original-recipient'));
  const address = addressIn(group.get('final-recipient')) ?? original;
  const status = statusIn(group.get('status') ?? '');
  const word = /^[a-z]+/i.exec(group.get('action') ?? '')?.[0].toLowerCase() ?? '';
  // Without an action, the class of the status decides (RFC 3463 2).
  const action = ACTIONS.find((known) => known === word) ?? actionOf(status);
  if (address === null || action === null) return null;
  const words = (group.get('diagnostic-code') ?? '').replace(/^[A-Za-z0-9-]+;\s*/, '');
  return { address, original, action, status, diagnostic: cleanLine(words, DIAGNOSTIC_CHARS) || null };
}

/** Some servers (OpenSMTPD) leave out Diagnostic-Code and give the reason in the human-readable part. */
function withWords(recipients: ReportedRecipient[], text: string): ReportedRecipient[] {
  if (recipients.every(({ diagnostic }) => diagnostic !== null)) return recipients;
  const reasons = reasonsIn(text.slice(0, PART_BYTES));
  return recipients.map((recipient) => {
    const reason = reasons.get(recipient.address.toLowerCase());
    if (recipient.diagnostic !== null || reason === undefined) return recipient;
    return { ...recipient, diagnostic: cleanLine(reason, DIAGNOSTIC_CHARS) || null };
  });
}

function actionOf(status: string | null): ReportedAction | null {
  if (status === null) return null;
  if (status.startsWith('5')) return 'failed';
  return status.startsWith('4') ? 'delayed' : 'delivered';
}
