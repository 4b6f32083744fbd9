import { type AuditRecord, callerOf } from '../kernel/audit-record.ts';
import type { BatchOutcome, BatchWork, Endpoint, Reply } from '../kernel/endpoint.ts';
import { ApiError } from '../kernel/errors.ts';
import type { Tx } from '../kernel/transaction.ts';
import {
  confirmCaller,
  type EffectContext,
  type EffectPorts,
  type Effects,
  REPLAYED,
  revealsSecret,
  SERVICE_CHAIN,
} from './effect.ts';
import type { IdempotentRequest } from './idempotency.ts';

/** A call that waits in a lane. */
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

/** The most calls in one transaction. Its locks and the clients' connections stay open until all are decided. */
const BATCH_MAX = 256;

const isRefusal = (err: unknown): err is ApiError => err instanceof ApiError && err.status < 500;

/** Members with an `Idempotency-Key`, sorted, so that instances with the same keys wait instead of deadlocking. */
const byKey = (members: readonly Member[]): { member: Member; request: IdempotentRequest }[] =>
  members
    .flatMap((member) => (member.context.idempotent ? [{ member, request: member.context.idempotent }] : []))
    .sort((a, b) => (a.request.scope + a.request.key < b.request.scope + b.request.key ? -1 : 1));

/** Confirms each credential once, because most calls of a lane come from one account. */
async function confirmAll(
  tx: Tx,
  endpoint: Endpoint,
  ports: EffectPorts,
  members: readonly Member[],
  decided: Map<Member, Decided>,
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

/** Appends the audit entries, stores the replies for repeats, and releases the idempotency keys of refused calls. */
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
      ...callerOf(principal),
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

/** What a call adds to its batch. */
export interface BatchCall<I, O> {
  input: I;
  answer(value: O): Reply;
  context: EffectContext;
  effects: Effects;
}

type Work = BatchWork<unknown, unknown>;

/**
 * Lets calls that need the same rows share transactions. A lane runs one transaction at a time. It covers all calls that
 * arrived during the previous one, so a row that each call must lock is locked once, and one fsync serves them all. With
 * a lock per call, that row would allow only one commit at a time.
 */
export class Batches {
  readonly #endpoint: Endpoint;
  readonly #ports: EffectPorts;
  readonly #lanes = new Map<string, Lane>();

  constructor(endpoint: Endpoint, ports: EffectPorts) {
    this.#endpoint = endpoint;
    this.#ports = ports;
  }

  /** Adds a call to its lane. @returns its reply, when the transaction that decided it is durable */
  add<I, O>(work: BatchWork<I, O>, { input, answer, context, effects }: BatchCall<I, O>): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      const settled = (reply: Reply): void => {
        effects.committed += 1;
        resolve(reply);
      };
      const member = { context, input, answer: answer as Member['answer'], resolve: settled, reject };
      const id = work.laneOf(input);
      const running = this.#lanes.get(id);
      if (running) {
        running.queue.push(member);
        return;
      }
      const lane = { queue: [member] };
      this.#lanes.set(id, lane);
      void this.#drain(id, work as Work, lane);
    });
  }

  async #drain(id: string, work: Work, lane: Lane): Promise<void> {
    while (lane.queue.length > 0) await this.#runBatch(work, lane.queue);
    this.#lanes.delete(id);
  }

  /** Runs the calls that wait in the lane when the transaction begins. After a conflict it runs the same calls again. */
  async #runBatch(work: Work, queue: Member[]): Promise<void> {
    const members: Member[] = [];
    try {
      const decided = await this.#ports.database.transaction((tx) => {
        if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
        return this.#decideAll(tx, work, members);
      });
      for (const [member, outcome] of decided) {
        if ('refusal' in outcome) member.reject(outcome.refusal);
        else member.resolve(outcome.reply);
      }
    } catch (err) {
      // The transaction did not begin. The calls that wait for it get the fault.
      if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
      if (members.length === 1) members[0]?.reject(err);
      // One call's fault must not stop the others.
      else await Promise.all(members.map((member) => this.#runBatch(work, [member])));
    }
  }

  async #decideAll(tx: Tx, work: Work, members: readonly Member[]): Promise<Map<Member, Decided>> {
    const decided = new Map<Member, Decided>();
    const undecided = (): Member[] => members.filter((member) => !decided.has(member));
    await confirmAll(tx, this.#endpoint, this.#ports, members, decided);
    await beginAll(tx, undecided(), this.#ports, decided);
    const rest = undecided();
    if (rest.length === 0) return decided;
    const outcomes = await work.run(
      tx,
      rest.map(({ input }) => input),
    );
    const pairs = rest.map((member, i) => ({ member, outcome: outcomes[i] as BatchOutcome<unknown> }));
    await finishAll(tx, this.#endpoint, this.#ports, pairs, decided);
    return decided;
  }
}
