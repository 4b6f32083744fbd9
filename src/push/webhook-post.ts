import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { monotonicMs } from '../kernel/clock.ts';
import { RefusedHostError, type WebhookGuard } from './webhook-guard.ts';

/** What came of one POST. `reason` and `snippet` are shown to the webhook's owner. */
export type PostResult =
  | { kind: 'answered'; status: number; retryAfter: string | null; snippet: string; durationMs: number }
  | { kind: 'failed'; reason: string; durationMs: number }
  /** The service stops; whether the receiver has it is not known. */
  | { kind: 'aborted' };

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

export type WebhookPost = (request: PostRequest) => Promise<PostResult>;

/** From the look-up of the name to the last byte of the reply. */
const TIMEOUT_MS = 15_000;
/** More of a reply is not read; nothing in it matters. */
const REPLY_BYTES_MAX = 65_536;
const SNIPPET_CHARS = 200;

/** The beginning of a reply as one line of text. */
const snippetOf = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks)
    .toString('utf8', 0, SNIPPET_CHARS * 4)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SNIPPET_CHARS)
    .toWellFormed();

/** An error of the connection as its code: its message would name the address that was connected to. */
function reasonOf(err: unknown): string {
  if (err instanceof RefusedHostError) return 'host_refused';
  const { code } = err as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'connection_failed';
}

/** Reads as much of a reply as anyone will look at; a reply cut short has said its status all the same. */
function readReply(response: IncomingMessage): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const end = (): void => {
      response.destroy();
      resolve(chunks);
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= REPLY_BYTES_MAX) end();
    });
    response.on('error', end).on('close', end);
  });
}

type Ending = Extract<PostResult, { kind: 'failed' }>['reason'] | null;

/** Sends and reads, with a bound on the whole. Redirects are answers like any other: none is followed. */
export function createWebhookPost({ refusesHost, lookup }: WebhookGuard, timeoutMs = TIMEOUT_MS): WebhookPost {
  function open({ url, headers, body }: PostRequest): ClientRequest {
    const target = new URL(url);
    // A literal address is connected to without a look-up.
    if (refusesHost(target.hostname)) throw new RefusedHostError();
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    // `agent: false`: a connection of its own each time, so that a check is never older than the connection.
    return send(target, {
      method: 'POST',
      agent: false,
      lookup,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Signet-Webhooks/1',
        ...headers,
      },
    });
  }

  return async (post) => {
    const startedAt = monotonicMs();
    const since = (): number => Math.round(monotonicMs() - startedAt);
    let request: ClientRequest | undefined;
    let cutShort: Ending = null;
    let response: IncomingMessage | undefined;
    const cut = (reason: string) => () => {
      cutShort = reason;
      request?.destroy(new Error(reason));
      response?.destroy();
    };
    const onAbort = cut('aborted');
    const timer = setTimeout(cut('timeout'), timeoutMs);
    try {
      const sent = open(post);
      request = sent;
      post.signal.addEventListener('abort', onAbort);
      if (post.signal.aborted) onAbort();
      response = await new Promise<IncomingMessage>((resolve, reject) => {
        // A reset while the request is being written may still be followed by other errors: keep listening.
        sent.on('response', resolve).on('error', reject);
        sent.on('close', () => reject(new Error('closed')));
        sent.end(post.body);
      });
      const snippet = snippetOf(await readReply(response));
      const status = response.statusCode as number;
      const retryAfter = response.headers['retry-after'] ?? null;
      return { kind: 'answered', status, retryAfter, snippet, durationMs: since() };
    } catch (err) {
      if (cutShort === 'aborted') return { kind: 'aborted' };
      return { kind: 'failed', reason: cutShort ?? reasonOf(err), durationMs: since() };
    } finally {
      clearTimeout(timer);
      post.signal.removeEventListener('abort', onAbort);
      request?.destroy();
    }
  };
}
