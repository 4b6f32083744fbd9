import { iso, isoOrNull } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvents, NewEvent } from '../../kernel/events.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import type { Limits } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { hashSecret } from '../../kernel/secret.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import type { Approval, ApprovalStatus } from './approval-data.ts';
import {
  type ApprovalSide,
  findApproval,
  findToken,
  insertApproval,
  listApprovals,
  lockApproval,
  overdueApprovals,
  purgeTokensBefore,
  settleApproval,
} from './approval-store.ts';
import { readBudget, requireAuthority } from './budget-rules.ts';
import { decide, layersOf, refusal } from './charge-decision-rules.ts';
import { type Book, openBook, type Spending } from './ledger-rules.ts';

/** How somebody decided; `by` names the credential. */
export interface Decision {
  approve: boolean;
  reason: string | null;
  by: 'session' | 'api_key' | 'mail_link';
  now: number;
}

export interface ApprovalRules {
  /** Asks the holder of a limit about a charge that exceeds it. */
  request(
    tx: Tx,
    book: Book,
    charge: Omit<Spending, 'approvalId'>,
    question: { holderId: string; cause: Approval['cause'] },
  ): Promise<Approval>;
  /**
   * Approves, which records the spend whatever the caps say, or rejects. @throws ApiError `not_found`,
   * `pod_auth_forbidden`, `operator_required`, `already_resolved`, `expired`; 402 where a pod approves its own question
   * and its platform's limits no longer have room
   */
  resolve(tx: Tx, principal: Principal, id: string, decision: Decision): Promise<Approval>;
  /** The same with the token of a mailed link. @throws ApiError `invalid_token` as well */
  resolveByToken(tx: Tx, id: string, token: string, decision: Decision): Promise<Approval>;
  /** What a mailed link is about. @throws ApiError `invalid_token` */
  viewByToken(reader: Reader, id: string, token: string): Promise<Approval>;
  /** Marks those that are pending and overdue. */
  expire(tx: Tx, ids: readonly string[], now: number): Promise<void>;
}

/** Sorts behind every id in any collation of a database; punctuation would not. */
const BEYOND_ALL = `apr_${'z'.repeat(26)}`;
/** As many overdue approvals are marked by one listing; a job marks each in its time anyway. */
const OVERDUE_MAX = 200;

export const isOverdue = ({ status, expiresAt }: Approval, now: number): boolean =>
  status === 'pending' && expiresAt <= now;

/** An approval that the account decides about, or asked for. @throws ApiError `not_found` */
export async function requireApproval(reader: Reader, accountId: string, id: string): Promise<Approval> {
  const found = isId('apr', id) ? await findApproval(reader, id) : null;
  if (found?.holderId !== accountId && found?.spenderId !== accountId) throw new ApiError('not_found');
  return found;
}

/** A platform sees what it decides about, its pods' questions among them; a pod sees what it asked. */
const sideOf = ({ parentId }: Principal): ApprovalSide => (parentId === null ? 'holder_id' : 'spender_id');

/** The caller's approvals whose time is over and that are not marked yet. */
export const dueApprovals = (reader: Reader, principal: Principal, now: number): Promise<string[]> =>
  overdueApprovals(reader, sideOf(principal), principal.accountId, now, OVERDUE_MAX);

/** Newest first. @throws ApiError `invalid_cursor` */
export async function pageOfApprovals(
  reader: Reader,
  principal: Principal,
  filter: { status: ApprovalStatus | null; cursor: string | undefined; limit: number; now: number },
): Promise<{ approvals: Approval[]; nextCursor: string | null }> {
  const { status, cursor, limit, now } = filter;
  const before = cursor === undefined ? BEYOND_ALL : decodeCursor(cursor, ['string'])?.[0];
  if (!isId('apr', String(before))) throw new ApiError('invalid_cursor');
  const page = { status, before: String(before), limit: limit + 1 };
  const rows = await listApprovals(reader, sideOf(principal), principal.accountId, page);
  const { rows: approvals, nextCursor } = pageOf(rows, limit, ({ id }) => [id]);
  return { approvals: approvals.filter((approval) => !isOverdue(approval, now)), nextCursor };
}

/** @throws ApiError `already_resolved`, `expired` */
function requirePending(approval: Approval, now: number): void {
  const { status, resolvedAt, resolvedBy, expiresAt } = approval;
  if (status === 'expired' || isOverdue(approval, now))
    throw new ApiError('expired', { facts: { expires_at: iso(expiresAt) } });
  if (status !== 'pending')
    throw new ApiError('already_resolved', {
      message: `This approval was ${status} before.`,
      facts: { status, resolved_at: isoOrNull(resolvedAt), resolved_by: resolvedBy },
    });
}

function resolvedEvents(approval: Approval, now: number): NewEvent[] {
  const { id, spenderId, holderId, amountUsdc, resolvedBy, chargeId } = approval;
  const status = approval.status as Exclude<ApprovalStatus, 'pending'>;
  const said = { approval_id: id, account_id: spenderId, amount_usdc: amountUsdc };
  const data = { ...said, status, resolved_by: resolvedBy, charge_id: chargeId };
  return [...new Set([holderId, spenderId])].map((accountId) => ({ accountId, type: 'approval.resolved', data, now }));
}

export interface ApprovalDeps {
  limits: Limits;
  appendEvents: AppendEvents<Tx>;
  enqueueJob: EnqueueJob;
}

/** Records what is approved. A pod that approves for itself stays within what its platform allows. */
async function spendApproved(tx: Tx, approval: Approval, now: number, appendEvents: AppendEvents<Tx>): Promise<string> {
  const { spenderId, holderId, amountUsdc, category, description, referenceId, metadata, id: approvalId } = approval;
  const parentId = (await findAccount(tx, spenderId))?.parentId ?? null;
  const spending = { spenderId, parentId, amountUsdc, category, description, referenceId, metadata, approvalId, now };
  const book = await openBook(tx, [spending], appendEvents);
  if (parentId !== null && holderId === spenderId) {
    const layers = layersOf(await book.enter(spenderId, now), await book.enter(parentId, now));
    const verdict = decide(
      layers.filter((layer) => layer.holderId !== holderId),
      amountUsdc,
    );
    if (verdict.kind !== 'admit') throw refusal(verdict.excess, amountUsdc);
  }
  const chargeId = await book.record(spending);
  for (const event of resolvedEvents({ ...approval, status: 'approved', chargeId }, now)) book.tell(event);
  await book.close();
  return chargeId;
}

async function settle(
  tx: Tx,
  approval: Approval,
  decision: Decision,
  appendEvents: AppendEvents<Tx>,
): Promise<Approval> {
  const { approve, reason, by, now } = decision;
  requirePending(approval, now);
  const status = approve ? 'approved' : 'rejected';
  const settled: Approval = { ...approval, status, resolvedAt: now, resolvedBy: by, reason };
  if (approve) settled.chargeId = await spendApproved(tx, settled, now, appendEvents);
  else await appendEvents(tx, resolvedEvents(settled, now));
  // Locked and pending a moment ago; were it not so, nothing of this may stand.
  if (!(await settleApproval(tx, settled))) throw new ApiError('already_resolved');
  return settled;
}

/** A token opens the approval it was mailed for, while the address it was mailed to is the operator's. */
async function approvalOfToken(reader: Reader, id: string, token: string): Promise<Approval> {
  const found = await findToken(reader, hashSecret(token));
  const approval = found?.approvalId === id ? await findApproval(reader, id) : null;
  const holder = approval && (await findAccount(reader, approval.holderId));
  const isTheirs = holder !== null && holder.operatorEmail === found?.email;
  if (!approval || !isTheirs || !(await isOpen(reader, holder))) throw new ApiError('invalid_token');
  return approval;
}

async function announce(tx: Tx, book: Book, approval: Approval, enqueueJob: EnqueueJob): Promise<void> {
  const { id, holderId, spenderId, amountUsdc, category, cause, createdAt, expiresAt } = approval;
  const asked = { approval_id: id, account_id: spenderId, amount_usdc: amountUsdc };
  const data = { ...asked, category, cause, expires_at: iso(expiresAt) };
  for (const accountId of new Set([holderId, spenderId]))
    book.tell({ accountId, type: 'approval.requested', data, now: createdAt });
  await enqueueJob(tx, { kind: 'approval.expire', payload: { approvalId: id }, runAt: expiresAt });
  const holder = await findAccount(tx, holderId);
  if (holder?.operatorEmail)
    await enqueueJob(tx, { kind: 'mail.approval', payload: { approvalId: id }, runAt: createdAt });
}

export function createApprovalRules({ limits, appendEvents, enqueueJob }: ApprovalDeps): ApprovalRules {
  return {
    request: async (tx, book, charge, { holderId, cause }) => {
      const { parentId: _, now, ...asked } = charge;
      const approval: Approval = {
        ...asked,
        id: newId('apr', now),
        holderId,
        cause,
        status: 'pending',
        createdAt: now,
        expiresAt: now + limits.approval_ttl_seconds * 1000,
        resolvedAt: null,
        resolvedBy: null,
        reason: null,
        chargeId: null,
      };
      await insertApproval(tx, approval);
      await announce(tx, book, approval, enqueueJob);
      return approval;
    },
    resolve: async (tx, principal, id, decision) => {
      const locked = isId('apr', id) ? await lockApproval(tx, id) : null;
      const { accountId } = principal;
      if (locked?.holderId !== accountId && locked?.spenderId !== accountId) throw new ApiError('not_found');
      if (locked.holderId !== accountId)
        throw new ApiError('pod_auth_forbidden', { message: 'The platform decides about this approval.' });
      if (decision.approve) requireAuthority(await readBudget(tx, accountId), principal);
      return settle(tx, locked, decision, appendEvents);
    },
    resolveByToken: async (tx, id, token, decision) => {
      await approvalOfToken(tx, id, token);
      return settle(tx, (await lockApproval(tx, id)) as Approval, decision, appendEvents);
    },
    viewByToken: approvalOfToken,
    expire: async (tx, ids, now) => {
      const events: NewEvent[] = [];
      for (const id of [...ids].sort()) {
        const approval = await lockApproval(tx, id);
        if (!approval || !isOverdue(approval, now)) continue;
        // At its time, and not when somebody noticed.
        const expired: Approval = { ...approval, status: 'expired', resolvedAt: approval.expiresAt };
        if (await settleApproval(tx, expired)) events.push(...resolvedEvents(expired, now));
      }
      if (events.length > 0) await appendEvents(tx, events);
    },
  };
}

/** Forgets links whose approvals ended before; a late click is told so for a while first. */
export const purgeApprovalTokens = purgeTokensBefore;
