import { ApiError } from '../../../api/errors.ts';
import type { NewEvent } from '../../../api/events.ts';
import { newestFirst } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { isId, newId } from '../../../base/ids.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import { askerOf } from '../../account/addresses/address-asker.ts';
import { confirmedOperators } from '../../account/people/person.ts';
import { type BudgetDeps, capStates, readBudget, readBudgetAt, requireAuthority } from '../budget.ts';
import { decide, layersOf, refusal } from '../charge-decision.ts';
import { LedgerBatch } from '../ledger/ledger-batch.ts';
import type { Spending } from '../ledger/ledger-table.ts';
import {
  type ApprovalSide,
  countPending,
  findApproval,
  insertApproval,
  listApprovals,
  lockApproval,
  overdueApprovals,
  settleApproval,
} from './approval-store.ts';
import type { Approval } from './approval-table.ts';
import { type DecisionKind, requireLinkDecides, requirePending } from './decision.ts';
import { type DecisionStatus, isOverdue } from './decision-schema.ts';

/** A decision about an approval. `by` names the credential. */
export interface Resolution {
  approve: boolean;
  reason: string | null;
  by: 'session' | 'api_key' | 'mail_link';
  now: number;
}

/** How many overdue approvals one listing marks. A job marks each at its time anyway. */
const OVERDUE_MAX = 200;

export const APPROVAL: DecisionKind<Approval> = {
  prefix: 'apr',
  link: 'approval',
  page: 'approve',
  noun: 'approval',
  find: findApproval,
  decider: ({ holderId }) => holderId,
  asker: ({ spenderId }) => spenderId,
};

/** Reads an approval that the account decides or asked for. @throws ApiError `not_found` */
export async function requireApproval(reader: Reader, accountId: string, id: string): Promise<Approval> {
  const found = isId('apr', id) ? await findApproval(reader, id) : null;
  if (found?.holderId !== accountId && found?.spenderId !== accountId) throw new ApiError('not_found');
  return found;
}

/** A platform lists the approvals that it decides, including those of its pods. A pod lists those that it asked for. */
const sideOf = ({ parentId }: Principal): ApprovalSide => (parentId === null ? 'holderId' : 'spenderId');

/** Returns the ids of the caller's approvals that have expired and are not marked yet. */
export const dueApprovals = (reader: Reader, principal: Principal, now: number): Promise<string[]> =>
  overdueApprovals(reader, sideOf(principal), principal.accountId, now, OVERDUE_MAX);

/** Lists the caller's approvals, newest first. @throws ApiError `invalid_cursor` */
export async function pageOfApprovals(
  reader: Reader,
  principal: Principal,
  filter: { status: DecisionStatus | null; cursor: string | undefined; limit: number; now: number },
): Promise<{ approvals: Approval[]; nextCursor: string | null }> {
  const { status, cursor, limit, now } = filter;
  const { rows, nextCursor } = await newestFirst(
    'apr',
    { cursor, limit },
    (before, many) => listApprovals(reader, sideOf(principal), principal.accountId, { status, before, limit: many }),
    ({ id }) => id,
  );
  return { approvals: rows.filter((approval) => !isOverdue(approval, now)), nextCursor };
}

function requestedEvents(approval: Approval): NewEvent[] {
  const { id, holderId, spenderId, amountUsdc, category, cause, createdAt: now, expiresAt } = approval;
  const asked = { approval_id: id, account_id: spenderId, amount_usdc: amountUsdc };
  const data = { ...asked, category, cause, expires_at: iso(expiresAt) };
  return [...new Set([holderId, spenderId])].map((accountId) => ({ accountId, type: 'approval.requested', data, now }));
}

function resolvedEvents(approval: Approval, now: number): NewEvent[] {
  const { id, spenderId, holderId, amountUsdc, resolvedBy, chargeId } = approval;
  const status = approval.status as Exclude<DecisionStatus, 'pending'>;
  const asked = { approval_id: id, account_id: spenderId, amount_usdc: amountUsdc };
  const data = { ...asked, status, resolved_by: resolvedBy, charge_id: chargeId };
  return [...new Set([holderId, spenderId])].map((accountId) => ({ accountId, type: 'approval.resolved', data, now }));
}

function deciderOf({ operator, person }: Principal, { holderId, spenderId }: Approval): Approval['decidedBy'] {
  if (operator) return 'operator';
  if (person !== null) return 'person';
  return holderId === spenderId ? 'account' : 'platform';
}

/** Who decides an approval, and on which ways the decider learns of it. */
export interface AskedDecider {
  whom: 'operator' | 'platform' | 'account';
  by: ('mail' | 'event' | 'console')[];
}

export async function whomAsked(reader: Reader, { holderId, spenderId }: Approval): Promise<AskedDecider> {
  const hasOperator = (await confirmedOperators(reader, holderId)).length > 0;
  const whom = holderId !== spenderId ? 'platform' : hasOperator ? 'operator' : 'account';
  return { whom, by: hasOperator ? ['mail', 'event', 'console'] : ['event'] };
}

/** What a person needs to know to decide: who asks, and what its caps leave. */
export async function describeApproval(reader: Reader, { spenderId }: Approval, now: number) {
  const { caps, spend } = await readBudgetAt(reader, spenderId, now);
  return { agent: await askerOf(reader, spenderId), caps: capStates(caps, spend) };
}

/** Asks the holder of a limit about charges that exceed it, and carries out the decision. */
export class ApprovalRules {
  readonly #deps: BudgetDeps;

  constructor(deps: BudgetDeps) {
    this.#deps = deps;
  }

  /** Stores an approval, appends its events to the batch, and mails the operator. */
  async request(
    tx: Tx,
    batch: LedgerBatch,
    charge: Omit<Spending, 'approvalId'>,
    { holderId, cause }: Pick<Approval, 'holderId' | 'cause'>,
  ): Promise<Approval> {
    const { parentId: _, now, ...asked } = charge;
    const approval: Approval = {
      ...asked,
      id: newId('apr', now),
      holderId,
      cause,
      status: 'pending',
      createdAt: now,
      expiresAt: now + this.#deps.limits.approval_ttl_seconds * 1000,
      resolvedAt: null,
      resolvedBy: null,
      decidedBy: null,
      reason: null,
      chargeId: null,
    };
    await insertApproval(tx, approval);
    for (const event of requestedEvents(approval)) batch.append(event);
    await this.#enqueueJobs(tx, approval);
    return approval;
  }

  /**
   * Approves, which records the charge even over a cap, or rejects. @throws ApiError `not_found`, `pod_auth_forbidden`,
   * `operator_required`, `already_resolved`, `expired`; 402 when a pod approves its own charge and it no longer fits the
   * limits of its platform
   */
  async resolve(tx: Tx, principal: Principal, id: string, resolution: Resolution): Promise<Approval> {
    const locked = isId('apr', id) ? await lockApproval(tx, id) : null;
    const { accountId } = principal;
    if (locked?.holderId !== accountId && locked?.spenderId !== accountId) throw new ApiError('not_found');
    if (locked.holderId !== accountId)
      throw new ApiError('pod_auth_forbidden', { message: 'Only the platform can decide this approval.' });
    if (resolution.approve) requireAuthority(await readBudget(tx, accountId), principal);
    const decidedBy = deciderOf(principal, locked);
    return this.#settle(tx, { ...locked, decidedBy }, resolution);
  }

  /** Resolves an approval with the token of a mailed link. @throws ApiError as {@link resolve}, `invalid_token`, `passkey_required` */
  async resolveByToken(tx: Tx, id: string, token: string, resolution: Resolution) {
    const person = await requireLinkDecides(tx, APPROVAL, { id, token, now: resolution.now });
    const locked = (await lockApproval(tx, id)) as Approval;
    const approval = await this.#settle(tx, { ...locked, decidedBy: 'operator' }, resolution);
    return { approval, person };
  }

  /** Marks the pending approvals among `ids` that are overdue. */
  async expire(tx: Tx, ids: readonly string[], now: number): Promise<Approval[]> {
    const events: NewEvent[] = [];
    const ended: Approval[] = [];
    for (const id of [...ids].sort()) {
      const approval = await lockApproval(tx, id);
      if (!approval || !isOverdue(approval, now)) continue;
      // The time is the deadline, not the moment at which it was noticed.
      const expired: Approval = { ...approval, status: 'expired', resolvedAt: approval.expiresAt };
      if (!(await settleApproval(tx, expired))) continue;
      events.push(...resolvedEvents(expired, now));
      ended.push(expired);
    }
    if (events.length > 0) await this.#deps.appendEvents(tx, events);
    return ended;
  }

  async #enqueueJobs(tx: Tx, { id: approvalId, holderId, createdAt, expiresAt }: Approval): Promise<void> {
    const { enqueueJob } = this.#deps;
    await enqueueJob(tx, { kind: 'approval.expire', payload: { approvalId }, runAt: expiresAt });
    for (const { address: email } of await confirmedOperators(tx, holderId))
      await enqueueJob(tx, { kind: 'mail.approval', payload: { approvalId, email }, runAt: createdAt });
  }

  async #settle(tx: Tx, approval: Approval, { approve, reason, by, now }: Resolution): Promise<Approval> {
    requirePending(APPROVAL, approval, now);
    const status = approve ? 'approved' : 'rejected';
    const settled: Approval = { ...approval, status, resolvedAt: now, resolvedBy: by, reason };
    if (approve) settled.chargeId = await this.#recordCharge(tx, settled, now);
    else await this.#deps.appendEvents(tx, resolvedEvents(settled, now));
    // The row is locked and was pending. If that were not so, the transaction must not commit.
    if (!(await settleApproval(tx, settled))) throw new ApiError('already_resolved');
    return settled;
  }

  /** Records an approved charge. A pod that approves its own must stay within the limits of its platform. */
  async #recordCharge(tx: Tx, approval: Approval, now: number): Promise<string> {
    const { spenderId, holderId, amountUsdc, delegationPath } = approval;
    const parentId = (await findAccount(tx, spenderId))?.parentId ?? null;
    const { category, description, referenceId, metadata, id: approvalId } = approval;
    const said = { category, description, referenceId, metadata, approvalId };
    const spending = { spenderId, parentId, amountUsdc, delegationPath, ...said, now };
    const batch = await LedgerBatch.lock(tx, [spending], this.#deps.appendEvents);
    if (delegationPath !== null && !batch.delegations.allows(delegationPath, amountUsdc, now))
      throw new ApiError('delegation_ended');
    if (parentId !== null && holderId === spenderId) {
      const layers = layersOf(await batch.budgetAt(spenderId, now), await batch.budgetAt(parentId, now));
      const ofPlatform = layers.filter((layer) => layer.holderId !== holderId);
      const decision = decide(ofPlatform, amountUsdc);
      if (decision.kind !== 'admit') throw refusal(decision.excess, amountUsdc);
    }
    const chargeId = await batch.record(spending);
    for (const event of resolvedEvents({ ...approval, status: 'approved', chargeId }, now)) batch.append(event);
    await batch.write();
    return chargeId;
  }
}

/** Counts what waits for a decision, by the account that decides. */
export const countOpenApprovals = countPending;
