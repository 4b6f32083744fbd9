import { startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createLog } from '../log.ts';

/** A stop takes no longer than this; what is then still open is dropped (contract.md, Commands). */
const STOP_MS = 9500;

/** Runs the service until SIGTERM or SIGINT. @returns the exit code */
export async function serve(config: Config): Promise<number> {
  const log = createLog(config.logLevel, process.stdout);
  const app = await startApp(config, log);
  const smtp = app.smtpPort === null ? 'off' : `${config.smtpHost}:${app.smtpPort}`;
  const database = config.databaseUrl ? 'postgres' : 'sqlite';
  log.info({ api: app.baseUrl, smtp, database, mail_domain: config.mailDomain }, `signet listens on ${app.baseUrl}`);
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.info({ signal }, 'stopping: finishing what is under way');
  const overdue = setTimeout(() => {
    log.error({}, 'stopped with work still open');
    process.exit(1);
  }, STOP_MS);
  await app.stop();
  clearTimeout(overdue);
  log.info({}, 'stopped');
  return 0;
}
