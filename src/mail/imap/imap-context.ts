import type { Log } from '../../base/log.ts';
import type { MemoryShare } from '../smtp-in/shared-memory.ts';
import type { Cursor, SequenceSet } from './imap-cursor.ts';
import { BadCommand } from './imap-cursor.ts';
import type { ImapInput } from './imap-input.ts';
import type { ImapOutput } from './imap-output.ts';
import {
  type FetchedMail,
  IMAP_FOLDERS,
  type ImapClient,
  type ImapFolder,
  type ImapMailbox,
  ImapRefusal,
  type ImapService,
} from './imap-store.ts';
import type { Enabled, SelectedFolder } from './selected-folder.ts';

/** RFC 7889: the largest mail that APPEND takes. */
export const APPEND_BYTES = 26_214_400;
/** Bytes after which a session counts what it has sent. */
const COUNTED_BYTES = 65_536;

export interface ImapLimits {
  /** Beyond it, who has not logged in goes, the oldest first; with none of them, the new one. */
  maxConnections: number;
  /** The same for those that have not logged in, and for those of one network. */
  maxWaiting: number;
  maxWaitingPerNetwork: number;
  /** Milliseconds without a command, after and before the login. */
  idleMs: number;
  loginMs: number;
  /** Milliseconds in which a client must take 64 KB. */
  stallMs: number;
  /** How long a refused login waits for its answer. */
  refusalMs: number;
  /** Of the lines of a command. */
  commandBytes: number;
  /** Of what all sessions are receiving or sending. */
  bufferedBytesMax: number;
}

export const IMAP_LIMITS: ImapLimits = {
  maxConnections: 10_000,
  maxWaiting: 1000,
  maxWaitingPerNetwork: 60,
  idleMs: 1_800_000,
  loginMs: 60_000,
  stallMs: 120_000,
  refusalMs: 1000,
  commandBytes: 1_048_576,
  bufferedBytesMax: 268_435_456,
};

/** The session ends: `* BYE text`. */
export class SessionEnd extends Error {}

interface ContextParts {
  client: ImapClient;
  service: ImapService;
  input: ImapInput;
  out: ImapOutput;
  memory: MemoryShare;
  limits: ImapLimits;
  log: Log;
  now(): number;
}

/** What the commands of a session share. */
export class ImapContext {
  readonly client: ImapClient;
  readonly service: ImapService;
  readonly input: ImapInput;
  readonly out: ImapOutput;
  readonly memory: MemoryShare;
  readonly limits: ImapLimits;
  readonly log: Log;
  readonly now: () => number;
  mailbox: ImapMailbox | null = null;
  selected: SelectedFolder | null = null;
  readonly enabled: Enabled = { condstore: false, qresync: false, rev2: false };
  /** What the last `SEARCH RETURN (SAVE)` found (RFC 5182). */
  saved = new Uint32Array(0);
  failedLogins = 0;
  /** The mail of which a client last fetched a piece: it will ask for the next. Only as long as memory is plenty. */
  recent: { folder: ImapFolder; mail: WeakRef<FetchedMail> } | null = null;
  /** Waits for news in IDLE. */
  idling = false;
  #hasNews = false;
  #onNews: (() => void) | null = null;
  #sent = 0;
  #hasSpent = false;

  constructor({ client, service, input, out, memory, limits, log, now }: ContextParts) {
    this.client = client;
    this.service = service;
    this.input = input;
    this.out = out;
    this.memory = memory;
    this.limits = limits;
    this.log = log;
    this.now = now;
  }

  /** The mailbox of a session that has logged in. */
  get open(): ImapMailbox {
    if (this.mailbox === null) throw new BadCommand('Log in first');
    return this.mailbox;
  }

  get folder(): SelectedFolder {
    if (this.selected === null) throw new BadCommand('Select a folder first');
    return this.selected;
  }

  /** The UIDs of a set in the selected folder. */
  pick(set: SequenceSet, byUid: boolean): Uint32Array {
    return this.folder.uids.pick(set, byUid, this.saved);
  }

  /** Something may have changed. */
  news(): void {
    this.#hasNews = true;
    this.#onNews?.();
  }

  /** Who is called at news, and at nothing more with null. */
  onNews(call: (() => void) | null): void {
    this.#onNews = call;
  }

  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Tells the client what is new in the selected folder. @param always also without a hint that something changed */
  async sync(mayExpunge: boolean, always: boolean): Promise<void> {
    const { selected } = this;
    const wanted = always || this.#hasNews || (mayExpunge && selected?.holdsBack === true);
    this.#hasNews = false;
    if (selected === null || !wanted) return;
    try {
      for (const line of await selected.news(this.open, mayExpunge, this.enabled)) {
        this.out.line(line);
        await this.out.ready();
      }
    } catch (err) {
      this.#hasNews = true;
      throw err;
    }
  }

  /** Counts what was sent. @throws SessionEnd when the bytes of the day are used up */
  async spend(atEnd = false): Promise<void> {
    this.#sent += this.out.takeSent();
    if (this.mailbox === null || this.#sent === 0) return;
    // The first at once: of a day that is used up, no session has more.
    if (this.#hasSpent && this.#sent < COUNTED_BYTES && !atEnd) return;
    this.#hasSpent = true;
    const sent = this.#sent;
    this.#sent = 0;
    try {
      await this.mailbox.spend(sent);
    } catch (err) {
      if (err instanceof ImapRefusal) throw new SessionEnd(`[${err.code}] ${err.message}`);
      throw err;
    }
  }
}

/** The folder of a name (RFC 9051 5.1): INBOX in any case. Names in UTF-7 are never those of our folders. */
export function folderNamed(name: string): ImapFolder | null {
  if (name.toUpperCase() === 'INBOX') return 'INBOX';
  return IMAP_FOLDERS.find((folder) => folder === name) ?? null;
}

/** The folder that a command names. @throws ImapRefusal `NONEXISTENT`, or `code` */
export function requireFolder(cursor: Cursor, code = 'NONEXISTENT'): ImapFolder {
  const folder = folderNamed(cursor.astring());
  if (folder === null) throw new ImapRefusal(code, 'No such folder');
  return folder;
}
