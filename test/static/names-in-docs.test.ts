import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { PACKAGE_NAME } from '../../src/client/package-name.ts';

/** The npm name `signet` and the short names on PyPI belong to other projects. */
const FOREIGN =
  /\b(?:npx|bunx|npm exec|pnpm dlx|yarn dlx|uvx|pipx (?:run|install))(?: -\S+)* @?signet|\b(?:npm (?:install|i|add)|pnpm add|yarn add)(?: -\S+)* @?signet|\bpip3? install(?: -\S+)* ["']?signet/;

it('no page tells anybody to install or run a package that is not ours', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'clients/**/*.md', 'src/**/*.md', 'src/**/*.html']);
  assert.ok(pages.includes('docs/cli.md') && pages.includes('clients/python/README.md'));
  for (const page of pages) {
    const lines = readFileSync(page, 'utf8').split('\n');
    for (const [at, line] of lines.entries()) assert.doesNotMatch(line, FOREIGN, `${page}:${at + 1}`);
  }
  for (const wrong of ['npx signet serve', 'npx -y signet', 'npm install signet', 'pip install signet-client'])
    assert.match(wrong, FOREIGN);
  for (const ours of ['npx ./', 'pip install ./clients/python', 'npm install ./signet-0.19.0.tgz'])
    assert.doesNotMatch(ours, FOREIGN);
});

it('the client has one name: in its pages, and in what PyPI and npm would get', () => {
  const found = globSync(['*.md', 'docs/*.md', 'clients/**/*.md']).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/from '(signet[^']*)'|(signet[a-z-]*)-\d+\.\d+\.\d+\.tgz/g)].map(
      ([, module, archive]) => [page, module ?? archive],
    ),
  );
  assert.ok(found.length > 10);
  for (const [page, name] of found) assert.equal(name, PACKAGE_NAME, page);
  const project = readFileSync('clients/python/pyproject.toml', 'utf8');
  assert.equal(/^name = "(.*)"$/m.exec(project)?.[1], PACKAGE_NAME);
});
