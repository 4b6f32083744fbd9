import { connect, createServer } from 'node:net';
import { within, withTimeout } from '../../../base/deadline.ts';

const PROBE_MS = 3000;

type PortState = 'free' | 'taken' | 'forbidden' | 'unknown';

/** Finds out whether a program can listen on a port. */
export function portState(host: string, port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'taken' : code === 'EACCES' ? 'forbidden' : 'unknown'),
    );
    server.listen(port, host, () => server.close(() => resolve('free')));
  });
}

/** The address that reaches a listener, which may listen on all interfaces. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

/** Asks `GET /health` for the release of a running service. Returns null without one. */
export async function healthRelease(host: string, port: number): Promise<string | null> {
  const name = reachable(host);
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/health`;
  try {
    const limit = { ms: PROBE_MS, late: new Error('no answer') };
    const body = await withTimeout(limit, async (signal) => {
      const reply = await fetch(url, { signal, redirect: 'error' });
      return (await reply.json()) as { status?: unknown; release?: unknown };
    });
    return body.status === 'ok' && typeof body.release === 'string' ? body.release : null;
  } catch {
    return null;
  }
}

/** Connects by TCP and reads the first line. Returns an empty text when none comes in time. Rejects without a connection. */
export async function greetingOf(host: string, port: number): Promise<string> {
  const socket = connect({ host: reachable(host), port });
  let isConnected = false;
  const greeting = new Promise<string>((resolve, reject) => {
    socket.once('connect', () => {
      isConnected = true;
    });
    socket.once('error', reject);
    socket.once('data', (bytes) => resolve(bytes.toString('latin1').split(/\r?\n/)[0] ?? ''));
    socket.once('close', () => resolve(''));
  });
  try {
    return await within(PROBE_MS, greeting, () => {
      if (isConnected) return '';
      throw new Error('no answer');
    });
  } finally {
    socket.on('error', () => {});
    socket.destroy();
  }
}
