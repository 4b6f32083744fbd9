import { ApiError, type ErrorCode } from '../../../../api/errors.ts';
import { iso } from '../../../../base/clock.ts';
import { MalformedMail } from '../../../../mail/mime/written-header.ts';
import type { SubmitAnswer } from '../../../../mail/smtp-submit/submit-listener.ts';

/** A refusal in the words of SMTP. The text begins with an enhanced status code (RFC 3463). */
export class SubmissionRefusal extends Error {
  override readonly name = 'SubmissionRefusal';
  /** Not `code`: by that the database knows the errors of its driver. */
  readonly replyCode: number;

  constructor(replyCode: number, text: string) {
    super(text);
    this.replyCode = replyCode;
  }
}

const REFUSED = [550, '5.7.1'] as const;
/** A payment is not offered over SMTP, so what could be paid waits. */
const LATER = [452, '4.7.1'] as const;
const ENDED = [421, '4.7.0'] as const;

/** How the refusals of a call of the API are said by SMTP. */
const CODES: Partial<Record<ErrorCode, readonly [code: number, status: string]>> = {
  sender_not_owned: REFUSED,
  recipient_not_allowed: REFUSED,
  recipient_suppressed: REFUSED,
  secret_in_mail: REFUSED,
  insufficient_scope: REFUSED,
  account_deleting: REFUSED,
  too_many_recipients: [452, '4.5.3'],
  invalid_recipient: [553, '5.1.3'],
  payment_required: LATER,
  payment_invalid: LATER,
  rate_limited: LATER,
  sending_paused: LATER,
  storage_full: [452, '4.2.2'],
  unauthorized: ENDED,
  not_found: ENDED,
  account_suspended: ENDED,
  pod_suspended: ENDED,
  idempotency_in_progress: [451, '4.3.0'],
  storage_unavailable: [452, '4.3.1'],
};

/** RFC 5321 4.5.3.1.5: a reply line has at most 512 octets. */
const TEXT_CHARS = 400;

/** One line of ASCII: not every client has SMTPUTF8, and the text may quote an address. */
const line = (text: string): string => text.replace(/[^\x20-\x7e]+/g, '?').slice(0, TEXT_CHARS);

/** Which limit is used up, and when more is let through. */
function limitText({ fields, headers, message }: ApiError, now: number): string {
  const limit = [fields.quota, fields.limit].find((field) => typeof field === 'object' && field !== null);
  const { name, used, max } = (limit ?? {}) as { name?: string; used?: number; max?: number };
  const seconds = Number(fields.retry_after ?? headers['retry-after']);
  const at = fields.resumes_at ?? (Number.isFinite(seconds) ? iso(now + seconds * 1000) : null);
  const what = name === undefined ? message : `The limit ${name} is used up (${used} of ${max})`;
  return at === null ? what : `${what}, try again at ${at}`;
}

function textOf(err: ApiError, now: number): string {
  if (CODES[err.code] === LATER) return limitText(err, now);
  if (err.code !== 'recipient_suppressed') return err.message;
  const named = (err.fields.recipients ?? []) as readonly { address: string; reason: string }[];
  return `Mail to these recipients is suppressed: ${named.map(({ address, reason }) => `${address} (${reason})`).join(', ')}`;
}

/** How a refusal is answered. @returns null for a fault, which says nothing about the mail */
export function answerOf(err: unknown, now: number): Extract<SubmitAnswer, { ok: false }> | null {
  if (err instanceof SubmissionRefusal) return { ok: false, code: err.replyCode, text: line(err.message) };
  if (err instanceof MalformedMail) return { ok: false, code: 554, text: line(`5.6.0 ${err.message}`) };
  if (!(err instanceof ApiError)) return null;
  const [code, status] = CODES[err.code] ?? (err.status >= 500 ? [451, '4.3.0'] : [554, '5.6.0']);
  return { ok: false, code, text: line(`${status} ${textOf(err, now)}`) };
}
