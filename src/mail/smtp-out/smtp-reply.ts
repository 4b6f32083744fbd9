/** What the SMTP library says of an attempt, in the words of this service. Shared by the relay and direct delivery. */
import type { NodemailerError } from 'nodemailer';

/**
 * A recipient that the server refused. `permanent`: a 5xx, so a retry is pointless. `reason` as in {@link
 * SendOutcome}.
 */
export type RejectedRecipient = { address: string; reason: string; permanent: boolean };

/**
 * The outcome of a message. `reason` and `detail` are the remote's words on one line, at most 500 characters.
 * `rejected` lists recipients that were not served: with `sent` the others were; with the other two none was, and it
 * holds what the server said about each, as far as the dialogue got.
 */
export type SendOutcome =
  | { status: 'sent'; providerId: string; detail: string; rejected: RejectedRecipient[] }
  | { status: 'rejected'; reason: string; rejected: RejectedRecipient[] }
  | {
      status: 'deferred';
      reason: string;
      rejected: RejectedRecipient[];
      /**
       * Not an attempt: the domain has as many connections as it may, or this process may hand over nothing now, as after it
       * stood still. Milliseconds until it is worth a try.
       */
      busyMs?: number;
    };

/** The reason of the abort when a delivery has used up its time. */
export class TookTooLong extends Error {
  override readonly message = 'the server took too long';
}

/**
 * Commands about this message. A 5xx to any other (greeting, EHLO, STARTTLS, AUTH) is a problem of
 * the server or of our configuration.
 */
const MESSAGE_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/** Whether the server refused before it was told of this message. Another server may take it. */
export const isBeforeMessage = ({ command }: NodemailerError): boolean =>
  command === undefined || !MESSAGE_COMMANDS.has(command);

/**
 * Permanent only when the server refused this very message with 5xx (RFC 5321 4.2.1). Everything else, wrong
 * credentials and broken TLS included, may be fixed while the mail waits.
 */
export function failureOf(err: NodemailerError): SendOutcome {
  const reason = oneLine(err.response ?? err.message);
  const rejected = rejectedOf(err.rejectedErrors);
  // Without a reply these two codes are the library's own refusal of an address or a size.
  const unsendable = err.responseCode === undefined && (err.code === 'EENVELOPE' || err.code === 'EMESSAGE');
  const refused = err.permanent === true && !isBeforeMessage(err);
  const permanent = unsendable || (refused && rejected.every((recipient) => recipient.permanent));
  return { status: permanent ? 'rejected' : 'deferred', reason, rejected };
}

interface Accepted {
  response: string;
  serverMessageId?: string | false | undefined;
  rejectedErrors?: readonly NodemailerError[] | undefined;
}

/** The outcome when the server took the message. `id` is our own, for a server that names none. */
export function sentOf(info: Accepted, id: string): SendOutcome {
  const detail = oneLine(info.response);
  return {
    status: 'sent',
    // Some relays replace our Message-ID. A report will then name the new one.
    providerId: queueIdOf(detail) ?? (info.serverMessageId || id),
    detail,
    rejected: rejectedOf(info.rejectedErrors),
  };
}

function rejectedOf(errors: readonly NodemailerError[] | undefined): RejectedRecipient[] {
  return (errors ?? []).map((err) => ({
    address: err.recipient ?? '',
    reason: oneLine(err.response ?? err.message),
    permanent: err.permanent === true,
  }));
}

export const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed();

/** The server's own name for the message, when its reply is one of the usual ones: `250 2.0.0 Ok: queued as 4F1A…`. */
const queueIdOf = (response: string): string | null =>
  /\b(?:queued as|queued mail for delivery|id=|id )\s*<?([A-Za-z0-9._@-]{4,100})/i.exec(response)?.[1] ?? null;

/** The envelope as the SMTP library takes it. */
export function envelopeOf(envelopeFrom: string, recipients: readonly string[]) {
  return {
    from: envelopeFrom === '' ? (false as const) : { address: envelopeFrom, name: '' },
    // Objects, because strings would be parsed as lists of addresses.
    to: recipients.map((address) => ({ address, name: '' })),
  };
}

/**
 * The reports we ask for, from servers that support RFC 3461: failures only, with the header of the mail and our id.
 */
export const notifications = (
  id: string,
  envelopeFrom: string,
): { id?: string; return?: 'headers'; notify: 'never' | 'failure' } =>
  envelopeFrom === '' ? { notify: 'never' } : { id, return: 'headers', notify: 'failure' };
