import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Documents, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { readClientModules } from './client-modules.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** Scripts and pictures, and the styles of all pages. */
const FOLDERS = [new URL('./assets/', import.meta.url), new URL('../styles/', import.meta.url)];
const PAGES = new URL('./pages/', import.meta.url);

/**
 * Looks up an asset by name, including the modules of the client library. Files are read once at the start, so a request
 * cannot reach the disk or name another path. Each is compressed when it is first asked for.
 */
export function createAssetLookup(): (name: string) => StaticDocument | undefined {
  const own = new Map(
    FOLDERS.flatMap((folder) =>
      readdirSync(folder).map((name): [string, string] => [name, readFileSync(new URL(name, folder), 'utf8')]),
    ),
  );
  const documents = new Documents();
  // Compiled from TypeScript on first use, because that takes longer than the rest of the start.
  let client: ReadonlyMap<string, string> | undefined;
  return (name) => {
    const type = CONTENT_TYPES[extname(name)];
    if (type === undefined) return;
    if (!own.has(name) && name.endsWith('.js')) client ??= readClientModules();
    const text = own.get(name) ?? client?.get(name);
    return text === undefined ? undefined : documents.get(name, type, () => text);
  };
}

/** Reads the HTML of a page. */
export const readPage = (name: 'landing' | 'console'): string => readFileSync(new URL(`${name}.html`, PAGES), 'utf8');
