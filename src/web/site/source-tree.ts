import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { Documents } from '../../http/pipeline/static-document.ts';
import { readSourceFiles } from './client-modules.ts';
import { type ConsoleTree, FILE_TYPES, PAGE_STYLES, stylesOf } from './console-tree.ts';

/**
 * The console from its sources: the TypeScript modules of `src/web/console` and `src/client` with their types stripped, what
 * tells hidden text (`src/mail/look`), and lit-html, in four folders beside each other, without the rooms in them. There is no
 * build; every import is relative.
 */

interface Source {
  path: string;
  text: string;
}

/** The modules of lit-html that the console imports, with what they import themselves. */
const LIT = [
  ...['lit-html.js', 'async-directive.js', 'directive.js', 'directive-helpers.js'],
  ...['directives/keyed.js', 'directives/live.js', 'directives/ref.js', 'directives/repeat.js'],
];

const STYLES = new Set(Object.values(PAGE_STYLES).flat());
const STYLE_FOLDER = new URL('../styles/', import.meta.url);

/** Modules of the client library that no page needs. */
const UNUSED = ['client.ts', 'token-verifier.ts', 'webhook-proof.ts'];

const sourcesIn = (folder: 'client' | 'console' | 'look', url: URL): Source[] =>
  [...readSourceFiles(url)]
    .filter(([name]) => folder !== 'client' || !UNUSED.includes(name))
    .map(([name, text]) => ({ path: `${folder}/${name}`, text }));

function litSources(): Source[] {
  const root = dirname(createRequire(import.meta.url).resolve('lit-html'));
  // For Node the package resolves to another build, one folder below the one for browsers.
  return LIT.map((name) => ({
    path: `lit/${name.replace('directives/', '')}`,
    text: readFileSync(join(root, '..', name), 'utf8')
      .replace(/"\.\.\//g, '"./')
      .replace(/\n\/\/# sourceMappingURL=.*/, ''),
  }));
}

/** The path in the tree of what a module in one of its folders imports. */
function pathInTree(specifier: string, folder: string): string {
  if (specifier === 'lit-html') return 'lit/lit-html.js';
  const of = specifier.startsWith('lit-html/') ? 'lit' : (/\/(client|look)\//.exec(specifier)?.[1] ?? folder);
  return `${of}/${basename(specifier).replace(/\.ts$/, '.js')}`;
}

const importsAsServed = (script: string, folder: string): string =>
  script.replace(
    /((?:from |import |import\()')(\.[^']*\.ts|lit-html[^']*)'/g,
    (_, before: string, specifier: string) => {
      return `${before}../${pathInTree(specifier, folder)}'`;
    },
  );

/** Comments that fill whole lines. A text over several lines that held such lines would lose them. */
const COMMENTS = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)[ \t]*\n/gm;

/** Stripping types leaves as many blanks. What only readers of the source need stays there. */
const withoutBlanks = (script: string): string =>
  script
    .replace(COMMENTS, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');

const scriptOf = ({ path, text }: Source): string =>
  path.endsWith('.ts') ? importsAsServed(withoutBlanks(stripTypeScriptTypes(text)), dirname(path)) : text;

/** The values that a source imports. What is only a type never reaches a browser. */
const IMPORTS = /(?:^|[;}])\s*(?:import|export)\s*(?!type\b)[^;'"]*?from\s*['"]([^'"]+)['"]/g;

const importedBy = ({ path, text }: Source): string[] =>
  [...text.matchAll(IMPORTS)].map(([, specifier = '']) => pathInTree(specifier, dirname(path)));

/** A module, and all that it imports at once. What it imports later (`import(…)`) is not among them. */
function modulesOf(entry: string, sources: ReadonlyMap<string, Source>): string[] {
  // A set lists what is added while it is walked.
  const found = new Set([entry]);
  for (const path of found) {
    const source = sources.get(path);
    if (!source) throw new Error(`the console has no ${path}`);
    for (const imported of importedBy(source)) found.add(imported);
  }
  return [...found];
}

/**
 * Reads the sources once, so that no request names a file of the disk. A file is stripped and compressed when it is first
 * asked for.
 */
export function readSourceTree(): ConsoleTree {
  const sources = [
    ...sourcesIn('console', new URL('../console/', import.meta.url)),
    ...[...STYLES].map((name) => ({
      path: `console/${name}`,
      text: readFileSync(new URL(name, STYLE_FOLDER), 'utf8'),
    })),
    ...sourcesIn('client', new URL('../../client/', import.meta.url)),
    ...sourcesIn('look', new URL('../../mail/look/', import.meta.url)),
    ...litSources(),
  ];
  const hash = createHash('sha256');
  for (const { path, text } of sources) hash.update(`${path}\0${text}\0`);
  const byPath = new Map(sources.map((source) => [source.path.replace(/\.ts$/, '.js'), source]));
  const documents = new Documents();
  const version = hash.digest('hex').slice(0, 16);
  const at = (path: string): string => `/assets/${version}/${path}`;
  return {
    hash: version,
    filesOf(entry) {
      const [script = '', ...modules] = modulesOf(`console/${entry}.js`, byPath).map(at);
      return { styles: PAGE_STYLES[stylesOf(entry)].map((name) => at(`console/${name}`)), script, modules };
    },
    file(folder, name) {
      const path = `${folder}/${name}`;
      const source = byPath.get(path);
      return source && documents.get(path, FILE_TYPES[extname(path)] ?? '', () => scriptOf(source));
    },
  };
}
