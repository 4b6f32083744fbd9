import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';

const HOUR_MS = 3_600_000;
/** Such a mail is worth sending for as long as a notice runs. */
const RETRY_DELAYS_MS = [60_000, 600_000, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS] as const;

/** Makes one attempt to tell a person what happened to an account. */
export const createNotifier =
  (mailer: LinkMailer) =>
  (job: JobAttempt<'mail.told'>): Promise<JobOutcome> =>
    mailer.send(job, { ...job.payload, retryDelaysMs: RETRY_DELAYS_MS });
