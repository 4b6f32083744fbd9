import type { Principal } from '../../kernel/principal.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { ReadsWritten } from '../../mail/mime.ts';
import type { PayingCall } from '../payments/payment-rules.ts';
import { composeDraft, type Draft, type SendRequest } from './draft-rules.ts';
import type { OutboxRules, PaymentOffer } from './outbox-rules.ts';

export interface PrepareDeps {
  outbox: Pick<OutboxRules, 'paymentOffer'>;
  database: Reader;
  mailDomain: string;
  readWritten: ReadsWritten;
  baseUrl(): string;
}

/** A mail that is ready for `OutboxRules.send`. */
export interface PreparedMail {
  draft: Draft;
  payment: PaymentOffer;
}

/**
 * Composes a mail and reads the payment of the call. Call it outside the transaction.
 * @param path of the call, for the terms of a payment
 * @throws ApiError as `composeDraft`
 */
export async function prepareMail(
  { outbox, database, mailDomain, readWritten, baseUrl }: PrepareDeps,
  call: PayingCall & { principal: Pick<Principal, 'limits'> },
  request: SendRequest,
  path: string,
): Promise<PreparedMail> {
  const draft = await composeDraft(
    { reader: database, mailDomain, readWritten, now: call.now },
    request,
    call.principal,
  );
  const payment = await outbox.paymentOffer(call, `${baseUrl()}${path}`);
  return { draft, payment };
}
