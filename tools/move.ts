/**
 * Moves the files of `tools/moves.tsv` (old path, tab, new path) and every place that names them: imports, addresses
 * relative to a file, paths in text. `move.ts` moves; `move.ts --prove REF` compares the bodies of all files with those
 * of REF, without imports, blanks, and the names of paths.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });

const moves = new Map(
  readFileSync('tools/moves.tsv', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [string, string]),
);
const changed = [...moves].filter(([from, to]) => from !== to);

/** Sources inside sources: there only real imports are rewritten. */
const FIXTURES = /^test\/static\//;
const UNREAD = /^(docs\/openapi\.json|package-lock\.json|tools\/mov|docs\/monitoring\/)/;
const TEXT =
  /\.(ts|js|mjs|json|md|html|css|tsv|txt|ya?ml|py|toml)$|^(Dockerfile|\.ci\/run|bin\/|\.gitattributes|\.dockerignore)/;

/** Where all files of a folder go, if they stay together. */
function folderMap(): Map<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of moves) {
    if (from.endsWith('.test.ts')) continue;
    const folder = dirname(from);
    targets.set(folder, (targets.get(folder) ?? new Set()).add(dirname(to)));
  }
  const map = new Map<string, string>();
  for (const [from, to] of targets) if (to.size === 1) map.set(from, [...to][0] ?? from);
  for (const [from, to] of [
    ['src/console', 'src/web/console'],
    ['src/client', 'src/client'],
    ['src/dashboard', 'src/web/site'],
  ] as const)
    map.set(from, to);
  return map;
}
const folders = folderMap();

const bySuffix = new Map<string, string[]>();
for (const from of moves.keys()) {
  const parts = from.split('/');
  for (let at = 0; at < parts.length; at++) {
    const suffix = parts.slice(at).join('/');
    bySuffix.set(suffix, [...(bySuffix.get(suffix) ?? []), from]);
  }
}

const unclear = new Set<string>();

/** A path or name in a text, as it is called now. */
function renamed(token: string, where: string): string {
  const found = bySuffix.get(token);
  if (!found) return token;
  const near = found.length > 1 ? found.filter((from) => dirname(from) === dirname(where)) : found;
  const one = near.length === 1 ? near[0] : undefined;
  if (one === undefined) {
    if (found.some((from) => basename(moves.get(from) ?? from) !== basename(from)))
      unclear.add(`${where}: ${token} may be ${found.join(' or ')}`);
    return token;
  }
  const to = moves.get(one) ?? one;
  if (token.startsWith('src/')) return to;
  if (!token.includes('/')) return basename(to);
  return to.slice('src/'.length);
}

const TOKEN = /(?<![\w./-])((?:[\w-]+\/)*[\w-][\w.-]*\.(?:ts|css|js|html))(?![\w-])/g;
const FOLDER = /(?<![\w.-])((?:src\/)?features\/[\w-]+)(?=\/?(?:[`'")\s,;:]|$))/g;

const rewriteTokens = (text: string, where: string): string =>
  text
    .replace(TOKEN, (token) => renamed(token, where))
    .replace(FOLDER, (token) => {
      const to = folders.get(token.startsWith('src/') ? token : `src/${token}`);
      return to === undefined ? token : token.startsWith('src/') ? to : to.slice('src/'.length);
    });

const RELATIVE = /(['"])(\.{1,2}\/[^'"`\s$]*)\1/g;
const IMPORT = /((?:^|[\s;])(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"`\s$]*)\2/g;

/** What a relative address means, as an address from the file's new place. `null`: nothing of ours. */
function relocated(specifier: string, from: string): string | null {
  const target = posix.normalize(posix.join(posix.dirname(from), specifier));
  const now = posix.dirname(moves.get(from) ?? from);
  const folder = target.endsWith('/') ? target.slice(0, -1) : null;
  let to = moves.get(target);
  if (to === undefined && folder !== null && folders.has(folder)) to = `${folders.get(folder)}/`;
  if (to === undefined && (tracked.has(target) || (folder !== null && tracked.has(folder)))) to = target;
  if (to === undefined) return null;
  const path = posix.relative(now, to) + (to.endsWith('/') ? '/' : '');
  return path.startsWith('.') ? path : `./${path}`;
}

const files = git('ls-files').trim().split('\n');
const tracked = new Set(files.flatMap((file) => [file, ...parents(file)]));
function parents(file: string): string[] {
  const parts = file.split('/');
  return parts.map((_, at) => parts.slice(0, at).join('/')).filter(Boolean);
}

function rewritten(text: string, from: string): string {
  if (!/\.(ts|js|mjs)$/.test(from)) return rewriteTokens(text, from);
  const marks: string[] = [];
  const mark = (value: string): string => `⟦${marks.push(value) - 1}⟧`;
  const swap = (quote: string, specifier: string): string => {
    const to = relocated(specifier, from);
    return to === null ? quote + specifier + quote : mark(quote + to + quote);
  };
  const addressed = FIXTURES.test(from)
    ? text.replace(IMPORT, (all, before: string, quote: string, specifier: string) =>
        before.startsWith('\n') || text.startsWith(all) || /[\s;]from\s*$/.test(before)
          ? before + swap(quote, specifier)
          : all,
      )
    : text.replace(RELATIVE, (_, quote: string, specifier: string) => swap(quote, specifier));
  const named = FIXTURES.test(from) ? addressed : rewriteTokens(addressed, from);
  return named.replace(/⟦(\d+)⟧/g, (_, at: string) => marks[Number(at)] ?? '');
}

/** A body without its imports, blanks, trailing commas and the names of paths; and its imports, sorted. */
function essence(text: string, path: string, names: (specifier: string) => string): string {
  const imports: string[] = [];
  const body = text
    .replace(/^import [^;]*?;$|^export [^;=(]*?from [^;]*?;$/gms, (all) => {
      imports.push(all.replace(/\s+/g, ' ').replace(/\{ /g, '{').replace(/,? \}/g, '}'));
      return '';
    })
    .replace(TOKEN, '§')
    .replace(/(['"])(\.{1,2}\/[^'"`\s$]*)\1/g, '§');
  const sorted = imports
    .map((line) => line.replace(/(['"])(\.{1,2}\/[^'"]*)\1/, (_, _q, it: string) => names(it)))
    .sort();
  return `${path.endsWith('.ts') ? sorted.join('\n') : ''}${body}`.replace(/\s+/g, '').replace(/,(?=[)\]}])/g, '');
}

function prove(ref: string): void {
  let differing = 0;
  for (const from of git('ls-tree', '-r', '--name-only', ref, 'src', 'test', 'bench').trim().split('\n')) {
    if (!/\.(ts|js|css|html)$/.test(from) || FIXTURES.test(from)) continue;
    const to = moves.get(from) ?? from;
    const before = essence(git('show', `${ref}:${from}`), from, (it) => {
      const target = posix.normalize(posix.join(posix.dirname(from), it));
      return moves.get(target) ?? target;
    });
    const after = essence(readFileSync(to, 'utf8'), to, (it) => posix.normalize(posix.join(posix.dirname(to), it)));
    if (before === after) continue;
    differing++;
    const at = [...before].findIndex((letter, index) => letter !== after[index]);
    process.stdout.write(`${to}\n  - ${before.slice(at - 40, at + 60)}\n  + ${after.slice(at - 40, at + 60)}\n`);
  }
  process.stdout.write(`${differing} files have another body\n`);
}

function move(): void {
  const texts = files
    .filter((file) => TEXT.test(file) && !UNREAD.test(file))
    .map((file) => [file, rewritten(readFileSync(file, 'utf8'), file), readFileSync(file, 'utf8')] as const);
  for (const folder of new Set(changed.map(([, to]) => dirname(to)))) mkdirSync(folder, { recursive: true });
  for (const [from, to] of changed) execFileSync('git', ['mv', from, to]);
  for (const [file, text, before] of texts)
    if (text !== before) writeFileSync(join(root, moves.get(file) ?? file), text);
  for (const line of unclear) process.stdout.write(`unclear: ${line}\n`);
  process.stdout.write(`${changed.length} files moved, ${relative(process.cwd(), root) || '.'}\n`);
}

const [verb, ref] = process.argv.slice(2);
if (verb === '--prove') prove(ref ?? 'HEAD');
else move();
