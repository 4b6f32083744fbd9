import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { monotonicMs } from '../../../base/clock.ts';
import { withTimeout } from '../../../base/deadline.ts';
import { isPublicAddress, RefusedHostError, type WebhookGuard } from '../../../base/outbound-guard.ts';

/**
 * The outcome of one POST. `reason` and `snippet` are shown to the webhook's owner. `snippet` is empty if the receiver is
 * at a private address.
 */
export type PostResult =
  | { kind: 'answered'; status: number; retryAfter: string | null; snippet: string; durationMs: number }
  | { kind: 'failed'; reason: string; durationMs: number }
  /** The service stops. Whether the receiver got the request is not known. */
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
/** The rest of a longer reply is not read; nothing in it matters. */
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

/** Reads the beginning of a reply. A truncated reply still has its status. */
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

function open({ refusesHost, lookup }: WebhookGuard, { url, headers, body }: PostRequest): ClientRequest {
  const target = new URL(url);
  // A literal address is connected to without a look-up.
  if (refusesHost(target.hostname)) throw new RefusedHostError();
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  // `agent: false`: a new connection each time, so that each one is checked.
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

interface Receivers {
  guard: WebhookGuard;
  showsReplyOf(address: string): boolean;
}

/** Sends and reads. @throws the signal's reason when it is aborted before the reply has begun */
async function exchange({ guard, showsReplyOf }: Receivers, post: PostRequest, signal: AbortSignal) {
  const request = open(guard, post);
  let response: IncomingMessage | undefined;
  const onAbort = (): void => {
    request.destroy(signal.reason as Error);
    response?.destroy();
  };
  signal.addEventListener('abort', onAbort);
  try {
    response = await new Promise<IncomingMessage>((resolve, reject) => {
      // A reset while the request is being written may still be followed by other errors: keep listening.
      request.on('response', resolve).on('error', reject);
      request.on('close', () => reject(new Error('closed')));
      if (signal.aborted) onAbort();
      else request.end(post.body);
    });
    const address = response.socket.remoteAddress ?? '';
    const chunks = await readReply(response);
    const snippet = showsReplyOf(address) ? snippetOf(chunks) : '';
    return { status: response.statusCode as number, retryAfter: response.headers['retry-after'] ?? null, snippet };
  } catch (err) {
    throw signal.aborted ? signal.reason : err;
  } finally {
    request.destroy();
  }
}

/**
 * Sends and reads, with a limit on the whole. Redirects are answers like any other and are not followed.
 * @param showsReplyOf whether the reply of a receiver at this address may be shown. A reply from a private network never
 * is, in development mode either: a webhook there could read what only the service can reach.
 */
export function createWebhookPost(
  guard: WebhookGuard,
  timeoutMs = TIMEOUT_MS,
  showsReplyOf = isPublicAddress,
): WebhookPost {
  const receivers = { guard, showsReplyOf };
  const late = new Error('timeout');
  const stopped = new Error('aborted');
  return async (post) => {
    const startedAt = monotonicMs();
    const limit = { ms: timeoutMs, late, signal: post.signal, stopped };
    try {
      const answer = await withTimeout(limit, (signal) => exchange(receivers, post, signal));
      return { kind: 'answered', ...answer, durationMs: Math.round(monotonicMs() - startedAt) };
    } catch (err) {
      if (err === stopped) return { kind: 'aborted' };
      const reason = err === late ? 'timeout' : reasonOf(err);
      return { kind: 'failed', reason, durationMs: Math.round(monotonicMs() - startedAt) };
    }
  };
}
