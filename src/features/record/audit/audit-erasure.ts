import { type AuditRecord, SERVICE } from '../../../api/audit-record.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { eraseEntries, readEntries, readHead } from './audit-store.ts';

/** The chain of what concerns no account: sign-ups and deletions by the administrator, and what jobs did. */
export const SERVICE_CHAIN = 'service';
const DELETED = 'account.deleted';
const PAGE = 1000;

/** Erases the content of the audit chain of an account that is deleted. Its hashes stay, so the chain still verifies. */
export function createAuditErasure(appendAudits: (tx: Tx, records: readonly AuditRecord[]) => Promise<void>) {
  return {
    erase: async (tx: Tx, accountId: string, afterSeq: number, limit: number) => {
      const end = (await readHead(tx, accountId))?.seq ?? 0;
      const seq = Math.min(end, afterSeq + limit);
      await eraseEntries(tx, accountId, afterSeq, seq);
      return { seq, isDone: seq === end };
    },
    /** The entry names the last hash of the chain, and not the account. Without it an erased chain counts as altered. */
    witness: async (tx: Tx, accountId: string, now: number) => {
      const head = await readHead(tx, accountId);
      const entry = { accountId: SERVICE_CHAIN, action: DELETED, resourceId: head?.hash ?? null };
      const requestId = newId('req', now);
      await appendAudits(tx, [{ ...entry, actor: SERVICE, ip: 'local', requestId, status: 200, now }]);
    },
  };
}

/** The last hashes of the chains that were erased with their accounts, as the service's own chain tells. */
export async function erasedHeads(reader: Reader): Promise<ReadonlySet<string>> {
  const heads = new Set<string>();
  for (let last = 0; ; ) {
    const page = await readEntries(reader, { accountId: SERVICE_CHAIN }, { seq: last }, PAGE);
    for (const { entry } of page) {
      const { action, resource_id: head } = JSON.parse(entry) as { action: string; resource_id: string | null };
      if (action === DELETED && head !== null) heads.add(head);
    }
    if (page.length < PAGE) return heads;
    last = page.at(-1)?.seq ?? last;
  }
}
