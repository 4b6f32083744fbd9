import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any: from 32768 on with Linux, from 49152 on with others. */
const FIRST = 12_000;
const COUNT = 20_000;

let asked = 0;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port that nothing listens at. Nobody else gets it by asking for any port, so that it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    // Test processes that run side by side begin at different ports.
    const port = FIRST + ((process.pid * 31 + asked++) % COUNT);
    if (await isFree(port)) return port;
  }
}
