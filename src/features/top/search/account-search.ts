import {
  type FoundThing,
  hasWords,
  isMasked,
  SEARCH_KINDS,
  type SearchKind,
  type SearchPart,
} from '../../../api/account/search-part.ts';
import type { Endpoint } from '../../../api/endpoint.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { maskCodes } from '../../../mail/screening/masked-text.ts';
import { findAccounts, suspensionWithin } from '../../account/accounts/account-lifecycle.ts';
import { operatedAccounts } from '../../account/people/person.ts';

/** The own list of each kind. Who may not read that finds none of it here either. */
const OWN_LIST: Record<SearchKind, string> = {
  agent: 'getAccount',
  address: 'listAddresses',
  domain: 'listStacks',
  pod: 'listPods',
  key: 'listAccountKeys',
  webhook: 'listEventWebhooks',
  secret: 'listVaultKeys',
  event: 'listCalendarEvents',
  draft: 'listDrafts',
  mail: 'listInbox',
  sent_mail: 'listOutbox',
  charge: 'getBudgetHistory',
};

/** What an account writes itself may quote a mail, and its codes. Received mail is masked where it is read. */
const QUOTES_MAIL: readonly SearchKind[] = ['draft', 'sent_mail'];

/** The rows of one kind in which codes are looked for, to mask them. It takes a tenth of a millisecond for each. */
const MASKED_MAX = 200;

export interface Found extends Omit<FoundThing, 'texts'> {
  kind: SearchKind;
}

/** What a search needs. */
export interface SearchDeps {
  database: Reader;
  searches: readonly SearchPart[];
  /** Whether a credential passes the gate of an endpoint. */
  mayCall(principal: Principal, endpoint: Endpoint): boolean;
}

/** What a search is asked. */
export interface Asked {
  text: string;
  /** Null: all. */
  kinds: readonly SearchKind[] | null;
  limit: number;
}

/** The words of a text. A sign that no name has separates them too. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => word !== '');

/** How well a title fits: it begins with the text, one of its words does, or the words are anywhere. */
function rankOf(title: string, text: string): number {
  const at = title.toLowerCase().indexOf(text);
  if (at === 0) return 0;
  return at > 0 && /[^\p{L}\p{N}]/u.test(title[at - 1] ?? '') ? 1 : 2;
}

/** Takes from each kind in turn, so that much of one hides nothing of another. */
function shared<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1)));
  return inTurn.flat().slice(0, limit);
}

/** Finds things of accounts by their words, over the tables of all features. */
export class AccountSearch {
  readonly #deps: SearchDeps;
  readonly #endpoints = new Map<string, Endpoint>();

  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  /** Takes the table of endpoints, once it is whole. */
  know(endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) this.#endpoints.set(endpoint.operation, endpoint);
  }

  /** Finds at most `limit` things of these accounts, the best first, with a statement or two for each kind. */
  async find(caller: Principal, accountIds: readonly string[], { text, kinds, limit }: Asked): Promise<Found[]> {
    const words = wordsOf(text);
    if (words.length === 0 || accountIds.length === 0) return [];
    const { searches, database } = this.#deps;
    const parts = searches.filter(({ kind }) => (kinds?.includes(kind) ?? true) && this.#mayRead(caller, kind));
    const query = { accountIds, caller, words, limit };
    const lists = await Promise.all(
      parts.map(async (part) => {
        if (!this.#isShownMasked(caller, part.kind))
          return this.#seen(caller, part.kind, words, await part.find(database, query));
        // Even how long it looks for a word would tell of a code, so these rows are chosen without words.
        const newest = (await part.find(database, { ...query, words: [] })).slice(0, MASKED_MAX);
        return this.#seen(caller, part.kind, words, newest);
      }),
    );
    const whole = words.join(' ');
    const ranked = lists.map((list) =>
      list.toSorted((a, b) => rankOf(a.title, whole) - rankOf(b.title, whole) || b.at - a.at),
    );
    return shared(ranked, limit).toSorted(
      (a, b) =>
        rankOf(a.title, whole) - rankOf(b.title, whole) ||
        SEARCH_KINDS.indexOf(a.kind) - SEARCH_KINDS.indexOf(b.kind) ||
        b.at - a.at,
    );
  }

  /** The same over all agents of an operator that it gets into. */
  async findOperated(caller: Principal, asked: Asked): Promise<Found[]> {
    const { database } = this.#deps;
    const ids = await operatedAccounts(database, caller);
    const accounts = [...(await findAccounts(database, ids)).values()];
    const platforms = await findAccounts(
      database,
      accounts.flatMap(({ parentId }) => parentId ?? []),
    );
    const open = accounts.filter(
      (account) => suspensionWithin(account, platforms.get(account.parentId ?? '') ?? null) !== 'whole',
    );
    return this.find(
      caller,
      open.map(({ id }) => id),
      asked,
    );
  }

  /** What the caller may see of what was found, and only what has the words in that. */
  #seen(caller: Principal, kind: SearchKind, words: readonly string[], found: readonly FoundThing[]): Found[] {
    const masks = this.#isShownMasked(caller, kind);
    const shown = (text: string): string => (masks ? maskCodes(text) : text);
    return found.flatMap(({ texts, ...thing }) => {
      const title = shown(thing.title);
      const isFound = texts === null || hasWords(words, [title, ...texts.map(shown)]);
      return isFound ? [{ ...thing, kind, title }] : [];
    });
  }

  #isShownMasked(caller: Principal, kind: SearchKind): boolean {
    return QUOTES_MAIL.includes(kind) && isMasked(caller);
  }

  #mayRead(caller: Principal, kind: SearchKind): boolean {
    const endpoint = this.#endpoints.get(OWN_LIST[kind]);
    return endpoint !== undefined && this.#deps.mayCall(caller, endpoint);
  }
}
