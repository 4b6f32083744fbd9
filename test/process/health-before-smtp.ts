import net from 'node:net';

/**
 * Preloaded into the service: holds the SMTP listener until `GET /health` was tried, and says on stdout what came of it.
 * The cluster's processes say it each.
 */
const { PORT, SMTP_PORT } = process.env;
const { listen } = net.Server.prototype;

const tryHealth = (): Promise<string> =>
  fetch(`http://127.0.0.1:${PORT}/health`).then(
    ({ status }) => String(status),
    (err: Error) => String((err.cause as NodeJS.ErrnoException).code),
  );

net.Server.prototype.listen = function (this: net.Server, ...given: unknown[]) {
  const go = () => Reflect.apply(listen, this, given);
  if (String(given[0]) !== SMTP_PORT) return go();
  void tryHealth().then((came) => {
    process.stdout.write(`health before SMTP: ${came}\n`);
    go();
  });
  return this;
};
