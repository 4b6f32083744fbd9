import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of a service, which can hold a reply back or lose it. */
export interface LossyProxy {
  url: string;
  /** Loses the next reply to a path. @returns when it is lost */
  lose(path: string): Promise<void>;
  /** Holds the next reply to a path. @returns what lets it go, once it is there */
  hold(path: string): Promise<() => void>;
  close(): void;
}

type Trouble = (response: ServerResponse, send: () => void) => void;

/** @param port of the service on this machine */
export async function startLossyProxy(port: number): Promise<LossyProxy> {
  const troubles = new Map<string, Trouble>();
  const server = createServer((asked, response) => {
    const { method, url: path = '', headers } = asked;
    const upstream = request({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
      const body = await buffer(answer);
      const trouble = troubles.get(path);
      troubles.delete(path);
      const send = (): void => void response.writeHead(answer.statusCode ?? 500, answer.headers).end(body);
      if (trouble) trouble(response, send);
      else send();
    });
    upstream.on('error', () => response.destroy());
    asked.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose: (path) =>
      new Promise((resolve) =>
        troubles.set(path, (response) => {
          response.destroy();
          resolve();
        }),
      ),
    hold: (path) => new Promise((resolve) => troubles.set(path, (_, send) => resolve(send))),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
