import type { Reader } from '../../../api/transaction.ts';
import { column } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

const ADDRESS_HASHES = table(
  'address_hashes',
  { hash: column.text('hash'), keptAt: column.integer('kept_at') },
  { key: ['hash'], account: [], erase: { keep: 'no other account may ever get the address' } },
);

/** Keeps the hash of an address whose account is deleted. */
export const keepHash = ADDRESS_HASHES.insertNew();
const findHash = ADDRESS_HASHES.find();

export const isKept = async (reader: Reader, hash: string): Promise<boolean> => (await findHash(reader, hash)) !== null;
