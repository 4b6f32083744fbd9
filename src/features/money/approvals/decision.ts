import { ApiError } from '../../../api/errors.ts';
import { type JobOutcome, notBefore } from '../../../api/job-types.ts';
import type { ActingPerson } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { DAY_MS } from '../../../base/period.ts';
import { findAccount, isOpen } from '../../account/accounts/account-lifecycle.ts';
import { actingOperator, isOperator } from '../../account/people/person.ts';
import { findLink, mintLink } from '../../service/mailer/mailed-link.ts';
import { requiresPasskey } from '../../service/settings/operator-settings.ts';
import type { BudgetDeps } from '../budget.ts';
import { type Decidable, isOverdue, statusAt } from './decision-schema.ts';

/** A kind of request that the operators of an account decide, with a mailed link too. */
export interface DecisionKind<T extends Decidable> {
  /** Of its ids. */
  prefix: 'apr' | 'rev';
  link: 'approval' | 'review';
  /** The page that the link opens. */
  page: string;
  noun: string;
  find(reader: Reader, id: string): Promise<T | null>;
  /** The account whose operators decide. */
  decider(request: T): string;
  /** The account that waits for the decision. */
  asker(request: T): string;
}

/** Whether an address decides for an account now: it is a confirmed operator, and the account is open. */
const isDecider = async (reader: Reader, accountId: string, email: string): Promise<boolean> =>
  (await isOperator(reader, accountId, email)) && isOpen(reader, await findAccount(reader, accountId));

/** Finds a request that the address may decide now. Null: it was decided, or the address is no operator. */
export async function findOpen<T extends Decidable>(
  reader: Reader,
  { find, decider }: DecisionKind<T>,
  { id, email, now }: { id: string; email: string; now: number },
): Promise<T | null> {
  const request = await find(reader, id);
  if (request === null || statusAt(request, now) !== 'pending') return null;
  return (await isDecider(reader, decider(request), email)) ? request : null;
}

/** Makes a link to a request. @returns its URL */
export async function linkTo<T extends Decidable>(
  tx: Tx,
  { link: kind, page, decider }: DecisionKind<T>,
  request: T,
  { email, baseUrl }: { email: string; baseUrl: string },
): Promise<string> {
  const { id } = request;
  // It outlives the request, so that a late click learns how it ended.
  const expiresAt = request.expiresAt + DAY_MS;
  const token = await mintLink(tx, { kind, accountId: decider(request), subject: id, email, detail: null, expiresAt });
  return `${baseUrl}/${page}#id=${id}&token=${token}`;
}

/**
 * Reads the request of a mailed link. The token opens only what it was mailed for, while the address it was mailed to is
 * still a confirmed operator's. `needsPasskey`: the link only shows it. @throws ApiError `invalid_token`
 */
export async function requireLinked<T extends Decidable>(
  reader: Reader,
  { link: kind, find, decider }: DecisionKind<T>,
  { id, token, now }: { id: string; token: string; now: number },
): Promise<{ request: T; address: string; needsPasskey: boolean }> {
  const link = await findLink(reader, kind, token, now);
  const request = link?.subject === id ? await find(reader, id) : null;
  if (!link || !request || !(await isDecider(reader, decider(request), link.email)))
    throw new ApiError('invalid_token');
  return { request, address: link.email, needsPasskey: await requiresPasskey(reader, link.email) };
}

/** Requires that a mailed link may decide. @returns who decides by it @throws ApiError `invalid_token`, `passkey_required` */
export async function requireLinkDecides<T extends Decidable>(
  tx: Tx,
  kind: DecisionKind<T>,
  given: { id: string; token: string; now: number },
): Promise<ActingPerson> {
  const { address, needsPasskey } = await requireLinked(tx, kind, given);
  if (needsPasskey) throw new ApiError('passkey_required');
  return actingOperator(address);
}

/** The refusal of a decision about what is decided. */
export const alreadyResolved = <T extends Decidable>(
  { noun }: DecisionKind<T>,
  { status, resolvedAt, resolvedBy }: T,
): ApiError =>
  new ApiError('already_resolved', {
    message: `This ${noun} is already ${status}.`,
    fields: { status, resolved_at: isoOrNull(resolvedAt), resolved_by: resolvedBy },
  });

/** @throws ApiError `already_resolved`, `expired` */
export function requirePending<T extends Decidable>(kind: DecisionKind<T>, request: T, now: number): void {
  const { status, expiresAt } = request;
  if (statusAt(request, now) === 'expired') throw new ApiError('expired', { fields: { expires_at: iso(expiresAt) } });
  if (status !== 'pending') throw alreadyResolved(kind, request);
}

/** Makes the job that ends a request whose time is over. `end` gives what it ended; null: it was decided. */
export const createExpiry =
  <T extends Decidable>(
    { database, jobEffects }: Pick<BudgetDeps, 'database' | 'jobEffects'>,
    { find, link, asker }: DecisionKind<T>,
    end: (tx: Tx, id: string, now: number) => Promise<T | null>,
  ) =>
  async (id: string, now: number): Promise<JobOutcome> => {
    const request = await find(database, id);
    if (request?.status === 'pending' && !isOverdue(request, now)) return notBefore(request.expiresAt);
    return {
      status: 'done',
      complete: async (tx) => {
        const ended = await end(tx, id, now);
        if (ended === null) return;
        await jobEffects.note(tx, { accountId: asker(ended), action: `${link}.expired`, resourceId: id, now });
      },
    };
  };
