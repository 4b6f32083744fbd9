import { hash } from 'node:crypto';
import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { erasedHeads } from './audit-erasure.ts';
import { hasAddress, type WrittenRecord, withoutAddresses } from './audit-person.ts';
import { CHAINS, type ChainHead, findEntry, listHeads, readEntries, readHead } from './audit-store.ts';
import type { Checkpoint, StoredEntry } from './audit-table.ts';
import { summaryOf } from './audit-words.ts';
import { listCheckpoints } from './checkpoint-store.ts';
import { isShownChange } from './recent-changes.ts';

/** Whether the signature of a checkpoint is valid. */
export type CheckpointCheck = (checkpoint: Checkpoint) => Promise<boolean>;

/** The previous hash of the first entry. It covers the account, so that two chains cannot be swapped. */
export const genesisHash = (accountId: string): string => hash('sha256', `signet:audit:v1:${accountId}`, 'hex');

/** Writes an entry in canonical JSON (RFC 8785): sorted keys, also in `actor`, and no white space. */
function canonicalEntry(record: WrittenRecord, seq: number, prevHash: string): string {
  const category = record.action.split('.', 1)[0];
  return JSON.stringify({
    account_id: record.accountId,
    ...(record.act ? { act: record.act } : {}),
    action: record.action,
    actor: record.actor,
    ...(record.change?.after ? { after: record.change.after } : {}),
    at: iso(record.now),
    ...(record.change?.before ? { before: record.change.before } : {}),
    category,
    ...(record.isConsole ? { console: true } : {}),
    ...(record.count === undefined ? {} : { count: record.count }),
    ip: record.ip,
    prev_hash: prevHash,
    request_id: record.requestId,
    resource_id: record.resourceId,
    result: record.isDryRun ? 'dry_run' : record.status < 400 ? 'success' : 'refused',
    seq,
    status: record.status,
    summary: summaryOf(record.action, record.resourceId, record.summary),
  });
}

/**
 * Appends a record to the account's hash chain. Each entry holds the SHA-256 of the previous one, so that an entry that
 * is changed, removed, inserted or moved in the database no longer fits the chain.
 */
export const appendAudit = (tx: Tx, record: AuditRecord): Promise<void> => appendAudits(tx, [record]);

/** Appends several records to the chains of their accounts, in their order. */
export async function appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  const written = records.some(hasAddress)
    ? await withoutAddresses(tx, records)
    : (records as readonly WrittenRecord[]);
  const chains = Map.groupBy(written, ({ accountId }) => accountId);
  // In one order, so that transactions over the same chains cannot deadlock.
  for (const accountId of [...chains.keys()].sort())
    for (const record of chains.get(accountId) as WrittenRecord[])
      await tx.append(CHAINS, accountId, (head) => linked(record, head));
}

/** Locks the chains that are free, with one statement, to append to them. */
export const reserveAudits = (tx: Tx, accountIds: readonly string[]): Promise<ReadonlySet<string>> =>
  tx.tryLockLogs(CHAINS, accountIds);

/** Makes a record the next entry of a chain that ends in `head`. */
function linked(record: WrittenRecord, head: ChainHead | null): { end: ChainHead; row: StoredEntry } {
  const { accountId, action, now: createdAt } = record;
  const { seq: last, hash: prevHash } = head ?? { seq: 0, hash: genesisHash(accountId) };
  const seq = last + 1;
  const entry = canonicalEntry(record, seq, prevHash);
  const end = { seq, hash: hash('sha256', entry, 'hex') };
  const changedAt = isShownChange(record) ? createdAt : null;
  const network = record.network ?? null;
  return { end, row: { accountId, seq, entry, action, createdAt, changedAt, prevHash, hash: end.hash, network } };
}

/**
 * The first fault of a chain. `forged`: the hashes fit, but the signature of a checkpoint covers another entry. The chain
 * was rewritten from this entry or an earlier one.
 */
export interface ChainFault {
  seq: number;
  problem: 'missing' | 'altered' | 'unlinked' | 'forged';
}

export interface ChainResult {
  /** How many entries are valid, counted from the first. */
  entries: number;
  fault: ChainFault | null;
}

const PAGE = 1000;

/**
 * Verifies a chain and its checkpoints, and finds the first entry with a fault. `erased`: the last hashes of chains whose
 * content was erased with their accounts.
 */
export async function verifyChain(
  reader: Reader,
  accountId: string,
  isGenuine?: CheckpointCheck,
  erased?: ReadonlySet<string>,
): Promise<ChainResult & { sealed: number }> {
  const { entries, fault } = await verifyHashes(reader, accountId, erased ?? (await erasedHeads(reader)));
  const checked = isGenuine
    ? await verifyCheckpoints(reader, accountId, entries, isGenuine)
    : { sealed: 0, fault: null };
  const first = [fault, checked.fault].filter((one) => one !== null).sort((a, b) => a.seq - b.seq)[0] ?? null;
  return { entries: first ? Math.min(entries, first.seq - 1) : entries, fault: first, sealed: checked.sealed };
}

/** Each checkpoint must be genuine and have the hash of its entry. Checks up to the last entry with a valid hash. */
async function verifyCheckpoints(reader: Reader, accountId: string, valid: number, isGenuine: CheckpointCheck) {
  let sealed = 0;
  for (;;) {
    const page = await listCheckpoints(reader, { accountId }, { seq: sealed }, PAGE);
    for (const checkpoint of page) {
      const { seq } = checkpoint;
      if (seq > valid) return { sealed, fault: { seq: valid + 1, problem: 'missing' as const } };
      const entry = await findEntry(reader, accountId, seq);
      if (entry?.hash !== checkpoint.hash || !(await isGenuine(checkpoint)))
        return { sealed, fault: { seq, problem: 'forged' as const } };
      sealed = seq;
    }
    if (page.length < PAGE) return { sealed, fault: null };
  }
}

const linkIn = (entry: string): string => (JSON.parse(entry) as { prev_hash: string }).prev_hash;

/** Verifies the hashes of a chain from its first entry, a page at a time. */
async function verifyHashes(reader: Reader, accountId: string, erased: ReadonlySet<string>): Promise<ChainResult> {
  // Read first: a chain may grow during the check, and must not look truncated.
  const head = await readHead(reader, accountId);
  let expected = { seq: 1, prevHash: genesisHash(accountId) };
  // Only a whole chain is ever erased.
  const isErased = head !== null && erased.has(head.hash);
  for (;;) {
    const page = await readEntries(reader, { accountId }, { seq: expected.seq - 1 }, PAGE);
    for (const { seq, entry, prevHash, hash: stored } of page) {
      const entries = expected.seq - 1;
      if (seq !== expected.seq) return { entries, fault: { seq: expected.seq, problem: 'missing' } };
      if (!isErased && hash('sha256', entry, 'hex') !== stored) return { entries, fault: { seq, problem: 'altered' } };
      if (prevHash !== expected.prevHash || (!isErased && linkIn(entry) !== prevHash))
        return { entries, fault: { seq, problem: 'unlinked' } };
      expected = { seq: seq + 1, prevHash: stored };
    }
    if (page.length === PAGE) continue;
    const isTruncated = expected.seq <= (head?.seq ?? 0);
    return { entries: expected.seq - 1, fault: isTruncated ? { seq: expected.seq, problem: 'missing' } : null };
  }
}

export interface ChainReport extends ChainResult {
  accountId: string;
  /** The last entry that a checkpoint covers, together with all earlier ones. 0 without a checkpoint. */
  sealed: number;
}

const CHAINS_PAGE = 500;

/** Verifies one chain, or every chain of the service. */
export async function* verifyChains(
  reader: Reader,
  accountId: string | null,
  isGenuine: CheckpointCheck,
): AsyncGenerator<ChainReport> {
  const erased = await erasedHeads(reader);
  if (accountId !== null) {
    yield { accountId, ...(await verifyChain(reader, accountId, isGenuine, erased)) };
    return;
  }
  for (let last = ''; ; ) {
    const page = await listHeads(reader, {}, { accountId: last }, CHAINS_PAGE);
    for (const { accountId: id } of page)
      yield { accountId: id, ...(await verifyChain(reader, id, isGenuine, erased)) };
    if (page.length < CHAINS_PAGE) return;
    last = page.at(-1)?.accountId ?? last;
  }
}
