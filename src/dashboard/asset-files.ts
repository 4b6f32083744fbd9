import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { readClientModules } from './client-modules.ts';

/** A file of the web pages, ready to send. */
export interface Asset {
  content: Buffer;
  contentType: string;
  /** A strong ETag of the content, the same on every instance of this version. */
  etag: string;
}

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const ASSETS = new URL('./assets/', import.meta.url);
const PAGES = new URL('./pages/', import.meta.url);

const etagOf = (content: Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;

const assetOf = (name: string, content: Buffer): [string, Asset][] => {
  const contentType = CONTENT_TYPES[extname(name)];
  return contentType === undefined ? [] : [[name, { content, contentType, etag: etagOf(content) }]];
};

/**
 * Looks up an asset by name, including the modules of the client library. Files are read once at the start, so a request
 * cannot reach the disk or name another path.
 */
export function createAssetLookup(): (name: string) => Asset | undefined {
  const own = new Map(readdirSync(ASSETS).flatMap((name) => assetOf(name, readFileSync(new URL(name, ASSETS)))));
  // Compiled from TypeScript on first use, because that takes longer than the rest of the start.
  let client: ReadonlyMap<string, Asset> | undefined;
  return (name) => {
    if (own.has(name) || !name.endsWith('.js')) return own.get(name);
    client ??= new Map([...readClientModules()].flatMap(([module, script]) => assetOf(module, Buffer.from(script))));
    return client.get(name);
  };
}

/** Reads the HTML of a page. */
export const readPage = (name: 'landing' | 'console'): string => readFileSync(new URL(`${name}.html`, PAGES), 'utf8');
