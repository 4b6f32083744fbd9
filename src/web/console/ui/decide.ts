import type { SignetClient } from '../../../client/signet-client.ts';
import { passkeySession } from './browser-passkey.ts';
import { hasCode, serviceFor } from './console-service.ts';
import type { Workspace } from './workspace.ts';

/**
 * Makes a decision of an operator. Where a passkey is required and the login was by mail, the passkey is asked for
 * this one
 * decision, in a session that ends with it.
 */
export async function decided<Reply>(
  workspace: Workspace,
  accountId: string,
  decide: (service: SignetClient) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await decide(workspace.serviceOf(accountId));
  } catch (err) {
    if (!workspace.isSession || !hasCode(err, 'passkey_required')) throw err;
  }
  return byPasskey(accountId, decide);
}

/** Answers for an address by `decide`, or where it requires a passkey, by `again` in a session that one opens. */
export async function answered<Reply>(
  decide: () => Promise<Reply>,
  again: (service: SignetClient) => Promise<Reply>,
): Promise<Reply> {
  try {
    return await decide();
  } catch (err) {
    if (!hasCode(err, 'passkey_required')) throw err;
  }
  // The person does not operate the account yet, so the session is for another of the person's accounts.
  return byPasskey(undefined, again);
}

/** Makes one decision in a session that a passkey opens, and that ends with it. */
export async function byPasskey<Reply>(
  accountId: string | undefined,
  decide: (service: SignetClient) => Promise<Reply>,
): Promise<Reply> {
  const { session } = await passkeySession(accountId);
  const service = serviceFor(session);
  try {
    return await decide(service);
  } finally {
    await service.logout().catch(() => {});
  }
}
