import net from 'node:net';

/** A connection for tests that sends exactly the given bytes. One character a byte is received. */
export class RawDialogue {
  readonly socket: net.Socket;
  #received = '';
  #ended = false;
  #wake: () => void = () => {};

  constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('close', end);
    socket.on('error', end);
  }

  /** What came, up to and with the first match. If the connection ends before, `match` is null and `text` all that came. */
  protected async upTo(pattern: RegExp): Promise<{ text: string; match: RegExpExecArray | null }> {
    for (;;) {
      const match = pattern.exec(this.#received);
      if (match !== null || this.#ended) {
        const end = match === null ? this.#received.length : match.index + match[0].length;
        const text = this.#received.slice(0, end);
        this.#received = this.#received.slice(end);
        return { text, match };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Connects. `localAddress`: a loopback address; to a server each one is a separate client. */
export const connectTo = (port: number, localAddress: string): net.Socket =>
  net.connect({ port, host: '127.0.0.1', localAddress });
