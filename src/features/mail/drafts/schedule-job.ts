import { ApiError } from '../../../api/errors.ts';
import { type JobAttempt, type JobOutcome, notBefore } from '../../../api/job-types.ts';
import { requireScope } from '../../../api/scopes.ts';
import type { Tx } from '../../../api/transaction.ts';
import { findAccount, isOpen } from '../../account/accounts/account-lifecycle.ts';
import { isExpired, listNamedKeys } from '../../account/keys/named-key.ts';
import { quotasOf } from '../../identity/login/account-access.ts';
import type { DraftDeps, DraftRules } from './draft.ts';
import { findDraft } from './draft-store.ts';
import type { SavedDraft } from './draft-table.ts';

/** The job had not seen the last change of the draft. */
const CHANGED = 'the draft was changed meanwhile';

const ended = (): ApiError =>
  new ApiError('insufficient_scope', { message: 'The key that scheduled the mail has ended.' });

/** Makes the job that sends a scheduled mail. The mail leaves in the transaction that marks the draft as sent. */
export function createScheduled(drafts: DraftRules, { database, limits, jobEffects }: DraftDeps) {
  const noted = (tx: Tx, { accountId, id }: SavedDraft, action: string, now: number): Promise<void> =>
    jobEffects.note(tx, { accountId, action, resourceId: id, now });

  /** The account of a draft, if it may still send. @throws ApiError `account_suspended`; `insufficient_scope`: its key has ended, or may send no more */
  async function senderOf({ accountId, keyId }: SavedDraft, now: number) {
    const account = await findAccount(database, accountId);
    if (account === null || !(await isOpen(database, account))) throw new ApiError('account_suspended');
    const keys = keyId === null ? [] : await listNamedKeys(database, accountId);
    const key = keys.find(({ id }) => id === keyId);
    if (keyId !== null && (!key || isExpired(key, now))) throw ended();
    const { payer } = await quotasOf(database, account, limits);
    const sender = { ...payer, scopes: key?.scopes ?? null, addresses: key?.addresses ?? null };
    requireScope(sender, 'mail:send');
    return sender;
  }

  async function send(draft: SavedDraft, now: number): Promise<void> {
    const principal = await senderOf(draft, now);
    const call = { principal, header: () => undefined, now, dryRun: null };
    const mail = await drafts.prepare(call, draft);
    await drafts.requireUnmasked(database, principal, draft);
    await drafts.writeAhead(mail, call, (whole) =>
      database.transaction(async (tx) => {
        await drafts.send(tx, draft, whole, principal, now);
        await noted(tx, draft, 'draft.sent', now);
      }),
    );
  }

  return async ({ payload: { draftId, sendAt }, now }: JobAttempt<'draft.send'>): Promise<JobOutcome> => {
    const draft = await findDraft(database, draftId);
    // Cancelled, deleted, sent, or scheduled for another time, which has another job.
    if (draft?.status !== 'scheduled' || draft.sendAt !== sendAt) return { status: 'done' };
    if (sendAt > now) return notBefore(sendAt);
    try {
      await send(draft, now);
      return { status: 'done' };
    } catch (err) {
      if (!(err instanceof ApiError) || err.status >= 500) throw err;
      if (['already_sent', 'draft_changed', 'not_found'].includes(err.code))
        return { status: 'retry', reason: CHANGED, runAt: now };
      const error = `${err.code}: ${err.message}`;
      return {
        status: 'done',
        complete: async (tx) => {
          if (await drafts.fail(tx, draft, error, now)) await noted(tx, draft, 'draft.failed', now);
        },
      };
    }
  };
}
