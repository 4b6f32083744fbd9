/** An IMAP client for tests that sends exactly the given bytes, and a listener over a mailbox in memory. */
import { type ImapListener, type ImapListenerOptions, startImapListener } from '../../src/mail/imap/imap-listener.ts';
import { MemoryService } from './imap-mailbox.ts';
import { connectTo, RawDialogue } from './raw-dialogue.ts';

/** One connection. Waiting at the end of the connection gives what came until then. */
export class ImapDialogue extends RawDialogue {
  #tags = 0;

  /** Connects and reads the greeting. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<ImapDialogue> {
    const dialogue = new ImapDialogue(connectTo(port, localAddress));
    await dialogue.until(/\r\n/);
    return dialogue;
  }

  /** Connects and logs in. */
  static async loggedIn(port: number): Promise<ImapDialogue> {
    const dialogue = await ImapDialogue.open(port);
    await dialogue.say('LOGIN agent@agents.example secret');
    return dialogue;
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** What came, up to and with the first match. */
  async until(pattern: RegExp): Promise<string> {
    return (await this.upTo(pattern)).text;
  }

  /** Sends a command. @returns the lines of its answer; the last without the tag */
  async say(command: string): Promise<string[]> {
    this.#tags += 1;
    const tag = `t${this.#tags}`;
    this.send(`${tag} ${command}\r\n`);
    return this.answer(tag);
  }

  /** The lines up to the answer to a tag. */
  async answer(tag: string): Promise<string[]> {
    const text = await this.until(new RegExp(`(^|\r\n)${tag} (OK|NO|BAD)[^\r\n]*\r\n`));
    const lines = text.trimEnd().split('\r\n');
    return lines.map((line, n) => (n === lines.length - 1 ? line.replace(`${tag} `, '') : line));
  }

  /** All that comes until the connection ends. */
  async rest(): Promise<string> {
    return this.until(/$never/);
  }
}

export type TestImap = ImapListener & { service: MemoryService; complaints: string[] };

/** Starts a listener on a free port. */
export async function startTestImap(options: Partial<ImapListenerOptions> = {}): Promise<TestImap> {
  const service = new MemoryService();
  const complaints: string[] = [];
  const complain = (fields: Record<string, unknown>, message: string): void => {
    complaints.push(`${message} ${String(fields.err)}`);
  };
  const listener = await startImapListener({
    host: '127.0.0.1',
    port: 0,
    tls: null,
    implicitTls: false,
    hostname: 'mail.agents.example',
    service,
    log: { debug: () => {}, info: () => {}, warn: complain, error: complain },
    now: () => Date.UTC(2026, 0, 31, 12),
    ...options,
    limits: { refusalMs: 1, ...options.limits },
  });
  return { ...listener, service, complaints };
}
