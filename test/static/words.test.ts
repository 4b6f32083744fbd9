import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

/** Subjects that name no one. A sentence with the name of what it is about reads faster. */
const NAMELESS = /\b(?:nobody|somebody|anybody|whoever|of (?:its|their|his) own|he|him|his)\b/gi;
/** Lower it with each one that goes. */
const MOST = 81;

const PAGES = ['*.md', 'docs/*.md', 'docs/{agents,jobs,monitoring}/*.md', 'clients/**/*.md'];
const NOT_OURS = ['CHANGELOG.md', 'docs/specification.md', 'docs/next.md', 'node_modules/**'];

/** The lines of a source that are comments, or all lines of a page. */
const proseOf = (path: string): string =>
  path.endsWith('.ts')
    ? (readFileSync(path, 'utf8').match(/^\s*(?:\/\*\*|\*|\/\/).*$/gm) ?? []).join('\n')
    : readFileSync(path, 'utf8');

it('comments and pages name what they speak of: the count of nobody, somebody, whoever, of its own and he only falls', () => {
  const files = globSync(['src/**/*.ts', ...PAGES], { exclude: ['src/client/generated/**', ...NOT_OURS] });
  assert.ok(files.length > 900, `${files.length} files`);
  const found = files.flatMap((path) => (proseOf(path).match(NAMELESS) ?? []).map((word) => `${path}: ${word}`));
  assert.ok(found.length <= MOST, `${found.length}, at most ${MOST}: name the subject\n${found.join('\n')}`);
  assert.ok(found.length > MOST - 10, `only ${found.length} are left: lower MOST in test/static/words.test.ts`);
});
