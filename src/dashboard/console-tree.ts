import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Documents, type StaticDocument } from '../http/static-document.ts';

/**
 * The console as browsers load it: the TypeScript modules of `src/console` and `src/client` with their types stripped,
 * and lit-html, in three folders beside each other. There is no build; every import is relative.
 */

export interface ConsoleTree {
  /** A hash of all files. It is part of every address, so that a browser never mixes two versions. */
  hash: string;
  /** The paths of a module and of all that it imports, for a page to load at once instead of one after the other. */
  modulesOf(entry: string): string[];
  file(folder: string, name: string): StaticDocument | undefined;
}

interface Source {
  path: string;
  text: string;
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const folderOf = (url: string): string => fileURLToPath(new URL(url, import.meta.url));

/** The modules of lit-html that the console imports, with what they import themselves. */
const LIT = [
  ...['lit-html.js', 'directive.js', 'directive-helpers.js'],
  ...['directives/keyed.js', 'directives/live.js', 'directives/repeat.js'],
];

/** Modules of the client library that no page needs. */
const UNUSED = ['client.ts', 'token-verifier.ts', 'webhook-proof.ts'];

function sourcesIn(folder: string, url: string): Source[] {
  const names = readdirSync(folderOf(url)).filter((name) => /\.(ts|css)$/.test(name) && !name.endsWith('.test.ts'));
  return names
    .filter((name) => folder === 'console' || !UNUSED.includes(name))
    .sort()
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(folderOf(url), name), 'utf8') }));
}

function litSources(): Source[] {
  const root = dirname(createRequire(import.meta.url).resolve('lit-html'));
  // For Node the package resolves to a build of its own, one folder below the one for browsers.
  return LIT.map((name) => ({
    path: `lit/${name.replace('directives/', '')}`,
    text: readFileSync(join(root, '..', name), 'utf8')
      .replace(/"\.\.\//g, '"./')
      .replace(/\n\/\/# sourceMappingURL=.*/, ''),
  }));
}

/** Turns imports of sources and of lit-html into addresses that exist in the tree. */
const importsAsServed = (script: string): string =>
  script
    .replace(/((?:from|import) '\.[^']*)\.ts'/g, "$1.js'")
    .replace(/from 'lit-html'/g, "from '../lit/lit-html.js'")
    .replace(/from 'lit-html\/directives\//g, "from '../lit/");

/** Comments that fill whole lines. A text over several lines that held such lines would lose them. */
const COMMENTS = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*)[ \t]*\n/gm;

/** Stripping types leaves as many blanks. What only readers of the source need stays there. */
const withoutBlanks = (script: string): string =>
  script
    .replace(COMMENTS, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');

const scriptOf = ({ path, text }: Source): string =>
  path.endsWith('.ts') ? importsAsServed(withoutBlanks(stripTypeScriptTypes(text))) : text;

/** The values that a source imports. What is only a type never reaches a browser. */
const IMPORTS = /(?:^|[;}])\s*(?:import|export)\s*(?!type\b)[^;'"]*?from\s*['"]([^'"]+)['"]/g;

function importedBy({ path, text }: Source): string[] {
  return [...text.matchAll(IMPORTS)].map(([, name = '']) =>
    name.startsWith('lit-html')
      ? `lit/${name === 'lit-html' ? 'lit-html.js' : name.replace('lit-html/directives/', '')}`
      : join(dirname(path), name).replace(/\.ts$/, '.js'),
  );
}

/**
 * Reads the sources once, so that no request names a file of the disk. A file is stripped and compressed when it is first
 * asked for.
 */
export function readConsoleTree(): ConsoleTree {
  const sources = [...sourcesIn('console', '../console/'), ...sourcesIn('client', '../client/'), ...litSources()];
  const hash = createHash('sha256');
  for (const { path, text } of sources) hash.update(`${path}\0${text}\0`);
  const byPath = new Map(sources.map((source) => [source.path.replace(/\.ts$/, '.js'), source]));
  const documents = new Documents();
  return {
    hash: hash.digest('hex').slice(0, 16),
    modulesOf(entry) {
      // A set lists what is added while it is walked.
      const found = new Set([entry]);
      for (const path of found) {
        const source = byPath.get(path);
        if (!source) throw new Error(`the console has no ${path}`);
        for (const imported of importedBy(source)) found.add(imported);
      }
      return [...found];
    },
    file(folder, name) {
      const path = `${folder}/${name}`;
      const source = byPath.get(path);
      return source && documents.get(path, TYPES[extname(path)] ?? '', () => scriptOf(source));
    },
  };
}
