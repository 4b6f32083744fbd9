import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { clientNetwork } from '../../base/client-network.ts';
import type { Log } from '../../base/log.ts';
import type { SharedMemory } from '../smtp-in/shared-memory.ts';
import { capabilitiesText } from './commands/capabilities.ts';
import { COMMANDS } from './commands/imap-commands.ts';
import { authenticateCommand, loginCommand, mayTryAgain } from './commands/login-commands.ts';
import { APPEND_BYTES, ImapContext, type ImapLimits, SessionEnd } from './imap-context.ts';
import { BadCommand, type CommandText, Cursor } from './imap-cursor.ts';
import { ImapInput, InputEnd } from './imap-input.ts';
import { ImapOutput } from './imap-output.ts';
import {
  type ImapClient,
  type ImapCredentials,
  type ImapMailbox,
  ImapRefusal,
  type ImapService,
} from './imap-store.ts';
import { secured } from './secured-socket.ts';

/** What a client that has not logged in may send. */
const ANONYMOUS_BYTES = 16_384;
const ANONYMOUS_COMMANDS = 100;
const BAD_IN_A_ROW = 20;
/** How many commands are served before others have their turn. */
const AT_ONCE = 50;

interface SessionParts {
  socket: Socket;
  client: ImapClient;
  service: ImapService;
  /** What encrypts after STARTTLS; null: it is not offered. */
  tls: { context(): SecureContext } | null;
  hostname: string;
  memory: SharedMemory;
  limits: ImapLimits;
  log: Log;
  now(): number;
  /** The client has logged in. */
  onLogin(): void;
}

/** A text of a response is ASCII in one line (RFC 9051 9 `resp-text`). */
const plainText = (text: string): string => text.replace(/[^ -~]+/g, ' ');

/** One client from its greeting to its end. */
export class ImapSession {
  readonly #parts: SessionParts;
  readonly #client: ImapClient;
  readonly #input: ImapInput;
  readonly #out: ImapOutput;
  readonly #ctx: ImapContext;
  #timer: NodeJS.Timeout;
  #socket: Socket;
  #stopWatching: (() => void) | null = null;
  #busy = false;
  #shakesHands = false;
  #leaving: string | null = null;
  #commands = 0;
  #bad = 0;

  constructor(parts: SessionParts) {
    const { socket, limits, memory, service, log, now } = parts;
    this.#parts = parts;
    this.#socket = socket;
    this.#client = { ...parts.client };
    const share = memory.share(clientNetwork(parts.client.remoteAddress), () =>
      this.leave('[UNAVAILABLE] Memory is needed elsewhere, try again later'),
    );
    this.#input = new ImapInput(
      {
        commandBytes: () => this.#commandBytes,
        refusal: (head, bytes) => this.#literalRefusal(head, bytes),
        ask: () => {
          this.#out.line('+ OK');
          this.#out.flush();
        },
        pause: () => this.#socket.pause(),
        resume: () => this.#socket.resume(),
      },
      share,
    );
    this.#out = new ImapOutput(socket, limits.stallMs);
    const { input, out } = { input: this.#input, out: this.#out };
    this.#ctx = new ImapContext({ client: this.#client, service, input, out, memory: share, limits, log, now });
    this.#timer = this.#timerOf(limits.loginMs);
    this.#listen(socket);
  }

  get loggedIn(): boolean {
    return this.#ctx.mailbox !== null;
  }

  /** A command is at work; IDLE is none. */
  get busy(): boolean {
    return this.#busy && !this.#ctx.idling;
  }

  /** Ends the session: `* BYE text`. */
  leave(text: string): void {
    // Between the command and the end of the handshake all that is said would be in clear.
    if (this.#shakesHands) this.#socket.destroy();
    else this.#out.bye(`* BYE ${plainText(text)}`);
    this.#input.end();
  }

  /** Ends it when the command at work is done. */
  leaveSoon(text: string): void {
    if (this.busy) this.#leaving = text;
    else this.leave(text);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Serves the client. Resolves at its end, and never rejects. */
  async run(): Promise<void> {
    let served = 0;
    try {
      this.#out.line(`* OK [CAPABILITY ${this.#capabilities()}] ${this.#parts.hostname} ready`);
      this.#out.flush();
      while (!this.#out.closed) {
        const command = await this.#input.command();
        if (command === null) break;
        this.#timer.refresh();
        if ('refused' in command) this.#out.line(`${command.refused.tag} ${command.refused.text}`);
        else await this.#execute(command);
        this.#input.release();
        // Answers to commands that came together leave together.
        if (this.#input.hasMore) this.#out.flushSoon();
        else this.#out.flush();
        served += 1;
        if (served % AT_ONCE === 0) await turn();
        if (this.#leaving !== null) this.leave(this.#leaving);
        await this.#ctx.spend();
        await this.#out.ready();
      }
    } catch (err) {
      if (err instanceof SessionEnd) this.leave(err.message);
      else if (err instanceof InputEnd) this.#end(err.message);
      else {
        this.#parts.log.error({ err }, 'imap session failed');
        this.leave('[SERVERBUG] Fault');
      }
    } finally {
      await this.#close();
    }
  }

  #end(text: string): void {
    this.#out.line(text);
    this.leave('Goodbye');
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopWatching?.();
    this.#input.end();
    this.#socket.destroySoon();
    await this.#ctx.spend(true).catch(() => {});
    this.#ctx.mailbox?.close();
  }

  readonly #onData = (chunk: Buffer): void => this.#input.feed(chunk);
  readonly #onEnd = (): void => this.#input.end();

  #listen(socket: Socket): void {
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd);
    // A connection that breaks is no fault.
    socket.on('error', () => socket.destroy());
  }

  #timerOf(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#onIdle(), ms).unref();
  }

  #onIdle(): void {
    if (this.busy && this.loggedIn) this.#timer.refresh();
    else this.leave(this.loggedIn ? 'Idle for too long' : 'No login in time');
  }

  get #commandBytes(): number {
    return this.loggedIn ? this.#parts.limits.commandBytes : ANONYMOUS_BYTES;
  }

  #literalRefusal(head: string, bytes: number): string | null {
    const isAppend = this.loggedIn && /^\S+ APPEND /i.test(head);
    if (bytes <= (isAppend ? APPEND_BYTES : this.#commandBytes)) return null;
    return isAppend ? `NO [TOOBIG] A mail has at most ${APPEND_BYTES} bytes` : 'BAD Command too long';
  }

  #capabilities(): string {
    const { tls, service } = this.#parts;
    const { loggedIn } = this;
    const mayEncrypt = tls !== null && !this.#client.tls;
    return capabilitiesText({ loggedIn, mayEncrypt, mayLogIn: service.mayLogIn(this.#client) });
  }

  async #execute(command: CommandText): Promise<void> {
    this.#busy = true;
    let tag = '*';
    try {
      const cursor = new Cursor(command);
      tag = cursor.tag();
      let name = cursor.word();
      if (name === 'UID') {
        cursor.space();
        name = `UID ${cursor.word()}`;
      }
      const ok = await this.#run(name, cursor, tag);
      if (ok !== null) this.#out.line(`${tag} OK ${ok}`);
      this.#bad = 0;
    } catch (err) {
      this.#refuse(tag, err);
    } finally {
      this.#busy = false;
    }
  }

  /** Answers a command that failed. @throws SessionEnd after too many */
  #refuse(tag: string, err: unknown): void {
    if (err instanceof SessionEnd || err instanceof InputEnd) throw err;
    if (err instanceof BadCommand) {
      this.#out.line(`${tag} BAD ${err.message}`);
      this.#bad += 1;
      if (this.#bad >= BAD_IN_A_ROW) throw new SessionEnd('Too many commands that cannot be read');
      return;
    }
    if (err instanceof ImapRefusal) {
      this.#out.line(`${tag} NO [${err.code}] ${plainText(err.message)}`);
      if (!this.loggedIn && !mayTryAgain(this.#ctx)) throw new SessionEnd('Too many failed logins');
      return;
    }
    this.#parts.log.error({ err }, 'imap command failed');
    this.#out.line(`${tag} NO [SERVERBUG] Fault`);
  }

  /** @returns the text of OK; null when it was said */
  async #run(name: string, cursor: Cursor, tag: string): Promise<string | null> {
    const own = await this.#ownCommand(name, cursor, tag);
    if (own !== undefined) return own;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new BadCommand('Unknown command');
    if (!this.loggedIn) throw new BadCommand('Log in first');
    if (command.in === 'selected' && this.#ctx.selected === null) throw new BadCommand('Select a folder first');
    if (!cursor.atEnd) cursor.space();
    const text = await command.run(this.#ctx, cursor, tag);
    if (command.quiet !== true) await this.#ctx.sync(command.keepsNumbers !== true, command.looks === true);
    return text;
  }

  /** What concerns the connection and the login. Undefined: it is none of these. */
  async #ownCommand(name: string, cursor: Cursor, tag: string): Promise<string | null | undefined> {
    if (!this.loggedIn) {
      this.#commands += 1;
      if (this.#commands > ANONYMOUS_COMMANDS) throw new SessionEnd('Log in first');
    }
    switch (name) {
      case 'CAPABILITY':
        cursor.end();
        this.#out.line(`* CAPABILITY ${this.#capabilities()}`);
        return 'CAPABILITY completed';
      case 'NOOP':
        cursor.end();
        await this.#ctx.sync(true, true);
        return 'NOOP completed';
      case 'ID':
        // What programs say of themselves is not kept.
        this.#out.line('* ID ("name" "Signet")');
        return 'ID completed';
      case 'LOGOUT':
        cursor.end();
        this.#out.line('* BYE Goodbye');
        this.#out.bye(`${tag} OK LOGOUT completed`);
        this.#input.end();
        return null;
      case 'STARTTLS':
        cursor.end();
        return this.#startTls(tag);
      case 'LOGIN':
      case 'AUTHENTICATE': {
        if (this.loggedIn) throw new BadCommand('You have logged in');
        cursor.space();
        const command = name === 'LOGIN' ? loginCommand : authenticateCommand;
        await command(this.#ctx, cursor, (credentials) => this.#open(credentials));
        this.#onLogin();
        return `[CAPABILITY ${this.#capabilities()}] Logged in`;
      }
      default:
        return undefined;
    }
  }

  async #open(credentials: ImapCredentials): Promise<ImapMailbox> {
    return this.#parts.service.login(credentials, this.#client, (why) => this.leave(`[${why.code}] ${why.message}`));
  }

  #onLogin(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#timerOf(this.#parts.limits.idleMs);
    this.#ctx.memory.owner = this.#ctx.open.owner;
    this.#stopWatching = this.#ctx.open.watch(() => this.#ctx.news());
    this.#parts.onLogin();
  }

  async #startTls(tag: string): Promise<null> {
    const { tls } = this.#parts;
    if (tls === null || this.#client.tls || this.loggedIn) throw new BadCommand('STARTTLS is not offered');
    this.#out.line(`${tag} OK Begin`);
    this.#out.flush();
    const plainSocket = this.#socket;
    // Not all of them: the listener counts connections by the end of this one.
    plainSocket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    // What came in clear behind STARTTLS may be from an attacker on the way (RFC 9051 6.2.1).
    this.#input.discard();
    plainSocket.read();
    this.#shakesHands = true;
    const secure = await secured(plainSocket, tls.context());
    this.#shakesHands = false;
    if (secure === null) throw new SessionEnd('Gone');
    this.#socket = secure;
    this.#out.moveTo(secure);
    this.#client.tls = true;
    this.#listen(secure);
    return null;
  }
}
