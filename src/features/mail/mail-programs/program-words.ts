import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Turns } from '../../../base/clock.ts';
import { ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { KeyReads } from '../../../mail/imap/mail-match.ts';
import { idsWith } from '../mailboxes/messages/message.ts';
import { readSentText } from '../mailboxes/messages/sent.ts';
import { maySeeCodes, shownText } from '../mailboxes/messages/shown-mail.ts';
import { phraseOf, searchWordsOf } from '../mailboxes/search/mail-search.ts';
import { hasTerm, maskedWords } from '../mailboxes/search/masked-search.ts';
import type { SearchTerm, SearchWords } from '../mailboxes/search/search-words.ts';
import type { Place, ProgramItem } from './program-item.ts';

/** Texts of one search that are looked up, and mails that it finds by one of them. */
const TEXTS_MAX = 20;
const FOUND_MAX = 200_000;
/** Mails of which one search reads the text, because the index does not have what is shown of them. */
const READ_MAX = 1000;

type Words = KeyReads['words'][number];
const nameOf = ({ where, text }: Words): string => `${where} ${text}`;

const people = (addresses: readonly string[]) => addresses.map((address) => ({ address, name: '' }));

/** The words of sent mail or a draft, as the caller may see it. */
async function wordsOfOther(reader: Reader, caller: Principal, item: Exclude<ProgramItem, { kind: 'message' }>) {
  if (item.kind === 'sent') {
    const { id, address, recipients, subject: written, excerpt } = item.entry;
    const { subject, text } = shownText(caller, written, (await readSentText(reader, id)) ?? excerpt);
    const of = { from: people([address])[0] ?? null, to: people(recipients), cc: [], subject, text: text ?? '' };
    return searchWordsOf({ ...of, attachments: [] }, 1);
  }
  const { address, headers, text: written } = item.draft;
  const seen = headers.withoutCodes
    ? { subject: headers.subject, text: written }
    : shownText(caller, headers.subject, written);
  const of = { from: people([address])[0] ?? null, to: people(headers.to), cc: people(headers.cc) };
  return searchWordsOf({ ...of, subject: seen.subject, text: seen.text ?? '', attachments: [] }, 1);
}

/** Which mails have the words of a search, by the index or, where the caller sees something else, by what is shown. */
export class WordFinder {
  readonly #terms: ReadonlyMap<string, SearchTerm>;
  /** By text, the ids of the messages that have it. Null: every mail is read. */
  readonly #ids: ReadonlyMap<string, ReadonlySet<string>> | null;
  readonly #words = new Map<string, SearchWords>();
  #read = 0;

  private constructor(terms: ReadonlyMap<string, SearchTerm>, ids: ReadonlyMap<string, ReadonlySet<string>> | null) {
    this.#terms = terms;
    this.#ids = ids;
  }

  /**
   * Looks up texts. The index has every word of received mail, so for a caller that sees masks it is not asked.
   * @throws ImapRefusal `CANNOT` for a text without a word, `LIMIT` for too many
   */
  static async of(reader: Reader, caller: Principal, { address, folder }: Place, texts: readonly Words[]) {
    if (texts.length > TEXTS_MAX) throw new ImapRefusal('LIMIT', `BODY and TEXT occur ${TEXTS_MAX} times at most`);
    const terms = new Map<string, SearchTerm>();
    for (const words of texts) {
      const term = phraseOf(words.text, words.where === 'body' ? 'body' : null);
      if (term === null) throw new ImapRefusal('CANNOT', `${words.where.toUpperCase()} finds words`);
      terms.set(nameOf(words), term);
    }
    if (folder === 'sent' || folder === 'drafts' || !maySeeCodes(caller)) return new WordFinder(terms, null);
    const ids = new Map<string, ReadonlySet<string>>();
    for (const [name, term] of terms) {
      const found = await idsWith(reader, address, [term], FOUND_MAX);
      if (found.length === FOUND_MAX) throw new ImapRefusal('LIMIT', 'Too many mails have these words');
      ids.set(name, new Set(found));
    }
    return new WordFinder(terms, ids);
  }

  /** Whether mails need not be read. */
  get isIndexed(): boolean {
    return this.#ids !== null;
  }

  /** Reads the words of mails. @throws ImapRefusal `LIMIT` */
  async read(reader: Reader, caller: Principal, items: readonly ProgramItem[]): Promise<void> {
    this.#words.clear();
    const turns = new Turns();
    for (const item of items) {
      this.#read += 1;
      if (this.#read > READ_MAX)
        throw new ImapRefusal('LIMIT', `BODY and TEXT read ${READ_MAX} mails at most here. Narrow the search`);
      const words =
        item.kind === 'message'
          ? (await maskedWords(reader, item.message)).words
          : await wordsOfOther(reader, caller, item);
      this.#words.set(item.id, words);
      await turns.next();
    }
  }

  has(itemId: string, where: Words['where'], text: string): boolean {
    const name = nameOf({ where, text });
    if (this.#ids) return this.#ids.get(name)?.has(itemId) === true;
    const [words, term] = [this.#words.get(itemId), this.#terms.get(name)];
    return words !== undefined && term !== undefined && hasTerm(words, term);
  }
}
