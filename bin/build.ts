/**
 * Makes few files of the service and its packages, in `service`, and of the console, in `web` beside it: `npm run build
 * [folder]`, `dist` unless told. `bin/signet` runs them for as long as they are newer than every source. See
 * docs/adr/0102-a-build-for-production.md.
 */
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleWeb } from './web-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
const folder = join(dist, 'service');

/** A file that runs in a separate thread, as its user names it. */
const THREAD = /new URL\('\.\/([\w-]+-worker)\.ts', import\.meta\.url\)/g;
/** Every other use of a file's own address. */
const ADDRESS = /import\.meta\.url/g;

const sources = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
const threads = sources.flatMap((path) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(THREAD)].map(([, name = '']) =>
    join(dirname(path), `${name}.ts`),
  ),
);

/** Files beside a source stay where they are: pages, migrations, the modules of the console. Threads come along. */
const addresses: Plugin = {
  name: 'addresses',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const beside = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url)`;
      const contents = readFileSync(path, 'utf8')
        .replace(THREAD, "new URL('./$1.js', import.meta['url'])")
        .replace(ADDRESS, `${beside}.href`);
      return { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/** Beside the folder, which what is built can be moved to in one step. */
const freshOf = (name: string): string => join(dist, `${name}.new`);
const fresh = freshOf('service');
const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

function replace(name: string): void {
  const [place, former] = [join(dist, name), join(dist, `${name}.old`)];
  remove(former);
  if (existsSync(place)) renameSync(place, former);
  renameSync(freshOf(name), place);
  remove(former);
}

// A source that changes from here on may be in it as it was before. The kernel's clock for files is a few ms behind.
const began = new Date(Date.now() - 20);
for (const name of ['service', 'web']) remove(freshOf(name));
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts', ...threads],
  entryNames: '[name]',
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  plugins: [addresses],
  // V8 keeps the text of all code. Names stay, so that a stack says what failed.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  // Packages of the older kind of modules call `require`.
  banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
  metafile: true,
});

const files = Object.keys(metafile.outputs).filter((path) => path.endsWith('.js'));
for (const path of files)
  if (/[^\0-\x7f]/.test(readFileSync(resolve(root, path), 'latin1')))
    process.stderr.write(`${path} is not ASCII, so it takes twice the memory: write \\u… in regular expressions\n`);
const bytes = files.reduce((sum, path) => sum + statSync(resolve(root, path)).size, 0);
utimesSync(join(fresh, 'main.js'), began, began);
const web = await bundleWeb(root, freshOf('web'));
// A build that fails leaves the former one. The service last: it is what is run.
for (const name of ['web', 'service']) replace(name);
process.stdout.write(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, in ${relative(root, folder)}\n`);
process.stdout.write(
  `${web.count} files, ${(web.bytes / 1000).toFixed(0)} KB as sent, in ${relative(root, join(dist, 'web'))}\n`,
);
