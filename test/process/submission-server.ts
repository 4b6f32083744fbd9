/** The service, from the sources, with the submission server of the tests beside it. */
import { startApp } from '../../src/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/cli/admin/service-log.ts';
import { processConfig } from '../../src/config/service-config.ts';
import { startTestSubmission } from '../support/submission.ts';

const config = processConfig();
const log = createLog(config.logLevel, process.stdout);
const app = await startApp(config, log);
const clock = { now: () => systemClock.now(), advance: () => {} };
const submission = await startTestSubmission({ app, config, clock });
log.info({ api: app.baseUrl, smtp: `${config.smtpHost}:${app.smtpPort}`, submission: submission.port }, 'listens');
process.once('SIGTERM', () => void submission.close().then(() => app.stop()));
