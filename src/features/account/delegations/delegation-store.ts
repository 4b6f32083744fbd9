import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { DELEGATION_PARTIES, DELEGATIONS, type Delegation } from './delegation-table.ts';

export const saveSpent = DELEGATIONS.patch(['spentUsdc']);
export const saveAddresses = DELEGATIONS.patch(['addresses']);
const insertRow = DELEGATIONS.insert();
const removeRow = DELEGATIONS.remove();
const liveByAccount = DELEGATIONS.list(['accountId'], { endedAt: null });

const insertParty = DELEGATION_PARTIES.insert();
const findParty = DELEGATION_PARTIES.find();
const removeParties = DELEGATION_PARTIES.remove(['delegationId']);

type Row = RowOf<typeof DELEGATIONS>;

const sql = tables<{ delegations: Row; delegation_parties: RowOf<typeof DELEGATION_PARTIES> }>();

const byIds = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('delegations')
    .select(DELEGATIONS.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids)),
);

/** Locks in the order of ids, so that transactions over the same delegations cannot deadlock. */
const byIdsForUpdate = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('delegations')
    .select(DELEGATIONS.names)
    .where((eb) => isAmong(engine, eb.ref('id'), p.ids))
    .orderBy('id');
  return engine === 'postgres' ? query.forUpdate() : query;
});

const PREFIXED = DELEGATIONS.names.map((name) => `d.${name}` as const);

const ofParty = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('delegation_parties as p')
    .innerJoin('delegations as d', 'd.id', 'p.delegation_id')
    .select(PREFIXED)
    .where('p.account_id', '=', p.account_id)
    .where('p.delegation_id', '<', p.before)
    .orderBy('p.delegation_id', 'desc')
    .limit(p.limit),
);

const liveOf = sql((q, p: { from_id: string; now: number; limit: number }) =>
  q
    .selectFrom('delegations')
    .select('id')
    .where('from_id', '=', p.from_id)
    .where('expires_at', '>', p.now)
    .where('ended_at', 'is', null)
    .limit(p.limit),
);

/** Ends a delegation and all that was passed on from it. `below` matches the paths of those. */
const endTree = sql((q, p: { root_id: string; path: string; below: string; now: number }) =>
  q
    .updateTable('delegations')
    .set({ ended_at: p.now })
    .where('root_id', '=', p.root_id)
    .where((eb) => eb.or([eb('path', '=', p.path), eb('path', 'like', p.below)]))
    .where('ended_at', 'is', null),
);

const liveOfKey = sql((q, p: { key_id: string }) =>
  q.selectFrom('delegations').select(DELEGATIONS.names).where('key_id', '=', p.key_id).where('ended_at', 'is', null),
);
const liveByMaker = sql((q, p: { from_id: string; now: number }) =>
  q
    .selectFrom('delegations')
    .select(DELEGATIONS.names)
    .where('from_id', '=', p.from_id)
    .where('expires_at', '>', p.now)
    .where('ended_at', 'is', null),
);

const expiredIds = sql((q, p: { before: number; limit: number }) =>
  q.selectFrom('delegations').select('id').where('expires_at', '<=', p.before).limit(p.limit),
);

const inOrder = (ids: readonly string[], rows: readonly Row[]): Delegation[] => {
  const found = new Map(rows.map((row) => [row.id, DELEGATIONS.fromRow(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
};

export async function insertDelegation(tx: Tx, delegation: Delegation): Promise<void> {
  await insertRow(tx, delegation);
  for (const accountId of new Set([delegation.accountId, delegation.fromId, delegation.toId]))
    await insertParty(tx, { accountId, delegationId: delegation.id });
}

/** Reads delegations in the order of their ids as given. Those that do not exist are left out. */
export const findDelegations = async (reader: Reader, ids: readonly string[]): Promise<Delegation[]> =>
  inOrder(ids, await reader.all(byIds, { ids: jsonTexts(ids) }));

/** Reads delegations like {@link findDelegations}, and locks them until the transaction ends. */
export const lockDelegations = async (tx: Tx, ids: readonly string[]): Promise<Delegation[]> =>
  inOrder(ids, await tx.all(byIdsForUpdate, { ids: jsonTexts(ids) }));

/** Lists the delegations that an account made, got, or whose authority is its own, newest first. */
export const listDelegations = async (
  reader: Reader,
  accountId: string,
  before: string,
  many: number,
): Promise<Delegation[]> =>
  (await reader.all(ofParty, { account_id: accountId, before, limit: many })).map(DELEGATIONS.fromRow);

/** Whether an account may know of a delegation. */
export const mayKnow = async (reader: Reader, accountId: string, id: string): Promise<boolean> =>
  (await findParty(reader, accountId, id)) !== null;

/** Counts the delegations that an account made and that stand, up to `limit`. */
export const countLive = async (reader: Reader, fromId: string, now: number, limit: number): Promise<number> =>
  (await reader.all(liveOf, { from_id: fromId, now, limit })).length;

/** Ends a delegation that the caller locked, and all that was passed on from it. @returns how many */
export const endWithDescendants = (tx: Tx, { rootId, path }: Delegation, now: number): Promise<number> =>
  tx.run(endTree, { root_id: rootId, path, below: `${path}/%`, now });

export const findLiveOfKey = async (reader: Reader, keyId: string): Promise<Delegation[]> =>
  (await reader.all(liveOfKey, { key_id: keyId })).map(DELEGATIONS.fromRow);

/** Lists the delegations of an account’s authority, and those that it made, that have not been ended. */
export async function findLiveOfAccount(reader: Reader, accountId: string, now: number): Promise<Delegation[]> {
  const own = await liveByAccount(reader, accountId);
  const made = (await reader.all(liveByMaker, { from_id: accountId, now })).map(DELEGATIONS.fromRow);
  return [...new Map([...own, ...made].map((each) => [each.id, each])).values()];
}

/** Deletes delegations that expired before a time. */
export async function purgeDelegations(tx: Tx, before: number, limit: number): Promise<void> {
  for (const { id } of await tx.all(expiredIds, { before, limit })) {
    await removeParties(tx, id);
    await removeRow(tx, id);
  }
}
