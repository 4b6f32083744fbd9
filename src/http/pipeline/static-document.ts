import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { isCurrent } from '../../base/etag.ts';
import { lazy } from '../../base/lazy.ts';
import { allowsCoding, type Coding } from './content-coding.ts';

/** A document that does not change while the process runs. */
export interface StaticDocument {
  contentType: string;
  /** The bodies by content coding, smallest first. */
  bodies: readonly { coding: Coding; content: () => Buffer; etag: string }[];
}

/**
 * A document with the bodies that are smaller. Each coding has its own strong ETag (RFC 9110 8.8.3).
 * @param coded make them, for who asks for them
 */
export function compressedDocument(
  plain: Buffer,
  contentType: string,
  coded: { br(): Buffer; gzip(): Buffer },
): StaticDocument {
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  return {
    contentType,
    bodies: [
      { coding: 'br', content: coded.br, etag: `"${hash}-br"` },
      { coding: 'gzip', content: coded.gzip, etag: `"${hash}-gzip"` },
      { coding: 'identity', content: () => plain, etag: `"${hash}"` },
    ],
  };
}

/** Prepares a document. Each coding is made once, when it is first asked for. */
export function staticDocument(text: string, contentType: string): StaticDocument {
  const plain = Buffer.from(text);
  const brotli = () => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return compressedDocument(plain, contentType, { br: lazy(brotli), gzip: lazy(() => gzipSync(plain)) });
}

/** Documents by name. Each is made once, when it is first asked for. */
export class Documents {
  readonly #made = new Map<string, StaticDocument>();

  /** @param name from a closed list, so that callers cannot fill the map */
  get(name: string, contentType: string, make: () => string): StaticDocument {
    const known = this.#made.get(name);
    if (known) return known;
    const made = staticDocument(make(), contentType);
    this.#made.set(name, made);
    return made;
  }
}

/** The reply for a document: 304 if the client's copy is current, else the smallest body that it accepts. */
export function documentReply(
  { contentType, bodies }: StaticDocument,
  header: (name: string) => string | undefined,
): { status: 200 | 304; body: Buffer | null; headers: Record<string, string> } {
  const chosen =
    bodies.find(({ coding }) => allowsCoding(header('accept-encoding'), coding)) ?? bodies[bodies.length - 1];
  const { coding, content, etag } = chosen as StaticDocument['bodies'][number];
  const headers = { etag, 'cache-control': 'public, no-cache', vary: 'accept-encoding' };
  if (isCurrent(header('if-none-match'), etag)) return { status: 304, body: null, headers };
  return {
    status: 200,
    body: content(),
    headers: {
      ...headers,
      'content-type': contentType,
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    },
  };
}
