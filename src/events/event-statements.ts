import { type AccountLog, changeOf, pipeline, type Writer } from '../api/transaction.ts';
import { isAmong, jsonRows } from '../db/json-rows.ts';
import { type Build, tables } from '../db/statement.ts';

interface Tables {
  event_heads: {
    account_id: string;
    last_seq: number;
    /** 1 if watchers are called for the events of the account. */
    watched: number;
  };
  events: {
    account_id: string;
    seq: number;
    type: string;
    data: string;
    created_at: number;
    /** Of the account, where the event is about one. */
    address: string | null;
  };
}

const sql = tables<Tables>();

/** Where an account's events end: the number of the last one, and whether watchers are called for the next. */
const headForUpdate = sql((q, p: { account_id: string }, engine) => {
  const query = q.selectFrom('event_heads').select(['last_seq', 'watched']).where('account_id', '=', p.account_id);
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** Skips ends that another transaction has locked. */
const freeHeads = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('event_heads')
    .select(['account_id', 'last_seq', 'watched'])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids));
  return engine === 'postgres' ? query.forUpdate().skipLocked() : query;
});

/** In the order of ids, so that transactions over the same accounts cannot deadlock. */
const headsForUpdate = sql((q, p: { ids: string }, engine) => {
  const query = q
    .selectFrom('event_heads')
    .select(['account_id', 'last_seq', 'watched'])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .orderBy('account_id');
  return engine === 'postgres' ? query.forUpdate() : query;
});

const headsOf = sql((q, p: { ids: string }, engine) =>
  q
    .selectFrom('event_heads')
    .select('account_id')
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids)),
);

const startHead = sql((q, p: { account_id: string }) =>
  q
    .insertInto('event_heads')
    .values({ account_id: p.account_id, last_seq: 0, watched: 0 })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Without `where true`, SQLite reads ON CONFLICT as the ON of a join. */
const startHeads = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('event_heads')
    .columns(['account_id', 'last_seq', 'watched'])
    .expression((eb) =>
      eb
        .selectFrom(
          jsonRows(engine, p.rows, { account_id: 'text', last_seq: 'integer', watched: 'integer' }).as('given'),
        )
        .select(['account_id', 'last_seq', 'watched'])
        .where(eb.lit(true)),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

const moveHead = sql((q, p: { account_id: string; last_seq: number }) =>
  q
    .insertInto('event_heads')
    .values({ account_id: p.account_id, last_seq: p.last_seq, watched: 0 })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ last_seq: p.last_seq })),
);

/** Each end exists once it was locked. */
const moveHeads = sql((q, p: { rows: string }, engine) =>
  q
    .updateTable('event_heads')
    .from(jsonRows(engine, p.rows, { for_account: 'text', to_seq: 'integer' }).as('given'))
    .set((eb) => ({ last_seq: eb.ref('given.to_seq') }))
    .whereRef('account_id', '=', 'given.for_account'),
);

/** Waits for transactions that append events of the account: their events and this change have an order. */
export const setWatched = sql((q, p: { account_id: string; watched: number }) =>
  q
    .insertInto('event_heads')
    .values({ account_id: p.account_id, last_seq: 0, watched: p.watched })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ watched: p.watched })),
);

const COLUMNS = {
  account_id: 'text',
  seq: 'integer',
  type: 'text',
  data: 'text',
  created_at: 'integer',
  address: 'text?',
} as const;
const NAMES = Object.keys(COLUMNS) as (keyof Tables['events'])[];

const insertMany = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('events')
    .columns(NAMES)
    .expression((eb) => eb.selectFrom(jsonRows(engine, p.rows, COLUMNS).as('given')).select(NAMES)),
);

const insertEvent = sql((q, p: Tables['events']) =>
  q.insertInto('events').values({
    account_id: p.account_id,
    seq: p.seq,
    type: p.type,
    data: p.data,
    created_at: p.created_at,
    address: p.address,
  }),
);

/** Where an account's events end. */
interface EventsEnd {
  seq: number;
  isWatched: boolean;
}

async function lockHead(tx: Writer, accountId: string): Promise<EventsEnd> {
  let head = await tx.first(headForUpdate, { account_id: accountId });
  if (!head && tx.engine === 'postgres') {
    // A missing row cannot be locked.
    await tx.run(startHead, { account_id: accountId });
    head = await tx.first(headForUpdate, { account_id: accountId });
  }
  return head ? toEnd(head) : { seq: 0, isWatched: false };
}

const listOf = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => [id]));

const toEnd = (row: { last_seq: number; watched: number }): EventsEnd => ({
  seq: row.last_seq,
  isWatched: row.watched === 1,
});

const byAccount = (rows: readonly Tables['event_heads'][]): Map<string, EventsEnd> =>
  new Map(rows.map((row) => [row.account_id, toEnd(row)]));

/**
 * Locks the ends that are free. Those of watched accounts do not count as free: their watchers write row after
 * row in the transaction of the event, and all its other accounts would wait for them.
 */
async function lockFreeHeads(tx: Writer, accountIds: readonly string[]) {
  const locked = byAccount(await tx.all(freeHeads, { ids: listOf(accountIds) }));
  const ends = new Map([...locked].filter(([, { isWatched }]) => !isWatched));
  if (locked.size === accountIds.length) return { ends, missing: [] };
  const others = accountIds.filter((id) => !locked.has(id));
  const found = new Set((await tx.all(headsOf, { ids: listOf(others) })).map((row) => row.account_id));
  return { ends, missing: others.filter((id) => !found.has(id)) };
}

async function lockHeads(tx: Writer, accountIds: readonly string[]): Promise<Map<string, EventsEnd>> {
  const rows = JSON.stringify(accountIds.map((id) => [id, 0, 0]));
  // A missing row cannot be locked.
  const [, heads] = await pipeline([tx.run(startHeads, { rows }), tx.all(headsForUpdate, { ids: listOf(accountIds) })]);
  return byAccount(heads);
}

/**
 * The events of each account. The row of its end stays locked until the transaction ends, so numbers become visible in
 * order and a reader that has seen 7 never misses a 6 that commits later.
 */
export const EVENTS: AccountLog<EventsEnd, Tables['events']> = {
  tables: ['events', 'event_heads'],
  lock: lockHead,
  lockFree: lockFreeHeads,
  lockAll: lockHeads,
  changes: (engine, appended) => {
    const ends = new Map(appended.map(({ accountId, end }) => [accountId, end.seq]));
    const rows = appended.map(({ row }) => row);
    const cells = (): string => JSON.stringify(rows.map((row) => NAMES.map((name) => row[name])));
    return [
      // One by one is faster where nothing has to travel.
      ...(engine === 'sqlite' || rows.length === 1
        ? rows.map((row) => changeOf(insertEvent, row))
        : [changeOf(insertMany, { rows: cells() })]),
      ...(engine === 'sqlite' || ends.size === 1
        ? [...ends].map(([accountId, seq]) => changeOf(moveHead, { account_id: accountId, last_seq: seq }))
        : [changeOf(moveHeads, { rows: JSON.stringify([...ends]) })]),
    ];
  },
};

/** Some events of an account. Both ends are exclusive. */
interface Between {
  account_id: string;
  after: number;
  before: number;
  limit: number;
}

/** The lists of events in a direction, each along its index: all of an account, of a type, of a type about an address. */
function listsOf(direction: 'asc' | 'desc') {
  const list = (q: Parameters<Build<Tables, Between, EventRow>>[0], p: Between) =>
    q
      .selectFrom('events')
      .select(['seq', 'type', 'data', 'created_at'])
      .where('account_id', '=', p.account_id)
      .where('seq', '>', p.after)
      .where('seq', '<', p.before)
      .orderBy('seq', direction)
      .limit(p.limit);
  return {
    direction,
    all: sql((q, p: Between) => list(q, p)),
    ofType: sql((q, p: Between & { type: string }) => list(q, p).where('type', '=', p.type)),
    ofAddress: sql((q, p: Between & { type: string; address: string }) =>
      list(q, p).where('address', '=', p.address).where('type', '=', p.type),
    ),
  };
}

export const FORWARD = listsOf('asc');
export const BACKWARD = listsOf('desc');

export const headOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('event_heads').select('last_seq').where('account_id', '=', p.account_id),
);

export const deleteBefore = sql((q, p: { before: number }) =>
  q.deleteFrom('events').where('created_at', '<', p.before),
);

/** An event as a list reads it. */
export type EventRow = Omit<Tables['events'], 'account_id' | 'address'>;
