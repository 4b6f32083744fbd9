import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A longer group saves little more: by then the code of the service is compiled. Those of `test/` take longer. */
const GROUP_MAX = { src: 16, test: 6 };

/** A process that lives this long after its tests has left something open. It fails, and does not hold the run. */
const LEFT_OPEN_MS = 60_000;

/** What the name of a file ends with in which a process leaves its exit code, if it lived until all its tests were over. */
const ENDED = '.ended';

/**
 * What a file does to its whole process: a hook outside `describe` runs for the other files too (`after` alone does no
 * harm), and so does a change of the environment, or of what the drivers do (`work-meter`).
 */
const OF_PROCESS =
  /^(before|beforeEach|afterEach)\(|\bprocess\.env\b[^\n=;(]* = |\bprocess\.(chdir|umask)\(|\bglobalThis\.\w+ = |\/work-meter\.ts'/m;

/** These share a browser: to start one, and to make the console ready to serve, takes longer than some of their stories. */
const isInBrowser = (root: string, file: string): boolean =>
  /\/support\/console\.ts'/.test(readFileSync(resolve(root, file), 'utf8'));

const isAlone = (root: string, file: string): boolean => OF_PROCESS.test(readFileSync(resolve(root, file), 'utf8'));

/** Deals files like cards, because the slow files of one feature are neighbours. */
function deal(files: readonly string[], most: number): string[][] {
  const count = Math.max(Math.min(2, files.length), Math.ceil(files.length / most));
  return Array.from({ length: count }, (_, i) => files.filter((_file, j) => j % count === i));
}

/**
 * Writes a module that loads the files, and lets no test begin before, also none that a pattern leaves out: Node waits for
 * what `describe` returns. Else it runs the `after` hooks outside `describe` as soon as the tests known so far are over,
 * though a file that waits while it loads has its tests still to come.
 * @returns its path
 */
function writeIndex(folder: string, name: string, files: readonly string[]): string {
  const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`);
  writeFileSync(join(folder, `${name}.files.mjs`), imports.join(''));
  const index = join(folder, `${name}.test.mjs`);
  const title = JSON.stringify(`(${files.map((file) => basename(file, '.test.ts')).join(', ')})`);
  const lines = [
    `import { writeFileSync } from 'node:fs';`,
    `import { after, describe } from 'node:test';`,
    `const loading = import('./${name}.files.mjs');`,
    `describe(${title}, () => loading);`,
    'await loading;',
    'const leave = () => {',
    `  process.stderr.write(${title} + ' left something open\\n');`,
    '  process.exit(1);',
    '};',
    `after(() => setTimeout(leave, ${LEFT_OPEN_MS}).unref());`,
    // Last of all listeners, so that the exit code is known. What a test reports may name another file.
    `process.on('exit', (code) => writeFileSync(${JSON.stringify(`${index}${ENDED}`)}, String(code)));`,
  ];
  writeFileSync(index, `${lines.join('\n')}\n`);
  return index;
}

export interface Groups {
  /** What to give to Node's test runner. */
  files: string[];
  /** The processes whose tests did not all pass, by their test files. `isWhole` says that each test of them ran. */
  failed(): { members: readonly string[]; isWhole: boolean }[];
  remove(): void;
}

/**
 * Lets one process run several test files, one after the other: loading and compiling the service takes longer than
 * most files do. The longest come first.
 * @param files paths below `root`
 */
export function groupFiles(root: string, files: readonly string[]): Groups {
  const folder = mkdtempSync(join(tmpdir(), 'signet-groups-'));
  const inBrowser = files.filter((file) => isInBrowser(root, file));
  const alone = files.filter((file) => !inBrowser.includes(file) && isAlone(root, file));
  const together = files.filter((file) => !inBrowser.includes(file) && !alone.includes(file));
  const ofTest = together.filter((file) => /(^|\/)test\//.test(file));
  const processes = [
    ...(inBrowser.length > 0 ? [inBrowser] : []),
    ...alone.map((file) => [file]),
    ...deal(ofTest, GROUP_MAX.test),
    ...deal(
      together.filter((file) => !ofTest.includes(file)),
      GROUP_MAX.src,
    ),
  ];
  // The runner sorts by name.
  const names = processes.map((members, i) =>
    writeIndex(
      folder,
      String(i).padStart(4, '0'),
      members.map((file) => resolve(root, file)),
    ),
  );
  const failed: Groups['failed'] = () =>
    names.flatMap((file, i) => {
      const code = existsSync(`${file}${ENDED}`) ? readFileSync(`${file}${ENDED}`, 'utf8') : undefined;
      return code === '0' ? [] : [{ members: processes[i] as string[], isWhole: code !== undefined }];
    });
  return { files: names, failed, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
