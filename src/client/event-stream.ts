import type { SignetEvent } from './generated/operations.ts';
import { SignetConnectionError, SignetError } from './signet-error.ts';
import { pause, Timeout } from './timeout.ts';
import type { Transport } from './transport.ts';

export interface EventStreamOptions {
  /** The last event you have. Without it, the stream starts with the next event. */
  after?: string;
  signal?: AbortSignal;
  /**
   * Of an operator's session: follows all agents, each event with its `account_id`. It does not resume, so read again
   * what you show whenever it has connected.
   */
  ofAgents?: boolean;
  /** Called whenever a connection is open. */
  onConnect?: () => void;
  /** How long the stream may stay silent before it counts as dead. The service sends a heartbeat every 30 s. */
  silenceMaxMs?: number;
}

const SILENCE_MAX_MS = 75_000;
const RECONNECT_MS = 250;
const RECONNECT_MAX_MS = 30_000;
/** Larger than any event: a larger frame is not from the service. */
const FRAME_MAX = 1_048_576;

interface Frame {
  id: string | undefined;
  /** Null for a frame that only carries the current position. */
  event: SignetEvent | null;
}

/** Reads a frame of the HTML standard's server-sent events. */
function readFrame(frame: string): Frame {
  const values = (field: string): string[] =>
    frame.split('\n').flatMap((line) => (line.startsWith(`${field}:`) ? line.slice(field.length + 1).trim() : []));
  const data = values('data').join('\n');
  return { id: values('id').at(-1), event: data === '' ? null : (JSON.parse(data) as SignetEvent) };
}

/** Yields each frame once it is complete. `alive` is called whenever bytes arrive. */
async function* framesOf(stream: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let waiting = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      const frames = (waiting + decoder.decode(value, { stream: true })).split('\n\n');
      waiting = frames.pop() ?? '';
      if (waiting.length > FRAME_MAX)
        throw new SignetConnectionError('unreadable', 'The response is not an event stream.');
      yield* frames;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Errors that a retry does not fix. */
const isFinal = (err: unknown): boolean =>
  err instanceof SignetError
    ? err.status < 500 && err.status !== 429
    : err instanceof SignetConnectionError && err.code === 'unreadable';

/** In a browser, calls `wake` whenever it is online again. @returns ends that */
function whenOnline(wake: () => void): () => void {
  // Node has no such event.
  const device: typeof globalThis & Partial<EventTarget> = globalThis;
  device.addEventListener?.('online', wake);
  return () => device.removeEventListener?.('online', wake);
}

/** One connection, until it breaks. */
async function* readOnce(transport: Transport, after: string | undefined, options: EventStreamOptions) {
  const late = new SignetConnectionError('timeout', 'The event stream stopped sending.');
  const timeout = new Timeout({ ms: options.silenceMaxMs ?? SILENCE_MAX_MS, late, signal: options.signal });
  // A connection from before may be dead without a sign of it.
  const forget = whenOnline(() => timeout.abort());
  try {
    const headers = { accept: 'text/event-stream', ...(after === undefined ? {} : { 'last-event-id': after }) };
    const path = options.ofAgents ? '/v1/operator/events/stream' : '/v1/events/stream';
    const { body } = await transport.open(path, headers, timeout.signal);
    options.onConnect?.();
    for await (const frame of framesOf(body as ReadableStream<Uint8Array>, () => timeout.restart())) {
      yield readFrame(frame);
    }
  } finally {
    forget();
    timeout.abort();
  }
}

/** Waits, but in a browser no longer than until it is online again. */
async function pauseOffline(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const online = new Timeout({ ms, late: new Error('The time is over.'), signal });
  const forget = whenOnline(() => online.abort());
  try {
    // An abort ends the loop without an error.
    await pause(ms, online.signal).catch(() => {});
  } finally {
    forget();
    online.end();
  }
}

/** Follows the event log. When a connection breaks, the next one resumes after the last event. */
export async function* followEvents(
  transport: Transport,
  options: EventStreamOptions,
): AsyncGenerator<SignetEvent, void, undefined> {
  let { after } = options;
  for (let failures = 0; ; failures++) {
    if (options.signal?.aborted) return;
    try {
      for await (const { id, event } of readOnce(transport, after, options)) {
        after = id ?? after;
        failures = 0;
        if (event) yield event;
        if (options.signal?.aborted) return;
      }
    } catch (err) {
      if (options.signal?.aborted) return;
      if (isFinal(err)) throw err;
    }
    const wait = Math.min(RECONNECT_MS * 2 ** Math.min(failures, 10), RECONNECT_MAX_MS) * (0.5 + Math.random() / 2);
    await pauseOffline(wait, options.signal);
  }
}
