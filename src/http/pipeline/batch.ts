import { hash } from 'node:crypto';
import type { BatchOutcome, BatchWork, Endpoint, Reply } from '../../api/endpoint.ts';
import type { Principal } from '../../api/principal.ts';
import { pipeline, type Tx, Unconfirmed } from '../../api/transaction.ts';
import type { Effects, TransactContext, TransactPorts } from '../transact.ts';
import { beginAll, confirmAll, type Decisions, finishAll, type Member } from './batch-members.ts';

type Work = BatchWork<unknown, unknown>;

/** Calls that share transactions, one after another. */
interface Lane {
  queue: Member[];
  run(queue: Member[]): Promise<void>;
}

/** The most calls in one transaction. Its locks and the clients' connections stay open until all are decided. */
const BATCH_MAX = 256;

/** While one of them waits for the database, another computes. More would make smaller batches. */
const SHARED_LANES = 2;

/** How long calls of many lanes wait for a lock that cannot be skipped, such as that of an `Idempotency-Key`. */
const SHARED_WAIT_MS = 50;

const sharedLaneOf = (lane: string): string => `shared ${hash('md5', lane, 'buffer').readUInt8() % SHARED_LANES}`;

/** A key of an account itself. What else a credential depends on is confirmed for each call apart. */
const isOwnKey = (principal: Principal | null): principal is Principal & { keyHash: string } =>
  principal !== null &&
  principal.keyHash !== null &&
  principal.sessionHash === null &&
  principal.consoleHash === null &&
  principal.namedKeyId === null &&
  principal.delegation === null &&
  principal.grant === null;

const undecided = (members: readonly Member[], decided: Decisions): Member[] =>
  members.filter((member) => !decided.has(member));

function settle(decided: Decisions): void {
  for (const [member, outcome] of decided) {
    if ('refusal' in outcome) member.reject(outcome.refusal);
    else member.resolve(outcome.reply);
  }
}

/** What a call adds to its batch. */
export interface BatchCall<I, O> {
  input: I;
  answer(value: O): Reply;
  context: TransactContext;
  effects: Effects;
}

/**
 * Lets calls that need the same rows share transactions. A lane runs one transaction at a time. It covers all calls that
 * arrived during the previous one, so a row that each call must lock is locked once, and one fsync serves them all. With
 * a lock per call, that row would allow only one commit at a time.
 *
 * On PostgreSQL, calls of many lanes share a transaction too, where their work says how: then all pay for its round trips
 * together. It waits for no lock. A call whose rows are locked, and every call after a fault, goes on in a lane of
 * its own.
 */
export class Batches {
  readonly #endpoint: Endpoint;
  readonly #ports: TransactPorts;
  readonly #lanes = new Map<string, Lane>();

  constructor(endpoint: Endpoint, ports: TransactPorts) {
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
      const own = work.laneOf(input);
      // Where the account's own lane runs, its rows are locked.
      if (this.#lanes.has(own) || !this.#mayShare(work as Work, member)) this.#addOwn(work as Work, member);
      else this.#addTo(sharedLaneOf(own), member, (queue) => this.#runShared(work as Work, queue));
    });
  }

  #mayShare({ across }: Work, { input, context }: Member): boolean {
    if (this.#ports.database.engine === 'sqlite' || across === undefined) return false;
    return isOwnKey(context.principal) && across.mayJoin(input);
  }

  #addOwn(work: Work, member: Member): void {
    this.#addTo(work.laneOf(member.input), member, (queue) => this.#runBatch(work, queue));
  }

  #addTo(id: string, member: Member, run: Lane['run']): void {
    const running = this.#lanes.get(id);
    if (running) {
      running.queue.push(member);
      return;
    }
    const lane = { queue: [member], run };
    this.#lanes.set(id, lane);
    void this.#drain(id, lane);
  }

  async #drain(id: string, lane: Lane): Promise<void> {
    while (lane.queue.length > 0) await lane.run(lane.queue);
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
      settle(decided);
    } catch (err) {
      // The transaction did not begin. The calls that wait for it get the fault.
      if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
      // Perhaps it was stored.
      if (members.length === 1 || err instanceof Unconfirmed) for (const { reject } of members) reject(err);
      // One call's fault must not stop the others.
      else await Promise.all(members.map((member) => this.#runBatch(work, [member])));
    }
  }

  /** The same for calls of many lanes. */
  async #runShared(work: Work, queue: Member[]): Promise<void> {
    const members: Member[] = [];
    try {
      const options = { lockWaitMs: SHARED_WAIT_MS };
      const decided = await this.#ports.database.transaction((tx) => {
        if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
        return this.#decideShared(tx, work, members);
      }, options);
      settle(decided);
      for (const member of undecided(members, decided)) this.#addOwn(work, member);
    } catch (err) {
      if (members.length === 0) members.push(...queue.splice(0, BATCH_MAX));
      if (err instanceof Unconfirmed) for (const { reject } of members) reject(err);
      else for (const member of members) this.#addOwn(work, member);
    }
  }

  async #decideAll(tx: Tx, work: Work, members: readonly Member[]): Promise<Decisions> {
    const decided: Decisions = new Map();
    await confirmAll(tx, this.#endpoint, this.#ports, members, decided);
    await beginAll(tx, undecided(members, decided), this.#ports, decided);
    const rest = undecided(members, decided);
    if (rest.length === 0) return decided;
    const outcomes = await work.run(
      tx,
      rest.map(({ input }) => input),
    );
    const pairs = rest.map((member, i) => ({ member, outcome: outcomes[i] as BatchOutcome<unknown> }));
    await finishAll(tx, this.#endpoint, this.#ports, pairs, decided);
    return decided;
  }

  /** Decides calls of many lanes. Those that must go alone stay undecided, and nothing of them is written. */
  async #decideShared(tx: Tx, { across }: Work, members: readonly Member[]): Promise<Decisions> {
    const [endpoint, ports] = [this.#endpoint, this.#ports];
    const principals = members.map(({ context }) => context.principal as Principal & { keyHash: string });
    const decided: Decisions = new Map();
    const inputs = members.map(({ input }) => input);
    // One round trip. The credentials are looked at first, as for a call alone.
    const [refusals, chains, { isFree, decide }] = await pipeline([
      ports.confirmKeys(tx, principals, endpoint),
      ports.reserveAudits(
        tx,
        principals.map(({ accountId }) => accountId),
      ),
      (across as NonNullable<Work['across']>).lockFree(tx, inputs),
    ]);
    const open: Member[] = [];
    members.forEach((member, i) => {
      const refusal = refusals[i];
      if (refusal) decided.set(member, { refusal });
      // One that goes alone anyway must not take its `Idempotency-Key`, or wait for it.
      else if (chains.has((principals[i] as Principal).accountId) && isFree(member.input)) open.push(member);
    });
    await beginAll(tx, open, ports, decided);
    const rest = undecided(open, decided);
    const outcomes = await decide(rest.map(({ input }) => input));
    const pairs = rest.flatMap((member, i) => {
      const outcome = outcomes[i];
      return outcome ? [{ member, outcome }] : [];
    });
    await finishAll(tx, endpoint, ports, pairs, decided);
    const alone = undecided(rest, decided).flatMap(({ context }) => context.idempotent ?? []);
    await pipeline(alone.map((request) => ports.idempotency.release(tx, request)));
    return decided;
  }
}
