/** Guides of `docs/` that a test follows, so that a wrong line of theirs fails. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command-line.ts';

/** The block of a page under the mark `<!-- executed: name -->`. */
export function blockOf(page: string, name: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const block = new RegExp(`<!-- executed: ${name} -->\n\`\`\`\\w*\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  assert.ok(block, `docs/${page} has no block ${name}`);
  return block;
}
