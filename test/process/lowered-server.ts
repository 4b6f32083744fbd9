/**
 * The service, from the sources, with `PRAGMA synchronous` lowered, which only this file can do. The durability test must find its early
 * replies.
 */
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/cli/admin/service-log.ts';
import { processConfig } from '../../src/config/service-config.ts';

const config = processConfig();
const log = createLog(config.logLevel, process.stdout);
const app = await startApp(config, log, { synchronous: 'NORMAL' });
log.info({ api: app.baseUrl, smtp: `${config.smtpHost}:${app.smtpPort}` }, 'listens');
process.once('SIGTERM', () => void app.stop());
