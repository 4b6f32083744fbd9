import { type AuditRecord, callerOf } from '../../api/audit-record.ts';
import type { BatchOutcome, Endpoint, Reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { pipeline, type Tx } from '../../api/transaction.ts';
import type { IdempotentRequest } from '../idempotency-key.ts';
import {
  confirmCaller,
  holdsSecret,
  REPLAYED,
  SERVICE_CHAIN,
  type TransactContext,
  type TransactPorts,
} from '../transact.ts';

/** A call that waits in a lane. */
export interface Member {
  context: TransactContext;
  input: unknown;
  answer(value: unknown): Reply;
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
}

/** What a transaction decided about its members. It is not sent before the commit. */
export type Decisions = Map<Member, { reply: Reply } | { refusal: ApiError }>;

const isRefusal = (err: unknown): err is ApiError => err instanceof ApiError && err.status < 500;

/** Members with an `Idempotency-Key`, sorted, so that instances with the same keys wait instead of deadlocking. */
const byKey = (members: readonly Member[]): { member: Member; request: IdempotentRequest }[] =>
  members
    .flatMap((member) => (member.context.idempotent ? [{ member, request: member.context.idempotent }] : []))
    .sort((a, b) => (a.request.scope + a.request.key < b.request.scope + b.request.key ? -1 : 1));

/** Confirms each credential once, because most calls of a lane come from one account. */
export async function confirmAll(
  tx: Tx,
  endpoint: Endpoint,
  ports: TransactPorts,
  members: readonly Member[],
  decided: Decisions,
): Promise<void> {
  const decisions = new Map<string, ApiError | null>();
  for (const member of members) {
    const { principal } = member.context;
    if (!principal) continue;
    // An operator session acts for many accounts.
    const id = `${principal.keyHash} ${principal.sessionHash} ${principal.accountId}`;
    let refusal = decisions.get(id);
    if (refusal === undefined) {
      refusal = await confirmCaller(tx, principal, endpoint, ports).then(
        () => null,
        (err: unknown) => {
          if (isRefusal(err)) return err;
          throw err;
        },
      );
      decisions.set(id, refusal);
    }
    if (refusal !== null) decided.set(member, { refusal });
  }
}

/** Takes the idempotency keys, or finds the replies of the calls that took them first. */
export async function beginAll(tx: Tx, members: readonly Member[], ports: TransactPorts, decided: Decisions) {
  const begin = async ({ member, request }: { member: Member; request: IdempotentRequest }): Promise<void> => {
    try {
      const earlier = await ports.idempotency.begin(tx, request);
      if (earlier) decided.set(member, { reply: { ...earlier, headers: REPLAYED } });
    } catch (err) {
      if (!isRefusal(err)) throw err;
      decided.set(member, { refusal: err });
    }
  };
  await pipeline(byKey(members).map(begin));
}

/** Appends the audit entries, stores the replies for repeats, and releases the idempotency keys of refused calls. */
export async function finishAll(
  tx: Tx,
  endpoint: Endpoint,
  ports: TransactPorts,
  outcomes: readonly { member: Member; outcome: BatchOutcome<unknown> }[],
  decided: Decisions,
): Promise<void> {
  const records: AuditRecord[] = [];
  const kept: Promise<void>[] = [];
  for (const { member, outcome } of outcomes) {
    const { idempotent, principal, ip, network, requestId, now } = member.context;
    if ('refusal' in outcome) {
      if (idempotent) kept.push(ports.idempotency.release(tx, idempotent));
      decided.set(member, outcome);
      continue;
    }
    const reply = member.answer(outcome.value);
    records.push({
      accountId: principal?.accountId ?? SERVICE_CHAIN,
      action: endpoint.action ?? endpoint.operation,
      resourceId: outcome.resourceId,
      ...(outcome.summary === undefined ? {} : { summary: outcome.summary }),
      ...callerOf(principal),
      ip,
      network,
      requestId,
      status: reply.status,
      now,
    });
    if (idempotent) {
      const body = holdsSecret(endpoint.replies[reply.status], reply.body) ? null : reply.body;
      kept.push(ports.idempotency.finish(tx, idempotent, { status: reply.status, body }));
    }
    decided.set(member, { reply });
  }
  await pipeline([...kept, ports.appendAudits(tx, records)]);
}
