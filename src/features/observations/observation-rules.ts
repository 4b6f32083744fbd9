import { ApiError } from '../../kernel/errors.ts';
import { idBoundary, isId, newId } from '../../kernel/ids.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { findObservation, insertObservation, listRun, type Observation, type Run } from './observation-store.ts';
import {
  addToSharedTopic,
  addToTopic,
  addTrustInputs,
  listPrivateTopics,
  listSharedTopics,
  readTrustInputs,
  type TopicCount,
  type TrustInputs,
} from './topic-store.ts';

export type { Observation, TrustInputs };

export interface NewObservation {
  topic: string;
  content: string;
  shared: boolean;
  displayName: string | null;
}

export type Scope = 'all' | 'mine' | 'shared';

export interface ObservationFilter {
  topic: string | null;
  agentId: string | null;
  /** Milliseconds, inclusive. */
  since: number;
  scope: Scope;
}

const SLOTS = 16;

/** The account's slot among the counters of a shared topic: ids end in random characters. */
const slotOf = (accountId: string): number => accountId.charCodeAt(accountId.length - 1) % SLOTS;

const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * Records observations of one account, with the counters of topics and trust. Counters are taken in sorted order, so
 * that two transactions never wait for each other.
 * @param peers existing accounts, other than this one, that the observations report on; once for each report
 */
export async function recordObservations(
  tx: Tx,
  accountId: string,
  added: readonly NewObservation[],
  now: number,
  peers: readonly string[] = [],
): Promise<Observation[]> {
  const observations = added.map((one) => ({ id: newId('obs', now), accountId, createdAt: now, ...one }));
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
  const nothing = { observations: 0, shared: 0, topics: 0, peerReports: 0, latestAt: 0 };
  const inputs = new Map<string, TrustInputs>([
    [accountId, { ...nothing, observations: added.length, shared, topics, latestAt: now }],
  ]);
  for (const peer of peers) {
    const known = inputs.get(peer) ?? nothing;
    inputs.set(peer, { ...known, peerReports: known.peerReports + 1 });
  }
  for (const id of [...inputs.keys()].sort()) await addTrustInputs(tx, id, inputs.get(id) as TrustInputs);
  return observations;
}

/**
 * The runs that a filter is the union of, or none where nothing can match. They never overlap: what is private is the
 * caller's alone.
 */
function runsOf(caller: string, { topic, agentId, scope }: ObservationFilter): Run[] {
  const mine = agentId === null || agentId === caller;
  if (scope === 'mine' && !mine) return [];
  const sharedBy = scope === 'mine' ? caller : agentId;
  const runs: Run[] = [{ accountId: sharedBy, shared: true, topic }];
  if (mine && scope !== 'shared') runs.push({ accountId: caller, shared: false, topic });
  return runs;
}

/** The one key of a list's cursor. @throws ApiError `invalid_cursor` for what no list hands out */
function readCursor(cursor: string): string {
  const key = decodeCursor(cursor, ['string'])?.[0] as string | undefined;
  // PostgreSQL refuses a NUL in text.
  if (key === undefined || key === '' || key.includes('\0')) throw new ApiError('invalid_cursor');
  return key;
}

/** What the caller may see, newest first: its own, and what others share. @throws ApiError `invalid_cursor` */
export async function listObservations(
  reader: Reader,
  caller: string,
  filter: ObservationFilter,
  cursor: string | undefined,
  limit: number,
): Promise<{ observations: Observation[]; nextCursor: string | null }> {
  const before = cursor === undefined ? idBoundary('obs', Number.MAX_SAFE_INTEGER) : readCursor(cursor);
  if (cursor !== undefined && !isId('obs', before)) throw new ApiError('invalid_cursor');
  const range = { from: idBoundary('obs', filter.since), before, limit: limit + 1 };
  const found = await Promise.all(runsOf(caller, filter).map((run) => listRun(reader, run, range)));
  const newest = found.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  const { rows, nextCursor } = pageOf(newest, limit, ({ id }) => [id]);
  return { observations: rows, nextCursor };
}

/** @throws ApiError `not_found` for one that does not exist and for another account's private one alike */
export async function readObservation(reader: Reader, caller: string, id: string): Promise<Observation> {
  const observation = await findObservation(reader, id);
  if (!observation || (!observation.shared && observation.accountId !== caller)) throw new ApiError('not_found');
  return observation;
}

/** Topics of what the caller may see, in the order of their bytes. @throws ApiError `invalid_cursor` */
export async function listTopics(
  reader: Reader,
  caller: string,
  cursor: string | undefined,
  limit: number,
): Promise<{ topics: TopicCount[]; nextCursor: string | null }> {
  const after = cursor === undefined ? '' : readCursor(cursor);
  const own = await listPrivateTopics(reader, caller, after, limit + 1);
  const shared = await listSharedTopics(reader, after, limit + 1);
  // Both lists are complete up to the last topic that either of them was cut at.
  const merged = new Map(shared.map((entry) => [entry.topic, entry]));
  for (const entry of own) {
    const known = merged.get(entry.topic) ?? { topic: entry.topic, count: 0, latestAt: 0 };
    const latestAt = Math.max(known.latestAt, entry.latestAt);
    merged.set(entry.topic, { topic: entry.topic, count: known.count + entry.count, latestAt });
  }
  const sorted = [...merged.values()].sort((a, b) => compareBytes(a.topic, b.topic));
  const { rows, nextCursor } = pageOf(sorted, limit, ({ topic }) => [topic]);
  return { topics: rows, nextCursor };
}

/** The counters that trust is computed from. */
export const trustInputsOf = (reader: Reader, accountId: string): Promise<TrustInputs> =>
  readTrustInputs(reader, accountId);
