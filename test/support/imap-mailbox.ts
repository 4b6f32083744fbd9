/** A mailbox in memory, for tests of the IMAP protocol alone. */
import type {
  AppendedMail,
  CopiedUids,
  FetchedMail,
  FetchWants,
  FlaggedMail,
  FolderChanges,
  FolderState,
  FolderStatus,
  ImapClient,
  ImapCredentials,
  ImapFolder,
  ImapMailbox,
  ImapPart,
  ImapService,
  MailOutline,
  SearchKey,
  StoreChange,
} from '../../src/mail/imap/imap-store.ts';
import { IMAP_FOLDERS, ImapRefusal } from '../../src/mail/imap/imap-store.ts';

interface Kept {
  uid: number;
  modSeq: number;
  flags: string[];
  internalDate: number;
  bytes: Buffer;
  emailId: string;
}

class KeptFolder {
  uidNext = 1;
  modSeq = 1;
  mails: Kept[] = [];
  gone: { uid: number; modSeq: number }[] = [];
  /** What went at or before it is not known any more. */
  forgotten = 0;
}

class MemoryMailbox implements ImapMailbox {
  owner = 'acct_1';
  readonly folders = new Map<ImapFolder, KeptFolder>(IMAP_FOLDERS.map((folder) => [folder, new KeptFolder()]));
  readOnly = false;
  spent = 0;
  spendMax = Number.POSITIVE_INFINITY;
  closed = 0;
  /** Called before each read of mails. */
  onFetch: () => void = () => {};
  #watchers = new Set<() => void>();
  #ids = 0;

  folder(name: ImapFolder): KeptFolder {
    const folder = this.folders.get(name);
    if (folder === undefined) throw new Error('no such folder');
    return folder;
  }

  /** Puts a mail into a folder, as another door would. */
  add(name: ImapFolder, text: string, flags: string[] = [], internalDate = Date.UTC(2026, 0, 31, 12)): number {
    return this.#put(name, Buffer.from(text), flags, internalDate).uid;
  }

  /** Removes a mail, as another door would. */
  drop(name: ImapFolder, uid: number): void {
    this.#drop(name, [uid]);
    this.news();
  }

  news(): void {
    for (const watcher of this.#watchers) watcher();
  }

  mayChange(): boolean {
    return !this.readOnly;
  }

  async status(name: ImapFolder): Promise<FolderStatus> {
    const { mails } = this.folder(name);
    return {
      ...this.#state(name),
      messages: mails.length,
      unseen: mails.filter(({ flags }) => !flags.includes('\\Seen')).length,
      deleted: mails.filter(({ flags }) => flags.includes('\\Deleted')).length,
      size: mails.reduce((sum, { bytes }) => sum + bytes.length, 0),
    };
  }

  async open(name: ImapFolder): Promise<{ state: FolderState; uids: Uint32Array }> {
    return { state: this.#state(name), uids: Uint32Array.from(this.folder(name).mails, ({ uid }) => uid) };
  }

  async changesSince(name: ImapFolder, modSeq: number): Promise<FolderChanges> {
    const folder = this.folder(name);
    return {
      highestModSeq: folder.modSeq,
      uidNext: folder.uidNext,
      changed: folder.mails.filter((mail) => mail.modSeq > modSeq).map(flagged),
      vanished:
        modSeq < folder.forgotten ? null : folder.gone.filter((mail) => mail.modSeq > modSeq).map(({ uid }) => uid),
    };
  }

  watch(onNews: () => void): () => void {
    this.#watchers.add(onNews);
    return () => this.#watchers.delete(onNews);
  }

  async flags(name: ImapFolder, uids: readonly number[]): Promise<FlaggedMail[]> {
    return this.#of(name, uids).map(flagged);
  }

  async *fetch(name: ImapFolder, uids: readonly number[], wants: FetchWants): AsyncGenerator<FetchedMail> {
    for (const uid of uids) {
      this.onFetch();
      const [mail] = this.#of(name, [uid]);
      if (mail === undefined) continue;
      const outline = outlineOfText(mail.bytes);
      yield {
        ...flagged(mail),
        internalDate: mail.internalDate,
        size: mail.bytes.length,
        emailId: mail.emailId,
        threadId: null,
        outline: wants.outline || wants.bytes ? outline : null,
        header: wants.header || wants.bytes ? mail.bytes.subarray(0, outline.body.bodyAt) : null,
        bytes: wants.bytes ? mail.bytes : null,
        preview: wants.preview ? mail.bytes.subarray(outline.body.bodyAt, outline.body.bodyAt + 20).toString() : null,
      };
    }
  }

  async search(name: ImapFolder, key: SearchKey): Promise<{ uids: number[]; highestModSeq: number }> {
    const found = this.folder(name).mails.filter((mail) => isFound(mail, key));
    return { uids: found.map(({ uid }) => uid), highestModSeq: Math.max(0, ...found.map(({ modSeq }) => modSeq)) };
  }

  async store(
    name: ImapFolder,
    uids: readonly number[],
    { does, flags, unchangedSince }: StoreChange,
  ): Promise<{ changed: FlaggedMail[]; modified: number[] }> {
    this.#require();
    const folder = this.folder(name);
    const mails = this.#of(name, uids);
    const modified = mails.filter(({ modSeq }) => unchangedSince !== null && modSeq > unchangedSince);
    const changed = mails.filter((mail) => !modified.includes(mail));
    folder.modSeq += 1;
    for (const mail of changed) {
      const kept = does === 'replace' ? [] : mail.flags.filter((flag) => !flags.includes(flag));
      mail.flags = does === 'remove' ? kept : [...kept, ...flags];
      mail.modSeq = folder.modSeq;
    }
    this.news();
    return { changed: changed.map(flagged), modified: modified.map(({ uid }) => uid) };
  }

  async copy(name: ImapFolder, uids: readonly number[], to: ImapFolder): Promise<CopiedUids> {
    this.#require();
    const mails = this.#of(name, uids);
    const copies = mails.map((mail) => this.#put(to, mail.bytes, mail.flags, mail.internalDate, mail.emailId).uid);
    return { uidValidity: 7, from: mails.map(({ uid }) => uid), to: copies };
  }

  async move(name: ImapFolder, uids: readonly number[], to: ImapFolder): Promise<CopiedUids> {
    const copied = await this.copy(name, uids, to);
    this.#drop(name, copied.from);
    this.news();
    return copied;
  }

  async expunge(name: ImapFolder, uids: readonly number[]): Promise<void> {
    this.#require();
    const gone = this.#of(name, uids).filter(({ flags }) => flags.includes('\\Deleted'));
    this.#drop(
      name,
      gone.map(({ uid }) => uid),
    );
    this.news();
  }

  async append(name: ImapFolder, mails: readonly AppendedMail[]): Promise<{ uidValidity: number; uids: number[] }> {
    this.#require();
    const uids = mails.map(
      ({ bytes, flags, internalDate }) => this.#put(name, Buffer.from(bytes), [...flags], internalDate ?? 0).uid,
    );
    return { uidValidity: 7, uids };
  }

  async spend(bytes: number): Promise<void> {
    this.spent += bytes;
    if (this.spent > this.spendMax) throw new ImapRefusal('LIMIT', 'The bytes of the day are used up');
  }

  close(): void {
    this.closed += 1;
  }

  #require(): void {
    if (this.readOnly) throw new ImapRefusal('NOPERM', 'Needs mail:manage');
  }

  #state(name: ImapFolder): FolderState {
    const { uidNext, modSeq } = this.folder(name);
    return { uidValidity: 7, uidNext, highestModSeq: modSeq };
  }

  #of(name: ImapFolder, uids: readonly number[]): Kept[] {
    return this.folder(name).mails.filter(({ uid }) => uids.includes(uid));
  }

  #put(name: ImapFolder, bytes: Buffer, flags: string[], internalDate: number, emailId?: string): Kept {
    const folder = this.folder(name);
    folder.modSeq += 1;
    this.#ids += 1;
    const mail = {
      uid: folder.uidNext,
      modSeq: folder.modSeq,
      flags: [...flags],
      internalDate,
      bytes,
      emailId: emailId ?? `e${this.#ids}`,
    };
    folder.uidNext += 1;
    folder.mails.push(mail);
    this.news();
    return mail;
  }

  #drop(name: ImapFolder, uids: readonly number[]): void {
    const folder = this.folder(name);
    folder.modSeq += 1;
    folder.mails = folder.mails.filter(({ uid }) => !uids.includes(uid));
    for (const uid of uids) folder.gone.push({ uid, modSeq: folder.modSeq });
  }
}

const flagged = ({ uid, modSeq, flags }: Kept): FlaggedMail => ({ uid, modSeq, flags: [...flags] });

function isFound(mail: Kept, key: SearchKey): boolean {
  switch (key.key) {
    case 'all':
      return true;
    case 'and':
      return key.of.every((each) => isFound(mail, each));
    case 'or':
      return key.of.some((each) => isFound(mail, each));
    case 'not':
      return !isFound(mail, key.of);
    case 'uids':
      return key.ranges.some(([from, to]) => mail.uid >= from && mail.uid <= to);
    case 'flag':
      return mail.flags.includes(key.flag);
    case 'internalDate':
      return mail.internalDate >= key.from && mail.internalDate < key.before;
    case 'modSeq':
      return mail.modSeq >= key.least;
    case 'larger':
      return mail.bytes.length > key.bytes;
    case 'emailId':
      return mail.emailId === key.id;
    case 'subject':
    case 'text':
      return mail.bytes.toString().includes(key.text);
    case 'body':
      throw new ImapRefusal('CANNOT', 'BODY finds words');
    default:
      return false;
  }
}

/** The outline of a mail that is plain text. */
function outlineOfText(bytes: Buffer): MailOutline {
  const end = bytes.indexOf('\r\n\r\n');
  const bodyAt = end < 0 ? bytes.length : end + 4;
  const field = (name: string): string | null =>
    new RegExp(`^${name}: (.*)\r$`, 'im').exec(bytes.subarray(0, bodyAt).toString())?.[1] ?? null;
  const from = /^(.*) <(.*)@(.*)>$/.exec(field('From') ?? '');
  const body: ImapPart = {
    type: 'text',
    subtype: 'plain',
    params: [['charset', 'utf-8']],
    id: null,
    description: null,
    encoding: '7bit',
    md5: null,
    disposition: null,
    language: [],
    location: null,
    headerAt: 0,
    bodyAt,
    endAt: bytes.length,
    lines: bytes.subarray(bodyAt).toString().split('\n').length - 1,
    parts: [],
    message: null,
  };
  const sender = from === null ? [] : [{ name: from[1] || null, mailbox: from[2] ?? null, host: from[3] ?? null }];
  return {
    envelope: {
      date: field('Date'),
      subject: field('Subject'),
      from: sender,
      sender: [],
      replyTo: [],
      to: [],
      cc: [],
      bcc: [],
      inReplyTo: null,
      messageId: field('Message-ID'),
    },
    body,
  };
}

/** Opens one mailbox for `agent@agents.example` with the key `secret`, by password or token. */
export class MemoryService implements ImapService {
  readonly mailbox = new MemoryMailbox();
  admitted = true;
  clearLogins = true;
  readonly logins: ImapCredentials[] = [];
  /** Ends the login of each session. */
  readonly ends: ((why: ImapRefusal) => void)[] = [];

  async admits(): Promise<boolean> {
    return this.admitted;
  }

  mayLogIn({ tls }: ImapClient): boolean {
    return tls || this.clearLogins;
  }

  async login(
    credentials: ImapCredentials,
    _client: ImapClient,
    ended: (why: ImapRefusal) => void,
  ): Promise<ImapMailbox> {
    this.logins.push(credentials);
    if (credentials.secret !== 'secret' || !['', 'agent@agents.example'].includes(credentials.user)) {
      throw new ImapRefusal('AUTHENTICATIONFAILED', 'Wrong address or key');
    }
    this.ends.push(ended);
    return this.mailbox;
  }
}
