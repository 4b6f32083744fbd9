import { jsonRows } from '../db/json-rows.ts';
import { tables } from '../db/statement.ts';

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

/**
 * Takes the account's next `many` numbers and returns the last of them. The row stays locked until the transaction
 * ends, so numbers become visible in order and a reader that has seen 7 never misses a 6 that commits later.
 */
export const nextSeq = sql((q, p: { account_id: string; many: number }) =>
  q
    .insertInto('event_heads')
    .values({ account_id: p.account_id, last_seq: p.many, watched: 0 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        last_seq: eb('event_heads.last_seq', '+', eb.ref('excluded.last_seq')),
      })),
    )
    .returning(['last_seq', 'watched']),
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

export const insertMany = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('events')
    .columns(NAMES)
    .expression((eb) => eb.selectFrom(jsonRows(engine, p.rows, COLUMNS).as('given')).select(NAMES)),
);

export const insertEvent = sql((q, p: Tables['events']) =>
  q.insertInto('events').values({
    account_id: p.account_id,
    seq: p.seq,
    type: p.type,
    data: p.data,
    created_at: p.created_at,
    address: p.address,
  }),
);

export const eventsAfter = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
);

export const eventsBefore = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('seq', '<', p.seq)
    .orderBy('seq', 'desc')
    .limit(p.limit),
);

interface OfType {
  account_id: string;
  type: string;
  /** Both ends are exclusive. */
  after: number;
  before: number;
  limit: number;
}

interface OfAddress extends OfType {
  address: string;
}

export const ofTypeUp = sql((q, p: OfType) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('type', '=', p.type)
    .where('seq', '>', p.after)
    .where('seq', '<', p.before)
    .orderBy('seq')
    .limit(p.limit),
);

export const ofTypeDown = sql((q, p: OfType) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('type', '=', p.type)
    .where('seq', '>', p.after)
    .where('seq', '<', p.before)
    .orderBy('seq', 'desc')
    .limit(p.limit),
);

export const ofAddressUp = sql((q, p: OfAddress) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('address', '=', p.address)
    .where('type', '=', p.type)
    .where('seq', '>', p.after)
    .where('seq', '<', p.before)
    .orderBy('seq')
    .limit(p.limit),
);

export const ofAddressDown = sql((q, p: OfAddress) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('address', '=', p.address)
    .where('type', '=', p.type)
    .where('seq', '>', p.after)
    .where('seq', '<', p.before)
    .orderBy('seq', 'desc')
    .limit(p.limit),
);

export const headOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('event_heads').select('last_seq').where('account_id', '=', p.account_id),
);

export const deleteBefore = sql((q, p: { before: number }) =>
  q.deleteFrom('events').where('created_at', '<', p.before),
);

/** An event as a list reads it. */
export type EventRow = Omit<Tables['events'], 'account_id' | 'address'>;
