/** The declarations of an element: a property to its value, lower case, without `!important`. */
export type Declarations = ReadonlyMap<string, string>;

const RULES_MAX = 2000;
const CSS_CHARS = 200_000;

/** Parses declarations, as an attribute `style` holds them. Semicolons in quotes and brackets do not end one. */
export function parseDeclarations(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const plain = text.slice(0, 8192).replace(/\/\*[\s\S]*?\*\//g, ' ');
  for (const [, name, value] of plain.matchAll(/([a-z-]{2,40})\s*:((?:[^;"'()]|"[^"]*"|'[^']*'|\([^)]*\))*)/gi))
    found.set(
      (name as string).toLowerCase(),
      (value as string)
        .replace(/!\s*important/i, '')
        .trim()
        .toLowerCase(),
    );
  return found;
}

/** One part of a selector between combinators: `td.code#main`. */
interface Compound {
  tag: string | null;
  ids: string[];
  classes: string[];
}

interface StyleRule {
  /** From the outermost ancestor to the element itself. A descendant and a child count alike. */
  path: Compound[];
  declarations: Declarations;
}

/** Reads a compound selector. Null: it holds something that depends on more than tag, class and id. */
function parseCompound(text: string): Compound | null {
  const match = /^([a-z][a-z\d]*|\*)?((?:[.#][\w-]+)*)$/i.exec(text);
  if (!match || text === '') return null;
  const parts = match[2]?.match(/[.#][\w-]+/g) ?? [];
  const of = (mark: string): string[] => parts.filter((part) => part.startsWith(mark)).map((part) => part.slice(1));
  const tag = match[1] === undefined || match[1] === '*' ? null : match[1].toLowerCase();
  return { tag, ids: of('#'), classes: of('.') };
}

/** Drops what holds for some screens only (`@media`), and other at-rules: a newsletter hides its mobile version there. */
function withoutAtRules(css: string): string {
  let out = '';
  for (let i = 0; i < css.length; ) {
    const at = css.indexOf('@', i);
    if (at < 0) return out + css.slice(i);
    out += css.slice(i, at);
    i = endOfAtRule(css, at);
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
  for (const [, selectors, body] of plain.matchAll(/([^{}]{1,2000})\{([^{}]{0,8000})\}/g)) {
    const declarations = parseDeclarations(body as string);
    for (const selector of (selectors as string).split(',')) {
      const path = selector
        .trim()
        .split(/\s*>\s*|\s+/)
        .map(parseCompound);
      if (path.length <= 8 && path.every((part) => part !== null)) rules.push({ path, declarations });
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
}

const matches = (element: Matchable, { tag, ids, classes }: Compound): boolean =>
  (tag === null || tag === element.tag) &&
  ids.every((id) => id === element.id) &&
  classes.every((name) => element.classes.includes(name));

/** Whether a rule applies to an element. */
function applies({ path }: StyleRule, element: Matchable): boolean {
  if (!matches(element, path.at(-1) as Compound)) return false;
  let left = path.length - 2;
  for (let above = element.parent; above && left >= 0; above = above.parent)
    if (matches(above, path[left] as Compound)) left -= 1;
  return left < 0;
}

/** Checks of a rule against an element in one mail. A newsletter needs some ten thousand. */
const CHECKS_MAX = 300_000;

/** The rules of a mail, found by what the element itself must be. */
export class StyleSheet {
  readonly #byKey = new Map<string, { rule: StyleRule; order: number }[]>();
  #checksLeft = CHECKS_MAX;

  constructor(css: string) {
    for (const [order, rule] of parseStyleSheet(css).entries()) {
      const { tag, ids, classes } = rule.path.at(-1) as Compound;
      const key = ids[0] === undefined ? (classes[0] === undefined ? (tag ?? '*') : `.${classes[0]}`) : `#${ids[0]}`;
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { rule, order }]);
    }
  }

  /** The declarations that apply to an element, later rules over earlier ones. */
  of(element: Matchable): Map<string, string> {
    if (this.#checksLeft <= 0) return new Map();
    const keys = ['*', element.tag, `#${element.id}`, ...element.classes.map((name) => `.${name}`)];
    const rules = keys.flatMap((key) => this.#byKey.get(key) ?? []).sort((a, b) => a.order - b.order);
    this.#checksLeft -= rules.length;
    const found = new Map<string, string>();
    for (const { rule } of rules)
      if (applies(rule, element)) for (const [name, value] of rule.declarations) found.set(name, value);
    return found;
  }
}
