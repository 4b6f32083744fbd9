import { type AuditRecord, SERVICE } from '../api/audit-record.ts';
import type { Tx } from '../api/transaction.ts';
import { newId } from '../base/ids.ts';

/** What a job did to an account, without a call. */
export interface JobEffect {
  accountId: string;
  /** `category.verb` */
  action: string;
  /** Null: nothing that has an id. */
  resourceId: string | null;
  /** How many things it did it to, where that can be several. */
  count?: number;
  /** Milliseconds since the epoch. */
  now: number;
}

type Append = (tx: Tx, records: readonly AuditRecord[]) => Promise<void>;

/** Puts effects of jobs into the audit log, in their transaction. The audit log is built after the features that use it. */
export class JobEffects {
  #append: Append = () => Promise.reject(new Error('the audit log is not built yet'));

  attach(append: Append): void {
    this.#append = append;
  }

  note(tx: Tx, { now, ...effect }: JobEffect): Promise<void> {
    return this.#append(tx, [{ ...effect, actor: SERVICE, ip: '', requestId: newId('job', now), status: 200, now }]);
  }
}
