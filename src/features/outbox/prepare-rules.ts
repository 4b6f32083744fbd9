import type { Principal } from '../../kernel/principal.ts';
import type { Database, Reader } from '../../kernel/transaction.ts';
import type { ReadsWritten } from '../../mail/mime.ts';
import { isLarge, withStaged } from '../mailboxes/content-rules.ts';
import type { PayingCall } from '../payments/payment-rules.ts';
import { composeDraft, type Draft, type SendRequest } from './draft-rules.ts';
import { hasReadableCopy } from './internal-delivery-rules.ts';
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
 * Writes the large parts of a mail before the transaction that sends it, and removes those that it did not use. None of
 * them is written while all recipients keep their mail sealed: the readable bytes must never reach the disk.
 */
export async function withLargeParts<T>(
  { database, mailDomain }: { database: Database; mailDomain: string },
  draft: Draft,
  now: number,
  send: (draft: Draft) => Promise<T>,
): Promise<T> {
  const files = draft.parsed.attachments.map(({ content }) => content);
  const large = [draft.raw, ...files].filter(({ length }) => isLarge(length));
  if (large.length === 0 || !(await hasReadableCopy(database, draft.recipients, mailDomain))) return send(draft);
  return withStaged(database, large, now, (staged) => send({ ...draft, staged }));
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
