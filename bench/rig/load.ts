import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { processorMicros } from './processor.ts';
import { percentile } from './result.ts';

export interface LoadOptions {
  port: number;
  connections: number;
  /** The end of the load, by time. */
  seconds?: number;
  /** The end of the load, by requests, of which each connection sends an equal part. */
  requests?: number;
  /** The bytes of the next request on a connection, counted from 0. */
  next(connection: number): Buffer;
  /** The processes whose processor time counts. */
  pids?: readonly number[];
  /** The status of every reply, or its beginning. */
  status?: string;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the counted processes for a request, user and system, in microseconds. */
  cpuMicros: number;
}

/** The bytes of an HTTP/1.1 request on a persistent connection. */
export function httpRequest(method: string, path: string, key: string | null, body?: object): Buffer {
  const json = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(key === null ? [] : [`authorization: Bearer ${key}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${json.length}`]),
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${json}`);
}

/** A form as OAuth has them (RFC 6749, 2.3.1). */
export function formRequest(path: string, authorization: string, form: Record<string, string>): Buffer {
  const body = new URLSearchParams(form).toString();
  const headers = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: ${authorization}`,
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${body.length}`,
  ];
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** The position where a reply ends in `text`, or -1 if it is incomplete. It has a length, or chunks (RFC 9112 7.1). */
function endOfReply(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return -1;
  const length = /\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined && /\ntransfer-encoding: chunked/i.test(text.slice(0, head)))
    return text.endsWith('\r\n0\r\n\r\n') ? text.length : -1;
  if (length === undefined) throw new Error(`a reply without a length:\n${text}`);
  const end = head + 4 + Number(length);
  return text.length < end ? -1 : end;
}

/**
 * Keeps one request in flight on each connection and measures the time of each. It shares two cores with the service, so
 * it does as little as possible: requests are prepared bytes, and it reads only the status and length of a reply. Any
 * reply other than 2xx, or than `status`, ends the run, because the speed of refusals does not matter.
 */
export async function runLoad(options: LoadOptions): Promise<Measured> {
  const { port, connections, seconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = options;
  const { next, pids = [], status = '2' } = options;
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const measured = await timed(pids, async () => {
    const latencies: number[] = [];
    const until = performance.now() + seconds * 1000;
    const ends = sockets.map((socket, n) => {
      const most = Math.ceil((requests - n) / connections);
      return drive(socket, { next: () => next(n), latencies, until, most, status });
    });
    await Promise.all(ends);
    return latencies;
  });
  for (const socket of sockets) socket.destroy();
  return measured;
}

/** Runs a load, of which `load` gives the time of each request in milliseconds, and the processor time of the processes. */
export async function timed(pids: readonly number[], load: () => Promise<number[]>): Promise<Measured> {
  const cpuBefore = processorMicros(pids);
  const stopSpinning = spin();
  const began = performance.now();
  const latencies = await load();
  const elapsed = (performance.now() - began) / 1000;
  stopSpinning();
  return {
    perSecond: latencies.length / elapsed,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicros: (processorMicros(pids) - cpuBefore) / latencies.length,
  };
}

/**
 * Keeps this process awake. A client that sleeps is woken by an interrupt between the cores for each reply, for which the
 * service pays: measured at a third of its rate.
 */
function spin(): () => void {
  let next = setImmediate(turn);
  function turn(): void {
    next = setImmediate(turn);
  }
  return () => clearImmediate(next);
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** The status that one request gets. */
export async function statusOf(port: number, request: Buffer): Promise<string> {
  const socket = await open(port);
  const done = Promise.withResolvers<string>();
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (endOfReply(received) >= 0) done.resolve(received.slice(9, 12));
  });
  socket.on('close', () => done.reject(new Error('the service closed the connection')));
  socket.on('error', done.reject);
  socket.write(request);
  return done.promise.finally(() => socket.destroy());
}

interface Drive {
  next(): Buffer;
  latencies: number[];
  /** The time, and the number of replies, with which it ends. */
  until: number;
  most: number;
  status: string;
}

/** Resolves with the first reply after `until`, or with the last of `most`. */
async function drive(socket: Socket, { next, latencies, until, most, status }: Drive): Promise<void> {
  const done = Promise.withResolvers<void>();
  let replies = 0;
  let sentAt = performance.now();
  let received = '';

  const takeIn = (chunk: Buffer): void => {
    received += chunk.toString('latin1');
    const end = endOfReply(received);
    if (end < 0) return;
    if (!received.startsWith(status, 9) || end !== received.length) throw new Error(`not a success:\n${received}`);
    received = '';
    const now = performance.now();
    latencies.push(now - sentAt);
    replies++;
    if (replies >= most || now >= until) {
      done.resolve();
      return;
    }
    sentAt = now;
    socket.write(next());
  };

  socket.on('data', (chunk: Buffer) => {
    try {
      takeIn(chunk);
    } catch (err) {
      done.reject(err);
    }
  });
  socket.on('close', () => done.reject(new Error('the service closed the connection')));
  socket.on('error', done.reject);
  socket.write(next());
  await done.promise;
}
