/**
 * The console as few files, compressed: for each entry its styles and its script; for `console` one more with what its pages
 * share, and one for each page that is opened later. See docs/adr/0150-the-console-in-few-files.md.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import type { BuiltTree } from '../src/web/site/built-tree.ts';
import { type ConsoleEntry, PAGE_STYLES, stylesOf } from '../src/web/site/console-tree.ts';

const CONSOLE = 'src/web/console/entries/console.ts';
const OTHERS = ['admin', 'consent', 'front', 'links'] as const;

const OPTIONS = {
  outdir: '/',
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2024',
  minify: true,
  legalComments: 'eof',
  external: ['/assets/*'],
  write: false,
  metafile: true,
} as const satisfies BuildOptions;

/** What a module imports: at once, or later by `import(…)`. */
const importsOf = ({ inputs }: Metafile, path: string, kind: 'import-statement' | 'dynamic-import'): string[] =>
  (inputs[path]?.imports ?? []).flatMap((one) => (one.kind === kind && !one.external ? [one.path] : []));

function closureOf(metafile: Metafile, path: string): Set<string> {
  // A set lists what is added while it is walked.
  const found = new Set([path]);
  for (const each of found) for (const next of importsOf(metafile, each, 'import-statement')) found.add(next);
  return found;
}

/** The modules of the console that come at once or that several later pages import, and those that are loaded later. */
async function partsOf(root: string): Promise<{ shared: string[]; later: string[] }> {
  const { metafile } = await build({ ...OPTIONS, absWorkingDir: root, entryPoints: [CONSOLE] });
  const later = [
    ...new Set(Object.keys(metafile.inputs).flatMap((path) => importsOf(metafile, path, 'dynamic-import'))),
  ];
  const uses = new Map<string, number>();
  for (const page of later) for (const path of closureOf(metafile, page)) uses.set(path, (uses.get(path) ?? 0) + 1);
  const several = [...uses].flatMap(([path, count]) => (count > 1 ? [path] : []));
  const shared = new Set([...closureOf(metafile, CONSOLE), ...several]);
  for (const path of [CONSOLE, ...later]) shared.delete(path);
  return { shared: [...shared], later };
}

/**
 * esbuild makes a file for each set of entries that import a module: two dozen small ones. Where every entry imports all of
 * the shared modules, there is one such set.
 */
const importAll = (root: string, into: readonly string[], shared: readonly string[]): Plugin => ({
  name: 'import-all',
  setup({ onLoad }) {
    const places = new Set(into.map((path) => join(root, path)));
    const imports = shared.map((path) => `\nimport ${JSON.stringify(join(root, path))};`).join('');
    onLoad({ filter: /\/src\/web\/console\/.*\.ts$/ }, ({ path }) =>
      places.has(path)
        ? { contents: readFileSync(path, 'utf8') + imports, loader: 'ts', resolveDir: dirname(path) }
        : null,
    );
  },
});

async function scriptsOf(root: string) {
  const { shared, later } = await partsOf(root);
  const plugins = [importAll(root, [CONSOLE, ...later], shared)];
  const own = await build({ ...OPTIONS, absWorkingDir: root, entryPoints: [CONSOLE], plugins });
  // Each of the others is small, and by itself one file.
  const entryPoints = OTHERS.map((name) => `src/web/console/entries/${name}.ts`);
  const others = await build({ ...OPTIONS, absWorkingDir: root, entryPoints, splitting: false });
  const imported = Object.entries(own.metafile.outputs).find(([, { entryPoint }]) => entryPoint === CONSOLE)?.[1]
    .imports;
  const modules = (imported ?? []).flatMap(({ path, kind }) => (kind === 'import-statement' ? [basename(path)] : []));
  return { files: [...own.outputFiles, ...others.outputFiles], modules };
}

async function styleOf(root: string, kind: keyof typeof PAGE_STYLES): Promise<Uint8Array> {
  const contents = PAGE_STYLES[kind].map((name) => `@import "./${name}";\n`).join('');
  const stdin = { contents, loader: 'css', resolveDir: join(root, 'src/web/styles') } as const;
  const { outputFiles } = await build({ ...OPTIONS, splitting: false, absWorkingDir: root, stdin });
  return outputFiles[0]?.contents as Uint8Array;
}

/** @returns how many files, and their bytes as sent */
export async function bundleWeb(root: string, folder: string): Promise<{ count: number; bytes: number }> {
  const { files: scripts, modules } = await scriptsOf(root);
  const files = new Map(scripts.map(({ path, contents }) => [basename(path), contents]));
  for (const kind of ['console', 'front'] as const) files.set(`${kind}.css`, await styleOf(root, kind));

  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256');
  let bytes = 0;
  for (const [name, contents] of files) {
    hash.update(`${name}\0`).update(contents).update('\0');
    const brotli = brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } });
    bytes += brotli.length;
    writeFileSync(join(folder, name), contents);
    writeFileSync(join(folder, `${name}.br`), brotli);
    writeFileSync(join(folder, `${name}.gz`), gzipSync(contents, { level: 9 }));
  }
  const page = (entry: ConsoleEntry) => ({
    styles: [`${stylesOf(entry)}.css`],
    script: `${entry}.js`,
    modules: entry === 'console' ? modules : [],
  });
  const tree: BuiltTree = {
    hash: hash.digest('hex').slice(0, 16),
    files: [...files.keys()],
    pages: {
      console: page('console'),
      admin: page('admin'),
      consent: page('consent'),
      front: page('front'),
      links: page('links'),
    },
  };
  writeFileSync(join(folder, 'tree.json'), JSON.stringify(tree));
  return { count: files.size, bytes };
}
