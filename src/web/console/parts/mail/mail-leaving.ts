import { monotonicNow } from '../../../../client/client-clock.ts';
import type { GetSentEmailReply, SendDraftReply, SendEmailReply } from '../../../../client/generated/operations.ts';
import { hasCode, messageOf } from '../../ui/console-service.ts';
import { fullTime } from '../../ui/format.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The last seconds of a mail before it leaves: it can be taken back, and the service sends it by itself. */

const LEAVES_IN_MS = 10_000;
/** The service looks each second for what is due. */
const LOOK_EVERY_MS = 1500;
const LOOKS = 6;

/** Says the truth about a mail: a development server sends none outside. */
export function outcome(reply: SendEmailReply | SendDraftReply): string {
  if ('review_id' in reply) return 'Held: an operator must approve it first.';
  if (reply.provider === 'file') return 'Kept on this machine: this development server sends no mail outside.';
  return reply.status === 'sent' ? 'Sent.' : 'Queued. The folder Sent shows its delivery.';
}

const outcomeOf = ({ review, left_machine: left, status, error }: GetSentEmailReply): string =>
  review !== null
    ? 'Held: an operator must approve it first.'
    : left === false
      ? 'Kept on this machine: this development server sends no mail outside.'
      : status === 'failed'
        ? `Not delivered: ${error}`
        : 'Sent.';

/** Tries to send, and asks where a recipient cannot get it. @returns whether to go on @throws what would refuse it */
async function tried({ service }: Workspace, id: string): Promise<{ isHeld: boolean } | null> {
  const reply = await service.sendDraft({ id }, { dryRun: true });
  if ('review_id' in reply) return { isHeld: true };
  const missing = (reply.internal_recipients ?? []).filter(({ delivered }) => !delivered);
  if (missing.length === 0) return { isHeld: false };
  const names = missing.map(({ address, error }) => `${address}: ${error}`).join(' ');
  return (await confirmed('Send it anyway?', names, 'Send')) ? { isHeld: false } : null;
}

/**
 * The clock of the service, from what it just said, so that a wrong clock of this device does no harm.
 * @param now the time of the service, ISO 8601 @returns its time in so many milliseconds
 */
export function serviceClock(now: string): (ms: number) => string {
  const [at, when] = [Date.parse(now), monotonicNow()];
  return (ms) => new Date(at + Math.round(monotonicNow() - when) + ms).toISOString();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Says how it went, once it has left. Whatever fails here, the mail is on its way. */
async function follow({ service }: Workspace, id: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    await pause(LOOK_EVERY_MS);
    const { status, email_id: sentId, error } = await service.getDraft({ id });
    if (status === 'draft') return;
    if (status === 'failed') return toast(`Not sent. ${error} It is in Drafts.`, { isProblem: true });
    if (sentId !== null) return toast(outcomeOf(await service.getSentEmail({ id: sentId })));
  }
}

interface Leaving {
  id: string;
  /** The mailbox that is shown. */
  address: string;
  /** ISO 8601; undefined: in some seconds. */
  later?: string | undefined;
  /** Schedules the draft. */
  schedule(at: string): Promise<unknown>;
  /** The time of the service. */
  clock(ms: number): string;
}

/** Sends a draft that is saved: refusals show at once, and it can be taken back. @returns false when the person changed their mind */
export async function letLeave(
  workspace: Workspace,
  { id, address, later, schedule, clock }: Leaving,
): Promise<boolean> {
  const trial = await tried(workspace, id);
  if (trial === null) return false;
  const at = later ?? clock(LEAVES_IN_MS);
  await schedule(at);
  announce(workspace, { id, address, at }, { isSoon: later === undefined, ...trial });
  return true;
}

/**
 * Tells that a mail leaves by itself, and offers to take it back until then.
 * @param at when, ISO 8601 @param isSoon whether that is in seconds
 */
function announce(
  workspace: Workspace,
  { id, address, at }: { id: string; address: string; at: string },
  { isSoon, isHeld }: { isSoon: boolean; isHeld: boolean },
): void {
  let isUndone = false;
  const undo = async (): Promise<void> => {
    try {
      await workspace.service.updateDraft({ id, send_at: null });
      isUndone = true;
      workspace.go(workspace.link('mail', address, 'drafts', id));
    } catch (err) {
      throw hasCode(err, 'already_sent') ? new Error('Too late: it was already sent.') : new Error(messageOf(err));
    }
  };
  const what = isHeld ? 'It goes to an operator for approval' : 'Sending';
  if (!isSoon) {
    toast(`${isHeld ? what : 'Sends'} on ${fullTime(at)}.`, { undo });
    return;
  }
  toast(`${what} in ${LEAVES_IN_MS / 1000} seconds.`, { undo, forMs: LEAVES_IN_MS });
  const end = async (): Promise<void> => {
    await pause(LEAVES_IN_MS);
    if (!isUndone) await follow(workspace, id).catch(() => {});
  };
  void end();
}
