import cluster from 'node:cluster';
import type { Output } from '../output.ts';
import { readConfiguration } from './command-context.ts';
import { releaseMemoryWhenIdle } from './idle-memory.ts';
import { firstSignal } from './process-signals.ts';
import { createLog } from './service-log.ts';
import { sendListening, supervise } from './supervisor.ts';

/** The longest time a stop may take. Work still open after it is dropped. The documented maximum is ten seconds. */
const STOP_MS = 8500;

const placeOf = (host: string, port: number | null): string => (port === null ? 'off' : `${host}:${port}`);

/** What a person at a terminal needs first: the address, where mail goes, and the next step. */
const welcome = (baseUrl: string, keepsMail: boolean): string =>
  [
    `Signet runs at ${baseUrl}`,
    keepsMail ? `Outgoing mail stays on this machine: ${baseUrl}/dev/outbox` : 'Outgoing mail is sent',
    `Next: open ${baseUrl} in a browser, or give that address to your agent. The docs are at ${baseUrl}/docs`,
    '',
  ].join('\n');

/** Runs the service until SIGTERM or SIGINT. @returns the exit code */
export async function serve(output: Output): Promise<number> {
  const config = readConfiguration();
  // With --json a terminal gets JSON lines, as a pipe does.
  const log = createLog(config.logLevel, { isTTY: output.isTerminal && !output.json, write: output.write });
  if (config.workers > 1 && cluster.isPrimary) return supervise(config.workers, log);
  // Loaded here, so that the other commands start faster.
  const { startApp } = await import('../../app.ts');
  const { baseUrl, smtpPort, programPorts, provided, stop } = await startApp(config, log);
  // Heeded before anything says that it runs: a signal right after that would end it with open work.
  const stopped = firstSignal();
  const listening = {
    api: baseUrl,
    smtp: placeOf(config.smtpHost, smtpPort),
    imap: placeOf(config.imapHost, programPorts.imap),
    ...(programPorts.imaps === null ? {} : { imaps: placeOf(config.imapHost, programPorts.imaps) }),
    submission: placeOf(config.submissionHost, programPorts.submission),
    ...(programPorts.submissions === null
      ? {}
      : { submissions: placeOf(config.submissionHost, programPorts.submissions) }),
    database: config.databaseUrl === null ? ('sqlite' as const) : ('postgres' as const),
    mail_domain: config.mailDomain,
  };
  // The supervisor says it once for all workers.
  if (cluster.isWorker) sendListening(listening);
  else if (output.isTerminal && !output.json) output.write(welcome(baseUrl, provided.keepsMail));
  else log.info(listening, `signet listens on ${baseUrl}`);
  releaseMemoryWhenIdle();
  const signal = await stopped;
  log.info({ signal }, 'stopping: finishing open work');
  const overdue = setTimeout(() => {
    log.error({}, 'stopped with work still open');
    process.exit(1);
  }, STOP_MS);
  await stop();
  clearTimeout(overdue);
  log.info({}, 'stopped');
  // Its channel to the supervisor would keep the process alive.
  cluster.worker?.disconnect();
  return 0;
}
