import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

/** The hash of a network, and when the address last logged in there, in milliseconds. */
export type LoginNetwork = [network: string, at: number];

const sql = tables<{ login_networks: { address_hash: string; networks: string; expires_at: number } }>();

const byAddress = sql((q, p: { address_hash: string }) =>
  q.selectFrom('login_networks').select('networks').where('address_hash', '=', p.address_hash),
);

/** Creates the row when it is missing and locks it, so that logins of one address are noted one after the other. */
const lockRow = sql((q, p: { address_hash: string }) =>
  q
    .insertInto('login_networks')
    .values({ address_hash: p.address_hash, networks: '[]', expires_at: 0 })
    .onConflict((conflict) =>
      conflict.column('address_hash').doUpdateSet((eb) => ({ address_hash: eb.ref('excluded.address_hash') })),
    )
    .returning('networks'),
);

const storeRow = sql((q, p: { address_hash: string; networks: string; expires_at: number }) =>
  q
    .updateTable('login_networks')
    .set({ networks: p.networks, expires_at: p.expires_at })
    .where('address_hash', '=', p.address_hash),
);

const deleteRow = sql((q, p: { address_hash: string }) =>
  q.deleteFrom('login_networks').where('address_hash', '=', p.address_hash),
);

const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('login_networks').where('expires_at', '<=', p.now));

const read = (row: { networks: string } | undefined): LoginNetwork[] =>
  row === undefined ? [] : (JSON.parse(row.networks) as LoginNetwork[]);

export const findNetworks = async (reader: Reader, address_hash: string): Promise<LoginNetwork[]> =>
  read(await reader.first(byAddress, { address_hash }));

export const lockNetworks = async (tx: Tx, address_hash: string): Promise<LoginNetwork[]> =>
  read(await tx.first(lockRow, { address_hash }));

export const storeNetworks = async (
  tx: Tx,
  address_hash: string,
  networks: readonly LoginNetwork[],
  expires_at: number,
): Promise<void> => void (await tx.run(storeRow, { address_hash, networks: JSON.stringify(networks), expires_at }));

/** @returns how many rows were deleted: 1 or 0 */
export const deleteNetworks = (tx: Tx, address_hash: string): Promise<number> => tx.run(deleteRow, { address_hash });

export const purgeNetworks = (tx: Tx, now: number): Promise<number> => tx.run(deleteExpired, { now });
