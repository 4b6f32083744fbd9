import type { NodemailerError } from 'nodemailer';
import { createTransport } from 'nodemailer';
import { withGrace } from '../kernel/deadline.ts';
import { slicesOf } from './byte-slices.ts';
import type { DkimKey } from './dkim.ts';
import { createDkimSigner } from './dkim.ts';
import { createOutbox } from './outbox-file.ts';

export type OutgoingMessage = {
  /** The service's own id of this delivery, `A-Za-z0-9_-`; names the file of the development outbox. */
  id: string;
  /** The reverse path, '' for the null sender. */
  envelopeFrom: string;
  /** Plain mailboxes, blind copies included. */
  recipients: readonly string[];
  /** The composed message, lines ended by CRLF. */
  raw: Buffer;
  /** Signs this message in place of the transport's own key. */
  dkim?: DkimKey;
};

/**
 * A recipient that the relay refused. `permanent`: a 5xx, so a retry is pointless. `reason` as in {@link
 * SendOutcome}.
 */
export type RejectedRecipient = { address: string; reason: string; permanent: boolean };

/**
 * The outcome of a message. `reason` and `detail` are the remote's words on one line, at most 500 characters.
 * `rejected` lists recipients that were not served: with `sent` the others were; with the other two none was, and it
 * holds what the relay said about each, as far as the dialogue got.
 */
export type SendOutcome =
  | { status: 'sent'; providerId: string; detail: string; rejected: RejectedRecipient[] }
  | { status: 'rejected'; reason: string; rejected: RejectedRecipient[] }
  | { status: 'deferred'; reason: string; rejected: RejectedRecipient[] };

export type MailTransport = {
  provider: 'smtp' | 'file';
  /**
   * Never rejects: a failure is an outcome. After `signal` the relay has a second more to answer; then the
   * connection is dropped and the mail deferred.
   */
  send(message: OutgoingMessage, signal?: AbortSignal): Promise<SendOutcome>;
  /** Ends idle connections to the relay; a message in progress is finished first. */
  close(): void;
};

export type MailTransportOptions = {
  /** `smtp://user:pass@host:port` or `smtps://…`; null writes files instead. */
  relayUrl: string | null;
  /**
   * Asked right before a mail is handed over. False defers it: another process may be sending it by now. By default every
   * mail is handed over.
   */
  mayHandOver?: (() => boolean) | undefined;
  /** Where the file provider writes; made when missing. */
  outboxDir: string;
  /** A function is called with the first mail; while it fails, mail is deferred. */
  dkim?: DkimKey | (() => Promise<DkimKey>) | null | undefined;
  /** Milliseconds to connect and to be greeted. */
  connectMs?: number | undefined;
  /** Milliseconds of silence from the relay. */
  idleMs?: number | undefined;
};

/** The relay may already have the mail and be about to confirm it. Without that answer, the mail would be sent twice. */
const LAST_ANSWER_MS = 1000;

/**
 * Sends mail to the relay, or writes it to files in the development outbox if there is none. Signs with DKIM (RFC
 * 6376). Connects with the first mail.
 */
export function createMailTransport(options: MailTransportOptions): MailTransport {
  const sign = signerOf(options.dkim);
  const provider =
    options.relayUrl === null ? fileProvider(options.outboxDir) : new SmtpProvider(options.relayUrl, options);
  const late = new Error('the service stopped before the relay had answered');
  return {
    provider: provider.name,
    send: async (message, signal) => {
      try {
        return await withGrace({ ms: LAST_ANSWER_MS, late, signal }, async (ending) => {
          const { dkim, raw } = message;
          const signed = await (dkim ? createDkimSigner(dkim) : sign)(raw);
          if (options.mayHandOver?.() === false) throw new Error('this process lost contact with the database');
          return await provider.deliver({ ...message, raw: signed }, ending);
        });
      } catch (err) {
        return { status: 'deferred', reason: oneLine(err instanceof Error ? err.message : String(err)), rejected: [] };
      }
    },
    close: () => provider.close(),
  };
}

function signerOf(dkim: MailTransportOptions['dkim']): (raw: Buffer) => Promise<Buffer> {
  if (!dkim) return async (raw) => raw;
  if (typeof dkim !== 'function') return createDkimSigner(dkim);
  let signer: Promise<(raw: Buffer) => Promise<Buffer>> | null = null;
  return async (raw) => {
    signer ??= dkim().then(createDkimSigner);
    try {
      return await (await signer)(raw);
    } catch (err) {
      signer = null;
      throw err;
    }
  };
}

interface Provider {
  readonly name: 'smtp' | 'file';
  deliver(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
  close(): void;
}

function fileProvider(outboxDir: string): Provider {
  const write = createOutbox(outboxDir);
  return {
    name: 'file',
    deliver: async (message) => {
      const path = await write(message.id, message.raw);
      return { status: 'sent', providerId: path, detail: 'written to the development outbox', rejected: [] };
    },
    close: () => {},
  };
}

/**
 * `SMTP_RELAY_URL` may say `?maxConnections=` for a relay that allows fewer. With a single connection, jobs that wait
 * behind a relay that hangs would outlive their lease.
 */
const CONNECTIONS = 8;

class SmtpProvider implements Provider {
  readonly name = 'smtp';
  readonly #url: string;
  readonly #connectMs: number;
  readonly #idleMs: number;
  #transport: ReturnType<typeof openPool> | null = null;

  constructor(url: string, { connectMs = 15_000, idleMs = 120_000 }: MailTransportOptions) {
    this.#url = url;
    this.#connectMs = connectMs;
    this.#idleMs = idleMs;
  }

  async deliver(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    this.#transport ??= openPool(this.#url, this.#connectMs, this.#idleMs);
    // Objects, because strings would be parsed as lists of addresses.
    const to = message.recipients.map((address) => ({ address, name: '' }));
    const from = message.envelopeFrom === '' ? false : { address: message.envelopeFrom, name: '' };
    try {
      const raw = slicesOf(message.raw);
      const info = await this.#transport.sendMail({ envelope: { from, to }, dsn: notifications(message), raw, signal });
      const detail = oneLine(info.response);
      return {
        status: 'sent',
        // Some relays replace our Message-ID. A report will then name the new one.
        providerId: queueIdOf(detail) ?? info.serverMessageId ?? message.id,
        detail,
        rejected: rejectedOf(info.rejectedErrors),
      };
    } catch (err) {
      return failureOf(err as NodemailerError);
    }
  }

  close(): void {
    this.#transport?.close();
  }
}

function openPool(url: string, connectMs: number, idleMs: number) {
  const transport = createTransport({
    pool: true,
    // One for each job that may run (jobs/worker.ts): a mail on which the relay hangs does not delay others.
    maxConnections: CONNECTIONS,
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: idleMs,
    // A message is bytes here: nothing in it may make the library read a file or fetch a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Each failed delivery reports its error itself; without a listener a broken idle connection would end the process.
  transport.on('error', () => {});
  return transport;
}

/**
 * The reports we ask for, from relays that support RFC 3461: failures only, with the header of the mail and our id.
 */
const notifications = ({
  id,
  envelopeFrom,
}: OutgoingMessage): { id?: string; return?: 'headers'; notify: 'never' | 'failure' } =>
  envelopeFrom === '' ? { notify: 'never' } : { id, return: 'headers', notify: 'failure' };

/**
 * Commands about this message. A 5xx to any other (greeting, EHLO, STARTTLS, AUTH) is a problem of
 * the relay or of our configuration.
 */
const MESSAGE_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/**
 * Permanent only when the relay refused this very message with 5xx (RFC 5321 4.2.1). Everything else, wrong credentials
 * and broken TLS included, may be fixed while the mail waits.
 */
function failureOf(err: NodemailerError): SendOutcome {
  const reason = oneLine(err.response ?? err.message);
  const rejected = rejectedOf(err.rejectedErrors);
  // Without a reply these two codes are the library's own refusal of an address or a size.
  const unsendable = err.responseCode === undefined && (err.code === 'EENVELOPE' || err.code === 'EMESSAGE');
  const refused = err.permanent === true && err.command !== undefined && MESSAGE_COMMANDS.has(err.command);
  const permanent = unsendable || (refused && rejected.every((recipient) => recipient.permanent));
  return { status: permanent ? 'rejected' : 'deferred', reason, rejected };
}

function rejectedOf(errors: readonly NodemailerError[] | undefined): RejectedRecipient[] {
  return (errors ?? []).map((err) => ({
    address: err.recipient ?? '',
    reason: oneLine(err.response ?? err.message),
    permanent: err.permanent === true,
  }));
}

const oneLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed();

/** The relay's own name for the message, when its reply is one of the usual ones: `250 2.0.0 Ok: queued as 4F1A…`. */
const queueIdOf = (response: string): string | null =>
  /\b(?:queued as|queued mail for delivery|id=|id )\s*<?([A-Za-z0-9._@-]{4,100})/i.exec(response)?.[1] ?? null;
