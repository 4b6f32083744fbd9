import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ClientNetwork, clientNetworks } from '../../base/client-network.ts';
import { monotonicMs } from '../../base/clock.ts';

interface Activity {
  /** Requests without a finished reply. */
  open: number;
  /** The last request. Null before the first one. */
  request: IncomingMessage | null;
  /** When the last request or reply began or ended. Milliseconds of the monotonic clock. */
  changedAt: number;
  /** A WebSocket has other limits. */
  isUpgraded: boolean;
  /** Bytes received at the last check. */
  bytesRead: number;
}

/** Connections from one network that wait for a request or for the rest of one. More are closed, the oldest first. */
const WAITING_MAX = 256;
/** A connection may wait this long in any case, so that a burst of clients loses none. */
const PATIENCE_MS = 5000;
/** How often the connections of a network are looked through at most. */
const LOOK_EVERY_MS = 250;

/** Whether the service waits for the client: for a request, or for the rest of one. */
const isWaiting = ({ open, request, isUpgraded }: Activity): boolean =>
  !isUpgraded && (open === 0 || request?.complete === false);

/** Bounds the half-sent requests and idle connections of one client network. */
class WaitingBound {
  readonly #networks = new Map<string, { sockets: Map<Socket, Activity>; lookedAt: number }>();

  add(socket: Socket, activity: Activity): void {
    for (const network of clientNetworks(socket.remoteAddress ?? '')) this.#add(socket, activity, network);
  }

  #add(socket: Socket, activity: Activity, { name, times }: ClientNetwork): void {
    const most = WAITING_MAX * times;
    const known = this.#networks.get(name) ?? { sockets: new Map(), lookedAt: Number.NEGATIVE_INFINITY };
    this.#networks.set(name, known);
    known.sockets.set(socket, activity);
    socket.once('close', () => {
      known.sockets.delete(socket);
      if (known.sockets.size === 0) this.#networks.delete(name);
    });
    const now = monotonicMs();
    if (known.sockets.size <= most || now - known.lookedAt < LOOK_EVERY_MS) return;
    known.lookedAt = now;
    const waiting = [...known.sockets].filter(([, other]) => isWaiting(other));
    const surplus = waiting
      .filter(([, { changedAt }]) => now - changedAt > PATIENCE_MS)
      .sort(([, a], [, b]) => a.changedAt - b.changedAt)
      .slice(0, Math.max(0, waiting.length - most));
    for (const [old] of surplus) old.destroy();
  }
}

/**
 * Tracks which connections are active. Node's own `closeIdleConnections` keeps connections that have never sent a request,
 * such as a browser's spare one. They would delay a stop for a minute.
 * @param limitNetworks true: bounds the connections from one network that the service waits for
 * @returns what closes connections that have no open request and have sent nothing since the last call
 */
export function trackConnections(server: Server, { limitNetworks }: { limitNetworks: boolean }): () => void {
  const sockets = new Map<Socket, Activity>();
  const bound = limitNetworks ? new WaitingBound() : null;
  server.on('connection', (socket: Socket) => {
    const changedAt = monotonicMs();
    const activity = { open: 0, request: null, changedAt, isUpgraded: false, bytesRead: -1 };
    sockets.set(socket, activity);
    socket.once('close', () => sockets.delete(socket));
    bound?.add(socket, activity);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const activity = sockets.get(request.socket);
    if (!activity) return;
    activity.open += 1;
    activity.request = request;
    activity.changedAt = monotonicMs();
    response.once('close', () => {
      activity.open -= 1;
      activity.changedAt = monotonicMs();
    });
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const activity = sockets.get(socket as Socket);
    if (activity) activity.isUpgraded = true;
  });
  return () => {
    for (const [socket, activity] of sockets) {
      const isQuiet = activity.open === 0 && socket.bytesRead === activity.bytesRead;
      activity.bytesRead = socket.bytesRead;
      if (isQuiet) socket.destroy();
    }
  };
}
