import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { freePort } from './first-answer.ts';
import { type Measured, timed } from './load.ts';
import { newDataDir } from './with-service.ts';

/**
 * Debian's etcd with its defaults (it syncs each batch of writes to the disk), and a client with very little overhead.
 */
export interface Etcd {
  version: string;
  /** The port for HTTP and gRPC. */
  port: number;
  pid: number;
  load(options: EtcdLoad): Promise<Measured>;
  /** The revision of the store, which grows by one with each successful put. */
  revision(): Promise<number>;
  stop(): Promise<void>;
}

export interface EtcdLoad {
  method: 'Put' | 'Range';
  connections: number;
  seconds: number;
  /** The protobuf message of the next call on a connection. */
  next(connection: number): Buffer;
  /** The least number of bytes in a reply. A shorter reply ends the run. */
  replyBytesMin: number;
}

/** @param root the folder of the package: `/` if it is installed, or where it is unpacked */
export async function startEtcd(root: string): Promise<Etcd> {
  const dataDir = newDataDir();
  const [port, peerPort] = [await freePort(), await freePort()];
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const child = spawn(
    join(root, 'usr/bin/etcd'),
    [
      ...['--data-dir', dataDir, '--log-level', 'error', '--initial-cluster', `default=${peer}`],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ],
    { stdio: 'ignore' },
  );
  await once(child, 'spawn');
  const stop = async (): Promise<void> => {
    // A graceful stop would wait for open connections.
    child.kill('SIGKILL');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  };
  const version = await untilReady(client, child);
  return {
    version,
    port,
    pid: child.pid as number,
    load: (options) => runEtcdLoad(port, child.pid as number, options),
    revision: async () => {
      const reply = await fetch(`${client}/v3/kv/range`, { method: 'POST', body: '{"key":"AA=="}' });
      return Number(((await reply.json()) as { header: { revision: string } }).header.revision);
    },
    stop,
  };
}

async function untilReady(client: string, child: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 200 && child.exitCode === null; tries++) {
    const health = await fetch(`${client}/health`).catch(() => null);
    if (health?.ok) return ((await (await fetch(`${client}/version`)).json()) as { etcdserver: string }).etcdserver;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('etcd did not start');
}

/** A field of bytes in protobuf. */
function bytesField(number: number, value: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = value.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value]);
}

export const putMessage = (key: string, value: Buffer): Buffer =>
  Buffer.concat([bytesField(1, Buffer.from(key)), bytesField(2, value)]);
export const rangeMessage = (key: string): Buffer => bytesField(1, Buffer.from(key));

// ---- gRPC over HTTP/2 (RFC 9113): only what one call at a time on a connection needs.

const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7 };
const END_STREAM = 1;
const ACK = 1;
const EMPTY = Buffer.alloc(0);

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header without indexing, so that the block is the same each time (RFC 7541 6.2.2). */
const header = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

/** The largest windows. A run never uses up 2 GB, so it needs no window updates. */
const OPENING = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(FRAME.settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
  frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0, 0])),
]);

const headersOf = (method: string): Buffer =>
  Buffer.concat([
    header(':method', 'POST'),
    header(':scheme', 'http'),
    header(':path', `/etcdserverpb.KV/${method}`),
    header(':authority', '127.0.0.1'),
    header('content-type', 'application/grpc'),
    header('te', 'trailers'),
  ]);

async function runEtcdLoad(port: number, pid: number, { method, connections, seconds, next, replyBytesMin }: EtcdLoad) {
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      socket.write(OPENING);
      return socket;
    }),
  );
  const block = headersOf(method);
  const measured = await timed([pid], async () => {
    const until = performance.now() + seconds * 1000;
    const run = (socket: Socket, n: number) =>
      new EtcdConnection(socket, { block, next: () => next(n), replyBytesMin, until }).run();
    return (await Promise.all(sockets.map(run))).flat();
  });
  for (const socket of sockets) socket.destroy();
  return measured;
}

/** A connection that makes one call after the other. */
class EtcdConnection {
  readonly #socket: Socket;
  readonly #options: { block: Buffer; next: () => Buffer; replyBytesMin: number; until: number };
  readonly #done = Promise.withResolvers<void>();
  readonly #latencies: number[] = [];
  #stream = -1;
  #sentAt = 0;
  #replyBytes = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, options: { block: Buffer; next: () => Buffer; replyBytesMin: number; until: number }) {
    this.#socket = socket;
    this.#options = options;
  }

  /** Makes calls until the first reply after `until`. @returns the latency of each call in milliseconds */
  async run(): Promise<readonly number[]> {
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch (err) {
        this.#done.reject(err);
      }
    });
    this.#socket.on('close', () => this.#done.reject(new Error('etcd closed the connection')));
    this.#socket.on('error', this.#done.reject);
    this.#call();
    await this.#done.promise;
    return this.#latencies;
  }

  #call(): void {
    this.#stream += 2;
    this.#replyBytes = 0;
    const message = this.#options.next();
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    const data = frame(FRAME.data, END_STREAM, this.#stream, Buffer.concat([prefix, message]));
    this.#sentAt = performance.now();
    this.#socket.write(Buffer.concat([frame(FRAME.headers, 4, this.#stream, this.#options.block), data]));
  }

  #read(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const rest = this.#rest;
      const end = 9 + rest.readUIntBE(0, 3);
      if (rest.length < end) break;
      this.#rest = rest.subarray(end);
      const [type = 0, flags = 0] = [rest[3], rest[4]];
      this.#handleFrame(type, flags, rest.readUInt32BE(5), rest.subarray(9, end));
    }
  }

  #handleFrame(type: number, flags: number, stream: number, payload: Buffer): void {
    const acknowledge = (): boolean => this.#socket.write(frame(type, ACK, 0, type === FRAME.ping ? payload : EMPTY));
    if (type === FRAME.data) this.#replyBytes += payload.length;
    if ((type === FRAME.settings || type === FRAME.ping) && flags !== ACK) acknowledge();
    if (type === FRAME.reset || type === FRAME.goAway) throw new Error('etcd ended the call');
    if ((type === FRAME.headers || type === FRAME.data) && flags & END_STREAM && stream === this.#stream) this.#end();
  }

  #end(): void {
    const { replyBytesMin, until } = this.#options;
    if (this.#replyBytes < replyBytesMin) throw new Error(`a reply of ${this.#replyBytes} bytes`);
    const now = performance.now();
    this.#latencies.push(now - this.#sentAt);
    if (now >= until) this.#done.resolve();
    else this.#call();
  }
}
