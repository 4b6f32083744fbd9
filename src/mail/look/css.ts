/** The markup of a page costs more than it may. */
export class MarkupFloodError extends Error {
  override readonly name = 'MarkupFloodError';
}

/** The declarations of an element: a property to its value, lower case, without `!important`. */
export type Declarations = ReadonlyMap<string, string>;

const RULES_MAX = 2000;
const CSS_CHARS = 200_000;
const DECLARATIONS_CHARS = 8192;
/** The end of a longer list of selectors counts. */
const SELECTOR_CHARS = 2000;

const DECLARATION = /([a-z-]{2,40})\s*:((?:[^;"'()]|"[^"]*(?:"|$)|'[^']*(?:'|$)|\([^)]*(?:\)|$))*)/gi;

/**
 * Parses declarations, as an attribute `style` holds them. Semicolons in quotes and brackets do not end one. What is not
 * closed goes on to the end (CSS Syntax 3, 4.3), so nothing is searched twice.
 */
function parseDeclarations(text: string, onlyImportant = false): Map<string, string> {
  const found = new Map<string, string>();
  if (onlyImportant && !/!\s{0,8}important/i.test(text)) return found;
  const plain = text.slice(0, DECLARATIONS_CHARS).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  for (const [, name, value] of plain.matchAll(DECLARATION)) {
    if (onlyImportant && !/!\s{0,8}important/i.test(value as string)) continue;
    found.set(
      (name as string).toLowerCase(),
      (value as string)
        .replace(/!\s*important/i, '')
        .trim()
        .toLowerCase(),
    );
  }
  return found;
}

/** One part of a selector between combinators: `td.code#main`. */
interface Compound {
  tag: string | null;
  ids: string[];
  classes: string[];
  attributes: { name: string; test: string; value: string }[];
}

interface StyleRule {
  /** From the outermost ancestor to the element itself. A descendant and a child count alike. */
  path: Compound[];
  declarations: Declarations;
  /** Of those, what beats an attribute `style`. */
  important: Declarations;
}

/** Reads a compound selector. Null: it holds something that depends on more than tag, class, id and attributes. */
function parseCompound(text: string): Compound | null {
  const match = /^([a-z][a-z\d]*|\*)?((?:[.#][\w-]+|\[[^\]]{1,100}\])*)$/i.exec(text);
  if (!match || text === '') return null;
  const attributes = [
    ...(match[2] ?? '').matchAll(/\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*["']?([^"'\]]*)["']?)?\s*\]/g),
  ].map(([, name = '', test = '', value = '']) => ({ name: name.toLowerCase(), test, value }));
  const parts = match[2]?.replace(/\[[^\]]*\]/g, '').match(/[.#][\w-]+/g) ?? [];
  const of = (mark: string): string[] => parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(1));
  const tag = match[1] === undefined || match[1] === '*' ? null : match[1].toLowerCase();
  return { tag, ids: of('#'), classes: of('.'), attributes };
}

/** At-rules that hold everywhere, so that their rules count. */
const EVERYWHERE = /^@(?:media\s+(?:only\s+)?(?:all|screen)|supports\s+(?!not)[^{]*|layer[^{]*)\s*$/i;

/** Drops what holds for some screens only (`@media`), and other at-rules: a newsletter hides its mobile version there. */
function withoutAtRules(css: string): string {
  let out = '';
  for (let i = 0; i < css.length; ) {
    const at = css.indexOf('@', i);
    if (at < 0) return out + css.slice(i);
    out += css.slice(i, at);
    i = endOfAtRule(css, at);
    const head = css.slice(at, Math.min(i, at + 200));
    const open = head.indexOf('{');
    if (open > 0 && EVERYWHERE.test(head.slice(0, open))) out += css.slice(at + open + 1, i - 1);
  }
  return out;
}

function endOfAtRule(css: string, at: number): number {
  let depth = 0;
  for (let i = at; i < css.length; i += 1) {
    const c = css[i];
    if (c === ';' && depth === 0) return i + 1;
    if (c === '{') depth += 1;
    else if (c === '}' && --depth <= 0) return i + 1;
  }
  return css.length;
}

/** Parses the rules of a style sheet whose selectors are tags, classes and ids. Bounded. */
function parseStyleSheet(css: string): StyleRule[] {
  const rules: StyleRule[] = [];
  const plain = withoutAtRules(css.slice(0, CSS_CHARS).replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' '));
  const pieces = plain.split(/([{}])/);
  for (let i = 1; i + 2 < pieces.length; i += 2) {
    if (pieces[i] !== '{' || pieces[i + 2] !== '}') continue;
    const [selectors, body] = [pieces[i - 1] as string, pieces[i + 1] as string];
    const declarations = parseDeclarations(body);
    const important = parseDeclarations(body, true);
    for (const selector of selectors.slice(-SELECTOR_CHARS).split(',')) {
      const path = selector
        .trim()
        .replace(/\s+/g, ' ')
        .split(/ ?> ?| /)
        .map(parseCompound);
      if (path.length <= 8 && path.every((part) => part !== null)) rules.push({ path, declarations, important });
      if (rules.length >= RULES_MAX) return rules;
    }
  }
  return rules;
}

/** What a selector asks of an element. */
export interface Matchable {
  tag: string;
  id: string;
  classes: readonly string[];
  parent: Matchable | null;
  attribute(name: string): string | undefined;
}

/** Whether an attribute has the value that a selector asks for (Selectors 4, 6.1 and 6.2). */
function hasValue(actual: string | undefined, test: string, value: string): boolean {
  if (actual === undefined) return false;
  if (test === '') return true;
  if (test === '=') return actual === value;
  if (test === '~=') return actual.split(/\s+/).includes(value);
  if (test === '|=') return actual === value || actual.startsWith(`${value}-`);
  if (value === '') return false;
  return test === '^=' ? actual.startsWith(value) : test === '$=' ? actual.endsWith(value) : actual.includes(value);
}

/** Steps of matching rules to elements in one mail. A newsletter needs some ten thousand. */
const STEPS_MAX = 1_000_000;

/** The rules of a mail, found by what the element itself must be. Its methods throw a {@link MarkupFloodError}. */
export class StyleSheet {
  readonly #byKey = new Map<string, { rule: StyleRule; order: number }[]>();
  readonly #variables = new Map<string, string>();
  #stepsLeft = STEPS_MAX;

  constructor(css: string) {
    for (const [, name, value] of css.slice(0, CSS_CHARS).matchAll(/(?<![\w-])(--[\w-]{1,60})\s{0,9}:([^;{}]{1,200})/g))
      this.#variables.set((name as string).toLowerCase(), (value as string).trim().toLowerCase());
    for (const [order, rule] of parseStyleSheet(css).entries()) {
      const { tag, ids, classes } = rule.path.at(-1) as Compound;
      const key = ids[0] === undefined ? (classes[0] === undefined ? (tag ?? '*') : `.${classes[0]}`) : `#${ids[0]}`;
      const known = this.#byKey.get(key);
      if (known) known.push({ rule, order });
      else this.#byKey.set(key, [{ rule, order }]);
    }
  }

  /** The declarations that apply to an element, with those of its attribute `style`. */
  of(element: Matchable, style: string): Map<string, string> {
    const found = this.#matching(element, 'declarations');
    if (style !== '') for (const [name, value] of parseDeclarations(style)) found.set(name, value);
    for (const [name, value] of this.#matching(element, 'important')) found.set(name, value);
    if (style !== '') for (const [name, value] of parseDeclarations(style, true)) found.set(name, value);
    for (const [name, value] of found) if (value.includes('var(')) found.set(name, this.#resolved(value));
    return found;
  }

  /** A value with its custom properties in their place. */
  #resolved(value: string): string {
    let room = DECLARATIONS_CHARS;
    this.#spend(value.length / 8);
    const resolved = value.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (_, name: string, fallback = '') => {
      const put = (this.#variables.get(name) ?? fallback.trim()).slice(0, room);
      room -= put.length;
      this.#spend(put.length / 8);
      return put;
    });
    return resolved.slice(0, DECLARATIONS_CHARS);
  }

  /** What rules say of an element, later ones over earlier ones. */
  #matching(element: Matchable, part: 'declarations' | 'important'): Map<string, string> {
    const keys = ['*', element.tag, `#${element.id}`, ...element.classes.map((name) => `.${name}`)];
    const rules = keys.flatMap((key) => this.#byKey.get(key) ?? []).sort((a, b) => a.order - b.order);
    this.#spend(rules.length);
    const found = new Map<string, string>();
    for (const { rule } of rules) {
      if (rule[part].size === 0 || !this.#applies(rule, element)) continue;
      this.#spend(rule[part].size);
      for (const [name, value] of rule[part]) found.set(name, value);
    }
    return found;
  }

  /** Whether a rule applies to an element. */
  #applies({ path }: StyleRule, element: Matchable): boolean {
    if (!this.#matches(element, path.at(-1) as Compound)) return false;
    let left = path.length - 2;
    for (let above = element.parent; above && left >= 0; above = above.parent)
      if (this.#matches(above, path[left] as Compound)) left -= 1;
    return left < 0;
  }

  #matches(element: Matchable, { tag, ids, classes, attributes }: Compound): boolean {
    this.#spend(1);
    return (
      (tag === null || tag === element.tag) &&
      ids.every((id) => id === element.id) &&
      classes.every((name) => element.classes.includes(name)) &&
      attributes.every(({ name, test, value }) => {
        const actual = element.attribute(name);
        this.#spend((actual?.length ?? 0) / 8);
        return hasValue(actual, test, value);
      })
    );
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new MarkupFloodError('styles');
  }
}
