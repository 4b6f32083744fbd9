/**
 * A bare `node:http` server that replies to everything with the body and headers in its argument. It shows the limit of
 * the machine and the runtime without a service. `sh bin/node bench/rig/bare-server.ts '{"port", "headers", "body"}'`
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { port, headers, body } = JSON.parse(process.argv[2] as string) as {
  port: number;
  headers: Record<string, string>;
  body: string;
};
const bytes = Buffer.from(body);
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(port, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
