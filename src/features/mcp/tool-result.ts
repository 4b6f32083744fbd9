import type { Content, Json, ToolResult } from './mcp-messages.ts';

/** What a model is shown of a reply. */

type Tree = Map<string, Tree>;

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let node = root;
    for (const name of path.split('.')) {
      const next = node.get(name) ?? new Map();
      node.set(name, next);
      node = next;
    }
  }
  return root;
}

function picked(value: unknown, tree: Tree): unknown {
  if (tree.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => picked(item, tree));
  const members = Object.entries(value).filter(([name]) => tree.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, picked(member, tree.get(name) as Tree)]));
}

/** Keeps the named fields of a reply. */
export const pick = (value: Json, paths: readonly string[] | undefined): Json =>
  (paths === undefined ? value : picked(value, treeOf(paths))) as Json;

/** The longest text of a page, in characters. */
const PAGE_CHARS = 8000;

/** One page of a long text in a reply, and what it says of the rest. Of later pages nothing else is shown. */
export function pageOf(body: Json, name: string, offset: number): { body: Json; more: Json } {
  const { [name]: text } = body;
  if (typeof text !== 'string' || (offset === 0 && text.length <= PAGE_CHARS)) return { body, more: {} };
  const from = isHalf(text, offset) ? offset + 1 : offset;
  const end = from + PAGE_CHARS;
  const until = isHalf(text, end) ? end + 1 : end;
  const left = Math.max(0, text.length - until);
  const shown = offset === 0 ? body : pick(body, ['message_id']);
  return {
    body: { ...shown, [name]: text.slice(from, until) },
    more: { [`${name}_left`]: left, ...(left === 0 ? {} : { next: { offset: until } }) },
  };
}

/** Whether a text would be cut in the middle of a character. */
const isHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text.charAt(at));

/** A result, once, as text. */
export const resultOf = (value: Json, links: readonly Content[] = []): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }, ...links],
});

export const errorResult = (value: Json): ToolResult => ({ ...resultOf(value), isError: true });
