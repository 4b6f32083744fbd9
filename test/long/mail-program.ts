import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FOLDERS, type Folder, type FolderBook } from './folder-book.ts';
import type { ProgramFound } from './found.ts';
import { type Ends, flagsText, ImapConnection, Lost, numbersOf, Refused, rowsIn } from './imap-connection.ts';
import { type Doubt, type Kept, settled, type Turn } from './kept-mail.ts';

/** A program keeps about so many mails. */
const FEW = 4;
const MANY = 12;
const PAUSE_MS = 100;
const FLAGS = ['\\Seen', '\\Flagged', '\\Answered', 'work', '$Forwarded'] as const;

/** What a program needs of its address. */
export interface Surroundings {
  address: string;
  key: string;
  books: ReadonlyMap<Folder, FolderBook>;
  imapPort(): number;
  patienceMs: number;
  random(): number;
  /** Hands in a mail to the address itself, until it was answered. */
  handIn(subject: string): Promise<void>;
  /** Whether the test has failed. */
  isAbandoned(): boolean;
}

/**
 * An IMAP client that changes mails of its own and knows exactly what must be there: what was answered with OK is, and what was
 * cut off was done whole or not at all. It looks after each new connection.
 */
export class MailProgram {
  readonly #at: Surroundings;
  readonly #found: ProgramFound;
  /** Begins the subject of each of its mails. */
  readonly #mark = `prog-${randomUUID().slice(0, 8)}-`;
  #kept: Kept[] = [];
  #doubt: Doubt | null = null;
  #imap: ImapConnection | null = null;
  #selected: Folder | null = null;
  #mails = 0;

  constructor(at: Surroundings, found: ProgramFound) {
    this.#at = at;
    this.#found = found;
  }

  /** The subjects of those of its mails that are in a folder. */
  subjectsIn(folder: Folder): string[] {
    return this.#kept.filter((mail) => mail.folder === folder).map(({ subject }) => subject);
  }

  /** Makes one change. */
  async step(): Promise<void> {
    await this.#connected(() => this.#change());
  }

  /** Looks that everything is as it must be, until it could look. */
  async check(): Promise<void> {
    while (!this.#at.isAbandoned() && !(await this.#connected(() => this.#look())));
  }

  close(): void {
    this.#imap?.close();
    this.#imap = null;
    this.#selected = null;
  }

  /** @returns false if the connection was lost */
  async #connected(work: () => Promise<void>): Promise<boolean> {
    const { imapPort, address, key, patienceMs } = this.#at;
    try {
      if (this.#imap === null) {
        this.#imap = await ImapConnection.open(imapPort(), address, key, patienceMs);
        await this.#look();
      }
      await work();
      return true;
    } catch (err) {
      if (!(err instanceof Lost || (err instanceof Refused && err.isPassing))) throw err;
      this.close();
      await sleep(PAUSE_MS);
      return false;
    }
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#at.random() * from.length)] as T;
  }

  /** Up to three mails of a folder that has some. */
  #some(): Kept[] {
    const { folder } = this.#pick(this.#kept);
    const there = this.#kept.filter((mail) => mail.folder === folder && mail.uid !== null);
    return there.slice(-1 - Math.floor(this.#at.random() * 3));
  }

  async #change(): Promise<void> {
    const few = this.#kept.length < FEW;
    const does = this.#pick(few ? ADDING : this.#kept.length < MANY ? CHANGING : LEAVING);
    if (does === 'append') return this.#append();
    if (does === 'hand in') return this.#handIn();
    const mails = this.#some();
    if (mails.length === 0) return this.#look();
    if (does === 'flag') return this.#flag(mails);
    if (does === 'expunge') return this.#expunge(mails);
    return this.#put(mails, does);
  }

  #subject(): string {
    this.#mails += 1;
    return `${this.#mark}${this.#mails}`;
  }

  async #append(): Promise<void> {
    const [subject, folder] = [this.#subject(), this.#pick(FOLDERS)];
    const flags = FLAGS.filter(() => this.#at.random() < 0.3);
    const raw = `From: Ada <ada@example.com>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@laptop>\r\n\r\nText.\r\n`;
    const to = { subject, folder, uid: null, id: null, flags: flagsText(flags) };
    const since = this.#book(folder).ends;
    const text = await this.#doubtful([{ from: null, to }], `APPEND ${folder} (${flags.join(' ')})`, raw);
    const [, validity, uid] = /\[APPENDUID (\d+) (\d+)\]/.exec(text) ?? assert.fail(`no APPENDUID: ${text}`);
    this.#given(since, Number(validity), [{ ...to, uid: Number(uid) }]);
    this.#found.appended += 1;
  }

  /** Another program sends a mail to this address. */
  async #handIn(): Promise<void> {
    const subject = this.#subject();
    this.#kept.push({ subject, folder: 'INBOX', uid: null, id: null, flags: '' });
    await this.#at.handIn(subject);
    this.#found.handedIn += 1;
    // Mail that was accepted is read soon, after a crash by another process.
    while (!(await this.#imap?.ask(`NOOP`).then(() => this.#isThere(subject))) && !this.#at.isAbandoned())
      await sleep(PAUSE_MS);
    await this.#look();
  }

  async #isThere(subject: string): Promise<boolean> {
    await this.#select('INBOX');
    return /^\* SEARCH \d/m.test((await this.#imap?.ask(`UID SEARCH SUBJECT "${subject}"`)) ?? '');
  }

  async #flag(mails: readonly Kept[]): Promise<void> {
    const [flag, adds] = [this.#pick(FLAGS), this.#at.random() < 0.6];
    await this.#store(mails, flag, adds);
    this.#found.flagged += mails.length;
  }

  async #store(mails: readonly Kept[], flag: string, adds: boolean): Promise<void> {
    const turns = mails.map((from) => {
      const others = from.flags.split(' ').filter((each) => each !== '' && each !== flag);
      return { from, to: { ...from, flags: flagsText(adds ? [...others, flag] : others) } };
    });
    await this.#select(folderOf(mails));
    await this.#doubtful(turns, `UID STORE ${setOf(mails)} ${adds ? '+' : '-'}FLAGS.SILENT (${flag})`);
    this.#became(turns);
  }

  async #put(mails: readonly Kept[], does: 'copy' | 'move'): Promise<void> {
    const folder = this.#pick(FOLDERS);
    const turns = mails.map((from) => ({
      from: does === 'copy' ? null : from,
      to: { ...from, folder, uid: null, flags: without(from, '\\Deleted') },
    }));
    await this.#select(folderOf(mails));
    const since = this.#book(folder).ends;
    const text = await this.#doubtful(turns, `UID ${does.toUpperCase()} ${setOf(mails)} ${folder}`);
    const [, validity, from, to] = /\[COPYUID (\d+) (\S+) (\S+)\]/.exec(text) ?? assert.fail(`no COPYUID: ${text}`);
    const uids = new Map(numbersOf(from as string).map((uid, n) => [uid, numbersOf(to as string)[n] as number]));
    assert.deepEqual([...uids.keys()].sort(), mails.map(({ uid }) => uid).sort(), text);
    if (does === 'move') this.#kept = this.#kept.filter((mail) => !mails.includes(mail));
    this.#given(
      since,
      Number(validity),
      turns.map((turn, n) => ({ ...turn.to, uid: uids.get(mails[n]?.uid as number) as number })),
    );
    this.#found[does === 'copy' ? 'copied' : 'moved'] += mails.length;
  }

  async #expunge(mails: readonly Kept[]): Promise<void> {
    const folder = folderOf(mails);
    await this.#store(mails, '\\Deleted', true);
    const marked = this.#kept.filter((mail) => mail.folder === folder && mails.some(({ uid }) => uid === mail.uid));
    const turns = marked.map((from) => {
      const trashed: Kept = { ...from, folder: 'Trash', uid: null, flags: without(from, '\\Deleted') };
      return { from, to: folder === 'Trash' ? null : trashed };
    });
    await this.#doubtful(turns, `UID EXPUNGE ${setOf(marked)}`);
    this.#became(turns);
    this.#found.expunged += marked.length;
    // The answer does not name the UIDs in the trash.
    if (folder !== 'Trash') await this.#look();
  }

  #became(turns: readonly Turn[]): void {
    for (const { from, to } of turns) {
      this.#kept = this.#kept.filter((mail) => mail !== from);
      if (to) this.#kept.push(to);
    }
  }

  #given(since: Ends, validity: number, mails: readonly Kept[]): void {
    const [{ folder } = assert.fail('no mail')] = mails;
    this.#book(folder).given(
      validity,
      mails.map(({ uid }) => uid as number),
      since,
    );
    this.#kept.push(...mails);
  }

  #book(folder: Folder): FolderBook {
    return this.#at.books.get(folder) as FolderBook;
  }

  async #select(folder: Folder): Promise<void> {
    if (this.#selected === folder) return;
    this.#selected = null;
    await this.#book(folder).select(this.#imap as ImapConnection);
    this.#selected = folder;
  }

  /** Asks for a change. When the answer is lost, the change is in doubt. */
  async #doubtful(turns: readonly Turn[], command: string, literal: string | null = null): Promise<string> {
    const since = new Map(FOLDERS.map((folder) => [folder, this.#book(folder).ends]));
    this.#doubt = { turns, since };
    try {
      const text = await (this.#imap as ImapConnection).ask(command, literal);
      this.#doubt = null;
      return text;
    } catch (err) {
      if (err instanceof Refused) this.#doubt = null;
      else this.#found.lost += 1;
      throw err;
    }
  }

  /** Compares all of its mails with what it knows, and learns what became of what is in doubt. */
  async #look(): Promise<void> {
    const there: Kept[] = [];
    for (const folder of FOLDERS) {
      this.#selected = null;
      await this.#select(folder);
      const imap = this.#imap as ImapConnection;
      const found = await imap.ask(`UID SEARCH SUBJECT "${this.#mark}"`);
      const uids = /^\* SEARCH ([\d ]+)/m.exec(found)?.[1]?.trim().split(' ').join(',');
      if (!uids) continue;
      const items = '(UID FLAGS MODSEQ EMAILID BODY.PEEK[HEADER.FIELDS (SUBJECT)])';
      for (const row of rowsIn(await imap.ask(`UID FETCH ${uids} ${items}`)).filter(({ id }) => id !== '')) {
        this.#book(folder).seen(row);
        there.push({ ...row, folder });
      }
    }
    const { known, isDone } = settled(there, this.#kept, this.#doubt);
    if (isDone) this.#found.lostAndDone += 1;
    this.#doubt = null;
    this.#kept = known;
  }
}

const ADDING = ['append', 'append', 'hand in'] as const;
const CHANGING = ['append', 'hand in', 'flag', 'flag', 'copy', 'copy', 'move', 'move', 'expunge'] as const;
const LEAVING = ['flag', 'move', 'expunge', 'expunge'] as const;

const folderOf = (mails: readonly Kept[]): Folder => (mails[0] as Kept).folder;
const setOf = (mails: readonly Kept[]): string => mails.map(({ uid }) => uid).join(',');
const without = ({ flags }: Kept, flag: string): string => flagsText(flags.split(' ').filter((each) => each !== flag));
