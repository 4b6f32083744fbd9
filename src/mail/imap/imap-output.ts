import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const GATHERED_CHARS = 16_384;
const SLICE_BYTES = 65_536;

/**
 * What a session says. Lines are gathered and leave together; who reads slowly is written to slowly, and is left when
 * it does not take 64 KB within `stallMs`.
 */
export class ImapOutput {
  #socket: Socket;
  readonly #stallMs: number;
  /** One character a byte. */
  #gathered = '';
  #sent = 0;
  #inLiteral = false;
  #closed = false;
  #soon: NodeJS.Immediate | null = null;

  constructor(socket: Socket, stallMs: number) {
    this.#socket = socket;
    this.#stallMs = stallMs;
  }

  /** Goes on over another socket: TLS. */
  moveTo(socket: Socket): void {
    this.#socket = socket;
  }

  get closed(): boolean {
    return this.#closed || this.#socket.destroyed;
  }

  /** Bytes since the last call. */
  takeSent(): number {
    const sent = this.#sent;
    this.#sent = 0;
    return sent;
  }

  /** Says a line, or several with CRLF between them. One character a byte. */
  line(text: string): void {
    this.text(`${text}\r\n`);
  }

  text(text: string): void {
    if (this.closed) return;
    this.#gathered += text;
    if (this.#gathered.length >= GATHERED_CHARS) this.flush();
  }

  /** Sends at the end of the turn: more may be said in it. */
  flushSoon(): void {
    if (this.#soon !== null) return;
    this.#soon = setImmediate(() => {
      this.#soon = null;
      this.flush();
    });
  }

  flush(): void {
    if (this.#gathered === '') return;
    const gathered = this.#gathered;
    this.#gathered = '';
    if (this.closed) return;
    this.#sent += gathered.length;
    this.#socket.write(gathered, 'latin1');
  }

  /** Sends bytes as fast as the client takes them. */
  async bytes(bytes: Uint8Array): Promise<void> {
    this.flush();
    this.#inLiteral = true;
    for (let at = 0; at < bytes.length && !this.closed; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      this.#sent += slice.length;
      this.#socket.write(slice);
      await this.ready();
    }
    this.#inLiteral = this.closed;
  }

  /** Waits until the client has taken what was sent. */
  async ready(): Promise<void> {
    if (this.closed || !this.#socket.writableNeedDrain) return;
    const socket = this.#socket;
    const stalled = new AbortController();
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done);
        socket.off('close', done);
        stalled.abort();
        resolve();
      };
      socket.on('drain', done);
      socket.on('close', done);
      sleep(this.#stallMs, undefined, { ref: false, signal: stalled.signal }).then(
        () => socket.destroy(),
        () => {},
      );
    });
  }

  /** Says a last line and ends the connection. In the middle of a literal nothing can be said. */
  bye(text: string): void {
    if (this.closed) return;
    if (!this.#inLiteral) {
      this.line(text);
      this.flush();
    }
    this.#closed = true;
    if (this.#inLiteral) this.#socket.destroy();
    else this.#socket.destroySoon();
  }
}
