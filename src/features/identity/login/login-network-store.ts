import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { LOGIN_NETWORKS, type LoginNetwork } from './login-table.ts';

const findRow = LOGIN_NETWORKS.find();
export const storeNetworks = LOGIN_NETWORKS.patch(['networks', 'expiresAt']);
/** @returns how many rows were deleted: 1 or 0 */
export const deleteNetworks = LOGIN_NETWORKS.remove();
export const purgeNetworks = LOGIN_NETWORKS.purge('expiresAt');

const sql = tables<{ login_networks: RowOf<typeof LOGIN_NETWORKS> }>();

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

export const findNetworks = async (reader: Reader, addressHash: string): Promise<LoginNetwork[]> =>
  (await findRow(reader, addressHash))?.networks ?? [];

export async function lockNetworks(tx: Tx, addressHash: string): Promise<LoginNetwork[]> {
  const row = await tx.first(lockRow, { address_hash: addressHash });
  return row ? LOGIN_NETWORKS.columns.networks.read(row.networks) : [];
}
