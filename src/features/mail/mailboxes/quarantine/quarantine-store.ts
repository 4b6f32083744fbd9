import type { WaitingParams } from '../../../../api/account/waiting.ts';
import type { Reader } from '../../../../api/transaction.ts';
import { lastId } from '../../../../base/ids.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { jsonRows } from '../../../../db/json-rows.ts';
import { tables } from '../../../../db/statement.ts';
import { isAfterPlace } from '../../../../db/waiting-rows.ts';
import { QUARANTINED, type Quarantined } from './quarantine-table.ts';

export const insertQuarantined = QUARANTINED.insert();
export const findQuarantined = QUARANTINED.find();
/** Takes a message out of the quarantine. @returns 0 when another call was first */
export const takeOut = QUARANTINED.remove();
/** Newest first. */
export const listQuarantined = QUARANTINED.page(['accountId']);

const sql = tables<{ quarantined_messages: RowOf<typeof QUARANTINED> }>();

const oldest = sql((q, p: { before: string; limit: number }) =>
  q
    .selectFrom('quarantined_messages')
    .select(QUARANTINED.names)
    .where('message_id', '<', p.before)
    .orderBy('message_id')
    .limit(p.limit),
);
/** Oldest first, of every account, with ids smaller than `before`. */
export const oldestQuarantined = async (reader: Reader, before: string, limit: number): Promise<Quarantined[]> =>
  (await reader.all(oldest, { before, limit })).map(QUARANTINED.fromRow);

/** Of each account, so many of the oldest: strangers fill the quarantine. */
const WAITING_MAX = 20;

const waiting = sql((q, p: WaitingParams, engine) =>
  q
    .selectFrom(jsonRows(engine, p.ids, { owner: 'text' }).as('given'))
    .innerJoin('quarantined_messages as m', 'm.account_id', 'given.owner')
    .select([
      'm.message_id',
      'm.account_id',
      'm.address',
      'm.content_id',
      'm.from_address',
      'm.reason',
      'm.received_at',
    ])
    .where((eb) =>
      eb(
        'm.message_id',
        '<=',
        eb.fn.coalesce(
          eb
            .selectFrom('quarantined_messages as older')
            .select('older.message_id')
            .whereRef('older.account_id', '=', 'given.owner')
            .orderBy('older.message_id')
            .limit(1)
            .offset(WAITING_MAX - 1),
          eb.val(lastId('msg')),
        ),
      ),
    )
    .where((eb) => isAfterPlace(eb.ref('m.received_at'), eb.ref('m.message_id'), p))
    .orderBy('m.received_at')
    .orderBy('m.message_id')
    .limit(p.limit),
);

/** Lists the oldest of what is kept back from these accounts. */
export const waitingQuarantined = async (reader: Reader, params: WaitingParams): Promise<Quarantined[]> =>
  (await reader.all(waiting, params)).map(QUARANTINED.fromRow);
