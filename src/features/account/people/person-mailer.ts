import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import { type Limits, windowRule } from '../../../api/limits.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { hashSecret } from '../../../base/secret.ts';
import { admits } from '../../service/limits/rate-window.ts';
import { type Account, findAccount } from '../accounts/account-lifecycle.ts';
import { mintConfirmation } from './confirmation.ts';
import { countRefusals } from './confirmation-store.ts';
import type { PeopleDeps } from './people-changes.ts';
import { personById } from './person.ts';
import type { Person, PersonRole } from './person-table.ts';

const WHAT_IT_MEANS: Record<PersonRole, string> = {
  email:
    'An AI agent has an account on this service, and gave your address as its email address: you may log in to the account.',
  recovery:
    'An AI agent has an account on this service, and gave your address as its recovery email: you may log in to the account when its keys are lost.',
  operator:
    'An AI agent has an account on this service, and named you as its operator: the person who decides about its spending and its requests for credentials.',
};

function mailText(person: Person, account: Account, link: string, hours: number): string {
  const name = quoteWords(account.name ?? '');
  const isNew = person.confirmedAt === null;
  return `\
${WHAT_IT_MEANS[person.role]}

Confirm it, or answer "This is not my agent":
${link}

Opening the page decides nothing. The link works for ${hours} hours. ${
    isNew
      ? 'If you do nothing, you get no requests from this account.'
      : 'You decide for this account already; nothing changes if you do nothing.'
  }
If you answer "This is not my agent", this account cannot name you again.

Account: ${account.id}
${name ? `The agent calls itself: ${name}\n` : ''}`;
}

/** Counts a mail against the limits. @returns whether it may be sent: a login shows what waits otherwise */
async function mayAsk(tx: Tx, { accountId, address }: Person, limits: Limits, now: number): Promise<boolean> {
  const max = limits.confirmation_refusals_per_day;
  if ((await countRefusals(tx, accountId, now - DAY_MS, max)) >= max) return false;
  const perDay = windowRule(limits, 'confirmation_mails_per_email_per_day');
  return (await admits(tx, `confirm-mail:${hashSecret(address)}`, [perDay], now)) === null;
}

/** Makes one attempt to ask a person. The token is made here, so that none is stored with the job. */
export function createConfirmMailer(deps: PeopleDeps): (attempt: JobAttempt<'mail.confirm'>) => Promise<JobOutcome> {
  const { database, mailer, limits, baseUrl } = deps;
  return async (job) => {
    const { personId, authority } = job.payload;
    const token = await database.transaction(async (tx) => {
      const person = await personById(tx, personId);
      // A repeat of a deferred mail is the same mail.
      if (!person || (job.attempt === 1 && !(await mayAsk(tx, person, limits, job.now)))) return null;
      return mintConfirmation(tx, person, authority, limits, job.now);
    });
    const person = await personById(database, personId);
    const account = person && (await findAccount(database, person.accountId));
    if (token === null || !person || account?.status !== 'active') return { status: 'done' };
    const link = `${baseUrl()}/confirm#token=${token}`;
    const hours = Math.round(limits.confirmation_ttl_seconds / 3600);
    return mailer.send(job, {
      to: person.address,
      // No words of an agent: subjects show up on lock screens.
      subject: person.role === 'operator' ? 'Are you the operator of an agent?' : 'Confirm your address',
      text: mailText(person, account, link, hours),
    });
  };
}
