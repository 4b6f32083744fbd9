import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const READ = [
  '{src,test,bench,tools,docs,bin}/**/*.{ts,md,js,css,html}',
  '*.md',
  '.ci/run',
  'Dockerfile',
  'compose.yaml',
];
/** What a page is called, in prose, code or a link. */
const PAGE = /[\w./:$-]*\.md\b/g;

/** Pages that a text names but that do not exist in the repository. Other URLs, and paths that begin with `/`, are the service's. */
function missingPages(path: string, text: string): string[] {
  const folders = [dirname(path), '.', 'docs'];
  return text.split('\n').flatMap((line, index) =>
    (line.match(PAGE) ?? [])
      .filter((name) => !/^(\/|https?:|\$)/.test(name) && name !== '.md')
      .filter((name) => !folders.some((folder) => existsSync(join(root, folder, name))))
      .map((name) => `${path}:${index + 1} cites ${name}, which is not in the repository`),
  );
}

describe('citations', () => {
  it('of pages in comments, code and docs name a file of this repository', () => {
    const self = 'test/static/citations.test.ts';
    const paths = READ.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((path) => path !== self);
    assert.ok(paths.length > 400, `${paths.length} files`);
    assert.deepEqual(
      paths.flatMap((path) => missingPages(path, readFileSync(join(root, path), 'utf8'))),
      [],
    );
  });

  it('are reported if they name no file, and only then', () => {
    const said =
      'See plans.md, [mail](mail.md), ../README.md and docs/events.md; GET /skill.md; https://a.example/b.md';
    assert.deepEqual(missingPages('docs/vault.md', said), [
      'docs/vault.md:1 cites plans.md, which is not in the repository',
    ]);
    assert.deepEqual(missingPages('src/base/ids.ts', '/** (notes.md, Ids) */\n// docs/nowhere.md'), [
      'src/base/ids.ts:1 cites notes.md, which is not in the repository',
      'src/base/ids.ts:2 cites docs/nowhere.md, which is not in the repository',
    ]);
  });
});
