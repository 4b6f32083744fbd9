import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import { createAccount } from '../../account/accounts/account-lifecycle.ts';
import type { KeyRules } from '../../account/keys/key.ts';
import { nameAtSignUp } from '../../account/people/person.ts';
import { createInvite, type MintedInvite } from '../../account/sign-up/invite.ts';
import { appendAudit } from '../../record/audit/audit-log.ts';

export interface SignUpDeps {
  database: Database;
  keys: Pick<KeyRules, 'issue'>;
  enqueueJob: EnqueueJob;
  now(): number;
}

/** The chain of what concerns no account. */
const SERVICE_CHAIN = 'service';

/** Creates accounts and invites for the administrator, whatever `SIGNUP` is. */
export function createSignUps({ database, keys, enqueueJob, now }: SignUpDeps) {
  async function append(tx: Tx, accountId: string, action: string, resourceId: string, at: number): Promise<void> {
    const requestId = newId('req', at);
    const entry = { accountId, action, resourceId, actor: 'operator', ip: 'local', requestId, status: 201, now: at };
    await appendAudit(tx, entry);
  }
  return {
    /** @throws ApiError `invalid_request` for an invalid email address */
    createAccount: (name: string | null, email: string | null): Promise<{ id: string; key: string }> =>
      database.transaction(async (tx) => {
        const at = now();
        const personal = email === null ? null : requirePersonalEmail(email, '/email');
        const { id } = await createAccount(tx, { name }, at);
        if (personal !== null)
          await nameAtSignUp(tx, enqueueJob, { accountId: id, role: 'email', address: personal }, at);
        const { key } = await keys.issue(tx, id, 'platform', at);
        await append(tx, id, 'account.created', id, at);
        return { id, key };
      }),
    createInvite: (): Promise<MintedInvite> =>
      database.transaction(async (tx) => {
        const at = now();
        const minted = await createInvite(tx, at);
        await append(tx, SERVICE_CHAIN, 'invite.created', minted.id, at);
        return minted;
      }),
  };
}
