import { ApiError } from '../../kernel/errors.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import type { AuditRecord } from './audit-rules.ts';

export interface ReadLog {
  /** Notes that something was read. @throws ApiError `storage_unavailable` when what is noted can no longer be written down */
  note(record: AuditRecord): void;
  /** Puts on the chains what is noted. */
  flush(): Promise<void>;
}

const NOTED_MAX = 20_000;
/** Entries a transaction: writers queue behind it. */
const CHUNK = 64;

/**
 * Reads that are worth a record, such as those of a vault. A record of its own would make each read wait for the disk,
 * so they are noted here and put on the chains each second. A crash loses at most that second's; no change is ever
 * recorded this way. The same read by the same credential from the same place within a second is one entry.
 */
export function createReadLog(
  database: Database,
  append: (tx: Tx, records: readonly AuditRecord[]) => Promise<void>,
): ReadLog {
  let noted = new Map<string, AuditRecord>();
  let flushing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const due = noted;
    noted = new Map();
    // Chains are locked in one order, here and wherever more than one is appended to.
    const records = [...due].sort(([, a], [, b]) =>
      a.accountId < b.accountId ? -1 : a.accountId > b.accountId ? 1 : 0,
    );
    try {
      while (records.length > 0) {
        const chunk = records.slice(0, CHUNK);
        await database.transaction((tx) =>
          append(
            tx,
            chunk.map(([, record]) => record),
          ),
        );
        records.splice(0, chunk.length);
      }
    } catch (err) {
      // Kept for the next time; what was noted since keeps its place behind.
      noted = new Map([...records, ...noted]);
      throw err;
    }
  }

  return {
    note: (record) => {
      const { accountId, action, resourceId, actor, ip } = record;
      const id = `${accountId} ${action} ${resourceId} ${actor} ${ip}`;
      if (noted.has(id)) return;
      if (noted.size >= NOTED_MAX)
        throw new ApiError('storage_unavailable', { cause: 'reads can no longer be put on record' });
      noted.set(id, record);
    },
    flush: () => {
      // One at a time, so that whoever waits for it waits for what a flush before has still in hand.
      flushing = flushing.catch(() => {}).then(() => (noted.size > 0 ? write() : undefined));
      return flushing;
    },
  };
}
