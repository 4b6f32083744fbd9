/** An SMTP client for tests that sends exactly the given bytes, and a listener that keeps what it accepts. */
import type {
  AcceptAnswer,
  RcptAnswer,
  ReceivedMail,
  SmtpListener,
  SmtpListenerOptions,
} from '../../src/mail/smtp-in/smtp-listener.ts';
import { startSmtpListener } from '../../src/mail/smtp-in/smtp-listener.ts';
import { connectTo, RawDialogue } from './raw-dialogue.ts';

export type Reply = { code: number; lines: string[] };

/** One connection. `reply()` waits for the next complete reply; at the end of the connection it is code 0. */
export class Dialogue extends RawDialogue {
  /** Connects and reads the greeting. `localAddress`: a loopback address; to a server each one is a separate client. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<Dialogue> {
    const dialogue = new Dialogue(connectTo(port, localAddress));
    await dialogue.reply();
    return dialogue;
  }

  async reply(): Promise<Reply> {
    const { match } = await this.upTo(/^(?:\d{3}-[^\r\n]*\r\n)*(\d{3})(?: [^\r\n]*)?\r\n/);
    return match === null
      ? { code: 0, lines: [] }
      : { code: Number(match[1]), lines: match[0].trimEnd().split('\r\n') };
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes);
  }

  /** Sends a line. @returns the code of the reply */
  async say(line: string): Promise<number> {
    this.send(`${line}\r\n`);
    return (await this.reply()).code;
  }

  /** Sends EHLO, MAIL, RCPT and DATA. @returns the last code, normally 354 */
  async begin(from = 'eve@out.example', to = 'agent@agents.example'): Promise<number> {
    await this.say('EHLO client.example');
    await this.say(`MAIL FROM:<${from}>`);
    await this.say(`RCPT TO:<${to}>`);
    return this.say('DATA');
  }

  /** Ends the dialogue with QUIT. @returns the codes of all replies before the one to it, or before the server closed */
  async rest(): Promise<number[]> {
    this.socket.end('QUIT\r\n');
    const codes: number[] = [];
    for (;;) {
      const { code } = await this.reply();
      if (code === 0 || code === 221) return codes;
      codes.push(code);
    }
  }
}

export type TestListener = SmtpListener & {
  accepted: ReceivedMail[];
  /** Recipients that clients asked for. */
  asked: string[];
  /** Warnings and errors logged. */
  complaints: string[];
};

export type TestListenerOptions = Partial<Omit<SmtpListenerOptions, 'accept' | 'checkRecipient'>> & {
  accept?: (mail: ReceivedMail) => Promise<AcceptAnswer>;
  checkRecipient?: (address: string) => Promise<RcptAnswer>;
};

/** Starts a listener on a free port. It accepts mail for `agents.example`, but not for `nobody`. */
export async function startTestListener(options: TestListenerOptions = {}): Promise<TestListener> {
  const accepted: ReceivedMail[] = [];
  const asked: string[] = [];
  const complaints: string[] = [];
  const complain = (_fields: Record<string, unknown>, message: string): void => {
    complaints.push(message);
  };
  const { accept, checkRecipient, ...rest } = options;
  const listener = await startSmtpListener({
    host: '127.0.0.1',
    port: 0,
    hostname: 'mx.agents.example',
    logger: { info: () => {}, warn: complain, error: complain },
    now: () => new Date(Date.UTC(2026, 0, 31, 12, 0, 0)),
    ...rest,
    checkRecipient: async ({ local, domain }) => {
      asked.push(`${local}@${domain}`);
      if (checkRecipient !== undefined) return checkRecipient(`${local}@${domain}`);
      if (domain !== 'agents.example') return { ok: false, code: 550, text: '5.7.1 Relaying denied' };
      return local === 'nobody' ? { ok: false, code: 550, text: '5.1.1 No such mailbox' } : { ok: true };
    },
    accept: async (mail) => {
      const answer = accept === undefined ? ({ ok: true, text: '2.0.0 Ok: stored' } as const) : await accept(mail);
      if (answer.ok) accepted.push(mail);
      return answer;
    },
  });
  return { ...listener, accepted, asked, complaints };
}
