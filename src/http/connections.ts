import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Activity {
  /** Requests whose reply is not finished. */
  open: number;
  /** Bytes that had come at the last look. */
  bytesRead: number;
}

export interface Connections {
  /** Hangs up on connections that have no request open and have sent nothing since the last call. */
  closeQuiet(): void;
}

/**
 * Knows which connections are at work. Node's own `closeIdleConnections` spares those that have never sent a request,
 * such as a browser's spare one, and they would hold up a stop for a minute.
 */
export function trackConnections(server: Server): Connections {
  const sockets = new Map<Socket, Activity>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { open: 0, bytesRead: -1 });
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const activity = sockets.get(socket);
    if (!activity) return;
    activity.open += 1;
    response.once('close', () => {
      activity.open -= 1;
    });
  });
  return {
    closeQuiet: () => {
      for (const [socket, activity] of sockets) {
        const isQuiet = activity.open === 0 && socket.bytesRead === activity.bytesRead;
        activity.bytesRead = socket.bytesRead;
        if (isQuiet) socket.destroy();
      }
    },
  };
}
