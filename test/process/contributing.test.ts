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

/** The number of the next migration. The number in the page can be outdated. */
const nextMigration = (): string =>
  String(globSync('src/db/migrations/*.ts', { cwd: root }).length + 1).padStart(4, '0');

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
  const migration = `${nextMigration()}-notes`;
  const current = (text: string): string => text.replaceAll(/\b\d{4}-notes\b/g, migration);
  const files = exampleFiles(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  for (const [path, text] of files) {
    const file = join(folder, current(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, current(text));
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

  it('has a migration, a store, logic, routes and a test', () => {
    for (const part of [
      /migrations\/\d{4}-notes/,
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

  itInAll('passes its own test, on both databases', async () => {
    const flags = ['--disable-warning=ExperimentalWarning', '--test', '--test-reporter=tap'];
    const printed = await inCopy(process.execPath, ...flags, 'src/features/vault/notes/note.test.ts');
    assert.match(printed, /^# fail 0$/m);
    assert.match(printed, /^# tests [1-9]/m);
  });
});
