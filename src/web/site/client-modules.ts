import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';

/** The client library as JavaScript for browsers and packages, one module per source file. */

const SOURCES = new URL('../../client/', import.meta.url);

/** Reads the modules in a folder and its rooms. @returns their texts by file name, which is unique in `src` */
export function readSourceFiles(folder: URL): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  return new Map(paths.sort().map((path) => [basename(path), readFileSync(new URL(path, folder), 'utf8')]));
}

/** Imports of sources as imports of the modules, which are all in one folder. */
export const importsOfModules = (text: string): string =>
  text.replace(/(['"])\.{1,2}\/(?:[\w-]+\/)*([\w-]+)\.ts(['"])/g, '$1./$2.js$3');

/** @returns the modules by file name; `client.js` is the entry */
export const readClientModules = (): Map<string, string> =>
  new Map(
    [...readSourceFiles(SOURCES)].map(([name, text]) => [
      name.replace(/\.ts$/, '.js'),
      importsOfModules(stripTypeScriptTypes(text)),
    ]),
  );
