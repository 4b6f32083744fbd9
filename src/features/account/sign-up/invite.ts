import { ApiError } from '../../../api/errors.ts';
import type { Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, mintToken } from '../../../base/secret.ts';
import { insertInvite, purgeInvites, takeInvite } from './invite-store.ts';
import type { SignUpMode } from './invite-table.ts';
import { saveSignUpMode, storedSignUpMode } from './sign-up-store.ts';

export { purgeInvites, saveSignUpMode, storedSignUpMode };

const INVITE_DAYS = 7;

export interface MintedInvite {
  /** Shown once. Only its hash is stored. */
  invite: string;
  id: string;
  /** Milliseconds. */
  expiresAt: number;
}

/** Creates an invite: it admits one sign-up within seven days. */
export async function createInvite(tx: Tx, now: number): Promise<MintedInvite> {
  const invite = mintToken('invite_');
  const id = newId('inv', now);
  const expiresAt = now + INVITE_DAYS * 86_400_000;
  await insertInvite(tx, { hash: hashSecret(invite), id, createdAt: now, expiresAt });
  return { invite, id, expiresAt };
}

/**
 * Decides whether a caller may sign up. It uses the invite up in the transaction of the sign-up, so that a refused
 * sign-up leaves the invite usable. With open sign-up the invite is not read.
 * @throws ApiError `signup_closed`, `invite_required`
 */
export async function admitSignUp(
  tx: Tx,
  configured: SignUpMode,
  invite: string | undefined,
  now: number,
): Promise<void> {
  const mode = (await storedSignUpMode(tx)) ?? configured;
  if (mode === 'open') return;
  if (mode === 'closed') throw new ApiError('signup_closed');
  if (invite === undefined || (await takeInvite(tx, hashSecret(invite), now)) === 0)
    throw new ApiError('invite_required');
}
