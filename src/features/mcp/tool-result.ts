import { withoutInvisible } from '../../mail/screening/invisible-text.ts';
import type { Content, Json, ToolResult } from './mcp-messages.ts';

/** What a model is shown of a reply. */

/** The longest text by others that a result holds, in characters. The rest is cut, and the result says so. */
const WORDS_MAX = 40_000;

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

/** What others wrote, without what is invisible and what could end the fence. */
const contentOf = (text: string, nonce: string): string =>
  withoutInvisible(text).text.replaceAll(nonce, '').replaceAll('<<<', '< < <');

/** Marks text that others wrote, as `format=llm` marks a mail. The sender cannot know the nonce. */
export function fence(text: string, nonce: string): string {
  const shown = contentOf(text.slice(0, WORDS_MAX), nonce).toWellFormed();
  const note = text.length > WORDS_MAX ? `\n[cut: ${text.length} characters]` : '';
  return `<<<untrusted ${nonce}>>>\n${shown}${note}\n<<<end ${nonce}>>>`;
}

const isText = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') ||
  (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'));

/** Moves the fields that others wrote into one fenced member, `untrusted`, of the object that they stood in. */
export function wrapUntrusted(value: unknown, words: ReadonlySet<string>, nonce: string): unknown {
  if (Array.isArray(value)) return value.map((item) => wrapUntrusted(item, words, nonce));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Json = {};
  const lines: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (!words.has(name)) kept[name] = wrapUntrusted(member, words, nonce);
    else if (isText(member)) lines.push(`${name}: ${[member].flat().join(', ')}`);
  }
  return lines.length === 0 ? kept : { ...kept, untrusted: fence(lines.join('\n'), nonce) };
}

/** A result as text and as data. Clients show the model one or the other. */
export const resultOf = (structuredContent: Json, links: readonly Content[] = []): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }, ...links],
  structuredContent,
});

export const errorResult = (structuredContent: Json): ToolResult => ({ ...resultOf(structuredContent), isError: true });
