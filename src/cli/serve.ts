import { createLog } from './log.ts';
import type { Output } from './output.ts';
import type { Service } from './ports.ts';

/** A stop takes no longer than this; what is then still open is dropped. The promise is ten seconds. */
const STOP_MS = 8500;

/** Runs the service until SIGTERM or SIGINT. @returns the exit code */
export async function serve(service: Service, output: Output): Promise<number> {
  // With --json a terminal gets the lines that a pipe would.
  const log = createLog(service.logLevel, { isTTY: output.isTerminal && !output.json, write: output.write });
  const { baseUrl, smtp, database, mailDomain, stop } = await service.start(log);
  log.info({ api: baseUrl, smtp, database, mail_domain: mailDomain }, `signet listens on ${baseUrl}`);
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, 'stopping: finishing what is under way');
  const overdue = setTimeout(() => {
    log.error({}, 'stopped with work still open');
    process.exit(1);
  }, STOP_MS);
  await stop();
  clearTimeout(overdue);
  log.info({}, 'stopped');
  return 0;
}
