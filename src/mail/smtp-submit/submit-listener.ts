import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import type {
  SMTPServerAddress,
  SMTPServerAuthentication,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import type { Log } from '../../base/log.ts';
import { type ImapClient, type ImapCredentials, ImapRefusal } from '../imap/imap-store.ts';
import { SharedMemory } from '../smtp-in/shared-memory.ts';
import { toEnvelopeFrom } from '../smtp-in/smtp-address.ts';
import type { SmtpListener } from '../smtp-in/smtp-listener.ts';
import { DEFAULT_SIZE_BYTES, listening, receive, SmtpReply, TRY_LATER } from '../smtp-in/smtp-reception.ts';
import { countReceived } from '../smtp-in/smtp-trace.ts';
import { AUTH_METHODS, SubmitServer } from './submit-session.ts';

/** RFC 5321 6.3: a message that passed more servers than this is in a loop. */
const HOPS_MAX = 50;
/** Above what any account may send to. It bounds the memory of a session. */
const RECIPIENTS_MAX = 1000;
const FAILURE_MS = 1000;
const DEFAULT_BUFFERED_BYTES = 134_217_728;

export type SubmitAnswer = { ok: true; text?: string } | { ok: false; code: number; text: string };

/** A mail as a program handed it over. */
export interface SubmittedMail {
  client: ImapClient;
  /** The reverse path and the recipients, as they were accepted. */
  from: string;
  recipients: readonly string[];
  /** The message as it came, dots unstuffed. */
  bytes: Buffer;
  smtpUtf8: boolean;
  /** Names the transaction in a trace. */
  id: string;
}

/** Who takes the mail of programs. `L` is a login. What a method throws becomes 451. */
export interface SubmitService<L> {
  /** Whether a network may open a connection now. */
  admits(client: ImapClient): Promise<boolean>;
  /**
   * @param ended called at most once, when the login ends while the session is open
   * @throws ImapRefusal `AUTHENTICATIONFAILED`, `PRIVACYREQUIRED`, `LIMIT`, `UNAVAILABLE`
   */
  login(credentials: ImapCredentials, client: ImapClient, ended: () => void): Promise<L>;
  /** Whose mail it is that a login hands over: all of an owner share what it may hold of the memory. */
  ownerOf(login: L): string;
  /** The session of a login is over. */
  left(login: L): void;
  /** Whether the login may send with this reverse path. */
  sender(login: L, from: string): Promise<SubmitAnswer>;
  /** @param others how many recipients the mail has already */
  recipient(login: L, mail: { from: string; to: string; others: number }): Promise<SubmitAnswer>;
  /** Must not resolve with `ok` before the message is safe on disk: that is what 250 promises. */
  accept(login: L, mail: SubmittedMail): Promise<SubmitAnswer>;
}

export interface SubmitListenerOptions<L> {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** The name in the greeting and in EHLO. */
  hostname: string;
  /** Null: STARTTLS is not offered. */
  tls: { context(): SecureContext } | null;
  /** Whether connections begin with TLS (RFC 8314 3.3). Needs `tls`. */
  implicitTls: boolean;
  /** Whether a client may log in over a connection that is not encrypted. */
  mayLoginInClear(remoteAddress: string): boolean;
  service: SubmitService<L>;
  /** Its fields never hold an address, a secret or a word of a message. */
  log: Pick<Log, 'debug' | 'warn' | 'error'>;
  sizeBytesMax?: number | undefined;
  limits?:
    | {
        maxConnections?: number | undefined;
        maxConnectionsPerIp?: number | undefined;
        /** Milliseconds without a byte from the client. */
        idleMs?: number | undefined;
        /** Milliseconds a whole connection may last. */
        sessionMs?: number | undefined;
        bufferedBytesMax?: number | undefined;
      }
    | undefined;
}

/**
 * Listens for mail programs that hand over mail (RFC 6409). All of it comes from a login; `service` decides who that is and
 * what it may send. Rejects when it cannot listen.
 */
export async function startSubmitListener<L>(options: SubmitListenerOptions<L>): Promise<SmtpListener> {
  const { log, limits = {}, tls, host } = options;
  const submission = new Submission(options);
  const server = new SubmitServer(
    serverOptions(options, submission),
    {
      maxConnections: limits.maxConnections ?? 1000,
      maxConnectionsPerIp: limits.maxConnectionsPerIp ?? 50,
      sessionMs: limits.sessionMs ?? 1_800_000,
    },
    { context: tls && (() => tls.context()), mayLoginInClear: options.mayLoginInClear },
  );
  submission.of(server);
  const port = await listening(server, { host, port: options.port, logger: log });
  log.debug({ host, port }, 'submission listening');
  return { port, close: (deadlineMs) => server.drain(deadlineMs) };
}

type Done = (err?: Error | null) => void;

function serverOptions<L>(options: SubmitListenerOptions<L>, submission: Submission<L>): SMTPServerOptions {
  const { log, limits, tls, implicitTls } = options;
  // The methods do not reject, so this is the library failing to write the answer, which concerns one connection only.
  const failed = (err: unknown): void => log.error({ err }, 'submission reply failed');
  const answer = (work: Promise<SubmitAnswer | null>, callback: (err: Error | null, text?: string) => void): void => {
    const reply = (given: SubmitAnswer | null): void => {
      if (given === null) return;
      if (given.ok) callback(null, given.text);
      else callback(new SmtpReply(given.code, given.text));
    };
    work.then(reply).catch(failed);
  };
  return {
    name: options.hostname,
    heloResponse: '%s greets %s',
    size: options.sizeBytesMax ?? DEFAULT_SIZE_BYTES,
    maxRecipients: RECIPIENTS_MAX,
    socketTimeout: limits?.idleMs ?? 300_000,
    // A PTR record proves nothing, and looking it up would delay the greeting.
    disableReverseLookup: true,
    authMethods: AUTH_METHODS,
    authRequiredMessage: '5.7.0 Log in first',
    // Ours decides, which knows the client.
    allowInsecureAuth: true,
    hideENHANCEDSTATUSCODES: false,
    disabledCommands: ['XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', ...(tls && !implicitTls ? [] : ['STARTTLS'])],
    secure: implicitTls,
    minVersion: 'TLSv1.2',
    logger: false,
    onConnect: (session, callback) => answer(submission.connect(session), callback as Done),
    onAuth: (auth, session, callback) => {
      submission
        .login(auth, session)
        .then((login) => callback(null, { user: login }))
        .catch((err: unknown) => callback(err as Error));
    },
    onMailFrom: (address, session, callback) => answer(submission.sender(address, session), callback as Done),
    onRcptTo: (address, session, callback) => answer(submission.recipient(address, session), callback as Done),
    onData: (stream, session, callback) => answer(submission.message(stream, session), callback),
  };
}

const ACCEPTED: SubmitAnswer = { ok: true };
const SHUT: SubmitAnswer = { ok: false, code: 421, text: '4.7.0 Too many failed logins from your network' };
const NEEDS_UTF8: SubmitAnswer = { ok: false, code: 553, text: '5.6.7 This address needs SMTPUTF8' };
const ENDED = '4.7.0 Your login has ended';

/** What a refused login is answered with. */
function refusedLogin({ code, message }: ImapRefusal): SmtpReply {
  if (code === 'AUTHENTICATIONFAILED') return new SmtpReply(535, `5.7.8 ${message}`);
  if (code === 'PRIVACYREQUIRED') return new SmtpReply(538, `5.7.11 ${message}`);
  return new SmtpReply(454, `4.7.0 ${message}`);
}

/** Answers the commands. No method rejects but `login`. */
class Submission<L> {
  readonly #options: SubmitListenerOptions<L>;
  readonly #memory: SharedMemory;
  #server: SubmitServer | null = null;

  constructor(options: SubmitListenerOptions<L>) {
    this.#options = options;
    this.#memory = new SharedMemory(options.limits?.bufferedBytesMax ?? DEFAULT_BUFFERED_BYTES);
  }

  of(server: SubmitServer): void {
    this.#server = server;
  }

  connect(session: SMTPServerSession): Promise<SubmitAnswer> {
    return this.#tried(async () => ((await this.#options.service.admits(clientOf(session))) ? ACCEPTED : SHUT));
  }

  /** @throws SmtpReply */
  async login(auth: SMTPServerAuthentication, session: SMTPServerSession): Promise<L> {
    const { service, log } = this.#options;
    const connection = this.#server?.connectionOf(session);
    try {
      const given = credentialsOf(auth);
      const login = await service.login(given, clientOf(session), () => connection?.end(ENDED));
      // It may have left meanwhile.
      if (connection === undefined || connection._closed) service.left(login);
      else connection.loggedIn(() => service.left(login));
      return login;
    } catch (err) {
      if (!(err instanceof ImapRefusal)) log.error({ err }, 'submission login failed');
      const reply = err instanceof ImapRefusal ? refusedLogin(err) : new SmtpReply(454, TRY_LATER);
      if (reply.responseCode === 535) await sleep(FAILURE_MS, undefined, { ref: false });
      throw reply;
    }
  }

  sender(address: SMTPServerAddress, session: SMTPServerSession): Promise<SubmitAnswer> {
    return this.#tried(async () => {
      if (needsUtf8(address, session)) return NEEDS_UTF8;
      address.address = toEnvelopeFrom(address.address);
      return this.#options.service.sender(session.user as L, address.address);
    });
  }

  recipient(address: SMTPServerAddress, session: SMTPServerSession): Promise<SubmitAnswer> {
    return this.#tried(async () => {
      if (needsUtf8(address, session)) return NEEDS_UTF8;
      // Written back, so that the envelope holds one spelling of it.
      address.address = toEnvelopeFrom(address.address);
      const { rcptTo } = session.envelope;
      const isNew = !rcptTo.some((known) => known.address === address.address);
      const mail = { from: fromOf(session), to: address.address, others: rcptTo.length - (isNew ? 0 : 1) };
      return this.#options.service.recipient(session.user as L, mail);
    });
  }

  /** Reads DATA to its end and answers it. Null if the client disconnected before the end; then nothing is kept. */
  message(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<SubmitAnswer | null> {
    const { log: logger, sizeBytesMax = DEFAULT_SIZE_BYTES, service } = this.#options;
    const owner = service.ownerOf(session.user as L);
    return receive<SubmitAnswer>({ stream, memory: this.#memory, owner, sizeBytesMax, logger }, async (buffer) => {
      const bytes = await buffer.take(Buffer.alloc(0));
      if (countReceived(bytes) > HOPS_MAX)
        return { ok: false, code: 554, text: '5.4.6 Too many hops, this message is in a loop' };
      return service.accept(session.user as L, {
        client: clientOf(session),
        from: fromOf(session),
        recipients: session.envelope.rcptTo.map(({ address }) => address),
        bytes,
        smtpUtf8: session.envelope.smtpUtf8 ?? false,
        id: `${session.id}.${session.transaction}`,
      });
    });
  }

  async #tried(work: () => Promise<SubmitAnswer>): Promise<SubmitAnswer> {
    try {
      return await work();
    } catch (err) {
      this.#options.log.error({ err }, 'submission command failed');
      return { ok: false, code: 451, text: TRY_LATER };
    }
  }
}

const clientOf = ({ remoteAddress, secure }: SMTPServerSession): ImapClient => ({ remoteAddress, tls: secure });

const fromOf = ({ envelope: { mailFrom } }: SMTPServerSession): string => (mailFrom === false ? '' : mailFrom.address);

/** RFC 6531 3.4: the local part. A domain has a form in ASCII. */
const needsUtf8 = ({ address }: SMTPServerAddress, { envelope }: SMTPServerSession): boolean =>
  !envelope.smtpUtf8 && /[^\u0020-\u007e]/.test(address.slice(0, address.lastIndexOf('@') + 1));

/** @throws ImapRefusal for a login in another's name (RFC 4616 2) */
function credentialsOf(auth: SMTPServerAuthentication): ImapCredentials {
  const { username = '', password, accessToken, authzid, authcid } = auth;
  if (authzid && authcid && authzid !== authcid)
    throw new ImapRefusal('AUTHENTICATIONFAILED', 'Nobody can log in for another');
  if (accessToken !== undefined) return { kind: 'token', user: username, secret: accessToken };
  return { kind: 'password', user: username, secret: password ?? '' };
}
