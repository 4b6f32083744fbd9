import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { VaultDeps } from './vault-entry.ts';
import type { RecoveryRules } from './vault-recovery.ts';

const mailText = (link: string, minutes: number): string => `\
Someone, probably you, asked to recover the vault data stored for this address. Open this link:

${link}

The page shows the values as they were stored: sealed. You need your passphrase to open them.
The link works once, for ${minutes} minutes. If you did not request this email, ignore it. Nothing happens without the link.
`;

/** Makes one attempt at a recovery mail. The job holds no token: each attempt creates its own. */
export function createRecoveryMailer(
  recovery: RecoveryRules,
  { database, mailer, limits, baseUrl }: VaultDeps,
): (attempt: JobAttempt<'mail.recovery'>) => Promise<JobOutcome> {
  return async (job) => {
    const { email } = job.payload;
    const token = await database.transaction((tx) => recovery.createToken(tx, email, job.now));
    if (token === null) return { status: 'done' };
    const minutes = Math.round(limits.magic_link_ttl_seconds / 60);
    const text = mailText(`${baseUrl()}/recover#token=${token}`, minutes);
    return mailer.send(job, { to: email, subject: 'Your vault recovery link', text });
  };
}
