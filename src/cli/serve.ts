import { monotonicMs } from '../kernel/clock.ts';
import { createLog } from './log.ts';
import type { Output } from './output.ts';
import type { RunningService, Service } from './ports.ts';

/** The longest time a stop may take. Work still open after it is dropped. The documented maximum is ten seconds. */
const STOP_MS = 8500;

/** Under npm one Ctrl-C arrives twice. A second signal within this time counts as the same press. */
const SAME_PRESS_MS = 1000;

/**
 * Resolves with the first SIGTERM or SIGINT. Further signals are ignored, so that a supervisor that repeats them cannot cut
 * the stop short. Only a later second Ctrl-C exits at once.
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

/** What a person at a terminal needs first: the address, where mail goes, and the next step. */
const welcome = ({ baseUrl, keepsMail }: RunningService): string =>
  [
    `Signet runs at ${baseUrl}`,
    keepsMail ? `Outgoing mail stays on this machine: ${baseUrl}/dev/outbox` : 'Outgoing mail is sent',
    `Next: open ${baseUrl} in a browser, or give that address to your agent. The docs are at ${baseUrl}/docs`,
    '',
  ].join('\n');

/** Runs the service until SIGTERM or SIGINT. @returns the exit code */
export async function serve(service: Service, output: Output): Promise<number> {
  // With --json a terminal gets JSON lines, as a pipe does.
  const log = createLog(service.logLevel, { isTTY: output.isTerminal && !output.json, write: output.write });
  const running = await service.start(log);
  const { baseUrl, smtp, database, mailDomain, stop } = running;
  if (output.isTerminal && !output.json) output.write(welcome(running));
  else log.info({ api: baseUrl, smtp, database, mail_domain: mailDomain }, `signet listens on ${baseUrl}`);
  const signal = await firstSignal();
  log.info({ signal }, 'stopping: finishing open work');
  const overdue = setTimeout(() => {
    log.error({}, 'stopped with work still open');
    process.exit(1);
  }, STOP_MS);
  await stop();
  clearTimeout(overdue);
  log.info({}, 'stopped');
  return 0;
}
