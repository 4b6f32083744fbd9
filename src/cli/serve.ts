import { monotonicMs } from '../kernel/clock.ts';
import { createLog } from './log.ts';
import type { Output } from './output.ts';
import type { Service } from './ports.ts';

/** A stop takes no longer than this; what is then still open is dropped. The promise is ten seconds. */
const STOP_MS = 8500;

/** A terminal's Ctrl-C reaches a child of npm twice; a second one within this time is the same press. */
const SAME_PRESS_MS = 1000;

/**
 * Resolves with the first SIGTERM or SIGINT. More of them change nothing, so that a supervisor that repeats itself cuts
 * nothing short; only somebody who presses Ctrl-C again, later, does not want to wait.
 */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    let pressedAt = Number.POSITIVE_INFINITY;
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.on('SIGINT', () => {
      if (monotonicMs() - pressedAt > SAME_PRESS_MS) process.exit(130);
      pressedAt = Math.min(pressedAt, monotonicMs());
      resolve('SIGINT');
    });
  });
}

/** Runs the service until SIGTERM or SIGINT. @returns the exit code */
export async function serve(service: Service, output: Output): Promise<number> {
  // With --json a terminal gets the lines that a pipe would.
  const log = createLog(service.logLevel, { isTTY: output.isTerminal && !output.json, write: output.write });
  const { baseUrl, smtp, database, mailDomain, stop } = await service.start(log);
  log.info({ api: baseUrl, smtp, database, mail_domain: mailDomain }, `signet listens on ${baseUrl}`);
  const signal = await firstSignal();
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
