import type { AppendEvents } from '../../kernel/events.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import type { DkimKey } from '../../mail/dkim.ts';
import type { ReturnPaths, UnsubscribeTokens } from '../../mail/return-path.ts';
import type { MailTransport, SendOutcome } from '../../mail/smtp-out.ts';
import type { SendPolicy } from '../mail-policy/send-policy-rules.ts';
import { readRaw } from '../mailboxes/content-rules.ts';
import { findOutbox, type OutboxEntry, type Outcome } from '../mailboxes/sent-rules.ts';
import { dkimKeyOf } from '../stacks/stack-rules.ts';
import type { Suppressions } from '../suppressions/suppression-rules.ts';
import { recordOutcomes } from './outcome-rules.ts';

export interface DispatchDeps {
  database: Database;
  sealer: Sealer;
  transport: MailTransport;
  returnPaths: ReturnPaths;
  unsubscribing: UnsubscribeTokens;
  baseUrl(): string;
  mailDomain: string;
  policy: Pick<SendPolicy, 'refused'>;
  appendEvents: AppendEvents<Tx>;
  suppressions: Pick<Suppressions, 'learn'>;
  /** Called when a mail was sent, with its place in the development outbox. Never with its content. */
  onSent(sent: { id: string; provider: string; providerId: string }): void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Delays before the second and later attempts. After the last attempt the mail has failed. */
const RETRY_DELAYS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR] as const;

/** What an attempt found out: final outcomes, and why others are tried again. */
interface Attempted {
  settled: Outcome[];
  waiting: { address: string; reason: string }[];
}

function attemptedBy(result: SendOutcome, tried: readonly string[]): Attempted {
  const refusals = new Map(result.rejected.map((refusal) => [refusal.address, refusal]));
  const settled: Outcome[] = [];
  const waiting: Attempted['waiting'] = [];
  const why = result.status === 'sent' ? result.detail : result.reason;
  for (const address of tried) {
    const refusal = refusals.get(address);
    if (result.status === 'rejected')
      settled.push({ address, providerId: null, error: refusal?.reason ?? result.reason });
    else if (refusal?.permanent) settled.push({ address, providerId: null, error: refusal.reason });
    else if (result.status === 'sent' && !refusal)
      settled.push({ address, providerId: result.providerId, error: null });
    else waiting.push({ address, reason: refusal?.reason ?? why });
  }
  return { settled, waiting };
}

const NOT_ALLOWED = 'recipient_not_allowed: the mail policy of the account does not allow this recipient any more.';

/** The external recipients without an outcome. The others must not get the mail twice. */
function waitingOf({ externalRecipients, outcomes }: OutboxEntry): string[] {
  const known = new Set(outcomes.map(({ address }) => address));
  return externalRecipients.filter((recipient) => !known.has(recipient));
}

/** Copies of one mail that are sent at a time. */
const AT_A_TIME = 4;
/** An attempt sends no further copies after this time: its lease must not end before it does. */
const ATTEMPT_MS = 120_000;

interface Sending {
  raw: Buffer;
  dkim?: DkimKey;
  signal: AbortSignal;
}

/**
 * Makes what hands a mail to the relay, a copy for each recipient: each has a return path of its own, and a link of its own
 * to unsubscribe. The development outbox gets one file for all, where they do not differ.
 */
function createSending(deps: DispatchDeps, entry: OutboxEntry, { raw, dkim, signal }: Sending) {
  const { transport, returnPaths, unsubscribing, baseUrl } = deps;
  const { id, recipients, unsubscribe } = entry;
  const signer = dkim === undefined ? {} : { dkim };

  async function sendTo(id: string, to: readonly string[]): Promise<SendOutcome> {
    const n = recipients.indexOf(to[0] as string);
    const envelopeFrom = returnPaths.of(entry.id, n);
    const link = `${baseUrl()}/unsubscribe/${unsubscribing.of(entry.id, n)}`;
    const headed = unsubscribe ? Buffer.concat([Buffer.from(unsubscribeHeaders(link)), raw]) : raw;
    const result = await transport.send({ id, envelopeFrom, recipients: to, raw: headed, ...signer }, signal);
    if (result.status === 'sent') deps.onSent({ id, provider: transport.provider, providerId: result.providerId });
    return result;
  }

  return async (tried: readonly string[], keep: (settled: Outcome[]) => Promise<void>): Promise<Attempted> => {
    const isFile = transport.provider === 'file';
    if (tried.length === 1 || (isFile && !unsubscribe)) return attemptedBy(await sendTo(id, tried), tried);
    const all: Attempted = { settled: [], waiting: [] };
    const left = [...tried];
    let stopped: string | null = null;
    const timer = setTimeout(() => {
      stopped ??= 'The other copies took too long.';
    }, ATTEMPT_MS);
    const work = async (): Promise<void> => {
      for (let address = left.shift(); address !== undefined; address = left.shift()) {
        if (stopped !== null) all.waiting.push({ address, reason: stopped });
        else {
          const result = await sendTo(isFile ? `${id}-${recipients.indexOf(address)}` : id, [address]);
          const { settled, waiting } = attemptedBy(result, [address]);
          // At once: a crash must not send this copy again.
          if (settled.length > 0) await keep(settled);
          all.settled.push(...settled);
          all.waiting.push(...waiting);
          // A relay that says nothing about a recipient does not take the others either.
          if (result.status === 'deferred' && result.rejected.length === 0) stopped ??= result.reason;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work)).finally(() => clearTimeout(timer));
    return all;
  };
}

/** RFC 8058 3.1. They come first, so that the DKIM signature covers them. */
const unsubscribeHeaders = (link: string): string =>
  `List-Unsubscribe: <${link}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;

/** Makes the job handler that hands an outgoing mail to the relay, one attempt at a time. */
export function createDispatch(deps: DispatchDeps): (attempt: JobAttempt<'mail.outbound'>) => Promise<JobOutcome> {
  const { database, appendEvents } = deps;

  /** The DKIM key of the account's own domain, if the mail is from one. Null: the account has lost the domain. */
  async function signerOf({ address, accountId }: OutboxEntry): Promise<{ dkim?: DkimKey } | null> {
    if (domainOf(address) === deps.mailDomain) return {};
    const dkim = await dkimKeyOf(database, deps.sealer, accountId, domainOf(address));
    return dkim && { dkim };
  }

  const record = (outboxId: string, outcomes: readonly Outcome[], now: number) => async (tx: Tx) => {
    const news = await recordOutcomes(tx, appendEvents, { outboxId, outcomes, source: 'attempt', now });
    if (news) await deps.suppressions.learn(tx, news.entry, news, now);
  };

  function outcomeOf(id: string, { settled, waiting }: Attempted, attempt: number, now: number) {
    const delay = RETRY_DELAYS_MS[attempt - 1];
    const [first] = waiting;
    if (first !== undefined && delay !== undefined)
      return { status: 'retry' as const, reason: first.reason, runAt: now + delay, settle: record(id, settled, now) };
    const givenUp = waiting.map(({ address, reason }) => ({ address, providerId: null, error: reason }));
    return { status: 'done' as const, settle: record(id, [...settled, ...givenUp], now) };
  }

  return async ({ payload, attempt, now, signal }) => {
    const entry = await findOutbox(database, payload.outboxId);
    if (entry?.status !== 'pending' || entry.contentId === null) return { status: 'done' };
    const { id } = entry;
    const waiting = waitingOf(entry);
    const raw = await readRaw(database, entry.contentId);
    const signer = await signerOf(entry);
    if (!raw || !signer) {
      const error = raw ? 'The sender’s domain is no longer verified.' : 'The mail is no longer stored.';
      const gone = waiting.map((address) => ({ address, providerId: null, error }));
      return { status: 'done', settle: record(id, gone, now) };
    }
    // The policy may have become narrower since the mail was made.
    const refused = await deps.policy.refused(database, entry, waiting);
    const barred = refused.map((address) => ({ address, providerId: null, error: NOT_ALLOWED }));
    const tried = waiting.filter((address) => !refused.includes(address));
    if (tried.length === 0) return { status: 'done', settle: record(id, barred, now) };
    const send = createSending(deps, entry, { raw: Buffer.from(raw), ...signer, signal });
    const attempted = await send(tried, (settled) => database.transaction(record(id, settled, now)));
    return outcomeOf(id, { ...attempted, settled: [...barred, ...attempted.settled] }, attempt, now);
  };
}
