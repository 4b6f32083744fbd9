import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { lazy } from '../../base/lazy.ts';
import { Documents, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { readClientModules } from './client-modules.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webp': 'image/webp',
};

/** Pictures are compressed already. */
const readPictures = (files: readonly { name: string; url: URL }[]): Map<string, StaticDocument> =>
  new Map(
    files.map(({ name, url }) => {
      const picture = readFileSync(url);
      const etag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 27)}"`;
      const bodies = [{ coding: 'identity', content: () => picture, etag }] as const;
      return [name, { contentType: 'image/webp', bodies }];
    }),
  );

/** Scripts and pictures, and the styles of all pages. */
const FOLDERS = [new URL('./assets/', import.meta.url), new URL('../styles/', import.meta.url)];
const PAGES = new URL('./pages/', import.meta.url);

/**
 * Looks up an asset by name, including the modules of the client library. Files are read once at the start, so a request
 * cannot reach the disk or name another path. Each is compressed when it is first asked for.
 */
export function createAssetLookup(): (name: string) => StaticDocument | undefined {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => ({ name, url: new URL(name, folder) })));
  const isPicture = (name: string): boolean => name.endsWith('.webp');
  const texts = files.filter(({ name }) => !isPicture(name));
  const own = new Map(texts.map(({ name, url }): [string, string] => [name, readFileSync(url, 'utf8')]));
  const pictures = lazy(() => readPictures(files.filter(({ name }) => isPicture(name))));
  const documents = new Documents();
  // Compiled from TypeScript on first use, because that takes longer than the rest of the start.
  let client: ReadonlyMap<string, string> | undefined;
  return (name) => {
    const type = CONTENT_TYPES[extname(name)];
    if (type === undefined) return;
    if (isPicture(name)) return pictures().get(name);
    if (!own.has(name) && name.endsWith('.js')) client ??= readClientModules();
    const text = own.get(name) ?? client?.get(name);
    return text === undefined ? undefined : documents.get(name, type, () => text);
  };
}

/** Reads the HTML of a page. */
export const readPage = (name: 'landing' | 'console'): string => readFileSync(new URL(`${name}.html`, PAGES), 'utf8');
