import type { Principal } from '../../../api/principal.ts';
import { readEmailQuota } from '../../service/limits/email-quota.ts';
import type { PayingCall } from '../../service/payments/payment.ts';
import { isLarge } from '../mailboxes/content/mail-content.ts';
import { withWritten } from '../mailboxes/content/sealed-copy.ts';
import { copiesFor } from './internal-delivery.ts';
import { composeDraft, type Draft, type SendRequest } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import type { OutboxRules, PaymentOffer, SendingAccount } from './sent-mail.ts';

/** A mail that is ready for `OutboxRules.send`. */
export interface PreparedMail {
  draft: Draft;
  payment: PaymentOffer;
}

/**
 * Writes the large parts of a mail before the transaction that sends it, and removes those that it did not use. They are
 * written sealed alone while all recipients keep their mail sealed: the readable bytes must never reach the disk. A mail
 * that will be refused, as its sender's quota is used up, writes nothing, nor does a dry run.
 */
export async function withLargeParts<T>(
  { database, mailDomain }: Pick<OutboxDeps, 'database' | 'mailDomain'>,
  { principal, now, dryRun }: { principal: SendingAccount; now: number } & Pick<PayingCall, 'dryRun'>,
  draft: Draft,
  send: (draft: Draft) => Promise<T>,
): Promise<T> {
  // No part is larger than the whole.
  if (dryRun || !isLarge(draft.raw.length)) return send(draft);
  const { quotaAccountId, limits } = principal;
  const { dailyRemaining, hourlyRemaining } = await readEmailQuota(database, quotaAccountId, limits, now);
  if (dailyRemaining === 0 || hourlyRemaining === 0) return send(draft);
  const parts = [draft.raw, ...draft.parsed.attachments.map(({ content }) => content)];
  const copies = await copiesFor(database, draft.recipients, mailDomain);
  return withWritten(database, parts, copies, now, (written) => send({ ...draft, written }));
}

/**
 * Composes a mail and reads the payment of the call. Call it outside the transaction.
 * @param path of the call, for the terms of a payment
 * @throws ApiError as `composeDraft`
 */
export async function prepareMail(
  outbox: Pick<OutboxRules, 'paymentOffer'>,
  deps: Pick<OutboxDeps, 'database' | 'mailDomain' | 'readWritten' | 'baseUrl'>,
  call: PayingCall & { principal: Pick<Principal, 'limits'> },
  request: SendRequest,
  path: string,
): Promise<PreparedMail> {
  const draft = await composeDraft(deps, request, call.principal, call.now);
  const payment = await outbox.paymentOffer(call, `${deps.baseUrl()}${path}`);
  return { draft, payment };
}
