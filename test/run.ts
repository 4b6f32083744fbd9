/**
 * Runs the tests: starts one PostgreSQL for all of them, then Node's test runner.
 *
 *     npm test -- [files, globs or words] [--names] [--test-name-pattern=…, or another flag of Node's, written with `=`]
 *
 * A folder selects the test files below it. A word, such as `vault`, selects each test file with that word in its path; with
 * `--names` also those with the word in the name of a test.
 *
 * `npm run test:all` takes the same, and runs each suite on both databases, with the tests that take long and break seldom.
 * `npm run test:all -- --list` names what it adds.
 *
 * `npm run test:long -- NAME` runs a long profile: `test/long/NAME.test.ts` and other test files of that name, with many more
 * rounds. `SIZE` says how many. docs/reliability.md lists them.
 *
 * `SIGNET_TEST_POSTGRES` can name a running server, by the URL of a superuser.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupFiles } from './groups.ts';
import { buildService } from './support/built.ts';
import { migrateOnce } from './support/migrated.ts';
import { startPostgres } from './support/postgres.ts';
import { testFolder } from './support/test-folder.ts';

/** More than this do not fail by luck. */
const AGAIN_MAX = 3;

const EVERY_TEST = ['src/**/*.test.ts', 'test/**/*.test.ts'];

const root = fileURLToPath(new URL('..', import.meta.url));
const reporter = new URL('./reporter.ts', import.meta.url);

const given = process.argv.slice(2);
/** Ours; the other flags are Node's. */
const OWN_FLAGS = ['--names', '--list'];
const flags = given.filter((argument) => argument.startsWith('-') && !OWN_FLAGS.includes(argument));

const NAMES = /\b(?:describe|it|onEngines)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs;

/** The long profiles run only by `npm run test:long`, and what reads sources by `npm run check`. */
const everyFile = (): string[] =>
  globSync(EVERY_TEST, { cwd: root })
    .filter((file) => process.env.SIGNET_LONG || !file.startsWith('test/long/'))
    .filter((file) => !file.startsWith('test/static/'))
    .sort();

const isPath = (argument: string): boolean => /[*/]|\.ts$/.test(argument);

/** A word that is the name of a test file selects only that file in `npm run test:long`. */
const namedFiles = (word: string): string[] =>
  process.env.SIGNET_LONG ? everyFile().filter((file) => file.endsWith(`/${word}.test.ts`)) : [];

/** The names of the tests and suites in a file. */
const namesIn = (file: string, pattern = NAMES): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, , name]) => name as string);

/** The test files that a path, a glob or a word selects. Ends the process if there is none. */
function filesOf(argument: string): string[] {
  const named = namedFiles(argument);
  if (named.length > 0) return named;
  const wanted = argument.toLowerCase();
  const isNamed = (file: string): boolean =>
    given.includes('--names') && namesIn(file).some((name) => name.toLowerCase().includes(wanted));
  const found = isPath(argument)
    ? globSync([argument, `${argument}/**/*.test.ts`], { cwd: root })
        .filter((file) => file.endsWith('.ts'))
        .sort()
    : everyFile().filter((file) => file.toLowerCase().includes(wanted) || isNamed(file));
  if (found.length > 0) return found;
  const has = isPath(argument) ? 'is at' : 'has';
  const where = isPath(argument) ? '' : ' in its path; --names looks in the names of tests too';
  process.stderr.write(`no test file ${has} ${JSON.stringify(argument)}${where}\n`);
  process.exit(1);
}

/** What `npm run test:all` adds: tests of their own, and the suites that `npm test` runs on SQLite alone. */
function printAdded(): never {
  for (const file of everyFile()) {
    const added = [
      ...namesIn(file, /\b(?:itInAll|describeInAll|itHere)\)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs),
      ...namesIn(file, /\bonEngines\(\s*'any',\s*(['"`])((?:\\.|(?!\1).)*)\1/gs).map((name) => `${name} [postgres]`),
    ];
    if (added.length > 0) process.stdout.write(`${file}\n${added.map((name) => `  ${name}\n`).join('')}`);
  }
  process.exit(0);
}
if (given.includes('--list')) printAdded();

const selected = given.filter((argument) => !argument.startsWith('-')).flatMap(filesOf);
const files = selected.length > 0 ? [...new Set(selected)] : everyFile();
process.stdout.write(`${files.length} of ${everyFile().length} test files\n`);
// Also what tests leave that are interrupted is gone with it.
const folder = mkdtempSync(join(testFolder(), 'signet-run-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.SIGNET_TEST_FOLDER = folder;
/** Where the reporter notes the files of the tests that failed. */
const failedList = join(folder, 'failed');
const groups = groupFiles(root, files);
process.on('exit', groups.remove);

let runner: ChildProcess | undefined;
let isInterrupted = false;
// The runner handles these signals itself. We wait for it, then stop PostgreSQL and remove its data.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    if (!runner) process.exit(128 + constants.signals[signal]);
    runner.kill(signal);
  });
}

// If its programs cannot run in the folder of the tests, they can on the disk.
const started = (): ReturnType<typeof startPostgres> =>
  startPostgres({ under: dirname(folder) }).catch(() => startPostgres());
const server = process.env.SIGNET_TEST_POSTGRES ? undefined : await started();
const postgres = server?.url ?? (process.env.SIGNET_TEST_POSTGRES as string);
const migrated = await migrateOnce(postgres);
// These start the service as its users do.
if (files.some((file) => /(^|\/)test\/(process|long)\//.test(file))) buildService(root);
/** @returns the exit code of Node's test runner, 1 if a signal ended it */
async function run(files: readonly string[], concurrency = 3): Promise<number> {
  runner = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      `--test-concurrency=${concurrency}`,
      // A test that hangs fails, and does not hold the whole run. A long profile takes up to 45 minutes.
      `--test-timeout=${process.env.SIGNET_LONG ? 14_400_000 : 1_200_000}`,
      `--test-reporter=${reporter}`,
      ...flags,
      ...files,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SIGNET_TEST_POSTGRES: postgres, SIGNET_TEST_FAILED: failedList, ...migrated.env },
    },
  );
  const [code] = await once(runner, 'exit');
  return code ?? 1;
}

/** Of the files of a process that failed, those with a test that failed; all of them, if that may not be all. */
function failedIn({ members, isWhole }: ReturnType<typeof groups.failed>[number]): readonly string[] {
  const noted = isWhole && existsSync(failedList) ? readFileSync(failedList, 'utf8').split('\n') : [];
  const known = members.filter((file) => noted.includes(join(root, file)));
  return known.length > 0 ? known : members;
}

/** How many test files passed only when they ran again. */
let flaky = 0;

/**
 * Runs the test files that failed in a few processes of a run of all tests once more, one after the other. What passes now
 * depends on luck: it is named, and to be mended, but does not hold up the work of others
 * (docs/adr/0112-a-failed-file-runs-once-more.md).
 * @returns the exit code of the whole run
 */
async function runAgain(): Promise<number> {
  const isAll = selected.length === 0 && !process.env.SIGNET_LONG;
  const failed = groups.failed();
  if (isInterrupted || !isAll || failed.length === 0 || failed.length > AGAIN_MAX) return 1;
  const again = failed.flatMap(failedIn);
  const names = again.map((file) => `  ${file}\n`).join('');
  process.stdout.write(`\nAGAIN: these failed; they run once more, one at a time:\n${names}\n`);
  const code = await run(again, 1);
  if (code !== 0) return code;
  flaky = again.length;
  process.stdout.write(`They pass now. Mend what depends on luck, see FAILED above:\n${names}`);
  return code;
}

/** The seconds that processors spent for this process and those below it, of which it has seen the end. Linux only. */
function processorSeconds(): string {
  if (!existsSync('/proc/self/stat')) return 'unknown';
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  // utime, stime, cutime and cstime of proc_pid_stat(5), in hundredths.
  return fields
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
    .toFixed(0);
}

/** `7 min 3 s`. */
function wallTime(): string {
  const seconds = Math.round(performance.now() / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const code = (await run(groups.files)) === 0 ? 0 : await runAgain();
await migrated.drop();
await server?.stop();
process.stdout.write(`whole run: ${wallTime()}, ${processorSeconds()} processor seconds\nFLAKY ${flaky}\n`);
process.exitCode = code;
