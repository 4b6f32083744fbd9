import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Tx } from '../../../api/transaction.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { parseMailbox } from '../../../mail/address/mail-address.ts';
import { composeMail, newMessageId } from '../../../mail/mime/compose.ts';
import { readRaw, releaseContent } from '../mailboxes/content/mail-content.ts';
import type { InboundDeps } from './intake.ts';
import { NOT_SET, type PostmasterRules } from './postmaster.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Forwards a mail to postmaster@ or abuse@ to the people who run the service. */
    'mail.postmaster': { contentId: string; envelopeFrom: string; recipient: string; sizeBytes?: number };
  }
}

const MINUTE_MS = 60_000;
/** Delays before the second and later attempts. After the last one the mail is kept, if there is room. */
const RETRY_DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS] as const;

/**
 * Makes the job handler that forwards a mail as an attachment: a relay refuses a stranger's address in From, and the
 * stranger's DKIM and DMARC would not hold for our server. The null sender and an address that receives no mail in From
 * keep every bounce and automatic reply away; `Delivered-To` (RFC 9228) shows a loop.
 */
export function createForward(
  postmaster: PostmasterRules,
  deps: InboundDeps,
): (attempt: JobAttempt<'mail.postmaster'>) => Promise<JobOutcome> {
  const { database, transport, mailDomain } = deps;

  async function compose(raw: Uint8Array, { payload, now, to }: { payload: Payload; now: number; to: string }) {
    const { contentId, envelopeFrom, recipient } = payload;
    const sender = parseMailbox(envelopeFrom);
    const mail = await composeMail({
      from: { address: `noreply@${mailDomain}`, name: 'Signet' },
      to: [to],
      replyTo: sender,
      subject: `Mail to ${recipient}`,
      text: `Mail for ${recipient}\nfrom ${sender ?? 'the null sender'}.\n\nIt is attached as it was received.\n`,
      messageId: newMessageId(contentId, mailDomain),
      date: new Date(now),
      autoSubmitted: 'auto-generated',
      attachments: [{ filename: 'message.eml', contentType: 'message/rfc822', content: raw }],
    });
    return Buffer.concat([Buffer.from(`Delivered-To: ${recipient}\r\n`), mail]);
  }

  return async ({ payload, attempt, now, signal }) => {
    const { contentId } = payload;
    const raw = await readRaw(database, contentId);
    if (raw === null) return { status: 'done' };
    const release = (tx: Tx): Promise<void> => releaseContent(tx, contentId);
    const { recipient, envelopeFrom } = payload;
    const mail = { contentId, recipient, envelopeFrom, sizeBytes: raw.length, keptAt: now };
    const keep = (reason: string) => (tx: Tx) => postmaster.keepLast(tx, { ...mail, reason });
    const to = deps.postmasterMail;
    if (to === null) {
      const delay = RETRY_DELAYS_MS[attempt - 1];
      // A mail of an agent: the sender has heard that it was taken, so it waits here for room.
      if (delay !== undefined && !(await deps.postmasterRoom.holds(database, raw.length)))
        return { status: 'retry', reason: 'there is no room for such mail', runAt: now + delay };
      return { status: 'done', complete: keep(NOT_SET) };
    }
    const message = {
      id: contentId,
      envelopeFrom: '',
      recipients: [to],
      raw: await compose(raw, { payload, now, to }),
    };
    const result = await transport.send(message, signal);
    if (result.status === 'sent') {
      deps.onSent({ id: contentId, provider: transport.provider, providerId: result.providerId });
      return { status: 'done', complete: release };
    }
    // No attempt was made, so none is counted.
    if (result.status === 'deferred' && result.busyMs !== undefined)
      return { status: 'retry', reason: result.reason, runAt: now + result.busyMs, isUncounted: true };
    const delay = RETRY_DELAYS_MS[attempt - 1];
    if (result.status === 'deferred' && delay !== undefined)
      return { status: 'retry', reason: result.reason, runAt: now + delay };
    return { status: 'done', complete: keep(result.reason) };
  };
}

type Payload = JobAttempt<'mail.postmaster'>['payload'];
