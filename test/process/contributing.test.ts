import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { itInAll } from '../support/full-run.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A change of an existing file, which the page asks the reader to make by hand. */
interface Edit {
  path: string;
  after: RegExp;
  add: string;
}

/** The only step that is a sentence and not a file: adding the feature to the list. */
const WIRING: readonly Edit[] = [
  {
    path: 'src/features.ts',
    after: /^/,
    add: "import { notesFeature } from './features/vault/notes/notes-feature.ts';\n",
  },
  { path: 'src/features.ts', after: /const FEATURES = \[[^\]]*?(?=\])/, add: '  notesFeature,\n' },
];

/** The code blocks of the page that are files, by the path in their first line. */
function exampleFiles(page: string): Map<string, string> {
  const blocks = page.matchAll(/^```ts\n\/\/ (\S+\.ts)\n([\s\S]*?)^```$/gm);
  return new Map([...blocks].map(([, path, text]) => [path as string, text as string]));
}

/** The changes of files in the page: the path, then lines as in a diff, without numbers. */
function exampleChanges(page: string): { path: string; before: string; after: string }[] {
  const without = (sign: string, lines: readonly string[]): string =>
    lines.map((line) => (line.startsWith(sign) ? '' : `${line.slice(1)}\n`)).join('');
  return [...page.matchAll(/^```diff\n# (\S+)\n([\s\S]*?)\n```$/gm)].map(([, path = '', text = '']) => {
    const lines = text.split('\n');
    return { path, before: without('+', lines), after: without('-', lines) };
  });
}

/** The page with the numbers of the next migrations: those in it can be outdated. */
function numbered(page: string): string {
  const last = Math.max(...globSync('src/db/migrations/*.ts', { cwd: root }).map((path) => Number(/\d{4}/.exec(path))));
  const ids = [...new Set(page.match(/\b\d{4}-note[\w-]*/g))];
  return ids.reduce(
    (text, id, at) => text.replaceAll(id, `${String(last + at + 1).padStart(4, '0')}${id.slice(4)}`),
    page,
  );
}

function applyEdit(folder: string, { path, after, add }: Edit): void {
  const file = join(folder, path);
  const text = readFileSync(file, 'utf8');
  const [found] = after.exec(text) ?? assert.fail(`${path} has no place for: ${add.trim()}`);
  writeFileSync(
    file,
    text.replace(found, () => found + add),
  );
}

/** Writes the example into a copy of the repository. */
function layOut(folder: string): string[] {
  for (const name of ['src', 'test', 'bench', 'tools', 'bin', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const page = numbered(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  const files = exampleFiles(page);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const { path, before: was, after: is } of exampleChanges(page)) {
    const text = readFileSync(join(folder, path), 'utf8');
    assert.equal(text.split(was).length, 2, `${path} has once:\n${was}`);
    writeFileSync(
      join(folder, path),
      text.replace(was, () => is),
    );
  }
  for (const edit of WIRING) applyEdit(folder, edit);
  return [...files.keys()];
}

describe('the example of CONTRIBUTING.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-contributing-'));
  let files: string[];
  /** Runs a program in the copy. Rejects with its output if it fails. */
  const inCopy = async (program: string, ...given: string[]): Promise<string> => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    try {
      return (await run(program, given, { cwd: folder, env, maxBuffer: 2 ** 24 })).stdout;
    } catch (err) {
      const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${given.join(' ')} failed:\n${stdout}${stderr}`, { cause: err });
    }
  };

  before(() => {
    files = layOut(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has a migration, a table, a store, logic, routes and a test; its changes fit', () => {
    for (const part of [
      /migrations\/\d{4}-notes/,
      /note-table/,
      /note-store/,
      /note\.ts/,
      /note-routes/,
      /notes-feature/,
      /note\.test/,
    ])
      assert.ok(
        files.some((path) => part.test(path)),
        String(part),
      );
  });

  itInAll('compiles', async () => {
    assert.equal(await inCopy(join(folder, 'node_modules/.bin/tsc')), '');
  });

  itInAll('respects the architecture, and its table is that of the database', async () => {
    const files = ['test/static/architecture.test.ts', 'src/db/table.test.ts'];
    await inCopy(process.execPath, '--disable-warning=ExperimentalWarning', '--test', ...files);
  });

  itInAll('passes its own test, on both databases', async () => {
    const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap'];
    const printed = await inCopy(process.execPath, ...flags, 'src/features/vault/notes/note.test.ts');
    assert.match(printed, /^# fail 0$/m);
    assert.match(printed, /^# tests [1-9]/m);
  });
});
