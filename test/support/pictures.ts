import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A picture of one pixel. */
export const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Given {
  content?: Buffer;
  status?: number;
  location?: string;
  /** Before this it does not answer. */
  until?: Promise<unknown>;
}

/** A host of pictures that remembers what was asked of it. Answers 404 for what it does not have. */
export async function pictureServer(files: Record<string, Given>) {
  const asked: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    headers.push(request.headers);
    const { content = '', status = path in files ? 200 : 404, location, until } = files[path] ?? {};
    void Promise.resolve(until).then(() => {
      response.writeHead(status, { 'content-type': 'image/png', ...(location === undefined ? {} : { location }) });
      response.end(content);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
