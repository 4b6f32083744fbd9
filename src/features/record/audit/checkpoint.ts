import { arrayOf, type ExportPart, jsonArray } from '../../../api/account/export-file.ts';
import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { allSigningKeys } from '../../identity/tokens/signing-keys.ts';
import { appendAudits, type CheckpointCheck } from './audit-log.ts';
import { listHeads, readHeads } from './audit-store.ts';
import type { Checkpoint } from './audit-table.ts';
import { insertCheckpoints, lastCheckpoint, listCheckpoints } from './checkpoint-store.ts';

export { listCheckpoints };

/** Every key that the service ever signed with, as JWK. */
export const listAuditKeys = async (reader: Reader) =>
  (await allSigningKeys(reader)).map(({ kid, x }) => ({ kty: 'OKP' as const, crv: 'Ed25519' as const, kid, x }));

const KEYS_FILE = 'audit_keys.json';
const words = { type: 'string' };

/** With these keys, the entries and the checkpoints, an export proves by itself what is in its log. */
export const auditKeysExport: ExportPart = {
  tables: [],
  schemas: { [KEYS_FILE]: arrayOf({ kty: words, crv: words, kid: words, x: words }) },
  files: async (reader) => {
    const keys = await listAuditKeys(reader);
    return [{ name: KEYS_FILE, content: jsonArray(keys) }];
  },
};

/** Signs with the service's current key. Returns null while signing is off. */
export type SignCheckpoint = (message: Uint8Array) => Promise<{ kid: string; signature: Uint8Array } | null>;

/** Whether a signature of the key `kid` is valid. */
export type VerifySignature = (kid: string, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** The bytes that a checkpoint signs. */
const signedMessage = ({ accountId, seq, hash }: Pick<Checkpoint, 'accountId' | 'seq' | 'hash'>): Uint8Array =>
  new TextEncoder().encode(`signet:audit-seal:v1:${accountId}:${seq}:${hash}`);

/** Chains that one transaction signs. Signatures take 3 ms of the main thread, for which requests wait. */
const CHAINS = 100;

export interface CheckpointDeps {
  database: Database;
  sign: SignCheckpoint;
  now(): number;
}

/**
 * Signs the head of each chain that grew, within about a second. A signature of each entry in its own transaction would
 * cost a quarter of a write, and a signature of the head covers all earlier entries.
 */
export class CheckpointWriter {
  readonly #deps: CheckpointDeps;
  #grown = new Set<string>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(deps: CheckpointDeps) {
    this.#deps = deps;
  }

  /** Appends records whose chains are signed with the next flush. */
  readonly appendAudits = async (tx: Tx, records: readonly AuditRecord[]): Promise<void> => {
    await appendAudits(tx, records);
    tx.afterCommit(() => {
      for (const { accountId } of records) this.#grown.add(accountId);
    });
  };

  /** Signs the heads of the chains that grew. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => (this.#grown.size > 0 ? this.#write() : undefined));
    return this.#flushing;
  }

  /** Finds the chains that an earlier process left unsigned. The next flush signs them. */
  readonly recover = async (isStopping: () => boolean): Promise<void> => {
    const { database } = this.#deps;
    for (let last = ''; !isStopping(); ) {
      const page = await listHeads(database, {}, { accountId: last }, CHAINS);
      for (const { accountId, seq } of page)
        if ((await lastCheckpoint(database, accountId)) < seq) this.#grown.add(accountId);
      if (page.length < CHAINS) return;
      last = page.at(-1)?.accountId ?? last;
    }
  };

  async #write(): Promise<void> {
    const due = [...this.#grown].sort();
    this.#grown = new Set();
    try {
      while (due.length > 0) {
        await this.#signHeads(due.slice(0, CHAINS));
        due.splice(0, CHAINS);
      }
    } catch (err) {
      this.#grown = new Set([...due, ...this.#grown]);
      throw err;
    }
  }

  async #signHeads(accountIds: readonly string[]): Promise<void> {
    const { database, sign, now } = this.#deps;
    const checkpoints: Checkpoint[] = [];
    for (const head of await readHeads(database, accountIds)) {
      const signed = await sign(signedMessage(head));
      if (!signed) continue;
      const signature = Buffer.from(signed.signature).toString('base64url');
      checkpoints.push({ ...head, kid: signed.kid, signature, signedAt: now() });
    }
    if (checkpoints.length > 0) await database.transaction((tx) => insertCheckpoints(tx, checkpoints));
  }
}

export const createCheckpointCheck =
  (verify: VerifySignature): CheckpointCheck =>
  (checkpoint) =>
    verify(checkpoint.kid, signedMessage(checkpoint), Buffer.from(checkpoint.signature, 'base64url'));
