/**
 * Peers that the project does not depend on: packages of npm and of Debian, in a separate folder. They are fetched
 * once, when a benchmark first needs them. `BENCH_PEERS` names the folder. Without a registry, a benchmark that needs one
 * says so, and measures ours alone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = process.env.BENCH_PEERS ?? join(tmpdir(), 'signet-bench-peers');
const PATIENCE_MS = 180_000;

const NPM = { 'oidc-provider': '9.13.3', Haraka: '3.3.4' } as const;
const DEBIAN = {
  postfix: 'usr/lib/postfix/sbin/master',
  'etcd-server': 'usr/bin/etcd',
  'dovecot-imapd': 'usr/lib/dovecot/imap',
} as const;

export type Say = (line: string) => void;

function run(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: 'ignore', timeout: PATIENCE_MS }).status === 0;
}

const skip = (say: Say, name: string, how: string): null => {
  say(`SKIPPED: ${name} is missing, so there is no ratio to it. ${how}`);
  return null;
};

/** The folder of a package of npm, or null, said aloud. */
export function npmPeer(name: keyof typeof NPM, say: Say): string | null {
  const folder = join(FOLDER, `${name}-${NPM[name]}`);
  const found = join(folder, 'node_modules', name);
  if (!existsSync(found)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    // Scripts of strangers stay off: neither peer needs what they build.
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    run('npm', ['install', ...flags, `${name}@${NPM[name]}`], folder);
  }
  return existsSync(found) ? found : skip(say, name, `npm could not install it in ${folder}.`);
}

/** The folder in which a package of Debian is, installed (`/`) or only unpacked, or null, said aloud. */
export function debianPeer(name: keyof typeof DEBIAN, say: Say): string | null {
  if (existsSync(join('/', DEBIAN[name]))) return '/';
  const folder = join(FOLDER, name);
  if (!existsSync(join(folder, DEBIAN[name]))) {
    mkdirSync(folder, { recursive: true });
    run('apt-get', ['download', name], folder);
    for (const file of readdirSync(folder)) if (file.endsWith('.deb')) run('dpkg-deb', ['-x', file, '.'], folder);
  }
  return existsSync(join(folder, DEBIAN[name])) ? folder : skip(say, name, `Debian: apt-get install ${name}.`);
}
