import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  kid: string;
  account_id: string;
  x: string;
  label: string | null;
  created_at: number;
}

/** An Ed25519 public key that an agent signs with itself. */
export interface AgentKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  /** 32 bytes, base64url. */
  x: string;
  label: string | null;
  createdAt: number;
}

const sql = tables<{ agent_keys: Row; agent_key_counts: { account_id: string; used: number } }>();

const insertKey = sql((q, p: Row) =>
  q
    .insertInto('agent_keys')
    .values({ kid: p.kid, account_id: p.account_id, x: p.x, label: p.label, created_at: p.created_at })
    .onConflict((conflict) => conflict.doNothing()),
);

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q.selectFrom('agent_keys').selectAll().where('account_id', '=', p.account_id).limit(p.limit),
);

const deleteKey = sql((q, p: { account_id: string; kid: string }) =>
  q.deleteFrom('agent_keys').where('account_id', '=', p.account_id).where('kid', '=', p.kid),
);

/** Checked and counted in one statement: no number of parallel registrations gets past the limit. */
const takeSlot = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('agent_key_counts')
    .values({ account_id: p.account_id, used: 1 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ used: eb('agent_key_counts.used', '+', 1) }))
        .where('agent_key_counts.used', '<', p.limit),
    ),
);

const giveSlotBack = sql((q, p: { account_id: string }) =>
  q
    .updateTable('agent_key_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id),
);

/** @returns false when the account has it already */
export const insertAgentKey = async (tx: Tx, accountId: string, key: AgentKey): Promise<boolean> =>
  (await tx.run(insertKey, {
    kid: key.kid,
    account_id: accountId,
    x: key.x,
    label: key.label,
    created_at: key.createdAt,
  })) === 1;

/** Oldest first. */
export const listAgentKeys = async (reader: Reader, accountId: string, limit: number): Promise<AgentKey[]> =>
  (await reader.all(byAccount, { account_id: accountId, limit }))
    .map(({ kid, x, label, created_at }) => ({ kid, x, label, createdAt: created_at }))
    .sort((a, b) => a.createdAt - b.createdAt || (a.kid < b.kid ? -1 : 1));

/** @returns false when there is none */
export const deleteAgentKey = async (tx: Tx, accountId: string, kid: string): Promise<boolean> =>
  (await tx.run(deleteKey, { account_id: accountId, kid })) === 1;

export const takeAgentKeySlot = async (tx: Tx, accountId: string, limit: number): Promise<boolean> =>
  (await tx.run(takeSlot, { account_id: accountId, limit })) === 1;

export const returnAgentKeySlot = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(giveSlotBack, { account_id: accountId }));
