/** Local parts that would let an agent speak for the service or for the people who run it. */
import { isId } from '../../base/ids.ts';

/** RFC 2142: names of services, network operations and business. */
const RFC_2142 = [
  'postmaster', 'hostmaster', 'webmaster', 'usenet', 'news', 'www', 'uucp', 'ftp',
  'abuse', 'noc', 'security', 'info', 'marketing', 'sales', 'support',
]; // biome-ignore format: a list of words reads best filled.

/**
 * CA/Browser Forum Baseline Requirements 3.2.2.4.4: who receives mail at one of these can obtain a certificate for the
 * domain.
 */
const CERTIFICATE_VALIDATION = ['admin', 'administrator', 'webmaster', 'hostmaster', 'postmaster'];

const STAFF = ['root', 'sysadmin', 'ssladmin', 'billing', 'help', 'operator', 'signet'];

const MACHINES = [
  'mailerdaemon', 'nobody', 'null', 'devnull', 'dmarc',
  'noreply', 'noreplies', 'donotreply', 'donotrespond', 'dontreply', 'noresponse',
]; // biome-ignore format: a list of words reads best filled.

/** Without separators, because people read `no-reply`, `no_reply` and `no.reply` as the same name. */
const fold = (localPart: string): string => localPart.toLowerCase().replace(/[._-]/g, '');

/** The letters that people read in a digit. */
const LETTERS_OF: Readonly<Record<string, string>> = { 0: 'o', 1: 'li', 3: 'e', 5: 's' };

const looksLike = (name: string, word: string): boolean =>
  name.length === word.length && [...name].every((c, i) => c === word[i] || LETTERS_OF[c]?.includes(word[i] as string));

const WORDS = [...RFC_2142, ...CERTIFICATE_VALIDATION, ...STAFF, ...MACHINES];

/** The names that no account may claim at the mail domain. */
export class ReservedNames {
  readonly #folded: ReadonlySet<string>;

  /** @param more local parts that the administrator adds */
  constructor(more: readonly string[] = []) {
    this.#folded = new Set([...WORDS, ...more.map(fold)]);
  }

  /**
   * Whether a local part is reserved in any spelling: its case and the separators `.`, `_` and `-` do not matter, nor do
   * digits in the place of letters (`adm1n`, `bi11ing`, `supp0rt`). Account ids are reserved too: they name a profile and a
   * DID, so such an address could impersonate another agent.
   */
  has(localPart: string): boolean {
    const name = fold(localPart);
    return this.#folded.has(name) || this.folded.some((word) => looksLike(name, word)) || isId('acc', localPart);
  }

  /** The reserved names in lower case and without separators. */
  get folded(): readonly string[] {
    return [...this.#folded];
  }
}

/** The reserved names that mail from outside reaches all the same (RFC 5321 4.5.1, RFC 2142). */
const ROLES = ['postmaster', 'abuse'];

/** Whether mail to this local part is for the administrator of the service. Expects lower case. */
export const isRoleName = (localPart: string): boolean => ROLES.includes(localPart);
