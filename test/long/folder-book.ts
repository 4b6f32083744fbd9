import assert from 'node:assert/strict';
import { type Ends, type ImapConnection, numbersOf, type Row, rowsIn } from './imap-connection.ts';

/** Folders that mail is copied and moved between. */
export const FOLDERS = ['INBOX', 'Archive', 'Junk', 'Trash'] as const;
export type Folder = (typeof FOLDERS)[number];

/** What all programs of an address were told of a folder, and may rely on whatever happens to the service. */
export class FolderBook {
  readonly #folder: string;
  #ends: Ends = { validity: 0, uidNext: 1, modSeq: 0 };
  /** The mail of each UID that was ever seen. */
  readonly #ids = new Map<number, string>();
  /** What a program knows that reads only what is new (RFC 7162), and where it stands. */
  readonly #mirror = new Map<number, Row>();
  readonly #gone = new Set<number>();
  #read = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What is known now. What is asked from now on may not fall below it. */
  get ends(): Ends {
    return this.#ends;
  }

  /** Opens the folder. */
  async select(imap: ImapConnection, parameters = ''): Promise<string> {
    const known = this.#ends;
    const { ends, text } = await imap.select(this.#folder, parameters);
    this.#told(ends, known);
    return text;
  }

  /** UIDs that new mails got, after the folder was as `since` says. */
  given(validity: number, uids: readonly number[], since: Ends): void {
    this.#told({ validity, uidNext: Math.max(0, ...uids) + 1, modSeq: since.modSeq }, since);
    for (const uid of uids) {
      assert.ok(uid >= since.uidNext, `${this.#folder}: UID ${uid} is new, and UIDNEXT was ${since.uidNext} before`);
      assert.ok(!this.#ids.has(uid), `${this.#folder}: UID ${uid} was another mail's`);
    }
  }

  /** The mail that a UID stands for is the same for ever. */
  seen({ uid, id }: Pick<Row, 'uid' | 'id'>): void {
    assert.equal(this.#ids.get(uid) ?? id, id, `${this.#folder}: the mail of UID ${uid}`);
    this.#ids.set(uid, id);
  }

  /** Reads what is new since the last time. With it a program knows all that is there. @returns what is there, in the order of UIDs */
  async resync(imap: ImapConnection): Promise<Row[]> {
    const isFirst = this.#read === 0;
    const text = await this.select(imap, isFirst ? '' : ` (QRESYNC (${this.#ends.validity} ${this.#read}))`);
    const { uidNext, modSeq } = this.#ends;
    const all = await imap.ask('UID FETCH 1:* (UID FLAGS MODSEQ EMAILID)');
    const rows = rowsIn(all).filter(({ uid, id }) => id !== '' && uid < uidNext);
    for (const row of rows) this.seen(row);
    for (const [, set = ''] of text.matchAll(/^\* VANISHED \(EARLIER\) (\S+)/gm))
      for (const uid of numbersOf(set)) {
        this.#mirror.delete(uid);
        this.#gone.add(uid);
      }
    for (const row of isFirst ? rows : rowsIn(text)) {
      assert.ok(!this.#gone.has(row.uid), `${this.#folder}: UID ${row.uid} was removed, and is there again`);
      const known = this.#mirror.get(row.uid);
      assert.ok(row.modSeq >= (known?.modSeq ?? 0), `${this.#folder}: the mod-sequence of UID ${row.uid} fell`);
      this.#mirror.set(row.uid, row);
    }
    this.#read = modSeq;
    const told = [...this.#mirror.values()].sort((a, b) => a.uid - b.uid);
    const figures = ({ uid, flags, modSeq }: Row): string => `${uid} (${flags}) ${modSeq}`;
    assert.deepEqual(told.map(figures), rows.map(figures), `${this.#folder}: what QRESYNC tells is what is there`);
    return rows;
  }

  #told(ends: Ends, known: Ends): void {
    const what = `${this.#folder}: ${JSON.stringify(ends)} after ${JSON.stringify(known)}`;
    if (known.validity > 0) assert.equal(ends.validity, known.validity, what);
    assert.ok(ends.uidNext >= known.uidNext && ends.modSeq >= known.modSeq, what);
    this.#ends = {
      validity: ends.validity,
      uidNext: Math.max(ends.uidNext, this.#ends.uidNext),
      modSeq: Math.max(ends.modSeq, this.#ends.modSeq),
    };
  }
}
