import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Feeds, StreamEnd } from './event-feed.ts';
import type { LoggedEvent } from './event-log.ts';
import type { StreamGrant } from './stream-grant.ts';

/** A refused upgrade, answered in the service's own envelope. */
export interface SocketRefusal {
  status: number;
  reason: string;
  headers: Record<string, string>;
  body: string;
}

export interface SocketOptions {
  server: Server;
  feeds: Feeds;
  /** Never rejects. */
  authorize(request: IncomingMessage): Promise<StreamGrant | SocketRefusal>;
}

/**
 * Close codes (RFC 6455 7.4). 1013: try again later. 4401 is of the private range: the credential no longer holds. After
 * any of them but that one the client resumes with its last id.
 */
const CLOSE: Record<StreamEnd, [code: number, reason: string]> = {
  stopping: [1001, 'stopping: resume with your last id'],
  stalled: [1013, 'too slow: resume with your last id'],
  revoked: [4401, 'credential revoked'],
};
/** How long the client may take to answer a close frame. A slow reader gets longer, to read as far as that frame. */
const CLOSING_MS: Record<StreamEnd, number> = { stopping: 1000, stalled: 5000, revoked: 1000 };
const BUFFER_BYTES = 65_536;
/** Clients send control frames only. */
const CLIENT_MESSAGE_BYTES = 1024;

const frameText = ({ id, type, created_at, data }: LoggedEvent): string =>
  JSON.stringify({ id, type, created_at, data });

/** Sends a frame. Resolves once the network has it, or with false if that failed. */
const sent = (socket: WebSocket, text: string): Promise<boolean> =>
  new Promise((resolve) => socket.send(text, (err) => resolve(!err)));

/** Sends in order, and waits where the buffer is full: little is kept in memory for a slow reader. */
async function sendAll(socket: WebSocket, events: readonly LoggedEvent[]): Promise<boolean> {
  const last = events.length - 1;
  for (const [i, event] of events.entries()) {
    const text = frameText(event);
    if (i < last && socket.bufferedAmount < BUFFER_BYTES) socket.send(text);
    else if (!(await sent(socket, text))) return false;
  }
  return true;
}

function serve(socket: WebSocket, grant: StreamGrant, feeds: Feeds): void {
  let isAlive = true;
  const stop = feeds.follow(grant.start, {
    deliver: (events) => sendAll(socket, events),
    heartbeat: () => {
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
    },
    stillAllowed: grant.stillAllowed,
    end: (why) => {
      socket.close(...CLOSE[why]);
      // A reader that takes nothing does not answer a close frame either.
      setTimeout(() => socket.terminate(), CLOSING_MS[why]).unref();
    },
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', stop);
}

function refuse(stream: Duplex, { status, reason, headers, body }: SocketRefusal): void {
  // Node never closes the other half: a client that does not hang up would keep the descriptor.
  stream.once('finish', () => stream.destroy());
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  stream.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}

/** Serves the event log over WebSocket (RFC 6455) on the upgrades that the server lets through. @returns what closes all sockets */
export function serveWebSockets({ server, feeds, authorize }: SocketOptions): () => void {
  // Compression costs tens of kilobytes a socket, and frames are small.
  const sockets = new WebSocketServer({ noServer: true, maxPayload: CLIENT_MESSAGE_BYTES, perMessageDeflate: false });

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    stream.on('error', () => stream.destroy());
    const answer = await authorize(request);
    if ('status' in answer) {
      refuse(stream, answer);
      return;
    }
    if (stream.destroyed) {
      answer.release();
      return;
    }
    // On the connection, because a handshake that fails has no WebSocket.
    stream.once('close', answer.release);
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, answer, feeds));
  }

  server.on('upgrade', (request, stream, head) => void upgrade(request, stream, head));
  return () => {
    for (const socket of sockets.clients) socket.close(...CLOSE.stopping);
    sockets.close();
  };
}
