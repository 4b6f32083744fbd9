/**
 * The service with options that its command line does not have: `sh bin/node bench/rig/server.ts '{"batchMax": 1}'`.
 * Otherwise like `signet serve`: same configuration, log line and stop.
 */
import { type AppOptions, startApp } from '../../src/app.ts';
import { createLog } from '../../src/cli/admin/service-log.ts';
import { processConfig } from '../../src/config/service-config.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as Pick<AppOptions, 'batchMax' | 'synchronous'>;
const config = processConfig();
const log = createLog(config.logLevel, process.stdout);
const app = await startApp(config, log, options);
const { imap, imaps } = app.programPorts;
const at = (port: number | null): string => `${config.imapHost}:${port}`;
log.info({ api: app.baseUrl, smtp: `${config.smtpHost}:${app.smtpPort}`, imap: at(imap), imaps: at(imaps) }, 'listens');
process.once('SIGTERM', () => void app.stop());
