import type { AuditRecord } from '../../../api/audit-record.ts';
import { hourStart } from '../../../base/period.ts';

/** Refusals of an account in an hour that are all recorded. Of those beyond, each hundredth is. */
const ALL_UP_TO = 100;
const ONE_OF = 100;
const ACCOUNTS_MAX = 10_000;

/** Records refused changes, such as a key that tries what its scopes do not allow. A flood of them is sampled. */
export class RefusalLog {
  readonly #note: (record: AuditRecord) => void;
  #hour = 0;
  #counts = new Map<string, number>();

  constructor(note: (record: AuditRecord) => void) {
    this.#note = note;
  }

  /** Never throws: the reply is a refusal already. */
  readonly note = (record: AuditRecord): void => {
    const hour = hourStart(record.now);
    if (hour !== this.#hour || this.#counts.size > ACCOUNTS_MAX) this.#counts = new Map();
    this.#hour = hour;
    const count = (this.#counts.get(record.accountId) ?? 0) + 1;
    this.#counts.set(record.accountId, count);
    if (count > ALL_UP_TO && count % ONE_OF !== 0) return;
    try {
      this.#note(record);
    } catch {
      // Too many entries wait already.
    }
  };
}
