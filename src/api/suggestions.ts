import { wordDistance } from '../base/nearest-word.ts';
import type { Endpoint } from './endpoint.ts';
import { FIELD_WORDS, PATH_WORDS, VALUE_WORDS } from './suggestion-synonyms.ts';

/** Guesses what a caller meant by a name that does not exist, from known confusions and from the spelling. */

/** Longer names are no typing errors of ours, and comparing them costs. */
const NAME_CHARS_MAX = 64;
/** The most names to compare with. */
const WORDS_MAX = 500;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The parts of a name in alphabetical order: `read_mail` is `mail:read`. */
const inOrder = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join(' ')
    .trim();

/** One wrong letter in three may be a typing error. */
const typosIn = (name: string): number => Math.max(1, Math.floor(name.length / 3));

/** The word that a name was meant to be: the same in another spelling, or with few wrong letters. */
function nearest(given: string, known: readonly string[]): string | undefined {
  const wanted = plain(given);
  if (wanted === '') return undefined;
  const same = known.find((word) => plain(word) === wanted) ?? known.find((word) => inOrder(word) === inOrder(given));
  if (same !== undefined) return same;
  let best: { word: string; far: number } | undefined;
  for (const word of known.slice(0, WORDS_MAX)) {
    const far = wordDistance(wanted, plain(word));
    if (far <= Math.min(typosIn(wanted), typosIn(plain(word))) && (best === undefined || far < best.far))
      best = { word, far };
  }
  return best?.word;
}

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

function suggest(
  given: string,
  known: readonly string[],
  words: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  if (given.length > NAME_CHARS_MAX) return undefined;
  const name = snakeCase(given);
  const exact = known.find((word) => plain(word) === plain(name));
  if (exact !== undefined) return exact;
  const meant = Object.hasOwn(words, name) ? words[name] : undefined;
  return meant?.find((word) => known.includes(word)) ?? nearest(name, known);
}

/** @param known the fields or parameters of the request */
export const suggestField = (given: string, known: readonly string[]): string | undefined =>
  suggest(given, known, FIELD_WORDS);

/** @param known the words that are allowed */
export const suggestValue = (given: unknown, known: readonly unknown[]): string | undefined =>
  typeof given === 'string'
    ? suggest(
        given,
        known.filter((word) => typeof word === 'string'),
        VALUE_WORDS,
      )
    : undefined;

const partsOf = (path: string): string[] =>
  path.split('/').filter((part) => part !== '' && part !== 'api' && part !== 'v1');

/** How far a path is from a pattern: parts that differ, counted by their letters. Null: not alike. */
function pathDistance(given: readonly string[], pattern: readonly string[]): number | null {
  if (given.length !== pattern.length) return null;
  let sum = 0;
  for (const [at, part] of given.entries()) {
    const wanted = pattern[at] as string;
    if (wanted.startsWith('{')) continue;
    const far = wordDistance(part.toLowerCase(), wanted);
    if (far > typosIn(wanted)) return null;
    sum += far;
  }
  return sum;
}

/** A known path for an unknown one: from another service's name for it, or from the spelling. */
export function suggestPath(given: string, endpoints: readonly Pick<Endpoint, 'path'>[]): string | undefined {
  if (given.length > 200) return undefined;
  const parts = partsOf(given);
  const [whole, first = '', last = ''] = [parts.join('-'), parts[0], parts.at(-1)].map((name) => name?.toLowerCase());
  const known = (name: string | undefined): string | undefined =>
    name !== undefined && Object.hasOwn(PATH_WORDS, name) ? PATH_WORDS[name] : undefined;
  const meant = known(whole);
  if (meant !== undefined) return meant;
  const alike = endpoints.flatMap(({ path }) => {
    const far = pathDistance(parts, partsOf(path));
    // A pattern of nothing but parameters is like everything.
    const says = partsOf(path).some((part) => !part.startsWith('{'));
    return far === null || !says ? [] : [{ path, far, fixed: path.split('{').length }];
  });
  const [best] = alike.sort((one, other) => one.far - other.far || one.fixed - other.fixed);
  return best?.path ?? known(last) ?? known(first);
}

/** A parameter that does not exist, and the one that it looks like. */
export interface Misnamed {
  given: string;
  meant: string;
}

/** The first parameter of a query that looks like a known one. */
export function findMisnamed(query: unknown, known: readonly string[], wanted = known): Misnamed | undefined {
  for (const given of Object.keys((query ?? {}) as object)) {
    if (known.includes(given.split('.', 1)[0] as string) || given === 'verbose') continue;
    // `token[]` is no typing error.
    if (!/^[\w.-]+$/.test(given)) continue;
    const meant = suggestField(given, known);
    if (meant !== undefined && wanted.includes(meant)) return { given, meant };
  }
  return undefined;
}

/** The warning for a query parameter that looks like a known one: it was ignored (ADR 0007), and the caller may not see it. */
export function parameterWarning(query: unknown, known: readonly string[]): string | undefined {
  const found = findMisnamed(query, known);
  return found && `There is no parameter ${JSON.stringify(found.given)}; it was ignored. Did you mean ${found.meant}?`;
}
