import { requireNoDeletion } from '../../../api/account/pending-deletion.ts';
import { callerOf } from '../../../api/audit-record.ts';
import { ApiError } from '../../../api/errors.ts';
import { findPresented, type Principal } from '../../../api/principal.ts';
import { hasScope, type Scope } from '../../../api/scopes.ts';
import type { Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { type ImapFolder, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import type { ProgramLogin } from './program-login.ts';

/** What a folder needs of a credential so that something in it may be changed. */
export const scopeToChange = (folder: ImapFolder): Scope => (folder === 'Drafts' ? 'mail:send' : 'mail:manage');

/**
 * Who a login is by now. A session lasts for days, so its credential is found anew for each command, as for a call of the
 * API: it may have other scopes, and its account may be suspended or about to be deleted.
 * @throws ImapRefusal `NOPERM` when it has ended; ApiError as a call
 */
export async function currentCaller(
  { credentials, addresses, database, now }: MailProgramDeps,
  { principal, address }: ProgramLogin,
): Promise<Principal> {
  const { credential, hash } = findPresented(principal);
  const { accountId: account, grant } = principal;
  const found = await credentials.ofHash(credential, hash, now(), { account, forClients: grant !== null });
  if (found === null || !hasScope(found, 'mail:read')) throw new ImapRefusal('NOPERM', 'This login has ended');
  // Released, or no longer among those of the key.
  await addresses.requireOwned(database, found, address);
  return found;
}

/**
 * The same for a change in a folder.
 * @throws ImapRefusal `NOPERM` without the scope, `UNAVAILABLE` while the disk is full; ApiError as a call
 */
export async function currentChanger(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
): Promise<Principal> {
  const caller = await currentCaller(deps, login);
  const scope = scopeToChange(folder);
  if (!hasScope(caller, scope)) throw new ImapRefusal('NOPERM', `Needs ${scope}`);
  requireNoDeletion(caller);
  if (!deps.mayStore()) throw new ApiError('storage_unavailable');
  return caller;
}

/** Notes in the audit log what a command did to some mails: an entry for all of one transaction. */
export async function noteCommand(
  { appendAudits, now }: MailProgramDeps,
  tx: Tx,
  { ip, network }: ProgramLogin,
  caller: Principal,
  action: string,
  ids: readonly string[],
): Promise<void> {
  const [id = null] = ids;
  if (id === null) return;
  const at = now();
  const things = ids.length === 1 ? { resourceId: id } : { resourceId: null, count: ids.length };
  const { accountId } = caller;
  const about = { accountId, action, ...things, ...callerOf(caller), ip, network };
  await appendAudits(tx, [{ ...about, requestId: newId('req', at), status: 200, now: at }]);
}
