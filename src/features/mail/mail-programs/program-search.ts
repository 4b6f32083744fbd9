import type { Principal } from '../../../api/principal.ts';
import { Turns } from '../../../base/clock.ts';
import { ImapRefusal, type SearchKey } from '../../../mail/imap/imap-store.ts';
import { FoldedMail, type Matcher, matcherOf, readsOf, type SearchedMail } from '../../../mail/imap/mail-match.ts';
import { maySeeCodes } from '../mailboxes/messages/shown-mail.ts';
import { pagesOfUids } from './folder-view.ts';
import { type OutlinedMail, readOutlines } from './mail-outlines.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { datesOf, headerIn, storedSize } from './program-fetch.ts';
import { type FlaggedItem, flaggedAmong, itemsAmong, type NumberedItem, type Place } from './program-item.ts';
import { WordFinder } from './program-words.ts';

/** Mails that one search reads for their long headers, which are not stored. */
const HEADERS_MAX = 5000;
/** Mails that are read together. */
const READ_TOGETHER = 50;

/** Fields of a header that have keys. */
const KEYS = ['from', 'to', 'cc', 'bcc', 'subject'] as const;

/** The key, with the key of a field in place of HEADER where there is one. */
function plain(key: SearchKey): SearchKey {
  if (key.key === 'and' || key.key === 'or') return { ...key, of: key.of.map(plain) };
  if (key.key === 'not') return { ...key, of: plain(key.of) };
  if (key.key !== 'header') return key;
  const own = KEYS.find((name) => name === key.name.toLowerCase());
  // An empty text asks whether there is the field.
  return own === undefined || key.text === '' ? key : { key: own, text: key.text };
}

/** What must all hold. */
const partsOf = (key: SearchKey): SearchKey[] => (key.key === 'and' ? key.of.flatMap(partsOf) : [key]);

/** Whether a key, or one in it, is one of these. */
function asks(key: SearchKey, is: (key: SearchKey) => boolean): boolean {
  if (key.key === 'and' || key.key === 'or') return key.of.some((each) => asks(each, is));
  return key.key === 'not' ? asks(key.of, is) : is(key);
}

const isWords = ({ key }: SearchKey): boolean => key === 'body' || key === 'text';
const isLight = ({ key }: SearchKey): boolean => ['all', 'flag', 'uids', 'modSeq'].includes(key);
const isSize = ({ key }: SearchKey): boolean => key === 'larger' || key === 'smaller';

interface Part {
  key: SearchKey;
  fits: Matcher;
}

/** The keys of a search by what they cost: each step reads only mails that fit those before. */
interface Steps {
  light: Part[];
  stored: Part[];
  read: Part[];
}

function stepsOf(key: SearchKey, isIndexed: boolean): Steps {
  const steps: Steps = { light: [], stored: [], read: [] };
  for (const each of partsOf(plain(key))) {
    const { envelope, header } = readsOf(each);
    const part = { key: each, fits: matcherOf(each) };
    if (envelope || header || asks(each, (inner) => isSize(inner) || (isWords(inner) && !isIndexed)))
      steps.read.push(part);
    else if (asks(each, (inner) => !isLight(inner) && !isWords(inner))) steps.stored.push(part);
    else steps.light.push(part);
  }
  return steps;
}

const NOTHING = { internalDate: 0, size: 0, emailId: '', threadId: null, envelope: null, header: null };

/** What is searched, and how far it went. */
class Search {
  readonly #deps: MailProgramDeps;
  readonly #caller: Principal;
  readonly #place: Place;
  readonly #steps: Steps;
  readonly #finder: WordFinder;
  readonly #turns = new Turns();
  #headers = 0;

  constructor(deps: MailProgramDeps, caller: Principal, place: Place, steps: Steps, finder: WordFinder) {
    this.#deps = deps;
    this.#caller = caller;
    this.#place = place;
    this.#steps = steps;
    this.#finder = finder;
  }

  /** Those of a page of mails that fit every key. */
  async among(page: readonly FlaggedItem[]): Promise<FlaggedItem[]> {
    const { light, stored, read } = this.#steps;
    const found: FlaggedItem[] = [];
    for (const mail of page) if (await this.#fits(light, mail)) found.push(mail);
    if (stored.length === 0 && read.length === 0) return found;
    const fitting: FlaggedItem[] = [];
    for (let from = 0; from < found.length; from += READ_TOGETHER)
      fitting.push(...(await this.#amongRead(found.slice(from, from + READ_TOGETHER))));
    return fitting;
  }

  async #amongRead(some: readonly FlaggedItem[]): Promise<FlaggedItem[]> {
    const { stored, read } = this.#steps;
    const { database } = this.#deps;
    const byUid = new Map(some.map((mail) => [mail.uid, mail]));
    const bare = some.map((mail) => ({ ...mail, flags: [] }));
    const items = (await itemsAmong(database, this.#caller, this.#place, bare)).flatMap((mail) => {
      const marked = byUid.get(mail.uid);
      return marked ? { ...mail, flags: marked.flags } : [];
    });
    const isSized = read.some(({ key }) => asks(key, isSize));
    const sizeOf = ({ item }: NumberedItem): number => storedSize(this.#caller, item) ?? 0;
    const fitting: NumberedItem[] = [];
    for (const mail of items)
      if (await this.#fits(stored, mail, { ...NOTHING, ...datesOf(mail.item), size: sizeOf(mail) })) fitting.push(mail);
    const back = (mails: readonly NumberedItem[]) => mails.flatMap(({ uid }) => byUid.get(uid) ?? []);
    if (read.length === 0) return back(fitting);
    const reads = read.map(({ key }) => readsOf(key));
    const isHeader = reads.some(({ header }) => header);
    const isOutlined = isHeader || reads.some(({ envelope }) => envelope);
    const outlined = fitting.filter((mail) => isOutlined || (isSized && storedSize(this.#caller, mail.item) === null));
    const outlines = await readOutlines(
      database,
      outlined.map(({ item }) => item),
      maySeeCodes(this.#caller),
    );
    if (!this.#finder.isIndexed && read.some(({ key }) => asks(key, isWords)))
      await this.#finder.read(
        database,
        this.#caller,
        fitting.map(({ item }) => item),
      );
    const found: NumberedItem[] = [];
    for (const mail of fitting) {
      const outline = outlines.get(mail.item.id);
      const envelope = outline?.outline.envelope ?? null;
      const header = isHeader ? await this.#headerOf(mail, outline) : null;
      const size = outline?.size ?? sizeOf(mail);
      if (await this.#fits(read, mail, { ...datesOf(mail.item), size, envelope, header })) found.push(mail);
    }
    return back(found);
  }

  /** The header of a mail. @throws ImapRefusal `LIMIT` after many that are not stored */
  async #headerOf({ item }: NumberedItem, outline: OutlinedMail | undefined): Promise<Uint8Array | null> {
    if (outline === undefined || outline.header) return outline?.header ?? null;
    this.#headers += 1;
    if (this.#headers > HEADERS_MAX)
      throw new ImapRefusal('LIMIT', `HEADER reads ${HEADERS_MAX} mails with long headers at most. Narrow the search`);
    return headerIn(this.#deps, this.#caller, item);
  }

  async #fits(
    parts: readonly Part[],
    mail: FlaggedItem | NumberedItem,
    known: Omit<SearchedMail, 'uid' | 'modSeq' | 'flags' | 'hasWords'> = NOTHING,
  ): Promise<boolean> {
    await this.#turns.next();
    const { uid, modSeq, flags } = mail;
    const itemId = 'item' in mail ? mail.item.id : mail.itemId;
    const hasWords = (where: 'body' | 'text', text: string): boolean => this.#finder.has(itemId, where, text);
    const searched = new FoldedMail({ ...known, uid, modSeq, flags, hasWords });
    return parts.every(({ fits }) => fits(searched));
  }
}

/** Keys that ask for what a mail says. */
const isContent = (key: SearchKey): boolean =>
  isWords(key) || key.key === 'header' || KEYS.some((name) => name === key.key);

/**
 * Searches a folder, and what the caller may see alone.
 * @throws ImapRefusal `CANNOT` for a text without a word in BODY or TEXT, `LIMIT` for what would read too much
 */
export async function searchMails(
  deps: MailProgramDeps,
  caller: Principal,
  place: Place,
  key: SearchKey,
): Promise<{ uids: number[]; highestModSeq: number }> {
  const { database, mailboxes } = deps;
  const finder = await WordFinder.of(database, caller, place, readsOf(key).words);
  const search = new Search(deps, caller, place, stepsOf(key, finder.isIndexed), finder);
  const uids: number[] = [];
  let highestModSeq = 0;
  for await (const page of pagesOfUids(deps, place)) {
    const found = await search.among(await flaggedAmong(database, caller, place, page));
    // That it has the words says something of a mail.
    if (asks(key, isContent)) await mailboxes.noteRead(found.flatMap(({ message }) => message ?? []));
    for (const { uid, modSeq } of found) {
      uids.push(uid);
      highestModSeq = Math.max(highestModSeq, modSeq);
    }
  }
  return { uids, highestModSeq };
}
