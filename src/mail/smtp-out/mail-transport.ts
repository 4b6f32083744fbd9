import type { NodemailerError } from 'nodemailer';
import { slicesOf } from '../../base/byte-slices.ts';
import { withGrace, withTimeout } from '../../base/deadline.ts';
import { type DirectOptions, DirectProvider } from './direct-out.ts';
import type { DkimKey } from './dkim.ts';
import { createDkimSigner } from './dkim.ts';
import type { MailSender } from './domain-slots.ts';
import { createOutbox } from './outbox-file.ts';
import { envelopeOf, failureOf, notifications, oneLine, type SendOutcome, sentOf, TookTooLong } from './smtp-reply.ts';

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
  /** Whose mail it is. Each has only so many direct deliveries at a time. */
  sender?: MailSender;
  /** Milliseconds until the delivery is given up; {@link ATTEMPT_MS} by default. */
  withinMs?: number;
};

/** What an attempt of a job may take in all. With the grace when the service stops, less than a lease (jobs/worker.ts). */
export const ATTEMPT_MS = 270_000;

export type MailTransport = {
  provider: 'smtp' | 'file';
  /** Whether each domain of the recipients has another server. A mail to several is better sent to each by itself. */
  byDomain: boolean;
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
  /** Mail goes to the servers of the recipients, without a relay. */
  direct?: DirectOptions | null | undefined;
  /**
   * Asked right before a mail is handed over, and when that failed. False defers it: another process may be sending it by now. By default every
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
/** Mail that this process may not hand over now is due again so soon: for another one, or for this one once it may. */
const LEFT_MS = 1000;
const AWAY: SendOutcome = {
  status: 'deferred',
  reason: 'this process lost contact with the database',
  rejected: [],
  busyMs: LEFT_MS,
};

/**
 * Sends mail to the relay, or writes it to files in the development outbox if there is none. Signs with DKIM (RFC
 * 6376). Connects with the first mail.
 */
export function createMailTransport(options: MailTransportOptions): MailTransport {
  const sign = signerOf(options.dkim);
  const provider = providerOf(options);
  const late = new Error('the service stopped before the relay had answered');
  const isAway = (): boolean => options.mayHandOver?.() === false;
  return {
    provider: provider.name,
    byDomain: Boolean(options.direct),
    send: async (message, signal) => {
      try {
        const result = await withGrace({ ms: LAST_ANSWER_MS, late, signal }, async (ending) => {
          const { dkim, raw } = message;
          const signed = await (dkim ? createDkimSigner(dkim) : sign)(raw);
          if (isAway()) return AWAY;
          const limit = { ms: message.withinMs ?? ATTEMPT_MS, late: new TookTooLong(), signal: ending };
          return await withTimeout(limit, (ended) => provider.deliver({ ...message, raw: signed }, ended));
        });
        // What failed because this process stood still says nothing about the relay.
        return result.status === 'deferred' && result.rejected.length === 0 && isAway() ? AWAY : result;
      } catch (err) {
        if (isAway()) return AWAY;
        return { status: 'deferred', reason: oneLine(err instanceof Error ? err.message : String(err)), rejected: [] };
      }
    },
    close: () => provider.close(),
  };
}

function providerOf(options: MailTransportOptions): Provider {
  if (options.direct) return new DirectProvider(options.direct);
  return options.relayUrl === null ? fileProvider(options.outboxDir) : new SmtpProvider(options.relayUrl, options);
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
/** For the service's own mail, such as login links: mails of agents on which the relay hangs must not hold it up. */
const CONNECTIONS_OWN = 2;

type Pool = Awaited<ReturnType<typeof openPool>>;

class SmtpProvider implements Provider {
  readonly name = 'smtp';
  readonly #url: string;
  readonly #connectMs: number;
  readonly #idleMs: number;
  readonly #pools = new Map<number, Promise<Pool>>();

  constructor(url: string, { connectMs = 15_000, idleMs = 120_000 }: MailTransportOptions) {
    this.#url = url;
    this.#connectMs = connectMs;
    this.#idleMs = idleMs;
  }

  async deliver(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    const { id, envelopeFrom, recipients } = message;
    const hasOwnPool = envelopeFrom === '' && !this.#url.includes('maxConnections=');
    const transport = await this.#open(hasOwnPool ? CONNECTIONS_OWN : CONNECTIONS);
    const raw = slicesOf(message.raw);
    const envelope = envelopeOf(envelopeFrom, recipients);
    try {
      return sentOf(await transport.sendMail({ envelope, dsn: notifications(id, envelopeFrom), raw, signal }), id);
    } catch (err) {
      return failureOf(err as NodemailerError);
    }
  }

  close(): void {
    for (const pool of this.#pools.values())
      pool.then(
        (transport) => transport.close(),
        () => {},
      );
  }

  /** A failure is not kept: the next mail tries again. */
  async #open(connections: number): Promise<Pool> {
    const opening = this.#pools.get(connections) ?? openPool(this.#url, connections, this.#connectMs, this.#idleMs);
    this.#pools.set(connections, opening);
    try {
      return await opening;
    } catch (err) {
      if (this.#pools.get(connections) === opening) this.#pools.delete(connections);
      throw err;
    }
  }
}

async function openPool(url: string, maxConnections: number, connectMs: number, idleMs: number) {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    pool: true,
    // One for each job that may run (jobs/worker.ts): a mail on which the relay hangs does not delay others.
    maxConnections,
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
