/** The server and the connections of mail programs that submit mail: how they log in, and how their replies are coded. */
import type net from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { SMTPServerAuthentication, SMTPServerError, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js';
import { clientNetwork } from '../../base/client-network.ts';
import { MailConnection, MailServer, type SessionLimits } from '../smtp-in/smtp-session.ts';

export const AUTH_METHODS = ['PLAIN', 'LOGIN', 'XOAUTH2', 'OAUTHBEARER'];

/** Failed logins after which a connection is closed. */
const FAILURES_MAX = 5;

/** A reply that brings its own enhanced status code (RFC 3463). */
const CODED = /^[245]\.\d{1,3}\.\d{1,3} /;

export interface SubmitRules {
  /** The certificate of the moment, asked for at each handshake. Null: no TLS. */
  context: (() => SecureContext) | null;
  /** Whether a client may log in over a connection that is not encrypted. */
  mayLoginInClear(remoteAddress: string): boolean;
}

/** The library keeps one context for each name; here all names have the one of the moment. */
class CurrentContext extends Map<string, SecureContext> {
  readonly #context: () => SecureContext;

  constructor(context: () => SecureContext) {
    super();
    this.#context = context;
  }

  override get(): SecureContext {
    return this.#context();
  }
}

export class SubmitServer extends MailServer {
  readonly rules: SubmitRules;

  constructor(options: SMTPServerOptions, limits: SessionLimits, rules: SubmitRules) {
    super(options, limits);
    this.rules = rules;
    if (rules.context !== null) this.secureContext = new CurrentContext(rules.context);
  }

  protected override newConnection(socket: net.Socket | TLSSocket, options?: SMTPConnectionOptions | null) {
    return new SubmitConnection(this, socket, options);
  }

  /** Until a connection that begins with TLS has shaken hands, it is none yet: nothing else counts these sockets. */
  override _acceptSocket(socket: net.Socket, handshake: boolean): false | (() => void) {
    if (handshake && this.#isCrowd(socket)) {
      socket.on('error', () => {});
      socket.destroy();
      return false;
    }
    return super._acceptSocket(socket, handshake);
  }

  #isCrowd(socket: net.Socket): boolean {
    const { maxConnections, maxConnectionsPerIp } = this.limits;
    if (this._pendingSockets.size >= maxConnections) return true;
    const own = clientNetwork(socket.remoteAddress ?? '');
    let fromThere = 0;
    for (const other of this._pendingSockets.keys())
      if (clientNetwork(other.remoteAddress ?? '') === own) fromThere += 1;
    return fromThere >= maxConnectionsPerIp;
  }

  override drain(deadlineMs: number): Promise<void> {
    const drained = super.drain(deadlineMs);
    // The topmost socket: to end the one below a handshake in progress would crash.
    for (const socket of this._pendingSockets.values()) socket.destroy();
    return drained;
  }

  /** The connection of a session. Undefined: it is closed. */
  connectionOf(session: SMTPServerSession): SubmitConnection | undefined {
    for (const each of this.connections) if (each.session === session) return each as SubmitConnection;
    return undefined;
  }
}

/** One mail program. */
class SubmitConnection extends MailConnection {
  declare _server: SubmitServer;
  #failures = 0;
  /** Why the login has ended. Null: it has not. */
  #ended: string | null = null;
  #release: (() => void) | null = null;

  get mayLogin(): boolean {
    return this.secure || this._server.rules.mayLoginInClear(this.remoteAddress);
  }

  /** Called when the program is logged in. `release` is called once, when the connection is gone. */
  loggedIn(release: () => void): void {
    this.#release?.();
    this.#release = release;
  }

  /** Ends the session of a login that has ended. A message that has arrived whole is answered first. */
  end(text: string): void {
    this.#ended = text;
    const isDeciding = Boolean(this._dataStream) && this._parser !== false && !this._parser._dataMode;
    if (!isDeciding) this.dismiss(text);
  }

  override _onClose(): void {
    super._onClose();
    this.#release?.();
    this.#release = null;
  }

  override _resetSession(): void {
    super._resetSession();
    const text = this.#ended;
    if (text !== null) setImmediate(() => this.dismiss(text));
  }

  /** The library's own replies get the code of its table; ours have theirs. */
  override send(code: number, data?: string | string[], context?: string | false): void {
    const isCoded = typeof data === 'string' && CODED.test(data);
    super.send(code, Array.isArray(data) ? this.#offered(data) : data, isCoded ? false : context);
    if (code !== 535) return;
    this.#failures += 1;
    if (this.#failures >= FAILURES_MAX) this.close();
  }

  /** RFC 4954 4: AUTH is not offered where it would be refused. */
  #offered(features: string[]): string[] {
    return this.mayLogin ? features : features.filter((feature) => !feature.startsWith('AUTH '));
  }

  override handler_AUTH(command: Buffer, callback: () => void): void {
    if (!this.mayLogin) {
      this.send(538, '5.7.11 Encryption is required: use TLS');
      callback();
      return;
    }
    const [, method = '', first, ...more] = command.toString().trim().split(/\s+/);
    if (method.toUpperCase() !== 'OAUTHBEARER' || this.session.user) {
      super.handler_AUTH(command, callback);
    } else if (more.length > 0) {
      this.send(501, '5.5.4 Syntax: AUTH OAUTHBEARER token');
      callback();
    } else if (first === undefined) {
      this._nextHandler = (line, done) => this.#bearer(line.toString().trim(), done);
      this.send(334);
      callback();
    } else this.#bearer(first, callback);
  }

  /** RFC 7628 3. The library knows its forerunner, XOAUTH2. */
  #bearer(line: string, callback: () => void): void {
    const given = line === '*' ? null : bearerIn(Buffer.from(line, 'base64').toString());
    if (given === null) {
      this.send(501, line === '*' ? '5.7.0 Authentication aborted' : '5.5.2 This is no OAUTHBEARER message');
      callback();
      return;
    }
    const auth = { method: 'XOAUTH2', username: given.user, accessToken: given.token } as SMTPServerAuthentication;
    this._server.onAuth(auth, this.session, (err, response) => {
      const refusal = err as SMTPServerError | null | undefined;
      if (response?.user) {
        this.session.user = response.user;
        this.send(235, '2.7.0 Authentication successful');
      } else if (refusal?.responseCode === 535) {
        // 3.2.2: the client answers the reason with a byte 01 before it is refused.
        this._nextHandler = (_answer, done) => {
          this.send(535, refusal.message);
          done();
        };
        const reason = { status: 'invalid_token', schemes: 'bearer', scope: 'mail:send' };
        this.send(334, Buffer.from(JSON.stringify(reason)).toString('base64'));
      } else this.send(refusal?.responseCode ?? 454, refusal?.message ?? '4.7.0 Try again later');
      callback();
    });
  }
}

/** What a client says of itself with OAUTHBEARER (RFC 7628 3.1). Null: it breaks the syntax. */
export function bearerIn(message: string): { user: string; token: string } | null {
  const [head = '', ...pairs] = message.split('\x01');
  const named = /^[ny],(?:a=([^,]{0,320}))?,$/.exec(head);
  const auth = pairs.find((pair) => /^auth=/i.test(pair)) ?? '';
  const token = /^auth=bearer +([\w.~+/=-]{1,2048})$/i.exec(auth)?.[1];
  if (named === null || token === undefined) return null;
  // RFC 5801 4: a comma and an equals sign of the name are written so.
  return { user: (named[1] ?? '').replaceAll('=2C', ',').replaceAll('=3D', '='), token };
}
