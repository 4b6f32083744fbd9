import { once } from 'node:events';
import net from 'node:net';

export interface PostgresProxy {
  url(database: string): string;
  cut(): void;
  mend(): void;
  /** Connections with bytes that do not get on. */
  held(): number;
  close(): void;
}

/** A proxy to PostgreSQL, named by its URL, that can be cut: open connections hang, and new ones get no answer. */
export async function startProxy(postgresUrl: string): Promise<PostgresProxy> {
  const path = `${new URL(postgresUrl).searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(path);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
      if (isCut) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    held: () => [...sockets].filter((socket) => socket.readableLength > 0).length,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
