import type { AuditRecord } from '../../../api/audit-record.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Database, Tx } from '../../../api/transaction.ts';

type AppendAudits = (tx: Tx, records: readonly AuditRecord[]) => Promise<void>;

const NOTED_MAX = 20_000;
/** Entries of one transaction. Other writers wait for it. */
const CHUNK = 64;

/**
 * Audits reads, such as those of a vault. A transaction for each read would make it wait for the disk, so reads are
 * collected and written every second. A crash loses at most the last second of reads; changes are never recorded this
 * way. Repeated reads of one thing by one credential from one place within a second become one entry.
 */
export class ReadLog {
  readonly #database: Database;
  readonly #append: AppendAudits;
  #noted = new Map<string, AuditRecord>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(database: Database, append: AppendAudits) {
    this.#database = database;
    this.#append = append;
  }

  /** Notes a read or a refusal. @throws ApiError `storage_unavailable` when too many reads wait to be written */
  readonly note = (record: AuditRecord): void => {
    const { accountId, action, resourceId, actor, ip, status, isDryRun, isConsole } = record;
    const id = `${accountId} ${action} ${resourceId} ${JSON.stringify(actor)} ${ip} ${status} ${isDryRun} ${isConsole}`;
    if (this.#noted.has(id)) return;
    if (this.#noted.size >= NOTED_MAX)
      throw new ApiError('storage_unavailable', { cause: 'too many reads wait for the audit log' });
    this.#noted.set(id, record);
  };

  /** Writes the noted reads. Waits for an earlier flush. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => {}).then(() => (this.#noted.size > 0 ? this.#write() : undefined));
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const due = this.#noted;
    this.#noted = new Map();
    // Every transaction locks chains in this order.
    const records = [...due].sort(([, a], [, b]) =>
      a.accountId < b.accountId ? -1 : a.accountId > b.accountId ? 1 : 0,
    );
    try {
      while (records.length > 0) {
        const chunk = records.slice(0, CHUNK).map(([, record]) => record);
        await this.#database.transaction((tx) => this.#append(tx, chunk));
        records.splice(0, chunk.length);
      }
    } catch (err) {
      // The next flush writes them, before the reads noted since.
      this.#noted = new Map([...records, ...this.#noted]);
      throw err;
    }
  }
}
