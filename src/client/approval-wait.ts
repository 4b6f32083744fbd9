import { systemNow } from './client-clock.ts';
import type { GetApprovalReply, Operations } from './generated/operations.ts';
import type { CallOptions } from './operation.ts';
import { Forbidden } from './signet-error.ts';
import { pause } from './timeout.ts';

export interface ApprovalWait {
  /** How long to wait in all. Default 600. */
  seconds?: number;
}

const SECONDS = 600;
/** The longest that the service waits in one call. */
const SECONDS_A_CALL = 60;
/** Between two questions of a key that may not read events. */
const POLL_MS = 5000;

/** Waits for the event of a decision. @returns the approval, still `pending` when the time is over */
export async function waitForApproval(
  client: Pick<Operations, 'getApproval' | 'listEvents'>,
  id: string,
  { seconds = SECONDS }: ApprovalWait,
  options?: CallOptions,
): Promise<GetApprovalReply> {
  const end = systemNow() + seconds * 1000;
  let after: string | null | undefined;
  try {
    after = (await client.listEvents({ order: 'desc', limit: 1 }, options)).events[0]?.id;
  } catch (err) {
    if (!(err instanceof Forbidden)) throw err;
    after = null;
  }
  for (;;) {
    const approval = await client.getApproval({ id }, options);
    const left = end - systemNow();
    if (approval.status !== 'pending' || left <= 0) return approval;
    if (after === null) await pause(Math.min(left, POLL_MS), options?.signal);
    else {
      const wait = Math.min(SECONDS_A_CALL, Math.ceil(left / 1000));
      const { events } = await client.listEvents({ after, type: 'approval.resolved', wait, limit: 1 }, options);
      after = events[0]?.id ?? after;
    }
  }
}
