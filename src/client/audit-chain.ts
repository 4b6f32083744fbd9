import { fromBase64, toHex, utf8 } from './encoding.ts';
import type { ListAuditEntriesReply, ListAuditSealsReply } from './generated/operations.ts';
import { SignetCryptoError } from './signet-error.ts';
import { sha256 } from './web-crypto.ts';

/** Verifies an account's audit chain offline. */

export type AuditEntry = ListAuditEntriesReply['entries'][number];
export type AuditSeal = ListAuditSealsReply['seals'][number];
export type AuditKey = ListAuditSealsReply['keys'][number];

export interface AuditChain {
  accountId: string;
  /** All entries, in any order. */
  entries: readonly AuditEntry[];
  seals: readonly AuditSeal[];
  /** Keys of the service that you trust: kept from earlier, or from the same reply as the seals. */
  keys: readonly AuditKey[];
}

const hashed = async (text: string): Promise<string> => toHex(await sha256(utf8(text)));

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The hashed form of an entry: sorted keys, no white space (RFC 8785), without its own hash and what stands beside it. */
function canonical({ hash: _, address: __, id: ___, target: ____, network: _____, ...entry }: AuditEntry): string {
  return JSON.stringify(entry, sorted);
}

const refuse = (seq: number, problem: string): never => {
  throw new SignetCryptoError('not_authentic', `Entry ${seq} ${problem}.`);
};

async function checkSeal(accountId: string, seal: AuditSeal, keys: readonly AuditKey[]): Promise<void> {
  const jwk = keys.find(({ kid }) => kid === seal.kid);
  if (!jwk)
    throw new SignetCryptoError('unknown_key', `Entry ${seal.seq} was signed by ${seal.kid}, which is not known.`);
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const message = utf8(`signet:audit-seal:v1:${accountId}:${seal.seq}:${seal.hash}`);
  if (!(await crypto.subtle.verify('Ed25519', key, fromBase64(seal.signature), message)))
    throw new SignetCryptoError('signature_invalid', `The signature over entry ${seal.seq} is not valid.`);
}

/**
 * Verifies the hashes and signatures of a whole chain.
 * @returns how many entries are valid, and the last one that a signature covers; later entries are hashed but not signed yet
 * @throws SignetCryptoError `not_authentic` naming the first entry that is missing, altered or moved; `signature_invalid`;
 *   `unknown_key`
 */
export async function verifyAuditChain(chain: AuditChain): Promise<{ entries: number; sealed: number }> {
  const { accountId, seals, keys } = chain;
  const entries = [...chain.entries].sort((a, b) => a.seq - b.seq);
  let previous = await hashed(`signet:audit:v1:${accountId}`);
  for (const [i, entry] of entries.entries()) {
    if (entry.seq !== i + 1) refuse(i + 1, 'is missing');
    if (entry.account_id !== accountId) refuse(entry.seq, 'is of another account');
    if (entry.prev_hash !== previous) refuse(entry.seq, 'does not follow from the one before it');
    if ((await hashed(canonical(entry))) !== entry.hash) refuse(entry.seq, 'was altered');
    previous = entry.hash;
  }
  let sealed = 0;
  for (const seal of seals) {
    await checkSeal(accountId, seal, keys);
    const entry = entries[seal.seq - 1] ?? refuse(seal.seq, 'is missing');
    if (entry.hash !== seal.hash) refuse(seal.seq, 'is not the entry that was signed');
    sealed = Math.max(sealed, seal.seq);
  }
  return { entries: entries.length, sealed };
}
