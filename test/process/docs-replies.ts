import assert from 'node:assert/strict';

/** What stands for fields that a page leaves out, inside an object. */
const MORE = '…';

/** Reads an object or a list from the left of a text, with three dots for what is left out. @returns null if there is none */
function readValue(text: string): { value: unknown; end: number } | null {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at] as string;
    if (isString) {
      if (c === '\\') at += 1;
      else if (c === '"') isString = false;
    } else if (c === '"') isString = true;
    else if ('{['.includes(c)) depth += 1;
    else if ('}]'.includes(c) && --depth === 0) {
      const marked = text
        .slice(0, at + 1)
        .replace(/\{\s*…\s*\}/g, `{ "${MORE}": 0 }`)
        .replace(/,\s*…(?=\s*\})/g, `, "${MORE}": 0`)
        .replace(/,\s*…(?=\s*\])/g, '');
      try {
        return { value: JSON.parse(marked), end: at + 1 };
      } catch {
        return null;
      }
    }
  }
  return null;
}

/** All objects and lists that begin a line of a text. */
function valuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  for (let at = 0; at < text.length; ) {
    const read = /^[{[]/.test(text.slice(at)) ? readValue(text.slice(at)) : null;
    if (read) values.push(read.value);
    const next = text.indexOf('\n', at + (read?.end ?? 0));
    // A reply is often printed without an end of its line.
    at = read && '{['.includes(text[at + read.end] ?? ' ') ? at + read.end : next === -1 ? text.length : next + 1;
  }
  return values;
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

function requireSameFields(shown: unknown, given: unknown, path: string): void {
  if (shown === null || given === null) return;
  assert.equal(kindOf(shown), kindOf(given), `${path} is another kind of value`);
  if (Array.isArray(shown) && Array.isArray(given)) {
    // The page may show more items than its commands made.
    for (const [i, item] of shown.slice(0, given.length).entries()) requireSameFields(item, given[i], `${path}[${i}]`);
  } else if (typeof shown === 'object') {
    const fields = Object.entries(shown).filter(([name]) => name !== MORE);
    const reply = given as Record<string, unknown>;
    for (const [name, value] of fields) {
      assert.ok(name in reply, `${path}.${name} is shown, and the reply lacks it`);
      requireSameFields(value, reply[name], `${path}.${name}`);
    }
    if (MORE in shown) return;
    const lacking = Object.keys(reply).filter((name) => !(name in shown));
    assert.deepEqual(lacking, [], `${path} does not show all fields`);
  }
}

/** Compares the fields of the replies that a page shows below its commands with what the commands gave. */
export function requireShownReplies(shown: string, output: string): void {
  const pages = valuesIn(shown);
  const given = valuesIn(output).slice(-pages.length || Number.POSITIVE_INFINITY);
  assert.equal(given.length, pages.length, `shows ${pages.length} replies, and got:\n${output}`);
  for (const [i, page] of pages.entries()) requireSameFields(page, given[i], 'reply');
}
