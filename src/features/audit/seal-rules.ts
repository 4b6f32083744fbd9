import type { Database, Reader } from '../../kernel/transaction.ts';
import type { SealCheck } from './audit-rules.ts';
import { listUnsealed, markSealed } from './audit-store.ts';
import { insertSeal, listSeals, type Seal } from './seal-store.ts';

export type { Seal };

/** Signs with the service's current key; null while signing is off. */
export type SignSeal = (message: Uint8Array) => Promise<{ kid: string; signature: Uint8Array } | null>;

/** Whether a signature of the key with that id holds. */
export type VerifySignature = (kid: string, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** What a seal signs. */
const sealMessage = (accountId: string, seq: number, hash: string): Uint8Array =>
  new TextEncoder().encode(`signet:audit-seal:v1:${accountId}:${seq}:${hash}`);

const CHAINS = 500;

/**
 * Signs the head of every chain that grew. Run each second: a signature of each entry in its own transaction would cost
 * a quarter of a write, and one over the head proves all before it.
 * @returns how many chains were sealed
 */
export async function sealChains(database: Database, sign: SignSeal, now: number): Promise<number> {
  let sealed = 0;
  for (let last = ''; ; ) {
    const heads = await listUnsealed(database, last, CHAINS);
    const seals: { accountId: string; seal: Seal }[] = [];
    for (const { accountId, seq, hash } of heads) {
      const signed = await sign(sealMessage(accountId, seq, hash));
      if (!signed) return sealed;
      const signature = Buffer.from(signed.signature).toString('base64url');
      seals.push({ accountId, seal: { seq, hash, kid: signed.kid, signature, sealedAt: now } });
    }
    if (seals.length > 0) {
      await database.transaction(async (tx) => {
        for (const { accountId, seal } of seals) {
          await insertSeal(tx, accountId, seal);
          await markSealed(tx, accountId, seal.seq);
        }
      });
    }
    sealed += seals.length;
    if (heads.length < CHAINS) return sealed;
    last = heads.at(-1)?.accountId ?? last;
  }
}

export const createSealCheck =
  (verify: VerifySignature): SealCheck =>
  (accountId, { seq, hash, kid, signature }) =>
    verify(kid, sealMessage(accountId, seq, hash), Buffer.from(signature, 'base64url'));

/** Oldest first, after the entry of that number. */
export const sealsOf = (reader: Reader, accountId: string, afterSeq: number, limit: number): Promise<Seal[]> =>
  listSeals(reader, accountId, afterSeq, limit);
