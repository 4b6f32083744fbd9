import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The client library as JavaScript for browsers and packages, one module per source file. */

const SOURCES = new URL('../client/', import.meta.url);

/** @returns the modules by file name; `client.js` is the entry */
export function readClientModules(): Map<string, string> {
  const sources = readdirSync(SOURCES).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return new Map(
    sources.map((name) => {
      const script = stripTypeScriptTypes(readFileSync(new URL(name, SOURCES), 'utf8'));
      return [name.replace(/\.ts$/, '.js'), script.replace(/( from '\.\/[\w-]+)\.ts';/g, "$1.js';")];
    }),
  );
}
