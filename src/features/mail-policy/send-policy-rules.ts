import { ApiError } from '../../kernel/errors.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import { nextDay, secondsUntil } from '../../kernel/period.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { returnRecipients, takeRecipients } from '../limits/quota-rules.ts';
import type { OutboundPolicy } from './mail-policy-data.ts';
import { policyFor, sendingPolicyFor } from './mail-policy-rules.ts';
import { addContact, isContact, lastSuspiciousRead } from './mail-policy-store.ts';
import { comparable, listedIn } from './recipient-policy.ts';

/** Why a mail waits for a review. */
export type HoldReason = 'always' | 'first_contact' | 'after_suspicious' | 'secrets';

/** The account and the address that a mail is from. */
export interface Sender {
  accountId: string;
  address: string;
}

/** What the policy looks at in a mail that is about to be sent. */
export interface OutgoingMail {
  from: Sender;
  recipients: readonly string[];
  /** The kinds of well-known secrets in it. */
  secrets: readonly string[];
  /** Milliseconds. What is scheduled was written before it is sent. */
  writtenAt: number;
  /** Whether mail that is not clean is in its conversation. Called only where the policy asks. */
  answersSuspicious(): Promise<boolean>;
}

/** What became of a mail that the policy allows. */
interface Admitted {
  reason: HoldReason | null;
  /** Whose recipients of the day its own were added to: the account's (empty address), and its address's. */
  counted: string[];
}

/** How long after reading mail that is not clean an account counts as influenced by it. */
const AFTER_READING_MS = 30 * 60_000;

const notAllowed = (recipient: string): ApiError => {
  const message = `The mail policy of this account does not allow mail to ${recipient}.`;
  const details = [{ path: '/body/to', code: 'not_allowed', message }];
  return new ApiError('recipient_not_allowed', { message, details, fields: { recipient } });
};

/**
 * Decides about every recipient of outgoing mail: once when the mail is made, and again when it leaves. Nothing else adds
 * a recipient to a mail.
 */
export class SendPolicy {
  /**
   * Admits a mail, and counts its recipients.
   * @returns why it waits for a review, null: it may leave at once; and which counts have its recipients
   * @throws ApiError `recipient_not_allowed` naming the recipient, `secret_in_mail`, `rate_limited`
   */
  async admit(tx: Tx, mail: OutgoingMail, now: number): Promise<Admitted> {
    const { from, recipients, secrets } = mail;
    const { outbound, maxima } = await sendingPolicyFor(tx, from);
    const holdsStrangers = outbound.hold === 'first_contact';
    let hasStranger = false;
    for (const recipient of recipients) {
      const listed = listedIn(outbound, recipient);
      const needsContact = outbound.to === 'known' || holdsStrangers;
      const isKnown =
        listed === 'allow' ||
        (needsContact && listed === null && (await isContact(tx, from.accountId, comparable(recipient))));
      if (!isAdmitted(outbound, listed, isKnown || holdsStrangers)) throw notAllowed(recipient);
      hasStranger ||= !isKnown;
    }
    if (outbound.secrets === 'reject' && secrets.length > 0)
      throw new ApiError('secret_in_mail', { message: `The email contains a secret: ${secrets.join(', ')}.` });
    const counted = await this.#count(tx, mail, maxima, now);
    return { reason: await this.#holdReason(tx, mail, outbound, hasStranger), counted };
  }

  /** The recipients that the policy does not allow any more. */
  async refused(reader: Reader, from: Sender, recipients: readonly string[]): Promise<string[]> {
    const { outbound } = await policyFor(reader, from.accountId, from.address);
    if (outbound.to === 'open' && outbound.block.length === 0) return [];
    const refused: string[] = [];
    for (const recipient of recipients) {
      const listed = listedIn(outbound, recipient);
      const isKnown = outbound.to === 'known' && (await isContact(reader, from.accountId, comparable(recipient)));
      if (!isAdmitted(outbound, listed, isKnown)) refused.push(recipient);
    }
    return refused;
  }

  /** Remembers that an operator let a mail go to these recipients. */
  async release(tx: Tx, accountId: string, recipients: readonly string[], now: number): Promise<void> {
    for (const recipient of [...new Set(recipients.map(comparable))].sort())
      await addContact(tx, { accountId, recipient, knownAt: now });
  }

  /** Takes back the counts of a mail that was not sent. `countedAt`: when it was counted. */
  async giveBack(
    tx: Tx,
    accountId: string,
    counted: readonly string[],
    recipients: number,
    countedAt: number,
  ): Promise<void> {
    for (const address of counted) await returnRecipients(tx, { accountId, address }, recipients, countedAt);
  }

  /** Counts the recipients wherever there is a maximum: everywhere or nowhere. */
  async #count(
    tx: Tx,
    { from, recipients }: OutgoingMail,
    maxima: readonly { address: string; max: number }[],
    now: number,
  ): Promise<string[]> {
    const counted: string[] = [];
    for (const { address, max } of maxima) {
      const { admitted, used } = await takeRecipients(tx, { ...from, address }, recipients.length, max, now);
      if (admitted) {
        counted.push(address);
        continue;
      }
      await this.giveBack(tx, from.accountId, counted, recipients.length, now);
      const seconds = secondsUntil(nextDay(now), now);
      throw limitReached(
        'max_recipients_per_day',
        { used, max },
        {
          message: `The mail policy allows ${max} recipients a day.`,
          fields: { retry_after: seconds },
          headers: { 'retry-after': String(seconds) },
        },
      );
    }
    return counted;
  }

  async #holdReason(
    tx: Tx,
    { from, secrets, writtenAt, answersSuspicious }: OutgoingMail,
    { hold, secrets: answer }: OutboundPolicy,
    hasStranger: boolean,
  ): Promise<HoldReason | null> {
    if (answer === 'hold' && secrets.length > 0) return 'secrets';
    if (hold === 'always') return 'always';
    if (hold === 'first_contact') return hasStranger ? 'first_contact' : null;
    if (hold !== 'after_suspicious') return null;
    const readAt = await lastSuspiciousRead(tx, from.accountId);
    const isRecent = readAt !== null && readAt > writtenAt - AFTER_READING_MS;
    return isRecent || (await answersSuspicious()) ? 'after_suspicious' : null;
  }
}

/** Whether a recipient may get mail. A blocked one never does. */
const isAdmitted = ({ to }: OutboundPolicy, listed: 'allow' | 'block' | null, isKnown: boolean): boolean =>
  listed !== 'block' && (to === 'open' || listed === 'allow' || (to === 'known' && isKnown));
