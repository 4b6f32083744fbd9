import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** A file of the web pages, as it is sent. */
export interface Asset {
  content: Buffer;
  contentType: string;
  /** Strong, of the content: the same on every instance that runs this version. */
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

/** Every asset by its name. Read once, so that a request can name only what was there at the start: no path, no disk. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(ASSETS)) {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) continue;
    const content = readFileSync(new URL(name, ASSETS));
    assets.set(name, { content, contentType, etag: etagOf(content) });
  }
  return assets;
}

/** The text of a page. */
export const readPage = (name: 'landing' | 'login' | 'recover' | 'dashboard' | 'approve'): string =>
  readFileSync(new URL(`${name}.html`, PAGES), 'utf8');
