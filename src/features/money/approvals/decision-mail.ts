import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import { windowRule } from '../../../api/limits.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import type { Tx } from '../../../api/transaction.ts';
import { hashSecret } from '../../../base/secret.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import { admits, lockWindow } from '../../service/limits/rate-window.ts';
import type { MailAttempt } from '../../service/mailer/link-mailer.ts';
import type { BudgetDeps } from '../budget.ts';
import { type DecisionKind, findOpen, linkTo } from './decision.ts';
import type { Decidable } from './decision-schema.ts';
import { addToDigest, dropFromDigest, listDigest } from './digest-store.ts';

/** How mails speak of requests of one kind. */
export interface DecisionWords<T> {
  /** No text of an agent: subjects show up on lock screens. */
  subject(request: T): string;
  /** `name`: what the agent that asks calls itself. */
  text(request: T, name: string, link: string): string;
  /** For a digest: who asks for what, until when. Without words of an agent. */
  line(request: T): string;
}

/** A request that an operator may decide now, for a digest. */
interface Waiting {
  line: string;
  /** Makes the link that decides. @returns its URL */
  mint(tx: Tx): Promise<string>;
}

/** The words of the agent, quoted, for below our own text. */
export const quoteEach = (given: readonly (readonly [label: string, words: string])[]): string[] =>
  given.flatMap(([label, words]) => {
    const quoted = quoteWords(words);
    return quoted === '' ? [] : [`${label}: ${quoted}`];
  });

/** Such a request may wait for a day and longer, so its mail may be retried for longer than a login link. */
const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const;

/** What one digest lists. The rest is in the lists of the console. */
const LISTED_MAX = 20;

function digestText(open: readonly Waiting[], links: readonly string[], baseUrl: string): string {
  const listed = links.map((link, i) => `${open[i]?.line}:\n${link}`);
  const rest = open.length - links.length;
  const more = rest > 0 ? `\n\n${rest} more. To see them, log in: ${baseUrl}/login` : '';
  return `\
${open.length} requests wait for your decision. They came faster than we mail single ones.

${listed.join('\n\n')}${more}

Each page shows the request. Nothing happens until you press a button there.
Anyone with this email can decide. Do not forward it.
`;
}

/** Counts the mails to an operator, and is locked while the next digest changes. */
const bucketOf = (email: string): string => `approval-mail:${hashSecret(email)}`;

/** Mails to operators about what waits for them: a few single ones an hour, then one that lists the rest. */
export class DecisionMails {
  readonly #deps: BudgetDeps;
  /** Finds a request that the address may decide now, by the prefix of its id. */
  readonly #finders = new Map<string, (id: string, email: string, now: number) => Promise<Waiting | null>>();

  constructor(deps: BudgetDeps) {
    this.#deps = deps;
  }

  /** Lets mails and digests ask about requests of a kind. @returns what makes one attempt to mail one to an operator */
  asks<T extends Decidable>(kind: DecisionKind<T>, words: DecisionWords<T>) {
    const { database, mailer, baseUrl } = this.#deps;
    const mint = (tx: Tx, request: T, email: string) => linkTo(tx, kind, request, { email, baseUrl: baseUrl() });
    this.#finders.set(kind.prefix, async (id, email, now) => {
      const request = await findOpen(database, kind, { id, email, now });
      return request && { line: words.line(request), mint: (tx) => mint(tx, request, email) };
    });
    return async (job: MailAttempt, id: string, email: string): Promise<JobOutcome> => {
      const { now } = job;
      const request = await findOpen(database, kind, { id, email, now });
      const asker = request && (await findAccount(database, kind.asker(request)));
      if (!asker) return { status: 'done' };
      // The token is made here, so that none is ever stored with the job.
      const link = await database.transaction(async (tx) => {
        // A repeat of a deferred mail counts once.
        const mayMail = job.attempt > 1 || (await this.#mayMail(tx, email, id, now));
        return mayMail ? mint(tx, request, email) : null;
      });
      if (link === null) return { status: 'done' };
      return mailer.send(job, {
        to: email,
        subject: words.subject(request),
        text: words.text(request, asker.name ?? '', link),
        retryDelaysMs: RETRY_DELAYS_MS,
      });
    };
  }

  /** Whether a separate mail may go out for a request, which is counted. Otherwise the next digest lists it. */
  async #mayMail(tx: Tx, email: string, id: string, now: number): Promise<boolean> {
    const waitUntil = await this.#waitFor(tx, email, now);
    if (waitUntil === null) return true;
    // Of the mails over the limit, the first queues the one mail that lists them.
    if (await addToDigest(tx, email, id))
      await this.#deps.enqueueJob(tx, { kind: 'mail.approval_digest', payload: { email }, runAt: waitUntil });
    return false;
  }

  /** Makes one attempt to mail an operator one list of what came over the limit. */
  readonly mailDigest = async (job: JobAttempt<'mail.approval_digest'>): Promise<JobOutcome> => {
    const { database, mailer, enqueueJob, baseUrl } = this.#deps;
    const { now } = job;
    const { email } = job.payload;
    const ids = await listDigest(database, email);
    const open: Waiting[] = [];
    for (const id of ids) {
      const request = await this.#finders.get(id.split('_')[0] as string)?.(id, email, now);
      if (request) open.push(request);
    }
    const links = await database.transaction(async (tx) => {
      const waitUntil = open.length === 0 ? null : await this.#waitFor(tx, email, now);
      if (waitUntil !== null) return waitUntil;
      const minted: string[] = [];
      for (const request of open.slice(0, LISTED_MAX)) minted.push(await request.mint(tx));
      return minted;
    });
    if (typeof links === 'number') return { status: 'retry', reason: 'too many mails to this operator', runAt: links };
    const complete = async (tx: Tx): Promise<void> => {
      // Otherwise a call that adds a request now sees the rows that go, and queues no digest for it.
      await lockWindow(tx, bucketOf(email));
      for (const id of ids) await dropFromDigest(tx, email, id);
      // What came meanwhile is for the next digest.
      if ((await listDigest(tx, email)).length > 0)
        await enqueueJob(tx, { kind: 'mail.approval_digest', payload: { email }, runAt: now });
    };
    if (open.length === 0) return { status: 'done', complete };
    const outcome = await mailer.send(job, {
      to: email,
      subject: `${open.length} requests wait for your decision`,
      text: digestText(open, links, baseUrl()),
      retryDelaysMs: RETRY_DELAYS_MS,
    });
    return outcome.status === 'done' ? { ...outcome, complete } : outcome;
  };

  /** Counts a mail to an operator. @returns null when it may be sent now, else when one may be, in milliseconds */
  #waitFor(tx: Tx, email: string, now: number): Promise<number | null> {
    const { limits } = this.#deps;
    const perHour = windowRule(limits, 'approval_mails_per_email_per_hour');
    const perDay = windowRule(limits, 'approval_mails_per_email_per_day');
    return admits(tx, bucketOf(email), [perHour, perDay], now);
  }
}
