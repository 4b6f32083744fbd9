import type { Principal } from '../../kernel/principal.ts';
import type { WaitFor } from '../../kernel/wait.ts';
import type { Waits } from '../../push/event-wait.ts';

/** @param holds whether the credential of a call still opens its account */
export const createWaitFor =
  (waits: Waits, holds: (principal: Principal) => Promise<boolean>): WaitFor =>
  ({ principal, gone }, seconds = 0, look, isFound) => {
    const waiting = { accountId: principal.accountId, seconds, gone, stillAllowed: () => holds(principal) };
    return waits.until(waiting, look, isFound);
  };
