import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { lazy } from '../../base/lazy.ts';
import { Documents, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { readClientModules } from './client-modules.ts';

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
};

const require = createRequire(import.meta.url);

/**
 * The one text family of the pages, by the names that `signet.css` gives its files (ADR 0149). They have the version in them,
 * so that browsers keep their copy, and are compressed already.
 */
function readFonts(): Map<string, StaticDocument> {
  const about = require.resolve('@fontsource-variable/atkinson-hyperlegible-next/package.json');
  const { version } = JSON.parse(readFileSync(about, 'utf8'));
  return new Map(
    ['latin', 'latin-ext'].map((subset) => {
      const name = `text-${subset}-${version}.woff2`;
      const font = readFileSync(join(dirname(about), `files/atkinson-hyperlegible-next-${subset}-wght-normal.woff2`));
      const bodies = [{ coding: 'identity', content: () => font, etag: `"${name}"` }] as const;
      return [name, { contentType: 'font/woff2', bodies }];
    }),
  );
}

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
 * Looks up an asset by name, including the modules of the client library and the fonts. Files are read once at the start, so a request
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
  const fonts = lazy(readFonts);
  return (name) => {
    const type = CONTENT_TYPES[extname(name)];
    if (type === undefined) return;
    if (name.endsWith('.woff2')) return fonts().get(name);
    if (isPicture(name)) return pictures().get(name);
    if (!own.has(name) && name.endsWith('.js')) client ??= readClientModules();
    const text = own.get(name) ?? client?.get(name);
    return text === undefined ? undefined : documents.get(name, type, () => text);
  };
}

/** Reads the HTML of a page. */
export const readPage = (name: 'landing' | 'console'): string => readFileSync(new URL(`${name}.html`, PAGES), 'utf8');
