import type { AuditRecord } from '../kernel/audit-record.ts';
import type { BatchOutcome, BatchWork, Endpoint, Reply } from '../kernel/endpoint.ts';
import { ApiError } from '../kernel/errors.ts';
import type { Tx } from '../kernel/transaction.ts';
import {
  type EffectContext,
  type EffectPorts,
  type Effects,
  REPLAYED,
  revealsSecret,
  SERVICE_CHAIN,
} from './effect.ts';
import type { IdempotentRequest } from './idempotency.ts';

/** A call that waits for its turn in a lane. */
interface Member {
  context: EffectContext;
  input: unknown;
  answer(value: unknown): Reply;
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
}

interface Lane {
  queue: Member[];
}

type Decided = { reply: Reply } | { refusal: ApiError };

/** As many as share one transaction: it holds its locks, and its members their connections, for about this long. */
const BATCH_MAX = 256;

const isRefusal = (err: unknown): err is ApiError => err instanceof ApiError && err.status < 500;

/** Members with an `Idempotency-Key`, in one order, so that instances with the same keys wait instead of dead-locking. */
const byKey = (members: readonly Member[]): { member: Member; request: IdempotentRequest }[] =>
  members
    .flatMap((member) => (member.context.idempotent ? [{ member, request: member.context.idempotent }] : []))
    .sort((a, b) => (a.request.scope + a.request.key < b.request.scope + b.request.key ? -1 : 1));

/** Asks once for each credential: a lane is mostly one account's. */
async function confirmAll(tx: Tx, members: readonly Member[], ports: EffectPorts, decided: Map<Member, Decided>) {
  const verdicts = new Map<string, ApiError | null>();
  for (const member of members) {
    const { principal } = member.context;
    if (!principal) continue;
    const id = `${principal.keyHash} ${principal.sessionHash}`;
    let verdict = verdicts.get(id);
    if (verdict === undefined) {
      verdict = await ports.confirm(tx, principal).then(
        () => null,
        (err: unknown) => {
          if (isRefusal(err)) return err;
          throw err;
        },
      );
      verdicts.set(id, verdict);
    }
    if (verdict !== null) decided.set(member, { refusal: verdict });
  }
}

async function beginAll(tx: Tx, members: readonly Member[], ports: EffectPorts, decided: Map<Member, Decided>) {
  for (const { member, request } of byKey(members)) {
    try {
      const earlier = await ports.idempotency.begin(tx, request);
      if (earlier) decided.set(member, { reply: { ...earlier, headers: REPLAYED } });
    } catch (err) {
      if (!isRefusal(err)) throw err;
      decided.set(member, { refusal: err });
    }
  }
}

/** Puts on record what was done, keeps the replies that may be asked for again, and gives the keys of the refused back. */
async function finishAll(
  tx: Tx,
  endpoint: Endpoint,
  ports: EffectPorts,
  outcomes: readonly { member: Member; outcome: BatchOutcome<unknown> }[],
  decided: Map<Member, Decided>,
): Promise<void> {
  const records: AuditRecord[] = [];
  for (const { member, outcome } of outcomes) {
    const { idempotent, principal, ip, requestId, now } = member.context;
    if ('refusal' in outcome) {
      if (idempotent) await ports.idempotency.release(tx, idempotent);
      decided.set(member, outcome);
      continue;
    }
    const reply = member.answer(outcome.value);
    records.push({
      accountId: principal?.accountId ?? SERVICE_CHAIN,
      action: endpoint.action ?? endpoint.operation,
      resourceId: outcome.resourceId,
      actor: principal?.actor ?? 'anonymous',
      ip,
      requestId,
      status: reply.status,
      now,
    });
    const body = revealsSecret(endpoint.replies[reply.status]) ? null : reply.body;
    if (idempotent) await ports.idempotency.finish(tx, idempotent, { status: reply.status, body });
    decided.set(member, { reply });
  }
  await ports.appendAudits(tx, records);
}

/**
 * Lets calls that meet in the same rows share transactions. One transaction runs at a time in a lane, over everything
 * that came while the one before ran: a row that each call must lock is then locked once for all of them, and one fsync
 * serves all. Where each took the lock alone, its row would bound them all to one commit at a time.
 */
export function createBatches(endpoint: Endpoint, ports: EffectPorts) {
  const lanes = new Map<string, Lane>();

  async function decideAll(
    tx: Tx,
    work: BatchWork<unknown, unknown>,
    members: readonly Member[],
  ): Promise<Map<Member, Decided>> {
    const decided = new Map<Member, Decided>();
    await confirmAll(tx, members, ports, decided);
    await beginAll(
      tx,
      members.filter((member) => !decided.has(member)),
      ports,
      decided,
    );
    const rest = members.filter((member) => !decided.has(member));
    if (rest.length === 0) return decided;
    const outcomes = await work.run(
      tx,
      rest.map(({ input }) => input),
    );
    const pairs = rest.map((member, i) => ({ member, outcome: outcomes[i] as BatchOutcome<unknown> }));
    await finishAll(tx, endpoint, ports, pairs, decided);
    return decided;
  }

  /** Runs what waits in the lane when the transaction begins; on a conflict, the same again. */
  async function runBatch(work: BatchWork<unknown, unknown>, queue: Member[]): Promise<void> {
    const members: Member[] = [];
    try {
      const decided = await ports.database.transaction((tx) => {
        if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
        return decideAll(tx, work, members);
      });
      for (const [member, outcome] of decided) {
        if ('refusal' in outcome) member.reject(outcome.refusal);
        else member.resolve(outcome.reply);
      }
    } catch (err) {
      // The transaction did not even begin: who waits for it hears of it.
      if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
      if (members.length === 1) members[0]?.reject(err);
      // What one of them cannot do must not keep the others from doing it.
      else await Promise.all(members.map((member) => runBatch(work, [member])));
    }
  }

  async function drain(id: string, work: BatchWork<unknown, unknown>, lane: Lane): Promise<void> {
    while (lane.queue.length > 0) await runBatch(work, lane.queue);
    lanes.delete(id);
  }

  return <I, O>(
    work: BatchWork<I, O>,
    input: I,
    answer: (value: O) => Reply,
    context: EffectContext,
    effects: Effects,
  ): Promise<Reply> =>
    new Promise<Reply>((resolve, reject) => {
      const settled = (reply: Reply): void => {
        effects.committed += 1;
        resolve(reply);
      };
      const member = { context, input, answer: answer as Member['answer'], resolve: settled, reject };
      const id = work.laneOf(input);
      const running = lanes.get(id);
      if (running) {
        running.queue.push(member);
        return;
      }
      const lane = { queue: [member] };
      lanes.set(id, lane);
      void drain(id, work as BatchWork<unknown, unknown>, lane);
    });
}
