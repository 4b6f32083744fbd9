/** Delivers mail to the servers of its recipients, without a relay (RFC 5321 5.1). */
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { MxConnection, MxError, MxOptions } from 'mx-connect';
import type { createTransport, NodemailerError } from 'nodemailer';
import { slicesOf } from '../../base/byte-slices.ts';
import { domainOf } from '../address/mail-address.ts';
import { DialogueWatch } from './dialogue-watch.ts';
import { outcomeOfMx, together } from './direct-outcome.ts';
import type { DnsResolve, DnsType } from './dns-lookup.ts';
import { DomainSlots, type MailSender } from './domain-slots.ts';
import {
  envelopeOf,
  failureOf,
  isBeforeMessage,
  notifications,
  oneLine,
  type SendOutcome,
  sentOf,
  TookTooLong,
} from './smtp-reply.ts';
import { memoryOfProcess, type PolicyMemory, policyCaches } from './sts-policies.ts';

/** A step of a delivery, in words. */
export type Hop = { step: 'mx' | 'connect' | 'policy' | 'tls' | 'reply'; text: string };

export interface DirectOptions {
  /** The name of this server in EHLO: the one that its PTR record says. */
  hostname: string;
  resolve: DnsResolve;
  /** False only in development: a domain could name any server of our own network as its mail server. */
  blockPrivate: boolean;
  /** The port of mail servers; 25 except in tests. */
  port?: number | undefined;
  /** Milliseconds to connect to one address. */
  connectMs?: number | undefined;
  /** Milliseconds that a server may take for a reply, before it has the message. */
  idleMs?: number | undefined;
  /** Milliseconds of silence from a server that takes the message, its final reply included. */
  dataMs?: number | undefined;
  /** MTA-STS policies; by default those that this process has seen. */
  policies?: PolicyMemory | undefined;
  /** Called with each step. */
  onHop?: ((hop: Hop) => void) | undefined;
}

export interface DirectMessage {
  id: string;
  envelopeFrom: string;
  recipients: readonly string[];
  raw: Buffer;
  sender?: MailSender | undefined;
}

/** Servers of one domain that an attempt talks to. */
const SERVERS_MAX = 4;
/** RFC 5321 4.5.3.2.6 asks for 10 minutes, more than an attempt has. A shorter wait sends mail twice. */
const DATA_MS = 180_000;

/** How a server was reached, and what TLS it must have. */
interface Server extends MxConnection {
  isEnforced: boolean;
  /** Loaded before the connection: an idle socket has no listener. */
  createTransport: typeof createTransport;
}

type Attempt = { outcome: SendOutcome; mayTryNext: boolean; isBrokenTls: boolean };

/** One provider for a process: it remembers which domains are busy or down. */
export class DirectProvider {
  readonly name = 'smtp';
  readonly #options: DirectOptions;
  readonly #slots = new DomainSlots();
  readonly #policies: ReturnType<typeof policyCaches>;

  constructor(options: DirectOptions) {
    this.#options = options;
    this.#policies = policyCaches(options.policies ?? memoryOfProcess());
  }

  /** Sends to each domain of the recipients, and puts the outcomes together. */
  async deliver(message: DirectMessage, signal: AbortSignal): Promise<SendOutcome> {
    const domains = Map.groupBy(message.recipients, domainOf);
    const outcomes = await Promise.all(
      [...domains].map(async ([domain, recipients]) => {
        const outcome = await this.#toDomain(domain, { ...message, recipients }, signal);
        return { recipients, outcome };
      }),
    );
    return together(outcomes);
  }

  close(): void {}

  async #toDomain(domain: string, message: DirectMessage, signal: AbortSignal): Promise<SendOutcome> {
    const slot = this.#slots.take(domain, { isOwn: message.envelopeFrom === '', sender: message.sender });
    if ('reason' in slot) return { status: 'deferred', rejected: [], ...slot };
    try {
      const outcome = await this.#toServers(domain, message, signal);
      slot.release(outcome.isDown ? outcome.reason : null);
      return outcome.outcome;
    } catch (err) {
      const { reason } = signal;
      const isLate = reason instanceof TookTooLong;
      slot.release(isLate ? reason.message : null);
      if (!isLate) throw err;
      return { status: 'deferred', reason: oneLine(`451 4.4.1 ${domain}: ${reason.message}`), rejected: [] };
    }
  }

  /** Tries the servers of a domain in their order, until one has heard of the message. */
  async #toServers(
    domain: string,
    message: DirectMessage,
    signal: AbortSignal,
  ): Promise<{ outcome: SendOutcome; isDown: boolean; reason: string }> {
    const tried: string[] = [];
    let last: SendOutcome | null = null;
    for (let n = 0; n < SERVERS_MAX; n++) {
      let server: Server;
      try {
        server = await this.#connect(domain, tried, signal);
      } catch (err) {
        signal.throwIfAborted();
        const outcome = last ?? outcomeOfMx(err as MxError);
        return { outcome, isDown: outcome.status === 'deferred', reason: oneLine((err as Error).message) };
      }
      tried.push(server.host);
      const { outcome, mayTryNext } = await this.#toServer(server, message, signal);
      if (!mayTryNext) return { outcome, isDown: false, reason: '' };
      last = outcome;
    }
    return { outcome: last as SendOutcome, isDown: false, reason: '' };
  }

  /** Over TLS if the server offers it. Broken TLS is worse than none only where the domain's policy says so (RFC 7435). */
  async #toServer(server: Server, message: DirectMessage, signal: AbortSignal): Promise<Attempt> {
    const attempt = await this.#talk(server, message, { isPlain: false, signal });
    if (!attempt.isBrokenTls || server.isEnforced) return attempt;
    this.#hop('tls', 'the handshake failed; tried again without TLS, as no policy forbids it');
    let again: Server;
    try {
      again = await this.#connectTo(server, signal);
    } catch {
      return attempt;
    }
    return this.#talk(again, message, { isPlain: true, signal });
  }

  async #talk(
    server: Server,
    { id, envelopeFrom, recipients, raw }: DirectMessage,
    { isPlain, signal }: { isPlain: boolean; signal: AbortSignal },
  ): Promise<Attempt> {
    const watch = this.#watch(server);
    const logged = { logger: watch.logger(), transactionLog: true };
    const transport = server.createTransport({ ...this.#dialogue(server, isPlain), ...logged });
    try {
      const info = await transport.sendMail({
        envelope: envelopeOf(envelopeFrom, recipients),
        dsn: notifications(id, envelopeFrom),
        raw: slicesOf(raw),
        signal,
      });
      return { outcome: sentOf(info, id), mayTryNext: false, isBrokenTls: false };
    } catch (caught) {
      signal.throwIfAborted();
      const err: NodemailerError = watch.isSilent ? new Error('Timeout') : (caught as NodemailerError);
      const outcome = failureOf(err);
      this.#hop('reply', `${server.hostname}: ${outcome.status === 'sent' ? '' : outcome.reason}`);
      // A server that got any of the message may have kept it: no other gets the message in this attempt.
      const mayTryNext = !watch.isBegun && outcome.status === 'deferred' && isBeforeMessage(err);
      return { outcome, mayTryNext, isBrokenTls: mayTryNext && isTlsFault(err) };
    } finally {
      watch.end();
      server.socket.destroy();
    }
  }

  #watch({ socket }: Server): DialogueWatch {
    return new DialogueWatch({
      idleMs: this.#options.idleMs ?? 45_000,
      onSilence: () => socket.destroy(),
      onTls: () => this.#hop('tls', 'on, by STARTTLS'),
      onReply: (text) => this.#hop('reply', text),
    });
  }

  #dialogue({ socket, hostname, port, isEnforced }: Server, isPlain: boolean) {
    const { connectMs = 15_000, dataMs = DATA_MS } = this.#options;
    // Called only for a certificate whose chain is trusted.
    const identify = (name: string, cert: PeerCertificate) => {
      const fault = checkServerIdentity(name, cert);
      this.#hop('tls', fault ? `the certificate is not for ${name}` : `the certificate is valid for ${name}`);
      return fault;
    };
    return {
      connection: socket,
      host: hostname,
      port,
      name: this.#options.hostname,
      secure: false,
      ignoreTLS: isPlain,
      requireTLS: isEnforced,
      opportunisticTLS: !isEnforced,
      // Without an MTA-STS policy, accept any certificate: RFC 3207 does not require a valid one.
      tls: { rejectUnauthorized: isEnforced, checkServerIdentity: identify, minVersion: 'TLSv1.2' as const },
      greetingTimeout: connectMs,
      socketTimeout: dataMs,
      // A message is bytes here: nothing in it may make the library read a file or fetch a page.
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }

  #hop(step: Hop['step'], text: string): void {
    this.#options.onHop?.({ step, text: oneLine(text) });
  }

  async #connect(domain: string, tried: readonly string[], signal: AbortSignal): Promise<Server> {
    const server = await this.#open({ target: domain, ignoreMXHosts: tried }, signal);
    this.#hop('mx', `${domain}: ${server.hostname}`);
    this.#hop('connect', `${server.hostname}[${server.host}]:${server.port}`);
    const policy = server.policyMatch;
    if (policy && policy.mode !== 'none') this.#hop('policy', `MTA-STS: ${policy.mode}`);
    return server;
  }

  /** Connects again to a server that was reached before. */
  #connectTo({ hostname, host }: Server, signal: AbortSignal): Promise<Server> {
    const address = host.includes(':') ? { AAAA: [host] } : { A: [host] };
    return this.#open({ target: hostname, mx: [{ exchange: hostname, ...address }] }, signal);
  }

  async #open(where: Pick<MxOptions, 'target' | 'ignoreMXHosts' | 'mx'>, signal: AbortSignal): Promise<Server> {
    const { blockPrivate, resolve, port = 25, connectMs = 15_000 } = this.#options;
    const [{ default: mxConnect }, mailer] = await Promise.all([import('mx-connect'), import('nodemailer')]);
    signal.throwIfAborted();
    const policies = this.#policies();
    const resolveRecords = async (name: string, type: DnsType): Promise<unknown[]> => {
      const records = await resolve(name, type);
      if (type === 'TXT') policies.onText(name, records);
      return records;
    };
    const opening = mxConnect({
      ...where,
      port,
      maxConnectTime: connectMs,
      dnsOptions: { blockLocalAddresses: blockPrivate, resolveRecords },
      // A connection to a named address is the second one of an attempt: its policy was looked at.
      mtaSts: { enabled: where.mx === undefined, cache: policies.cache },
      connectError: (err, _delivery, { host }) => this.#hop('connect', `${host}: ${err.message}`),
    });
    const connection = await endedBy(signal, opening, ({ socket }) => socket.destroy());
    const policy = connection.policyMatch;
    return { ...connection, isEnforced: policy?.mode === 'enforce', createTransport: mailer.createTransport };
  }
}

/** A handshake may fail with a TLS error, or with one of the socket when the server sends an alert. */
const isTlsFault = ({ code, message }: NodemailerError): boolean => code === 'ETLS' || /\b(?:SSL|TLS)/i.test(message);

/** What `work` resolves with, unless the signal is aborted first; then what it makes in the end is discarded. */
function endedBy<T>(signal: AbortSignal, work: Promise<T>, discard: (made: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason);
      work.then(discard, () => {});
    };
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
