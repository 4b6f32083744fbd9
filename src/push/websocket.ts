import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Feeds } from './event-feed.ts';
import type { LoggedEvent } from './event-log.ts';

/** Who opened a socket, and from where in the log it reads. */
export interface SocketGrant {
  accountId: string;
  afterSeq: number;
  /** Asked with every heartbeat: a key may be revoked while its socket is open. */
  stillAllowed(): Promise<boolean>;
}

/** A refused upgrade, answered in the service's own envelope. */
export interface SocketRefusal {
  status: number;
  reason: string;
  body: string;
}

export interface SocketOptions {
  server: Server;
  feeds: Feeds;
  authorize(request: IncomingMessage): Promise<SocketGrant | SocketRefusal>;
}

/** RFC 6455 7.4.1: try again later; the client resumes with its last id. */
const CLOSE_OVERLOADED = 1013;
const CLOSE_GOING_AWAY = 1001;
/** Private use (RFC 6455 7.4.2): the credential no longer holds. */
const CLOSE_UNAUTHORIZED = 4401;
const STALLED_MS = 10_000;
/** Clients have nothing to say here beyond control frames. */
const CLIENT_MESSAGE_BYTES = 1024;

const frameText = ({ id, type, created_at, data }: LoggedEvent): string =>
  JSON.stringify({ id, type, created_at, data });

/** Resolves with true when the frames have been handed to the network, false when that took too long or failed. */
function sendAll(socket: WebSocket, events: readonly LoggedEvent[]): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), STALLED_MS);
    const last = events.length - 1;
    events.forEach((event, i) => {
      socket.send(frameText(event), (err) => {
        if (i !== last && !err) return;
        clearTimeout(timer);
        resolve(!err);
      });
    });
  });
}

function serve(socket: WebSocket, grant: SocketGrant, feeds: Feeds): void {
  let isAlive = true;
  const stop = feeds.follow(grant.accountId, grant.afterSeq, {
    deliver: async (events) => {
      if (await sendAll(socket, events)) return true;
      socket.close(CLOSE_OVERLOADED, 'too slow: resume with your last id');
      // Its buffer is full, so the close frame may never leave.
      setTimeout(() => socket.terminate(), 1000).unref();
      return false;
    },
    heartbeat: () => {
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
      void grant
        .stillAllowed()
        .then((allowed) => (allowed ? undefined : socket.close(CLOSE_UNAUTHORIZED, 'credential revoked')));
    },
    end: () => socket.close(CLOSE_GOING_AWAY, 'stopping: resume with your last id'),
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', stop);
}

function refuse(stream: Duplex, { status, reason, body }: SocketRefusal): void {
  // Node leaves the other half open for ever: a stranger who never hangs up would keep the descriptor.
  stream.once('finish', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Serves the event log over WebSocket (RFC 6455) on the upgrades that the server lets through. @returns what closes all sockets */
export function serveWebSockets({ server, feeds, authorize }: SocketOptions): () => void {
  // Compression costs tens of kilobytes a socket, and frames are small.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: CLIENT_MESSAGE_BYTES, perMessageDeflate: false });

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    stream.on('error', () => stream.destroy());
    const answer = await authorize(request);
    if ('status' in answer) refuse(stream, answer);
    else sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, answer, feeds));
  }

  server.on('upgrade', (request, stream, head) => {
    upgrade(request, stream, head).catch(() =>
      refuse(stream, { status: 503, reason: 'Service Unavailable', body: '{"error":"storage_unavailable"}' }),
    );
  });
  return () => {
    for (const socket of sockets.clients) socket.close(CLOSE_GOING_AWAY);
    sockets.close();
  };
}
