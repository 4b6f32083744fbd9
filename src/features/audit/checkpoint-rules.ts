import type { Database, Reader, Tx } from '../../kernel/transaction.ts';
import { type AuditRecord, appendAudits, type SealCheck } from './audit-rules.ts';
import { listChains, readHead } from './audit-store.ts';
import { insertSeal, lastSealed, listSeals, type Seal } from './checkpoint-store.ts';

/** Signs with the service's current key; null while signing is off. */
export type SignSeal = (message: Uint8Array) => Promise<{ kid: string; signature: Uint8Array } | null>;

/** Whether a signature of the key with that id holds. */
export type VerifySignature = (kid: string, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** What a seal signs. */
const sealMessage = (accountId: string, seq: number, hash: string): Uint8Array =>
  new TextEncoder().encode(`signet:audit-seal:v1:${accountId}:${seq}:${hash}`);

const CHAINS = 500;

export interface Sealer {
  /** A chain grew. */
  note(accountId: string): void;
  /** Signs the heads of the chains that grew. */
  flush(): Promise<void>;
  /** Finds the chains that a process left unsigned when it died. */
  recover(isStopping: () => boolean): Promise<void>;
}

/**
 * Signs the head of each chain that grew, a second later: a signature of each entry in its own transaction would cost a
 * quarter of a write, and one over the head proves all before it.
 */
export function createSealer({ database, sign, now }: { database: Database; sign: SignSeal; now(): number }): Sealer {
  let grown = new Set<string>();
  let flushing: Promise<void> = Promise.resolve();

  async function seal(accountIds: readonly string[]): Promise<void> {
    const seals: { accountId: string; seal: Seal }[] = [];
    for (const accountId of accountIds) {
      const head = await readHead(database, accountId);
      const signed = head && (await sign(sealMessage(accountId, head.seq, head.hash)));
      if (!signed) continue;
      const signature = Buffer.from(signed.signature).toString('base64url');
      seals.push({ accountId, seal: { ...head, kid: signed.kid, signature, sealedAt: now() } });
    }
    if (seals.length === 0) return;
    await database.transaction(async (tx) => {
      for (const { accountId, seal } of seals) await insertSeal(tx, accountId, seal);
    });
  }

  async function write(): Promise<void> {
    const due = [...grown].sort();
    grown = new Set();
    try {
      while (due.length > 0) {
        await seal(due.slice(0, CHAINS));
        due.splice(0, CHAINS);
      }
    } catch (err) {
      grown = new Set([...due, ...grown]);
      throw err;
    }
  }

  return {
    note: (accountId) => void grown.add(accountId),

    flush: () => {
      flushing = flushing.catch(() => {}).then(() => (grown.size > 0 ? write() : undefined));
      return flushing;
    },

    async recover(isStopping) {
      for (let last = ''; !isStopping(); ) {
        const page = await listChains(database, last, CHAINS);
        for (const id of page)
          if ((await lastSealed(database, id)) < ((await readHead(database, id))?.seq ?? 0)) grown.add(id);
        if (page.length < CHAINS) return;
        last = page.at(-1) as string;
      }
    },
  };
}

export const createSealCheck =
  (verify: VerifySignature): SealCheck =>
  (accountId, { seq, hash, kid, signature }) =>
    verify(kid, sealMessage(accountId, seq, hash), Buffer.from(signature, 'base64url'));

/** Oldest first, after the entry of that number. */
export const sealsOf = (reader: Reader, accountId: string, afterSeq: number, limit: number): Promise<Seal[]> =>
  listSeals(reader, accountId, afterSeq, limit);

/** Appends records whose chains are to be sealed. */
export const appendSealed =
  (sealer: Pick<Sealer, 'note'>) =>
  async (tx: Tx, records: readonly AuditRecord[]): Promise<void> => {
    await appendAudits(tx, records);
    tx.afterCommit(() => {
      for (const { accountId } of records) sealer.note(accountId);
    });
  };
