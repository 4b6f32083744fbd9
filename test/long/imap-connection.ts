import { within } from '../../src/base/deadline.ts';
import { ImapDialogue } from '../support/imap-dialogue.ts';

/** The connection ended, or was silent for too long: what was asked may have been done. */
export class Lost extends Error {}

/** `NO` or `BAD`: it was not done. */
export class Refused extends Error {
  /** The service has it not now, and has it later. */
  get isPassing(): boolean {
    return this.message.startsWith('NO [UNAVAILABLE]');
  }
}

/** Where a folder ends, as SELECT tells. */
export interface Ends {
  validity: number;
  uidNext: number;
  modSeq: number;
}

/** A mail as FETCH tells it. */
export interface Row {
  uid: number;
  /** Sorted. */
  flags: string;
  modSeq: number;
  /** EMAILID; '' when it was not asked for. */
  id: string;
  subject: string;
}

const ROW =
  /^\* \d+ FETCH \(UID (\d+) FLAGS \(([^)]*)\) MODSEQ \((\d+)\)(?: EMAILID \(([^)]+)\))?(?: BODY\[HEADER\.FIELDS \(SUBJECT\)\] \{\d+\}\r\nSubject: ([^\r]*))?/gm;

/** Flags as they are compared. */
export const flagsText = (flags: readonly string[]): string => [...flags].sort().join(' ');

/** The mails that an answer tells of. */
export const rowsIn = (text: string): Row[] =>
  [...text.matchAll(ROW)].map(([, uid, flags = '', modSeq, id = '', subject = '']) => ({
    uid: Number(uid),
    flags: flagsText(flags.split(' ').filter(Boolean)),
    modSeq: Number(modSeq),
    id,
    subject,
  }));

/** The numbers of a set (`1:3,7`). */
export const numbersOf = (set: string): number[] =>
  set.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split(':').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });

/** A mail program's connection that is logged in, and has QRESYNC. */
export class ImapConnection {
  readonly #dialogue: ImapDialogue;
  readonly #patienceMs: number;
  #tags = 0;

  private constructor(dialogue: ImapDialogue, patienceMs: number) {
    this.#dialogue = dialogue;
    this.#patienceMs = patienceMs;
  }

  /** @throws Lost; Refused */
  static async open(port: number, user: string, key: string, patienceMs: number): Promise<ImapConnection> {
    const connection = new ImapConnection(await ImapDialogue.open(port), patienceMs);
    try {
      await connection.ask(`LOGIN ${user} ${key}`);
      await connection.ask('ENABLE QRESYNC');
      return connection;
    } catch (err) {
      connection.close();
      throw err;
    }
  }

  /** Asks, with a literal at the end or none. @returns all that came up to the tagged OK @throws Lost; Refused */
  async ask(command: string, literal: string | null = null): Promise<string> {
    this.#tags += 1;
    const tag = `t${this.#tags}`;
    if (literal === null) this.#dialogue.send(`${tag} ${command}\r\n`);
    else {
      this.#dialogue.send(`${tag} ${command} {${literal.length}}\r\n`);
      const asked = await this.#until(new RegExp(`^(?:\\+|${tag} ).*\r\n`, 'm'));
      if (!/^\+/m.test(asked)) throw new Refused(asked.slice(asked.lastIndexOf(`${tag} `) + tag.length + 1).trimEnd());
      this.#dialogue.send(`${literal}\r\n`);
    }
    const text = await this.#until(new RegExp(`^${tag} (?:OK|NO|BAD).*\r\n`, 'm'));
    const answer = text.slice(text.lastIndexOf(`${tag} `) + tag.length + 1).trimEnd();
    if (!answer.startsWith('OK')) throw new Refused(answer);
    return text;
  }

  /** Opens a folder. @param parameters as `(QRESYNC (1 2))` */
  async select(folder: string, parameters = ''): Promise<{ ends: Ends; text: string }> {
    const text = await this.ask(`SELECT ${folder}${parameters}`);
    const figure = (name: string): number => Number(new RegExp(`\\[${name} (\\d+)\\]`).exec(text)?.[1]);
    const ends = { validity: figure('UIDVALIDITY'), uidNext: figure('UIDNEXT'), modSeq: figure('HIGHESTMODSEQ') };
    return { ends, text };
  }

  close(): void {
    this.#dialogue.close();
  }

  async #until(pattern: RegExp): Promise<string> {
    const text = await within(this.#patienceMs, this.#dialogue.until(pattern), () => '');
    if (!pattern.test(text)) throw new Lost();
    return text;
  }
}
