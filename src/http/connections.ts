import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Activity {
  /** Requests without a finished reply. */
  open: number;
  /** Bytes received at the last check. */
  bytesRead: number;
}

export interface Connections {
  /** Closes connections that have no open request and have sent nothing since the last call. */
  closeQuiet(): void;
}

/**
 * Tracks which connections are active. Node's own `closeIdleConnections` keeps connections that have never sent a request,
 * such as a browser's spare one. They would delay a stop for a minute.
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
