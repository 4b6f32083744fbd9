/** Follows an SMTP dialogue through the log of the mail library, which reports no other progress. */

type Log = (entry: { tnx?: string }, text: string) => void;

export interface WatchOptions {
  /** Milliseconds that the server may take for each reply, until the message begins. */
  idleMs: number;
  /** Called once, when it took longer. */
  onSilence(): void;
  onTls(): void;
  onReply(text: string): void;
}

/**
 * Knows how far a dialogue got. The library calls every timeout and every lost connection an error of connecting, whether
 * the message was sent or not.
 */
export class DialogueWatch {
  /** The server asked for the message: from now on it may have it, whatever happens. */
  isBegun = false;
  isSilent = false;
  readonly #options: WatchOptions;
  /** Commands without a reply. Replies come in order, also with PIPELINING (RFC 2920). */
  readonly #open: string[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => {
      if (this.isBegun) return;
      this.isSilent = true;
      options.onSilence();
    }, options.idleMs);
  }

  /** What the library logs to. It must log its transactions. */
  logger() {
    const log: Log = ({ tnx }, text) => {
      if (tnx === 'client') this.#open.push(text);
      else if (tnx === 'server') this.#reply(text);
      else if (/Connection upgraded with STARTTLS/.test(text)) this.#options.onTls();
    };
    return { level: () => {}, trace: log, debug: log, info: log, warn: log, error: log, fatal: log };
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #reply(text: string): void {
    if (this.#open.shift() === 'DATA' && /^[23]/.test(text)) this.isBegun = true;
    if (this.isBegun) this.end();
    else this.#timer.refresh();
    this.#options.onReply(text);
  }
}
