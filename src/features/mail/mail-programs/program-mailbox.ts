import type { Principal } from '../../../api/principal.ts';
import { hasScope } from '../../../api/scopes.ts';
import type {
  AppendedMail,
  CopiedUids,
  FetchedMail,
  FetchWants,
  FlaggedMail,
  FolderChanges,
  FolderState,
  FolderStatus,
  ImapFolder,
  ImapMailbox,
  SearchKey,
  StoreChange,
} from '../../../mail/imap/imap-store.ts';
import { maySeeCodes } from '../mailboxes/messages/shown-mail.ts';
import { numberedAmong } from '../mailboxes/uids/folder-uids.ts';
import { ByteBudget } from './byte-budget.ts';
import { folderInside } from './folder-names.ts';
import { countPlace, openPlace, pagesOfUids, placeChanges } from './folder-view.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { appendMails } from './program-append.ts';
import { currentCaller, currentChanger, scopeToChange } from './program-caller.ts';
import { fetchMails } from './program-fetch.ts';
import { flaggedAmong, type Place } from './program-item.ts';
import type { ProgramLogin } from './program-login.ts';
import { markMails } from './program-marking.ts';
import { copyMails, expungeMails, moveMails } from './program-moves.ts';
import { imapRefusal } from './program-refusal.ts';
import { searchMails } from './program-search.ts';

/** UIDs that one statement looks up. */
const LOOKED_UP_TOGETHER = 1000;

/** What is generated for a mail is at most twice as large as the mail, and these bytes. */
const GENERATED_BYTES = 2048;

/** @throws ImapRefusal for what the API refuses */
async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    throw imapRefusal(err);
  }
}

/** The mailbox of one address, as a mail program that is logged in may use it. */
export class ProgramMailbox implements ImapMailbox {
  readonly owner: string;
  readonly #deps: MailProgramDeps;
  readonly #login: ProgramLogin;
  readonly #budget: ByteBudget;
  /** The bytes of sent mail and drafts, which must be read to be known, and the mod-sequence at which they were. */
  readonly #sizes = new Map<ImapFolder, { modSeq: number; size: number }>();

  constructor(deps: MailProgramDeps, login: ProgramLogin) {
    this.owner = login.principal.quotaAccountId;
    this.#deps = deps;
    this.#login = login;
    this.#budget = new ByteBudget(deps, login.principal);
  }

  mayChange(folder: ImapFolder): boolean {
    return hasScope(this.#login.principal, scopeToChange(folder));
  }

  status(folder: ImapFolder): Promise<FolderStatus> {
    return this.#asked(async (caller) => {
      await this.#settle(caller);
      const { stored, ...status } = await countPlace(this.#deps, this.#place(folder));
      if (stored === null) return { ...status, size: await this.#sizeOf(folder, status) };
      const generated = maySeeCodes(caller) ? stored.sealedBytes : stored.bytes;
      // RFC 8438: the sum of all sizes at least.
      return { ...status, size: stored.bytes + (generated && generated + GENERATED_BYTES * status.messages) };
    });
  }

  open(folder: ImapFolder): Promise<{ state: FolderState; uids: Uint32Array }> {
    return this.#asked(async (caller) => {
      await this.#settle(caller);
      return openPlace(this.#deps, this.#place(folder));
    });
  }

  changesSince(folder: ImapFolder, modSeq: number): Promise<FolderChanges> {
    return this.#asked((caller) => placeChanges(this.#deps, caller, this.#place(folder), modSeq));
  }

  watch(onNews: () => void): () => void {
    return this.#deps.folderNews.watch(this.#login.address, onNews);
  }

  flags(folder: ImapFolder, uids: readonly number[]): Promise<FlaggedMail[]> {
    return this.#asked(async (caller) => {
      const { database } = this.#deps;
      const place = this.#place(folder);
      const found: FlaggedMail[] = [];
      for (let from = 0; from < uids.length; from += LOOKED_UP_TOGETHER) {
        const some = await numberedAmong(database, place, uids.slice(from, from + LOOKED_UP_TOGETHER));
        found.push(...(await flaggedAmong(database, caller, place, some)));
      }
      return found;
    });
  }

  async *fetch(folder: ImapFolder, uids: readonly number[], wants: FetchWants): AsyncGenerator<FetchedMail> {
    try {
      yield* fetchMails(this.#deps, this.#login, folder, uids, wants);
    } catch (err) {
      throw imapRefusal(err);
    }
  }

  search(folder: ImapFolder, key: SearchKey): Promise<{ uids: number[]; highestModSeq: number }> {
    return this.#asked((caller) => searchMails(this.#deps, caller, this.#place(folder), key));
  }

  store(folder: ImapFolder, uids: readonly number[], change: StoreChange) {
    return this.#changing(folder, (login) => markMails(this.#deps, login, folder, uids, change));
  }

  copy(folder: ImapFolder, uids: readonly number[], to: ImapFolder): Promise<CopiedUids> {
    return this.#changing(to, (login) => copyMails(this.#deps, login, folder, uids, to));
  }

  move(folder: ImapFolder, uids: readonly number[], to: ImapFolder): Promise<CopiedUids> {
    return this.#changing(folder, (login) => moveMails(this.#deps, login, folder, uids, to));
  }

  expunge(folder: ImapFolder, uids: readonly number[]): Promise<void> {
    return this.#changing(folder, (login) => expungeMails(this.#deps, login, folder, uids));
  }

  append(folder: ImapFolder, mails: readonly AppendedMail[]) {
    return this.#changing(folder, (login) => appendMails(this.#deps, login, folder, mails));
  }

  spend(bytes: number): Promise<void> {
    return this.#budget.spend(bytes);
  }

  close(): void {
    this.#budget.close();
  }

  #place(folder: ImapFolder): Place {
    return { address: this.#login.address, folder: folderInside(folder) };
  }

  /** Does what a command asks, for its caller of this moment. */
  #asked<T>(work: (caller: Principal) => Promise<T>): Promise<T> {
    return refused(async () => work(await currentCaller(this.#deps, this.#login)));
  }

  /** The same for what changes a folder. */
  #changing<T>(folder: ImapFolder, work: (login: ProgramLogin) => Promise<T>): Promise<T> {
    return refused(async () =>
      work({ ...this.#login, principal: await currentChanger(this.#deps, this.#login, folder) }),
    );
  }

  /** Waits for mail that was accepted and is being read, as a list does. */
  async #settle(caller: Principal): Promise<void> {
    await this.#deps.mailboxes.open(caller, this.#login.address);
  }

  async #sizeOf(folder: ImapFolder, { highestModSeq: modSeq }: FolderState): Promise<number> {
    const known = this.#sizes.get(folder);
    if (known?.modSeq === modSeq) return known.size;
    let size = 0;
    for await (const page of pagesOfUids(this.#deps, this.#place(folder))) {
      const uids = page.map(({ uid }) => uid);
      for await (const mail of fetchMails(this.#deps, this.#login, folder, uids, { dates: true })) size += mail.size;
    }
    this.#sizes.set(folder, { modSeq, size });
    return size;
  }
}
