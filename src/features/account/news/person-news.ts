import type { AccountNotification, Notices } from '../../../api/account/removal-notices.ts';
import type { EnqueueJob, JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import { type Limits, windowRule } from '../../../api/limits.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';
import { hashSecret } from '../../../base/secret.ts';
import { admits, lockWindow } from '../../service/limits/rate-window.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { findSettings } from '../../service/settings/operator-settings.ts';
import { findAccount } from '../accounts/account-lifecycle.ts';
import { confirmedPeople } from '../people/person.ts';
import { dropBundle, firstWaiting, insertNews, LISTED_MAX, makeDue, newsIn, takeDue } from './news-store.ts';
import type { BundledNews } from './news-table.ts';

/** What mailing news needs. */
export interface NewsDeps {
  database: Database;
  limits: Limits;
  notices: Pick<Notices, 'isOutside'>;
  mailer: LinkMailer;
  enqueueJob: EnqueueJob;
  baseUrl(): string;
}

/** News may arrive late. */
const RETRY_DELAYS_MS = [60_000, 600_000, HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS] as const;

/** How long the first news waits for more. */
const WAITS_MS = { hourly: HOUR_MS, daily: DAY_MS };

/** Counts the mails to a person, and is locked while the next one changes. */
const bucketOf = (email: string): string => `news-mail:${hashSecret(email)}`;

/** Whether an address still is one of a confirmed person of the account. */
const isTold = async (reader: Reader, accountId: string, email: string): Promise<boolean> =>
  (await confirmedPeople(reader, accountId)).some(({ address }) => address === email);

/**
 * Mails news of agents to their people: each at once, or together, as the person chose. What is over the limit of single
 * mails waits for one an hour later.
 */
export class PersonNews {
  readonly #deps: NewsDeps;

  constructor(deps: NewsDeps) {
    this.#deps = deps;
  }

  /** Tells every confirmed address of an account, if its mail does not come to this service. */
  async tell(tx: Tx, accountId: string, news: AccountNotification, now: number): Promise<void> {
    const addresses = new Set((await confirmedPeople(tx, accountId)).map(({ address }) => address));
    for (const to of addresses)
      if (await this.#deps.notices.isOutside(tx, to))
        await this.#deps.enqueueJob(tx, { kind: 'mail.news', payload: { to, accountId, ...news }, runAt: now });
  }

  /** Mails what waits for a person now: how often was changed. */
  async hasten(tx: Tx, email: string, now: number): Promise<void> {
    await lockWindow(tx, bucketOf(email));
    if ((await makeDue(tx, email, now)) > 0) await this.#enqueueBundle(tx, email, now);
  }

  /** Makes one attempt to mail one piece of news, or keeps it for the next mail. */
  readonly mailOne = async (job: JobAttempt<'mail.news'>): Promise<JobOutcome> => {
    const { database, mailer } = this.#deps;
    const { to, accountId, subject, text } = job.payload;
    const { mails } = await findSettings(database, to);
    if (mails === 'decisions' || !(await isTold(database, accountId, to))) return { status: 'done' };
    const isSingle = mails === 'now' && (job.attempt > 1 || (await this.#maySend(to, job.now)));
    if (isSingle) {
      const mail = { to, subject, text: `${text}${await this.#named(accountId)}` };
      return mailer.send(job, { ...mail, retryDelaysMs: RETRY_DELAYS_MS });
    }
    const dueAt = job.now + WAITS_MS[mails === 'daily' ? 'daily' : 'hourly'];
    const kept = { id: job.id, email: to, accountId, subject, content: text, createdAt: job.now, dueAt, bundle: null };
    return { status: 'done', complete: (tx) => this.#keep(tx, kept) };
  };

  /** Makes one attempt to mail a person what waited together. */
  readonly mailBundle = async (job: JobAttempt<'mail.bundle'>): Promise<JobOutcome> => {
    const { database, mailer, baseUrl } = this.#deps;
    const { email } = job.payload;
    const complete = async (tx: Tx): Promise<void> => void (await dropBundle(tx, email, job.id));
    const { mails } = await findSettings(database, email);
    const taken: BundledNews[] = [];
    for (const news of await this.#take(job))
      if (mails !== 'decisions' && (await isTold(database, news.accountId, email))) taken.push(news);
    if (taken.length === 0) return { status: 'done', complete };
    const entries: string[] = [];
    for (const { createdAt, accountId, subject, content } of taken.slice(0, LISTED_MAX))
      entries.push(`${subject} (${iso(createdAt)})\n${content.trim()}\n${await this.#named(accountId)}`);
    const more = taken.length > LISTED_MAX ? 'More happened than fits in here.\n\n' : '';
    const outcome = await mailer.send(job, {
      to: email,
      subject: taken.length === 1 ? 'News of an agent of yours' : 'News of your agents',
      text: `${entries.join('\n')}\n${more}To change how often you get these mails, log in: ${baseUrl()}/login\n`,
      retryDelaysMs: RETRY_DELAYS_MS,
    });
    return outcome.status === 'done' ? { ...outcome, complete } : outcome;
  };

  /**
   * Puts what is due into the mail of this job, once: an attempt after a crash mails the same again, with the same
   * Message-ID, and what came meanwhile is for the next mail.
   */
  async #take(job: JobAttempt<'mail.bundle'>): Promise<BundledNews[]> {
    const { email } = job.payload;
    return this.#deps.database.transaction(async (tx) => {
      await lockWindow(tx, bucketOf(email));
      const before = await newsIn(tx, email, job.id);
      if (before.length > 0) return before;
      await takeDue(tx, email, job.id, job.now);
      return newsIn(tx, email, job.id);
    });
  }

  /** Keeps news for the next mail, which the first one queues. */
  async #keep(tx: Tx, news: BundledNews): Promise<void> {
    // Otherwise a mail that is made meanwhile could leave this one without a job.
    await lockWindow(tx, bucketOf(news.email));
    const first = await firstWaiting(tx, news.email);
    await insertNews(tx, { ...news, dueAt: first?.dueAt ?? news.dueAt });
    if (first === null) await this.#enqueueBundle(tx, news.email, news.dueAt);
  }

  #enqueueBundle(tx: Tx, email: string, runAt: number): Promise<void> {
    return this.#deps.enqueueJob(tx, { kind: 'mail.bundle', payload: { email }, runAt });
  }

  /** Counts a single mail, if there is room for one. */
  #maySend(email: string, now: number): Promise<boolean> {
    const { database, limits } = this.#deps;
    const perHour = windowRule(limits, 'news_mails_per_email_per_hour');
    return database.transaction(async (tx) => (await admits(tx, bucketOf(email), [perHour], now)) === null);
  }

  async #named(accountId: string): Promise<string> {
    const name = quoteWords((await findAccount(this.#deps.database, accountId))?.name ?? '');
    return name === '' ? '' : `The agent calls itself: ${name}\n`;
  }
}
