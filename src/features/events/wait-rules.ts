import type { WaitFor } from '../../kernel/wait.ts';
import type { Waits } from '../../push/event-wait.ts';

/** @param stillAllowed whether an `Authorization` header still opens the account */
export const createWaitFor =
  (waits: Waits, stillAllowed: (authorization: string | undefined) => Promise<boolean>): WaitFor =>
  ({ principal, header, onDisconnect }, seconds = 0, look, isFound) => {
    const authorization = header('authorization');
    const waiting = { accountId: principal.accountId, seconds, onDisconnect };
    return waits.until({ ...waiting, stillAllowed: () => stillAllowed(authorization) }, look, isFound);
  };
