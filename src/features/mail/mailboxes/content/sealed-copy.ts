/**
 * Large parts of a mail in the database before the transaction that delivers it, readable and sealed. A sealed copy is
 * encrypted and written piece by piece, so that nothing readable of it is written and no turn is long.
 */

import type { Database } from '../../../../api/transaction.ts';
import { newId } from '../../../../base/ids.ts';
import type { Address } from '../../../account/addresses/address.ts';
import { createSealer, type Sealer } from '../../../account/e2e/mail-sealer.ts';
import { withStaged } from './blob.ts';
import { isLarge, NOT_STAGED, type Staged } from './blob-pieces.ts';

/**
 * As many bytes of sealed copies of one mail are written ahead, of one copy at the least. It may still be refused, and each
 * refusal costs these writes. Further copies are sealed in the transaction.
 */
const AHEAD_MAX_BYTES = 95_000_000;

/** The large parts of one sealed copy. */
export interface SealedCopy {
  /** What it is sealed for. The address may have another key by now: then it is of no use. */
  publicKey: string;
  /** It is sealed with the id. */
  messageId: string;
  sealer: Sealer;
  /** Nothing in place of each plain part: what is stored by mistake is empty, and not readable. */
  standIns: ReadonlyMap<Uint8Array, Uint8Array>;
  /** The blobs of the stand-ins. */
  staged: Staged;
}

/** What of a mail is in the database already. */
export interface Written {
  /** Of the readable copy. */
  staged: Staged;
  /** By address. */
  sealed: ReadonlyMap<string, SealedCopy>;
}

/** Who gets a mail, as far as it is known before its transaction. */
export interface Copies {
  /** Whether a copy is readable. Else nothing readable of it may reach the disk. */
  isReadable: boolean;
  /** Those with a public key. */
  sealedFor: readonly Pick<Address, 'address' | 'publicKey'>[];
}

/**
 * Does the work with the large ones of these parts in the database, as the copies need them. What no mail refers to
 * afterwards is removed at once.
 */
export async function withWritten<T>(
  database: Database,
  parts: readonly Uint8Array[],
  { isReadable, sealedFor }: Copies,
  now: number,
  work: (written: Written) => Promise<T>,
): Promise<T> {
  const large = parts.filter(({ length }) => isLarge(length));
  if (large.length === 0) return work({ staged: NOT_STAGED, sealed: new Map() });
  const copyBytes = large.reduce((sum, { length }) => sum + length, 0);
  const ahead = sealedFor.slice(0, Math.max(1, Math.floor(AHEAD_MAX_BYTES / copyBytes)));
  const sealed = new Map<string, SealedCopy>();
  const withSealed = async (staged: Staged, n: number): Promise<T> => {
    const next = ahead[n];
    if (next === undefined) return work({ staged, sealed });
    return withCopy(database, large, next, now, (copy) => {
      sealed.set(next.address, copy);
      return withSealed(staged, n + 1);
    });
  };
  return withStaged(database, isReadable ? large : [], now, (staged) => withSealed(staged, 0));
}

/** @param large no others: a stand-in without a blob would be stored as nothing */
async function withCopy<T>(
  database: Database,
  large: readonly Uint8Array[],
  { publicKey }: Copies['sealedFor'][number],
  now: number,
  work: (copy: SealedCopy) => Promise<T>,
): Promise<T> {
  if (publicKey === null) throw new Error('an address without a key gets no sealed copy');
  const messageId = newId('msg', now);
  const sealer = createSealer(publicKey, messageId);
  const standIns = new Map(large.map((part) => [part, new Uint8Array()]));
  const sealing = async (blobs: Staged): Promise<T> => {
    const staged = new Map([...blobs].map(([part, id]) => [standIns.get(part) as Uint8Array, id]));
    return work({ publicKey, messageId, sealer, standIns, staged });
  };
  return withStaged(database, large, now, sealing, (part, size) => sealer.sealInPieces(part, size));
}
