import { setTimeout as sleep } from 'node:timers/promises';
import type { SMTPServerAddress, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { clientNetwork } from '../../base/client-network.ts';
import type { Log } from '../../base/log.ts';
import { type BadRecipientLimits, BadRecipients } from './bad-recipients.ts';
import { SharedMemory } from './shared-memory.ts';
import type { SmtpRecipient } from './smtp-address.ts';
import { toEnvelopeFrom, toRecipient } from './smtp-address.ts';
import type { MessageBuffer } from './smtp-data-stream.ts';
import { DEFAULT_SIZE_BYTES, listening, receive, SmtpReply, TRY_LATER } from './smtp-reception.ts';
import { MailServer } from './smtp-session.ts';
import { countReceived, receivedHeader, withoutBlindCopies } from './smtp-trace.ts';

/** RFC 5321 6.3: a message that passed more servers than this is in a loop. */
const HOPS_MAX = 50;

/** The client of the inbound server, for checks of a recipient. */
export type SmtpSession = {
  remoteAddress: string;
  helo: string;
  tls: boolean;
  /** '' for the null sender of a bounce. */
  envelopeFrom: string;
};

export type RcptAnswer = { ok: true } | { ok: false; code: 450 | 451 | 452 | 550 | 551; text: string };
export type AcceptAnswer = { ok: true; text: string } | { ok: false; code: 451 | 452 | 550 | 552 | 554; text: string };

export type ReceivedMail = {
  /** The reverse path, '' for a bounce. Not in `raw`: the server that delivers it finally writes Return-Path. */
  envelopeFrom: string;
  /** `local@domain` in lower case, without repetitions; `postmaster` without a domain for the bare one. */
  recipients: string[];
  /** The message as it was sent, dots unstuffed, without blind copies, behind our own Received header. */
  raw: Buffer;
  remoteAddress: string;
  helo: string;
  tls: boolean;
  smtpUtf8: boolean;
};

export type SmtpLimits = {
  /** Beyond it the connection that has been idle longest is closed; when all are busy, the new one gets 421. */
  maxConnections?: number | undefined;
  /** Per IPv4 address, per /64 of IPv6. */
  maxConnectionsPerIp?: number | undefined;
  maxRecipients?: number | undefined;
  /** Refused recipients after which a session ends with 421. */
  badRecipients?: BadRecipientLimits | undefined;
  /** Milliseconds without a byte from the client. */
  idleMs?: number | undefined;
  /** Milliseconds a whole connection may last: an occasional byte does not keep it open. */
  sessionMs?: number | undefined;
  /** Bytes of all messages being received together; beyond it they are deferred with 451. */
  bufferedBytesMax?: number | undefined;
};

export type SmtpListenerOptions = {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** The name in the greeting, in EHLO and in Received headers. */
  hostname: string;
  sizeBytesMax?: number | undefined;
  /** PEM texts. Without them STARTTLS is neither offered nor accepted. */
  tls?: { key: string | Buffer; cert: string | Buffer } | undefined;
  /** Its fields never hold an address of a recipient or a word of a message. */
  logger: Pick<Log, 'info' | 'warn' | 'error'>;
  now(): Date;
  /** Called for each recipient. An error it throws becomes 451. */
  checkRecipient(address: SmtpRecipient, session: SmtpSession): Promise<RcptAnswer>;
  /**
   * Must not resolve with `ok` before the message is safe on disk: that is what 250 promises. An error it throws becomes
   * 451.
   */
  accept(mail: ReceivedMail): Promise<AcceptAnswer>;
  limits?: SmtpLimits | undefined;
};

export type SmtpListener = {
  port: number;
  /** Resolves when every connection is gone: messages in progress may finish within `deadlineMs` milliseconds. */
  close(deadlineMs: number): Promise<void>;
};

/**
 * Listens for mail from other servers (RFC 5321). It never asks for or accepts AUTH and never relays: `checkRecipient`
 * decides about each recipient. Rejects when it cannot listen.
 */
export async function startSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const { logger, limits = {} } = options;
  const receiver = new Receiver(options);
  const server = new MailServer(serverOptions(options, receiver), {
    maxConnections: limits.maxConnections ?? 1000,
    maxConnectionsPerIp: limits.maxConnectionsPerIp ?? 20,
    sessionMs: limits.sessionMs ?? 1_800_000,
  });
  const port = await listening(server, options);
  logger.info({ host: options.host, port }, 'smtp listening');
  return { port, close: (deadlineMs) => server.drain(deadlineMs) };
}

function serverOptions(options: SmtpListenerOptions, receiver: Receiver): SMTPServerOptions {
  // The receiver does not reject, so this is the library failing to write the answer, which concerns one connection
  // only.
  const failed = (err: unknown): void => options.logger.error({ err }, 'smtp reply failed');
  return {
    name: options.hostname,
    heloResponse: '%s greets %s',
    size: options.sizeBytesMax ?? DEFAULT_SIZE_BYTES,
    maxRecipients: options.limits?.maxRecipients ?? 100,
    socketTimeout: options.limits?.idleMs ?? 60_000,
    // A PTR record proves nothing, and looking it up would delay the greeting.
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', ...(options.tls ? [] : ['STARTTLS'])],
    ...(options.tls ? { key: options.tls.key, cert: options.tls.cert, minVersion: 'TLSv1.2' as const } : {}),
    logger: false,
    // Called back at once: until then the library answers 421 to a fast client.
    onConnect: (_session, callback) => callback(),
    onRcptTo: (address, session, callback) => {
      receiver.recipient(address, session).then(callback).catch(failed);
    },
    onData: (stream, session, callback) => {
      const reply = (answer: AcceptAnswer | null): void => {
        if (answer === null) return;
        if (answer.ok) callback(null, answer.text);
        else callback(new SmtpReply(answer.code, answer.text));
      };
      receiver.message(stream, session).then(reply).catch(failed);
    },
  };
}

const DEFAULT_BUFFERED_BYTES = 268_435_456;

const TOO_MANY_BAD = '4.7.1 Too many recipients that do not exist';
const UNLIMITED = { perSession: Number.POSITIVE_INFINITY, perNetworkPerHour: Number.POSITIVE_INFINITY };

/** Answers RCPT and DATA. Neither method rejects. */
class Receiver {
  readonly #options: SmtpListenerOptions;
  readonly #sizeBytesMax: number;
  readonly #memory: SharedMemory;
  readonly #bad: BadRecipients<SMTPServerSession>;

  constructor(options: SmtpListenerOptions) {
    this.#options = options;
    this.#sizeBytesMax = options.sizeBytesMax ?? DEFAULT_SIZE_BYTES;
    this.#bad = new BadRecipients(options.limits?.badRecipients ?? UNLIMITED);
    this.#memory = new SharedMemory(options.limits?.bufferedBytesMax ?? DEFAULT_BUFFERED_BYTES);
  }

  /** Null to accept. A client that tries out names is slowed down, and disconnected before long. */
  async recipient(address: SMTPServerAddress, session: SMTPServerSession): Promise<SmtpReply | null> {
    const refusal = await this.#check(address, session);
    if (refusal === null || refusal.responseCode < 500) return refusal;
    const { delayMs, isLast } = this.#bad.note(session, session.remoteAddress, this.#options.now().getTime());
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    return isLast ? new SmtpReply(421, TOO_MANY_BAD) : refusal;
  }

  /** Null to accept. Writes the folded address back, so that the envelope holds one spelling of it. */
  async #check(address: SMTPServerAddress, session: SMTPServerSession): Promise<SmtpReply | null> {
    const recipient = toRecipient(address.address);
    if (recipient === null) return new SmtpReply(553, '5.1.3 No such domain');
    if (!session.envelope.smtpUtf8 && /[^\u0020-\u007e]/.test(recipient.local)) {
      return new SmtpReply(553, '5.6.7 This address needs SMTPUTF8');
    }
    try {
      const answer = await this.#options.checkRecipient(recipient, toSession(session));
      if (!answer.ok) return new SmtpReply(answer.code, answer.text);
    } catch (err) {
      this.#options.logger.error({ err }, 'smtp recipient check failed');
      return new SmtpReply(451, TRY_LATER);
    }
    address.address = recipient.domain === '' ? recipient.local : `${recipient.local}@${recipient.domain}`;
    return null;
  }

  /** Reads DATA to its end and answers it. Returns null if the client disconnected before the end; then nothing is kept. */
  message(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<AcceptAnswer | null> {
    const { logger } = this.#options;
    const owner = clientNetwork(session.remoteAddress);
    const reception = { stream, memory: this.#memory, owner, sizeBytesMax: this.#sizeBytesMax, logger };
    return receive(reception, (buffer) => this.#accept(buffer, session));
  }

  async #accept(buffer: MessageBuffer, session: SMTPServerSession): Promise<AcceptAnswer> {
    const peer = toSession(session);
    const { smtpUtf8 = false, rcptTo } = session.envelope;
    const recipients = [...new Set(rcptTo.map((recipient) => recipient.address))];
    const header = receivedHeader({
      ...peer,
      hostname: this.#options.hostname,
      esmtp: session.openingCommand === 'EHLO',
      smtpUtf8,
      id: `${session.id}.${session.transaction}`,
      recipients,
      date: this.#options.now(),
    });
    const taken = buffer.take(header);
    const raw = taken instanceof Promise ? await taken : taken;
    if (countReceived(raw.subarray(header.length)) > HOPS_MAX) {
      return { ok: false, code: 554, text: '5.4.6 Too many hops, this message is in a loop' };
    }
    return this.#options.accept({ ...peer, recipients, raw: withoutBlindCopies(raw), smtpUtf8 });
  }
}

function toSession(session: SMTPServerSession): SmtpSession {
  const { mailFrom } = session.envelope;
  return {
    remoteAddress: session.remoteAddress,
    helo: session.hostNameAppearsAs || '',
    tls: session.secure,
    envelopeFrom: mailFrom === false ? '' : toEnvelopeFrom(mailFrom.address),
  };
}
