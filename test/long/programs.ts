import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../src/base/deadline.ts';
import { createRandom, seed } from '../process/kill.ts';
import type { Service } from '../process/service.ts';
import type { Api } from '../support/harness.ts';
import { Program } from '../support/submission.ts';
import { FOLDERS, FolderBook } from './folder-book.ts';
import { type ProgramFound, subjectsListed } from './found.ts';
import { ImapConnection, Lost, Refused, rowsIn } from './imap-connection.ts';
import { MailProgram, type Surroundings } from './mail-program.ts';

const PROGRAMS = 2;
const PAUSE_MS = 100;

type Instance = Pick<Service, 'imapPort' | 'submissionPort'>;

/** The mail programs of one address, by IMAP and submission. */
export class Programs {
  readonly #at: Surroundings;
  readonly #instance: () => Instance;
  readonly #programs: MailProgram[];
  readonly #sent = new FolderBook('Sent');
  /** Subjects of all that the address sent, by any door. */
  readonly #handedIn: string[] = [];

  /** @param agent its address, and a key for programs */
  constructor(
    agent: { address: string; key: string },
    found: ProgramFound,
    given: { instance(): Instance; patienceMs: number; isAbandoned(): boolean; number: number },
  ) {
    const { instance, patienceMs, isAbandoned, number } = given;
    this.#instance = instance;
    this.#at = {
      ...agent,
      books: new Map(FOLDERS.map((folder) => [folder, new FolderBook(folder)])),
      imapPort: () => instance().imapPort,
      patienceMs,
      random: createRandom(seed + number),
      handIn: (subject) => this.handIn(agent.address, subject),
      isAbandoned,
    };
    this.#programs = Array.from({ length: PROGRAMS }, () => new MailProgram(this.#at, found));
  }

  /** Changes mails until `isOver`. @param onStep called after each change */
  async run(isOver: () => boolean, onStep: () => void, pauseMs: number): Promise<void> {
    const client = async (program: MailProgram): Promise<void> => {
      while (!isOver() && !this.#at.isAbandoned()) {
        await program.step();
        onStep();
        await sleep(pauseMs);
      }
    };
    await Promise.all(this.#programs.map(client));
  }

  /** The address sent a mail by another door. */
  sent(subject: string): void {
    this.#handedIn.push(subject);
  }

  /** Hands in a mail, the same bytes again until it is answered; once more, it gets the same answer. */
  async handIn(to: string, subject: string): Promise<void> {
    const headers = { To: to, Subject: subject, 'Message-ID': `<${subject}@laptop>`, Date: new Date().toUTCString() };
    let first: string | null = null;
    while (!this.#at.isAbandoned()) {
      const answer = await this.#tryHandIn(to, headers);
      if (answer === '' || /^4\d\d /.test(answer)) {
        await sleep(PAUSE_MS);
        continue;
      }
      assert.match(answer, /^250 2\.0\.0 Queued as out_/, subject);
      assert.equal(first ?? answer, answer, `the same mail again: ${subject}`);
      if (first !== null || this.#at.random() < 0.5) break;
      first = answer;
    }
    this.#handedIn.push(subject);
  }

  /** @returns the answer; '' when it was lost */
  async #tryHandIn(to: string, headers: Record<string, string>): Promise<string> {
    const { address, key, patienceMs } = this.#at;
    const nothing = (): null => null;
    const opening = Program.open(this.#instance().submissionPort, { address }, key).catch(nothing);
    const program = await within(patienceMs, opening, nothing);
    if (program === null) void opening.then((late) => late?.close());
    const answer = program && (await within(patienceMs, program.send([to], program.letter(headers)), nothing));
    program?.close();
    return answer ?? '';
  }

  /** While nothing is asked: everything that was promised is there. */
  async check(): Promise<void> {
    for (const program of this.#programs) await program.check();
    await this.#insisted(async (imap) => {
      for (const book of this.#at.books.values()) await book.resync(imap);
      await this.#sent.resync(imap);
    });
  }

  /** At the end: Sent has each mail once, and calls see the mails that programs see. @param api with the account's key */
  async verify(api: Api): Promise<void> {
    const sent = await this.#insisted(async (imap) => {
      await this.#sent.select(imap);
      return rowsIn(await imap.ask('UID FETCH 1:* (UID FLAGS MODSEQ EMAILID BODY.PEEK[HEADER.FIELDS (SUBJECT)])'));
    });
    assert.deepEqual(sent.map(({ subject }) => subject).sort(), this.#handedIn.toSorted(), 'the folder Sent');
    for (const [folder, query] of [
      ['INBOX', ''],
      ['Archive', '&archived=true'],
      ['Junk', '&folder=spam'],
      ['Trash', '&folder=trash'],
    ] as const) {
      const subjects = await subjectsListed(api, this.#at.address, query);
      assert.deepEqual(
        subjects.filter((subject) => subject.startsWith('prog-')).sort(),
        this.#programs.flatMap((program) => program.subjectsIn(folder)).sort(),
        `${folder}, by calls`,
      );
    }
    for (const program of this.#programs) program.close();
  }

  /** Works with a connection of its own, until it was not lost. */
  async #insisted<T>(work: (imap: ImapConnection) => Promise<T>): Promise<T> {
    const { address, key, patienceMs } = this.#at;
    for (;;) {
      let imap: ImapConnection | null = null;
      try {
        imap = await ImapConnection.open(this.#instance().imapPort, address, key, patienceMs);
        return await work(imap);
      } catch (err) {
        const isPassing = err instanceof Lost || (err instanceof Refused && err.isPassing);
        if (!isPassing || this.#at.isAbandoned()) throw err;
        await sleep(PAUSE_MS);
      } finally {
        imap?.close();
      }
    }
  }
}
