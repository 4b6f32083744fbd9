import { systemNow } from './client-clock.ts';
import type { WaitForMailInput, WaitForMailReply } from './generated/operations.ts';
import type { CallOptions, FullReply } from './operation.ts';

export interface CodeWait extends Pick<WaitForMailInput, 'address' | 'from' | 'subject' | 'after'> {
  /** How long to wait in all. Default 120. */
  seconds?: number;
}

type Found = NonNullable<WaitForMailReply['code']>;

/** A code that came by mail. `code` is null when several candidates fit equally well. */
export interface ReceivedCode extends Found {
  links: NonNullable<WaitForMailReply['links']>;
  message: NonNullable<WaitForMailReply['message']>;
}

type WaitForMail = (input: WaitForMailInput, options: CallOptions) => Promise<FullReply<WaitForMailReply>>;

const SECONDS = 120;
/** The longest that the service waits in one call. */
const SECONDS_A_CALL = 60;
/** For the network, on top of the wait. */
const MARGIN_MS = 15_000;

/** The time of a reply by the clock of the service, in whole seconds: never later than the reply. */
const timeOf = (headers: Headers): string | undefined => {
  const at = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/**
 * Waits for mail with a code, in as many calls as needed. Mail that comes between two calls counts.
 * @returns null if no code came in time
 */
export async function waitForCode(
  waitForMail: WaitForMail,
  { seconds = SECONDS, ...filter }: CodeWait,
  options: CallOptions = {},
): Promise<ReceivedCode | null> {
  const end = systemNow() + seconds * 1000;
  let after = filter.after;
  let uncertain: ReceivedCode | null = null;
  for (;;) {
    const left = Math.ceil((end - systemNow()) / 1000);
    const wait = Math.min(SECONDS_A_CALL, Math.max(1, left));
    const timeoutMs = wait * 1000 + MARGIN_MS;
    const { body, headers } = await waitForMail({ ...filter, after, code: true, wait }, { ...options, timeoutMs });
    const { code, links, message } = body;
    if (code && message) uncertain = { ...code, links: links ?? [], message };
    if ((uncertain && code?.code) || left <= SECONDS_A_CALL) return uncertain;
    after = filter.after ?? timeOf(headers) ?? after;
  }
}
