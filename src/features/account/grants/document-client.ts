import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { withTimeout } from '../../../base/deadline.ts';

/** Which hosts may be asked. The check runs again on the address that is connected to (DNS rebinding). */
interface HostGuard {
  refusesHost(hostname: string): boolean;
  lookup: LookupFunction;
}

/** A document, and for how long its server says that it may be kept. */
export interface FetchedDocument {
  document: unknown;
  maxAgeSeconds: number | null;
}

export type FetchDocument = (url: URL) => Promise<FetchedDocument>;

const TIMEOUT_MS = 5000;
const BYTES_MAX = 16_384;

async function read(response: IncomingMessage): Promise<unknown> {
  const type = response.headers['content-type'] ?? '';
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) throw new Error('not JSON');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BYTES_MAX) throw new Error('too large');
    chunks.push(chunk);
  }
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
}

function maxAgeOf({ headers }: IncomingMessage): number | null {
  const control = headers['cache-control'] ?? '';
  if (/\bno-(store|cache)\b/i.test(control)) return 0;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(control)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

async function exchange({ refusesHost, lookup }: HostGuard, url: URL, signal: AbortSignal): Promise<FetchedDocument> {
  // A literal address is connected to without a look-up.
  if (refusesHost(url.hostname)) throw new Error('host refused');
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // `agent: false`: a new connection each time, so that each one is checked.
  const headers = { accept: 'application/json', 'user-agent': 'Signet-Clients/1' };
  const request = send(url, { agent: false, lookup, headers });
  const onAbort = (): void => void request.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
      if (signal.aborted) onAbort();
      else request.end();
    });
    return { document: await read(response), maxAgeSeconds: maxAgeOf(response) };
  } finally {
    signal.removeEventListener('abort', onAbort);
    request.destroy();
  }
}

/** Fetches metadata documents. Redirects are not followed. @throws Error with a short reason, never with an address */
export const createDocumentFetch = (guard: HostGuard): FetchDocument => {
  const late = new Error('timeout');
  return (url) => withTimeout({ ms: TIMEOUT_MS, late }, (signal) => exchange(guard, url, signal));
};
