import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A longer group saves little more: by then the code of the service is compiled. */
const GROUP_MAX = 16;

/** A hook outside `describe` would run for the other files of the process too. `after` alone does no harm. */
const ROOT_HOOK = /^(before|beforeEach|afterEach)\(/m;

/** Files under `test/` start processes of their own or measure the one they run in. */
const isAlone = (root: string, file: string): boolean =>
  /(^|\/)test\//.test(file) || ROOT_HOOK.test(readFileSync(resolve(root, file), 'utf8'));

export interface Groups {
  /** What to give to Node's test runner. */
  files: string[];
  remove(): void;
}

/**
 * Lets one process run several test files, one after the other: loading and compiling the service takes longer than
 * most files do. The others get a process each, and come first, because the longest are among them.
 * @param files paths below `root`
 */
export function groupFiles(root: string, files: readonly string[]): Groups {
  const folder = mkdtempSync(join(tmpdir(), 'signet-groups-'));
  const alone = files.filter((file) => isAlone(root, file));
  const together = files.filter((file) => !alone.includes(file));
  const count = Math.max(Math.min(2, together.length), Math.ceil(together.length / GROUP_MAX));
  // Dealt like cards: the slow files of one feature are neighbours.
  const groups = Array.from({ length: count }, (_, i) => together.filter((_file, j) => j % count === i));
  const processes = [...alone.map((file) => [file]), ...groups];
  // The runner sorts by name.
  const names = processes.map((members, i) => {
    const name = join(folder, `${String(i).padStart(4, '0')}.test.mjs`);
    const imports = members.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(root, file)).href)};\n`);
    writeFileSync(name, imports.join(''));
    return name;
  });
  return { files: names, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
