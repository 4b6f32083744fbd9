/**
 * Reads the order of writes from a trace of the service's system calls. The main thread writes both the replies and the
 * write-ahead log, so the order of its calls is the order in which others could see them.
 */

export interface TraceEvent {
  kind: 'log-write' | 'log-sync' | 'reply';
  /** The written bytes, quoted by strace; printable ASCII is unchanged. */
  text: string;
  /** For a reply: the port of the client. */
  peerPort: number;
}

/** The system calls that write, and those that make writes durable. */
const CALLS = 'pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync';

/**
 * Runs a command under strace. `-D`: the service, not strace, is the child and gets the signals. `-s` must cover a whole
 * database page, because {@link unsyncedReplies} looks for the markers there. `-yy` shows what a descriptor is.
 */
export const traceCommand = (path: string): string[] => {
  return ['strace', '-D', '-f', '--seccomp-bpf', '-yy', '-s', '4200', '-e', `trace=${CALLS}`, '-o', path];
};

const LOG_WRITE = /^\d+ +(?:pwrite64|pwritev|write|writev)\(\d+<[^>]*\.db-wal>, (.*)/;
const LOG_SYNC = /^(\d+) +f(?:data)?sync\(\d+<[^>]*\.db-wal>(.*)/;
const REPLY =
  /^\d+ +(?:write|writev|sendto|sendmsg)\(\d+<TCP(?:v6)?:\[[^\]]*?:\d+->(?:[^\]]*?:)(\d+)\](?:>|,|\}).*?(".*)/;

/** A sync counts from its end; a write and a reply count from their beginning. */
export function readTrace(trace: string): TraceEvent[] {
  const events: TraceEvent[] = [];
  /** Threads inside a sync of the log, which strace has seen begin but not end. */
  const syncing = new Set<string>();
  for (const line of trace.split('\n')) {
    const write = LOG_WRITE.exec(line);
    if (write) events.push({ kind: 'log-write', text: write[1] as string, peerPort: 0 });
    const sync = LOG_SYNC.exec(line);
    if (sync?.[2]?.includes('unfinished')) syncing.add(sync[1] as string);
    const thread = /^(\d+) +<\.\.\. f(?:data)?sync resumed>/.exec(line)?.[1];
    const isResumed = thread !== undefined && syncing.delete(thread);
    if ((sync || isResumed) && / = 0$/.test(line)) events.push({ kind: 'log-sync', text: '', peerPort: 0 });
    const reply = REPLY.exec(line);
    if (reply) events.push({ kind: 'reply', text: reply[2] as string, peerPort: Number(reply[1]) });
  }
  return events;
}

/** A reply that acknowledges a change, and a text that appears in the log if the change was written. */
export interface Acknowledgement {
  /** The index of the reply among the events. */
  at: number;
  marker: string;
}

/**
 * Finds the acknowledgements in a trace. A 2xx has a request id, which the audit entry of the change has too. A 250 to
 * DATA has none, so the client lists the mails that it sent from each port, in order.
 */
export function acknowledgements(
  events: readonly TraceEvent[],
  mails: ReadonlyMap<number, readonly string[]>,
): Acknowledgement[] {
  const answered = new Map<number, number>();
  return events.flatMap(({ kind, text, peerPort }, at) => {
    if (kind !== 'reply') return [];
    const requestId = /^"HTTP\/1\.1 2\d\d .*?x-request-id: (req_[0-9a-z]{26})/.exec(text)?.[1];
    if (requestId) return [{ at, marker: requestId }];
    if (!text.startsWith('"250 2.0.0 Accepted')) return [];
    const nth = answered.get(peerPort) ?? 0;
    answered.set(peerPort, nth + 1);
    return [{ at, marker: mails.get(peerPort)?.[nth] ?? `an unknown mail from port ${peerPort}` }];
  });
}

/**
 * Finds acknowledgements that were sent too early: before their marker was written to the log, or before the log was
 * synced after the last write to it.
 */
export function unsyncedReplies(events: readonly TraceEvent[], replies: readonly Acknowledgement[]): Acknowledgement[] {
  return replies.filter(({ at, marker }) => {
    const before = events.slice(0, at);
    const synced = before.findLastIndex(({ kind }) => kind === 'log-sync');
    const written = before.findIndex(({ kind, text }) => kind === 'log-write' && text.includes(marker));
    const lastWrite = before.findLastIndex(({ kind }) => kind === 'log-write');
    return written === -1 || lastWrite > synced;
  });
}

/** The largest number of acknowledgements after one sync. Above 1, commits were grouped. */
export function largestGroup(events: readonly TraceEvent[], replies: readonly Acknowledgement[]): number {
  const perSync = new Map<number, number>();
  for (const { at } of replies) {
    const sync = events.findLastIndex(({ kind }, i) => kind === 'log-sync' && i < at);
    perSync.set(sync, (perSync.get(sync) ?? 0) + 1);
  }
  return Math.max(...perSync.values());
}
