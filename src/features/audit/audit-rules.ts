import { hash } from 'node:crypto';
import { iso } from '../../kernel/clock.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import {
  appendEntries,
  type ChainHead,
  listChains,
  lockHead,
  readEntries,
  readHead,
  type StoredEntry,
} from './audit-store.ts';
import { listSeals, type Seal } from './checkpoint-store.ts';

/** Whether a seal's signature holds. */
export type SealCheck = (accountId: string, seal: Seal) => Promise<boolean>;

/** A state-changing act to be put on record. */
export interface AuditRecord {
  accountId: string;
  /** `category.verb` */
  action: string;
  resourceId: string | null;
  actor: string;
  /** Keyed hash, never the address itself. */
  ip: string;
  requestId: string;
  status: number;
  now: number;
}

/** What the first entry of a chain points back to; naming the account keeps chains from being swapped whole. */
export const genesisHash = (accountId: string): string => hash('sha256', `signet:audit:v1:${accountId}`, 'hex');

/** An entry in canonical JSON (RFC 8785: sorted keys, no white space; all values are strings and integers). */
function canonicalEntry(record: AuditRecord, seq: number, prevHash: string): string {
  const category = record.action.split('.', 1)[0];
  return JSON.stringify({
    account_id: record.accountId,
    action: record.action,
    actor: record.actor,
    at: iso(record.now),
    category,
    ip: record.ip,
    prev_hash: prevHash,
    request_id: record.requestId,
    resource_id: record.resourceId,
    result: record.status < 400 ? 'success' : 'refused',
    seq,
    status: record.status,
  });
}

/**
 * Appends to the account's hash chain: each entry carries the SHA-256 of the one before, so that one changed, removed,
 * inserted or moved in the database no longer fits its neighbours.
 */
export const appendAudit = (tx: Tx, record: AuditRecord): Promise<void> => appendAudits(tx, [record]);

/** Appends several records, each to its account's chain in their order. */
export async function appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  const chains = Map.groupBy(records, ({ accountId }) => accountId);
  // In one order, so that transactions over the same chains take turns instead of dead-locking.
  for (const accountId of [...chains.keys()].sort()) {
    const head = await lockHead(tx, accountId, genesisHash(accountId));
    await appendEntries(tx, linked(chains.get(accountId) as AuditRecord[], head));
  }
}

/** The records as the next entries of a chain that ends in `head`. */
function linked(records: readonly AuditRecord[], head: ChainHead): StoredEntry[] {
  let { seq, hash: prevHash } = head;
  return records.map((record) => {
    seq += 1;
    const entry = canonicalEntry(record, seq, prevHash);
    const { accountId, action, now: createdAt } = record;
    const stored = { accountId, seq, entry, action, createdAt, prevHash, hash: hash('sha256', entry, 'hex') };
    prevHash = stored.hash;
    return stored;
  });
}

/**
 * The first thing wrong with a chain. `forged`: every hash fits, but a signature says that the entry was another one; the
 * chain was written anew from there or before.
 */
export interface ChainFault {
  seq: number;
  problem: 'missing' | 'altered' | 'unlinked' | 'forged';
}

export interface ChainVerdict {
  /** Entries that hold, from the first on. */
  entries: number;
  fault: ChainFault | null;
}

const PAGE = 1000;

/** Walks a chain and its seals, and names the first entry that does not fit. */
export async function verifyChain(
  reader: Reader,
  accountId: string,
  isGenuine?: SealCheck,
): Promise<ChainVerdict & { sealed: number }> {
  const { entries, fault } = await verifyHashes(reader, accountId);
  const seals = isGenuine ? await verifySeals(reader, accountId, entries, isGenuine) : { sealed: 0, fault: null };
  const first = [fault, seals.fault].filter((one) => one !== null).sort((a, b) => a.seq - b.seq)[0] ?? null;
  return { entries: first ? Math.min(entries, first.seq - 1) : entries, fault: first, sealed: seals.sealed };
}

/** Each seal must be genuine and name the entry that stands there, for as far as hashes hold. */
async function verifySeals(reader: Reader, accountId: string, holds: number, isGenuine: SealCheck) {
  let sealed = 0;
  for (;;) {
    const page = await listSeals(reader, accountId, sealed, PAGE);
    for (const seal of page) {
      const { seq } = seal;
      if (seq > holds) return { sealed, fault: { seq: holds + 1, problem: 'missing' as const } };
      const [entry] = await readEntries(reader, accountId, seq - 1, 1);
      if (entry?.hash !== seal.hash || !(await isGenuine(accountId, seal)))
        return { sealed, fault: { seq, problem: 'forged' as const } };
      sealed = seq;
    }
    if (page.length < PAGE) return { sealed, fault: null };
  }
}

/** Walks a chain from its genesis, a page at a time. */
async function verifyHashes(reader: Reader, accountId: string): Promise<ChainVerdict> {
  // Read first: a chain may grow while it is walked, and must not look cut off for that.
  const head = await readHead(reader, accountId);
  let expected = { seq: 1, prevHash: genesisHash(accountId) };
  for (;;) {
    const page = await readEntries(reader, accountId, expected.seq - 1, PAGE);
    for (const { seq, entry, prevHash, hash: stored } of page) {
      const entries = expected.seq - 1;
      if (seq !== expected.seq) return { entries, fault: { seq: expected.seq, problem: 'missing' } };
      if (hash('sha256', entry, 'hex') !== stored) return { entries, fault: { seq, problem: 'altered' } };
      if (prevHash !== expected.prevHash || (JSON.parse(entry) as { prev_hash: string }).prev_hash !== prevHash) {
        return { entries, fault: { seq, problem: 'unlinked' } };
      }
      expected = { seq: seq + 1, prevHash: stored };
    }
    if (page.length === PAGE) continue;
    const isCutOff = expected.seq <= (head?.seq ?? 0);
    return { entries: expected.seq - 1, fault: isCutOff ? { seq: expected.seq, problem: 'missing' } : null };
  }
}

export interface ChainReport extends ChainVerdict {
  accountId: string;
  /** The last entry that a signature covers, with all before it; 0 for none. */
  sealed: number;
}

const CHAINS_PAGE = 500;

/** Verifies one chain, or each of the service's in turn. */
export async function* verifyChains(
  reader: Reader,
  accountId: string | null,
  isGenuine: SealCheck,
): AsyncGenerator<ChainReport> {
  if (accountId !== null) {
    yield { accountId, ...(await verifyChain(reader, accountId, isGenuine)) };
    return;
  }
  for (let last = ''; ; ) {
    const page = await listChains(reader, last, CHAINS_PAGE);
    for (const id of page) yield { accountId: id, ...(await verifyChain(reader, id, isGenuine)) };
    if (page.length < CHAINS_PAGE) return;
    last = page.at(-1) as string;
  }
}
