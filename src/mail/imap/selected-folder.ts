import type { FlaggedMail, FolderState, ImapFolder, ImapMailbox } from './imap-store.ts';
import { imapFlags } from './imap-text.ts';
import { gapsIn, type NumberRange, rangesOf, setOfRanges } from './number-ranges.ts';
import { UidList } from './uid-list.ts';

/** How many mod-sequences that the client has been told are remembered until the next look at what is new. */
const TOLD_MAX = 10_000;

/** Keywords of which a session says that they are there. */
const KEYWORDS_MAX = 200;

/** The flags that every mail can have (RFC 9051 2.3.2). */
export const SYSTEM_FLAGS = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft'];

/** What a session has enabled. */
export interface Enabled {
  /** RFC 7162: MODSEQ in every FETCH of flags. */
  condstore: boolean;
  /** RFC 7162: VANISHED instead of EXPUNGE. */
  qresync: boolean;
  /** RFC 9051. */
  rev2: boolean;
}

/** The folder that a session has selected, as its client knows it. */
export class SelectedFolder {
  readonly folder: ImapFolder;
  readonly uids: UidList;
  readonly readOnly: boolean;
  #modSeq: number;
  #gone: number[] = [];
  readonly #keywords = new Set<string>();
  readonly #told = new Map<number, number>();

  constructor(folder: ImapFolder, opened: { state: FolderState; uids: Uint32Array }, readOnly: boolean) {
    this.folder = folder;
    this.uids = new UidList(opened.uids);
    this.#modSeq = opened.state.highestModSeq;
    this.readOnly = readOnly;
  }

  get modSeq(): number {
    return this.#modSeq;
  }

  /** Whether the client has not been told yet of mails that are gone. */
  get holdsBack(): boolean {
    return this.#gone.length > 0;
  }

  /** The client was told the flags of a mail. */
  told({ uid, modSeq }: FlaggedMail): void {
    if (this.#told.size < TOLD_MAX) this.#told.set(uid, modSeq);
  }

  /**
   * What is new since the last look, as untagged responses.
   * @param mayExpunge false: mails that are gone keep their sequence numbers (RFC 9051 7.5.1)
   */
  async news(mailbox: ImapMailbox, mayExpunge: boolean, enabled: Enabled): Promise<string[]> {
    const changes = await mailbox.changesSince(this.folder, this.#modSeq);
    const gone = changes.vanished ?? (await this.#absent(mailbox));
    for (const uid of gone) this.#gone.push(uid);
    const lines = mayExpunge ? this.#expunged(enabled) : [];
    const size = this.uids.size;
    const flagged: FlaggedMail[] = [];
    for (const mail of changes.changed) {
      if (mail.uid > this.uids.last) this.uids.append(mail.uid);
      else if (this.#told.get(mail.uid) !== mail.modSeq) flagged.push(mail);
    }
    this.#told.clear();
    this.#modSeq = Math.max(this.#modSeq, changes.highestModSeq);
    if (this.uids.size > size) lines.push(`* ${this.uids.size} EXISTS`);
    for (const mail of flagged) {
      const line = this.flagsLine(mail, enabled.qresync, enabled.condstore);
      if (line !== null) lines.push(line);
    }
    return lines;
  }

  /** `* FLAGS (…)` and a new line when flags have keywords that the client has not heard of (RFC 9051 7.3.5); else ''. */
  keywordsText(flags: readonly string[]): string {
    const isNew = (flag: string): boolean => !flag.startsWith('\\') && !this.#keywords.has(flag);
    const unheard = flags.filter(isNew).slice(0, KEYWORDS_MAX - this.#keywords.size);
    if (unheard.length === 0) return '';
    for (const flag of unheard) this.#keywords.add(flag);
    return `* FLAGS ${imapFlags([...SYSTEM_FLAGS, ...this.#keywords])}\r\n`;
  }

  /** `* 3 FETCH (FLAGS (\Seen))`, what is new of keywords before it; null when the client does not know the mail. */
  flagsLine(mail: FlaggedMail, withUid: boolean, withModSeq: boolean): string | null {
    const sequence = this.uids.sequenceOf(mail.uid);
    if (sequence === 0) return null;
    const uid = withUid ? `UID ${mail.uid} ` : '';
    const modSeq = withModSeq ? ` MODSEQ (${mail.modSeq})` : '';
    return `${this.keywordsText(mail.flags)}* ${sequence} FETCH (${uid}FLAGS ${imapFlags(mail.flags)}${modSeq})`;
  }

  #expunged({ qresync }: Enabled): string[] {
    const gone = this.uids.remove(this.#gone);
    this.#gone = [];
    if (gone.length === 0) return [];
    if (!qresync) return gone.map(({ sequence }) => `* ${sequence} EXPUNGE`);
    return [`* VANISHED ${setOfRanges(rangesOf(gone.map(({ uid }) => uid).reverse()))}`];
  }

  /** The UIDs that the client knows and that no mail has any more. */
  async #absent(mailbox: ImapMailbox): Promise<number[]> {
    const there = new Set((await mailbox.open(this.folder)).uids);
    return [...this.uids.all()].filter((uid) => !there.has(uid));
  }
}

/** The UIDs that went since a mod-sequence (RFC 7162 3.2.10). `vanished` null: every one that is absent. */
export const vanishedRanges = (vanished: readonly number[] | null, uids: UidList, uidNext: number): NumberRange[] =>
  vanished === null ? gapsIn(rangesOf(uids.all()), uidNext) : rangesOf([...vanished].sort((a, b) => a - b));
