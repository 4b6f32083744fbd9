/** The library's server and connection, changed where this service needs more of them. */
import type net from 'node:net';
import type tls from 'node:tls';
import type { SMTPServerOptions } from 'smtp-server';
import { SMTPServer } from 'smtp-server';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { type ClientNetworks, clientNetworks } from '../../base/client-network.ts';
import { monotonicMs } from '../../base/clock.ts';
import { pathRefusal } from './smtp-address.ts';
import { StrictSmtpStream } from './smtp-data-stream.ts';

/** RFC 5321 4.5.3.1.4 asks for 512 octets and more for extensions; SMTPUTF8 addresses and their parameters fit. */
const COMMAND_BYTES = 4096;

/** A message that takes longer loses its connection when another client needs one (RFC 5321 4.5.3.2.5 allows clients more). */
const BUSY_MAX_MS = 60_000;

/** How many commands that came together are served before others have their turn. */
const AT_ONCE = 10;

export type SessionLimits = { maxConnections: number; maxConnectionsPerIp: number; sessionMs: number };

/** A server whose connections greet at once, respect the limits above, and can finish before it closes. */
export class MailServer extends SMTPServer {
  readonly limits: SessionLimits;
  #open = new Set<MailConnection>();
  #draining: Promise<void> | null = null;

  constructor(options: SMTPServerOptions, limits: SessionLimits) {
    super(options);
    this.limits = limits;
  }

  get draining(): boolean {
    return this.#draining !== null;
  }

  override connect(socket: net.Socket | tls.TLSSocket, options?: SMTPConnectionOptions | null): void {
    const connection = this.newConnection(socket, options);
    this.connections.add(connection);
    this.#open.add(connection);
    connection.on('error', (err: Error) => this._onError(err));
    connection.init();
  }

  /** Made here, so that a server can give its connections more. */
  protected newConnection(socket: net.Socket | tls.TLSSocket, options?: SMTPConnectionOptions | null): MailConnection {
    return new MailConnection(this, socket, options);
  }

  /** A connection whose socket is gone. */
  forget(connection: MailConnection): void {
    this.#open.delete(connection);
  }

  /**
   * Why one more connection from this address is refused; null when it is accepted. Idle connections do not block
   * others: when all connections are taken, the one that has been idle longest is closed.
   */
  refusalFor(connection: MailConnection): string | null {
    for (const [i, { name, times }] of connection.networks.entries()) {
      let fromThere = 0;
      for (const other of this.connections) if ((other as MailConnection).networks[i]?.name === name) fromThere += 1;
      if (fromThere > this.limits.maxConnectionsPerIp * times) return '4.7.0 Too many connections from your address';
    }
    // `connections` leaves out those that are closing, which may linger half closed: they do not count.
    if (this.connections.size <= this.limits.maxConnections) return null;
    const idle = this.#longestIdle(connection);
    idle?.dismiss('4.3.2 Too many connections, yours was idle');
    return idle === null ? '4.3.2 Too many connections, try again later' : null;
  }

  #longestIdle(newcomer: MailConnection): MailConnection | null {
    let longest: MailConnection | null = null;
    for (const other of this.#open) {
      if (other === newcomer || !this.connections.has(other) || other.isBusy) continue;
      if (longest === null || other.waitingSince < longest.waitingSince) longest = other;
    }
    return longest;
  }

  /**
   * Stops listening, ends the idle connections, lets the others finish their current message, and drops the rest
   * after `deadlineMs`. (The library's own `close` answers 421 to the next command of a transaction in progress.)
   */
  drain(deadlineMs: number): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      const timer = setTimeout(() => this.#drop(), deadlineMs);
      this.server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      // On the next turn of the event loop, when `draining` is already true.
      setImmediate(() => {
        for (const connection of this.#open) if (!connection.inTransaction) connection.dismiss();
      });
    });
    return this.#draining;
  }

  #drop(): void {
    for (const connection of this.#open) {
      connection.dismiss();
      connection._socket.destroy();
    }
  }
}

/** One client. */
export class MailConnection extends SMTPConnection {
  declare _server: MailServer;
  readonly networks: ClientNetworks = clientNetworks(this.remoteAddress);
  /** When it last sent a complete command or message. In milliseconds of the monotonic clock. */
  waitingSince: number = monotonicMs();
  #sessionTimer: NodeJS.Timeout | null = null;
  #commands = 0;

  /**
   * The library waits 100 ms here before it greets, to catch clients that talk first. This listener talks at once: that
   * wait is the longest part of a delivery between machines of one site, and a client that talks first is harmless.
   */
  override init(): void {
    this.#sessionTimer = setTimeout(() => this.#leave('4.4.2 Session too long'), this._server.limits.sessionMs);
    this.#sessionTimer.unref();
    this._setListeners(() => {
      const refusal = this._server.draining ? '4.3.2 Service closing' : this._server.refusalFor(this);
      if (refusal === null) this.connectionReady();
      else this.#leave(refusal);
    });
  }

  /** Not a listener on the socket: the library removes those when it switches to TLS. */
  override _onClose(): void {
    super._onClose();
    if (this.#sessionTimer !== null) clearTimeout(this.#sessionTimer);
    this._server.forget(this);
  }

  /** Between MAIL and the answer to DATA. */
  get inTransaction(): boolean {
    return Boolean(this.session.envelope?.mailFrom) || Boolean(this._dataStream);
  }

  /** In a transaction that makes progress. */
  get isBusy(): boolean {
    return this.inTransaction && monotonicMs() - this.waitingSince < BUSY_MAX_MS;
  }

  /** Ends the connection with a reply after which a client tries again (RFC 5321 3.8). */
  dismiss(text = '4.3.2 Service closing'): void {
    this.#leave(text);
  }

  #leave(text: string): void {
    if (this._closing || this._closed) return;
    this.send(421, text, false);
    // The library would wait five seconds for the client to close its side.
    this._socket.destroySoon();
  }

  /**
   * The answers to commands that came together (RFC 2920) leave together: one packet for each costs more
   * than the commands do. Only those that nothing but more talk in clear follows wait, and only for the rest of the
   * turn.
   */
  override send(code: number, data?: string | string[], context?: string | false): void {
    const socket = this._socket;
    if (code !== 250 && code !== 354) socket.uncork();
    else if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    super.send(code, data, context);
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    this.waitingSince = monotonicMs();
    this.#commands += 1;
    if (this._server.draining && !this._upgrading && !this.inTransaction) this.dismiss();
    else if (this.#commands % AT_ONCE > 0) super._onCommand(command, callback);
    else
      setImmediate(() => {
        if (!this._closing && !this._closed) super._onCommand(command, callback);
      });
  }

  /** Also the end of every transaction: the moment to leave when the server is closing. */
  override _resetSession(): void {
    super._resetSession();
    this.waitingSince = monotonicMs();
    if (this._server.draining) setImmediate(() => this.dismiss());
  }

  override _createParser(): StrictSmtpStream {
    const parser = new StrictSmtpStream({ maxCommandLength: COMMAND_BYTES });
    parser.oncommand = (command, callback) => this._onCommand(command, callback);
    parser.on('error', (err: Error) => this.send(421, `4.5.0 ${err.message}`, false));
    return parser;
  }

  /** The library silently strips a source route and lets `a%b@domain` pass: both are refused here instead. */
  override handler_RCPT(command: Buffer, callback: () => void): void {
    const refusal = this.session.envelope.mailFrom ? pathRefusal(command.toString()) : null;
    if (refusal === null) {
      super.handler_RCPT(command, callback);
      return;
    }
    this.send(refusal.code, refusal.text, false);
    callback();
  }
}
