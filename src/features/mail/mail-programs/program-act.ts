import { type AuditRecord, callerOf } from '../../../api/audit-record.ts';
import { ApiError } from '../../../api/errors.ts';
import type { Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { type Address, lockAddresses, mayUse } from '../../account/addresses/address.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import type { ProgramLogin } from './program-login.ts';
import { imapRefusal } from './program-refusal.ts';

/** What a transaction of a mail program did. */
export interface Acted<T> {
  /** Which things it did what to, for the audit log. */
  acts: readonly { action: string; id: string }[];
  /**
   * What is read last: it may name the UIDs, and these lock the rows of folders, which every transaction locks after all else.
   */
  value(): Promise<T>;
}

/** Several things have one entry with their number, but what is deleted is named. */
function entriesOf(acts: Acted<unknown>['acts']): Pick<AuditRecord, 'action' | 'resourceId' | 'count'>[] {
  const groups = Map.groupBy(acts, ({ action, id }) => (action.endsWith('.deleted') ? id : action));
  return [...groups.values()].flatMap((same) => {
    const [first, ...more] = same;
    if (first === undefined) return [];
    const { action, id: resourceId } = first;
    return more.length === 0 ? { action, resourceId } : { action, resourceId: null, count: same.length };
  });
}

/**
 * Does something for a mail program in one transaction, after its credential was looked at again and its address is locked. The
 * caller has looked that `login` may. The audit log says what was done.
 * @throws ImapRefusal
 */
export async function act<T>(
  { database, credentials, appendAudits, now: clock }: MailProgramDeps,
  { principal, address, ip, network }: ProgramLogin,
  work: (tx: Tx, owner: Address, now: number) => Promise<Acted<T>>,
): Promise<T> {
  const now = clock();
  const requestId = newId('req', now);
  try {
    return await database.transaction(async (tx) => {
      await credentials.confirm(tx, principal);
      const owner = (await lockAddresses(tx, [address])).get(address);
      if (owner === undefined || !mayUse(principal, owner)) throw new ApiError('not_found');
      const { acts, value } = await work(tx, owner, now);
      const caller = { ...callerOf(principal), accountId: principal.accountId, ip, network, requestId };
      const records = entriesOf(acts).map((entry) => ({ ...caller, ...entry, status: 200, now }));
      if (records.length > 0) await appendAudits(tx, records);
      return value();
    });
  } catch (err) {
    throw imapRefusal(err);
  }
}
