import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Also what `bin/signet` does not look at: how it is built. */
const SOURCES = ['src', 'package.json', 'package-lock.json', 'bin/build.ts', 'bin/web-bundle.ts'];

/** Whether a source changed since the build, as `bin/signet` decides it. */
function isStale(root: string, built: string): boolean {
  if (!existsSync(built)) return true;
  const paths = SOURCES.map((name) => join(root, name));
  const newer = [...paths, '!', '-name', '*.test.ts', '-newercm', built, '-print', '-quit'];
  return execFileSync('find', newer, { encoding: 'utf8' }) !== '';
}

/**
 * Makes `dist/service` of the present sources, unless it is. `bin/signet` then runs it: a process starts with a fifth of
 * the work. If a source changes during the tests, it runs the sources, so no test sees what is out of date.
 */
export function buildService(root: string): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  // Only one run at a time builds. The lock ends with its process, however that ends.
  const lock = new DatabaseSync(join(root, 'dist/build.lock'), { timeout: 300_000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    if (!isStale(root, join(root, 'dist/service/main.js'))) return;
    const command = ['--disable-warning=ExperimentalWarning', join(root, 'bin/build.ts')];
    execFileSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  } finally {
    lock.close();
  }
}
