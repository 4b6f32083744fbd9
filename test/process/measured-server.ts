/**
 * The service, from the sources, run with `--expose-gc`: at SIGUSR2 it collects its garbage and prints its memory use, for the tests of
 * the cost of a connection. An argument sets after how many milliseconds without progress a stream is closed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/cli/admin/service-log.ts';
import { processConfig } from '../../src/config/service-config.ts';

const config = processConfig();
const log = createLog(config.logLevel, process.stdout);
const stalledMs = process.argv[2];
const app = await startApp(config, log, stalledMs === undefined ? {} : { stalledMs: Number(stalledMs) });
log.info({ api: app.baseUrl, smtp: `${config.smtpHost}:${app.smtpPort}` }, 'listens');
process.once('SIGTERM', () => void app.stop());
process.on('SIGUSR2', async () => {
  for (let round = 0; round < 3; round++) {
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    globalThis.gc?.();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ rss, held: heapUsed + external })}\n`);
});
