import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

/** Which hosts may be asked. The check runs again on the address that is connected to (DNS rebinding). */
export interface HostGuard {
  refusesHost(hostname: string): boolean;
  lookup: LookupFunction;
}

export interface RemotePicture {
  contentType: string;
  content: Buffer;
}

/** Counts bytes before they are kept. Throws if there is no room for them. */
export type Hold = (bytes: number) => void;

const REDIRECTS_MAX = 3;
/** What a chunk takes beside its bytes: a host could send a picture byte by byte. */
const CHUNK_BYTES = 128;

/** By their first bytes: what a server says of its type is not trusted. No SVG, which is a document. */
const SIGNATURES: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
];

const typeOf = (content: Buffer): string | null =>
  SIGNATURES.find(([, at, bytes]) => content.toString('latin1', at, at + bytes.length) === bytes)?.[0] ?? null;

/** Nothing about the reader: no cookie, no referrer, no address but the service's own. */
const HEADERS = { accept: 'image/png, image/jpeg, image/gif, image/webp', 'user-agent': 'Signet-Pictures/1' };

async function open(guard: HostGuard, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  // A literal address is connected to without a look-up.
  if (!/^https?:$/.test(url.protocol) || guard.refusesHost(url.hostname)) throw new Error('refused');
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // `agent: false`: a new connection each time, so that each one is checked.
    const request = send(url, { agent: false, lookup: guard.lookup, headers: HEADERS, signal });
    request.on('response', resolve).on('error', reject).end();
  });
}

async function bytesOf(response: IncomingMessage, hold: Hold): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    hold(chunk.length + CHUNK_BYTES);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Gets a picture that a mail names. Follows three redirects, and checks each host: `mayAsk` is the policy of the account.
 * @throws Error for anything else than a picture of a known type
 */
export async function fetchPicture(
  guard: HostGuard,
  from: URL,
  { hold, signal, mayAsk }: { hold: Hold; signal: AbortSignal; mayAsk(host: string): boolean },
): Promise<RemotePicture> {
  let url = from;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    if (!mayAsk(url.hostname)) throw new Error('refused');
    const response = await open(guard, url, signal);
    try {
      const { statusCode = 0, headers } = response;
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        url = new URL(headers.location, url);
        continue;
      }
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      const content = await bytesOf(response, hold);
      const contentType = typeOf(content);
      if (contentType === null) throw new Error('no picture');
      return { contentType, content };
    } finally {
      response.destroy();
    }
  }
  throw new Error('too many redirects');
}
