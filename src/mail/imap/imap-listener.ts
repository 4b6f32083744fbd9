import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type ClientNetworks, clientNetworks } from '../../base/client-network.ts';
import type { Log } from '../../base/log.ts';
import { SharedMemory } from '../smtp-in/shared-memory.ts';
import { IMAP_LIMITS, type ImapLimits } from './imap-context.ts';
import { ImapSession } from './imap-session.ts';
import type { ImapClient, ImapService } from './imap-store.ts';
import { secured } from './secured-socket.ts';

export interface ImapListenerOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** The certificate of the moment; null: STARTTLS is not offered. */
  tls: { context(): SecureContext } | null;
  /** Encrypted from the first byte (RFC 8314). */
  implicitTls: boolean;
  /** The name in the greeting. */
  hostname: string;
  service: ImapService;
  /** Its fields never hold an address or a word of a mail. */
  log: Log;
  limits?: Partial<ImapLimits> | undefined;
  now(): number;
}

export interface ImapListener {
  port: number;
  /** Resolves when every connection is gone; commands at work may finish within `deadlineMs` milliseconds. */
  close(deadlineMs: number): Promise<void>;
  /** How many connections are open. */
  sessions(): number;
}

/** Listens for mail programs (RFC 9051). Rejects when it cannot listen. */
export async function startImapListener(options: ImapListenerOptions): Promise<ImapListener> {
  const connections = new Connections(options);
  const server = createServer((socket) => connections.accept(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // As when the process has no more file descriptors.
  server.on('error', (err: NodeJS.ErrnoException) => options.log.warn({ code: err.code }, 'imap connection'));
  const { port } = server.address() as AddressInfo;
  options.log.info({ host: options.host, port }, 'imap listening');
  return {
    port,
    close: (deadlineMs) => connections.drain(server, deadlineMs),
    sessions: () => connections.size,
  };
}

/** A connection, from its first packet. */
interface Connection {
  socket: Socket;
  networks: ClientNetworks;
  session: ImapSession | null;
}

const FULL = '[UNAVAILABLE] Too many connections, try again later';

/** The connections of a listener, within its limits. */
class Connections {
  readonly #options: ImapListenerOptions;
  readonly #limits: ImapLimits;
  readonly #memory: SharedMemory;
  readonly #open = new Set<Connection>();
  /** Those that have not logged in, the oldest first. */
  readonly #waiting = new Set<Connection>();
  #draining = false;

  constructor(options: ImapListenerOptions) {
    this.#options = options;
    this.#limits = { ...IMAP_LIMITS, ...options.limits };
    this.#memory = new SharedMemory(this.#limits.bufferedBytesMax);
  }

  get size(): number {
    return this.#open.size;
  }

  accept(socket: Socket): void {
    // A connection that breaks is no fault.
    socket.on('error', () => socket.destroy());
    const connection: Connection = { socket, networks: clientNetworks(socket.remoteAddress ?? ''), session: null };
    this.#open.add(connection);
    this.#waiting.add(connection);
    socket.once('close', () => this.#forget(connection));
    this.#makeRoom(connection);
    if (!this.#open.has(connection)) return;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 300_000);
    this.#serve(connection).catch((err: unknown) => {
      this.#options.log.error({ err }, 'imap connection failed');
      socket.destroy();
    });
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    this.#waiting.delete(connection);
  }

  /** Who has not logged in makes room for who comes, the oldest first. */
  #makeRoom(newcomer: Connection): void {
    const { maxConnections, maxWaiting, maxWaitingPerNetwork } = this.#limits;
    for (const [n, { name, times }] of newcomer.networks.entries()) {
      const there = [...this.#waiting].filter(({ networks }) => networks[n]?.name === name);
      if (there.length > maxWaitingPerNetwork * times) this.#dismiss(there[0]);
    }
    const [oldest] = this.#waiting;
    if (this.#waiting.size > maxWaiting || this.#open.size > maxConnections) this.#dismiss(oldest);
  }

  #dismiss(connection: Connection | undefined): void {
    if (connection === undefined) return;
    this.#forget(connection);
    if (connection.session !== null) connection.session.leave(FULL);
    else connection.socket.destroy();
  }

  async #serve(connection: Connection): Promise<void> {
    const { service, tls, implicitTls, hostname, log, now } = this.#options;
    const { socket } = connection;
    const client: ImapClient = { remoteAddress: socket.remoteAddress ?? '', tls: implicitTls };
    if (this.#draining || !(await service.admits(client))) {
      if (implicitTls) socket.destroy();
      else socket.end('* BYE [UNAVAILABLE] Not now, try again later\r\n', () => socket.destroy());
      return;
    }
    let served = socket;
    if (implicitTls) {
      const deadline = setTimeout(() => socket.destroy(), this.#limits.loginMs).unref();
      const secure = tls === null ? null : await secured(socket, tls.context());
      clearTimeout(deadline);
      if (secure === null) return void socket.destroy();
      served = secure;
    }
    if (socket.destroyed || this.#draining) return void socket.destroy();
    const session = new ImapSession({
      socket: served,
      client,
      service,
      tls,
      hostname,
      memory: this.#memory,
      limits: this.#limits,
      log,
      now,
      onLogin: () => this.#waiting.delete(connection),
    });
    connection.session = session;
    await session.run();
  }

  async drain(server: Server, deadlineMs: number): Promise<void> {
    this.#draining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const { session, socket } of this.#open) {
      if (session === null) socket.destroy();
      else session.leaveSoon('Service closing');
    }
    const timer = setTimeout(() => {
      for (const { socket } of this.#open) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(timer);
  }
}
