import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { slotCounter } from '../../../db/slot-counter.ts';
import { tables } from '../../../db/statement.ts';
import { AGENT_KEYS, type AgentKey } from './agent-key-table.ts';

/** @returns 0 when the account has no such key */
export const deleteAgentKey = AGENT_KEYS.remove();

const sql = tables<{ agent_keys: RowOf<typeof AGENT_KEYS> }>();

/** How many signing keys each account has. */
export const agentKeySlots = slotCounter('signing_keys');

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q.selectFrom('agent_keys').select(AGENT_KEYS.names).where('account_id', '=', p.account_id).limit(p.limit),
);

/** @returns false when the account already has this key */
export const insertAgentKey = AGENT_KEYS.insertNew();

/** Oldest first. */
export const listAgentKeys = async (reader: Reader, accountId: string, limit: number): Promise<AgentKey[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit }))
    .map(AGENT_KEYS.fromRow)
    .sort((a, b) => a.createdAt - b.createdAt || (a.kid < b.kid ? -1 : 1));
