import type { Erasure } from '../../../api/account/erasure.ts';
import { ApiError } from '../../../api/errors.ts';
import { decodeCursor, newestFirst, type Page, pageOf } from '../../../api/page.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { idBoundary, newId } from '../../../base/ids.ts';
import { someRowsOf } from '../../../db/account-rows.ts';
import {
  deleteObservation,
  findObservation,
  forgetSubject,
  insertObservation,
  listRun,
  type Run,
} from './observation-store.ts';
import { NO_TRUST_INPUTS, type Observation, type TrustInputs } from './observation-table.ts';
import { addObserver, countObservers } from './observer-store.ts';
import {
  addToSharedTopic,
  addToTopic,
  addTrustInputs,
  listPrivateTopics,
  listSharedTopics,
  readTrustInputs,
  type TopicCount,
  takeFromSharedTopic,
} from './topic-store.ts';

export type { Observation, TrustInputs };
export { countObservers, readTrustInputs };

export type NewObservation = Pick<Observation, 'topic' | 'content' | 'shared' | 'displayName'> &
  Partial<Pick<Observation, 'subjectId'>>;

export type Scope = 'all' | 'mine' | 'shared';

export interface ObservationFilter {
  topic: string | null;
  agentId: string | null;
  /** The account that they are about. */
  subjectId: string | null;
  /** Milliseconds, inclusive. */
  since: number;
  scope: Scope;
}

const SLOTS = 16;

/** The slot in which an account counts shared topics. Ids end in random characters, so accounts spread evenly. */
const slotOf = (accountId: string): number => accountId.charCodeAt(accountId.length - 1) % SLOTS;

const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Who bears witness, and of which accounts. All pods of a platform are one witness, and none of each other. */
export interface Witness {
  id: string;
  of: ReadonlySet<string>;
}

/**
 * Records observations of one account and updates the counters of topics and trust. Counters are updated in sorted
 * order, so that two transactions cannot deadlock.
 * @param peers existing other accounts that the observations report on, one entry per report
 * @param witness how this account counts as evidence for them; null: for none of them
 */
export async function recordObservations(
  tx: Tx,
  accountId: string,
  added: readonly NewObservation[],
  now: number,
  peers: readonly string[] = [],
  witness: Witness | null = null,
): Promise<Observation[]> {
  const observations = added.map((one) => ({
    id: newId('obs', now),
    accountId,
    subjectId: null,
    createdAt: now,
    ...one,
  }));
  for (const observation of observations) await insertObservation(tx, observation);

  const slot = slotOf(accountId);
  const names = [...new Set(added.map(({ topic }) => topic))].sort(compareBytes);
  const tallies = names.map((topic) => {
    const all = added.filter((one) => one.topic === topic);
    const shared = all.filter((one) => one.shared).length;
    return { accountId, topic, private: all.length - shared, shared, slot, now };
  });
  let topics = 0;
  for (const tally of tallies) if (await addToTopic(tx, tally)) topics += 1;
  for (const tally of tallies) if (tally.shared > 0) await addToSharedTopic(tx, tally);

  const shared = added.filter((one) => one.shared).length;
  const inputs = new Map<string, TrustInputs>([
    [accountId, { ...NO_TRUST_INPUTS, observations: added.length, shared, topics, latestAt: now }],
  ]);
  for (const peer of peers) {
    const known = inputs.get(peer) ?? NO_TRUST_INPUTS;
    inputs.set(peer, { ...known, peerReports: known.peerReports + 1 });
  }
  for (const peer of [...(witness?.of ?? [])].sort())
    await addObserver(tx, { accountId: peer, observerId: witness?.id as string });
  for (const id of [...inputs.keys()].sort()) await addTrustInputs(tx, id, inputs.get(id) as TrustInputs);
  return observations;
}

/** The index runs that together match a filter; none if nothing can match. Runs never overlap. */
function runsOf(caller: string, { topic, agentId, subjectId: about, scope }: ObservationFilter): Run[] {
  const mine = agentId === null || agentId === caller;
  if (scope === 'mine' && !mine) return [];
  const sharedBy = scope === 'mine' ? caller : agentId;
  const runs: Run[] = [{ accountId: sharedBy, shared: true, topic, about }];
  if (mine && scope !== 'shared') runs.push({ accountId: caller, shared: false, topic, about });
  return runs;
}

/** Lists the observations that the caller may read, newest first. @throws ApiError `invalid_cursor` */
export function listObservations(
  reader: Reader,
  caller: string,
  filter: ObservationFilter,
  page: { cursor: string | undefined; limit: number },
): Promise<Page<Observation>> {
  const from = idBoundary('obs', filter.since);
  const runs = runsOf(caller, filter);
  const readRuns = async (before: string, limit: number): Promise<Observation[]> => {
    const found = await Promise.all(runs.map((run) => listRun(reader, run, { from, before, limit })));
    return found.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  };
  return newestFirst('obs', page, readRuns, ({ id }) => id);
}

/** @throws ApiError `not_found`, the same for an unknown observation and another account's private one */
export async function readObservation(reader: Reader, caller: string, id: string): Promise<Observation> {
  const observation = await findObservation(reader, id);
  if (!observation || (!observation.shared && observation.accountId !== caller)) throw new ApiError('not_found');
  return observation;
}

/** The topic that a cursor continues after. @throws ApiError `invalid_cursor` */
function topicIn(cursor: string): string {
  const topic = decodeCursor(cursor, ['string'])?.[0];
  if (typeof topic !== 'string' || topic === '') throw new ApiError('invalid_cursor');
  return topic;
}

/** Lists topics of the observations that the caller may read, in byte order. @throws ApiError `invalid_cursor` */
export async function listTopics(
  reader: Reader,
  caller: string,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<TopicCount>> {
  const after = cursor === undefined ? '' : topicIn(cursor);
  const own = await listPrivateTopics(reader, caller, after, limit + 1);
  const shared = await listSharedTopics(reader, after, limit + 1);
  // Each list holds the first `limit + 1` topics of its kind, so the merged list holds the first `limit + 1` of both.
  const merged = new Map(shared.map((entry) => [entry.topic, entry]));
  for (const entry of own) {
    const known = merged.get(entry.topic) ?? { topic: entry.topic, count: 0, latestAt: 0 };
    const latestAt = Math.max(known.latestAt, entry.latestAt);
    merged.set(entry.topic, { topic: entry.topic, count: known.count + entry.count, latestAt });
  }
  const sorted = [...merged.values()].sort((a, b) => compareBytes(a.topic, b.topic));
  return pageOf(sorted, limit, ({ topic }) => [topic]);
}

const someObservations = someRowsOf('observations', ['id', 'topic', 'shared']);
type Shared = { id: string; topic: string; shared: number };

/** Deletes the observations of an account, also those that it shared. */
export const observationErasure: Erasure = {
  tables: ['observations', 'shared_topics'],
  run: async (tx, accountId, limit) => {
    await forgetSubject(tx, accountId);
    const observations = (await someObservations(tx, accountId, limit)) as Shared[];
    for (const { id, topic, shared } of observations) {
      await deleteObservation(tx, id);
      if (shared !== 0) await takeFromSharedTopic(tx, topic, slotOf(accountId));
    }
    return observations.length;
  },
};
