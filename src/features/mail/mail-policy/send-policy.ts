import { ApiError } from '../../../api/errors.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { nextDay, secondsUntil } from '../../../base/period.ts';
import { returnRecipients, takeRecipients } from '../../service/limits/email-quota.ts';
import { type Layer, sendingPolicyFor } from './effective-policy.ts';
import { addContact, isContact, lastSuspiciousRead } from './mail-policy-store.ts';
import { type Counter, type Sender, WHOLE_ACCOUNT } from './mail-policy-table.ts';
import { comparable, recipientListedIn } from './recipient-list.ts';

/** Why a mail waits for a review. */
export type HoldReason = 'always' | 'first_contact' | 'not_listed' | 'after_suspicious' | 'secrets';

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
  /** Where its recipients of the day were counted. */
  counted: Counter[];
}

/** How long after reading mail that is not clean an account counts as influenced by it. */
const AFTER_READING_MS = 30 * 60_000;

const WHOSE = {
  account: 'mail policy of this account',
  platform: 'platform of this pod',
  delegate: 'mail policy of the acting agent or its platform',
} as const;

/** Who set the limit, unless the account itself did. */
const limitSetBy = ({ setBy }: Pick<Layer, 'setBy'>) => (setBy === 'account' ? {} : { limit_set_by: setBy });

function notAllowed(recipient: string, layer: Layer, message: string): ApiError {
  const details = [{ path: '/body/to', code: 'not_allowed', message }];
  return new ApiError('recipient_not_allowed', { message, details, fields: { recipient, ...limitSetBy(layer) } });
}

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
    const { own, others, maxima } = await sendingPolicyFor(tx, mail.from);
    for (const other of others) await pass(tx, other, mail);
    const { reason } = await judge(tx, own, mail);
    return { reason, counted: await this.#count(tx, mail, maxima, now) };
  }

  /**
   * Checks a mail that was held against the policies of others, which may be narrower by now.
   * @throws ApiError `recipient_not_allowed`, `secret_in_mail`
   */
  async requireOthers(reader: Reader, mail: OutgoingMail): Promise<void> {
    const { others } = await sendingPolicyFor(reader, mail.from);
    for (const other of others) await pass(reader, other, mail);
  }

  /**
   * The recipients that a policy does not allow any more, each with whose policy that is.
   * @param wasApproved whether an operator of the account let the mail go; called only where that matters
   */
  async refused(reader: Reader, from: Sender, recipients: readonly string[], wasApproved: () => Promise<boolean>) {
    const { own, others } = await sendingPolicyFor(reader, from);
    const refused: { recipient: string; by: Layer['setBy'] }[] = [];
    for (const recipient of recipients)
      for (const layer of [own, ...others])
        if (await isRefused(reader, layer, recipient, layer === own ? wasApproved : NO_REVIEW)) {
          refused.push({ recipient, by: layer.setBy });
          break;
        }
    return refused;
  }

  /** Remembers recipients that an operator wants to be known. */
  async remember(tx: Tx, accountId: string, recipients: readonly string[], now: number): Promise<void> {
    for (const recipient of [...new Set(recipients.map(comparable))].sort())
      await addContact(tx, { accountId, recipient, knownAt: now });
  }

  /** Takes back the counts of a mail that was not sent. `countedAt`: when it was counted. */
  async giveBack(
    tx: Tx,
    accountId: string,
    counted: readonly Counter[],
    recipients: number,
    countedAt: number,
  ): Promise<void> {
    for (const counter of counted) await returnRecipients(tx, countedOf(accountId, counter), recipients, countedAt);
  }

  /** Counts the recipients wherever there is a maximum: everywhere or nowhere. */
  async #count(
    tx: Tx,
    { from: { accountId }, recipients }: OutgoingMail,
    maxima: readonly { counter: Counter; max: number }[],
    now: number,
  ): Promise<Counter[]> {
    const counted: Counter[] = [];
    for (const { counter, max } of maxima) {
      const { admitted, used } = await takeRecipients(tx, countedOf(accountId, counter), recipients.length, max, now);
      if (admitted) {
        counted.push(counter);
        continue;
      }
      await this.giveBack(tx, accountId, counted, recipients.length, now);
      const seconds = secondsUntil(nextDay(now), now);
      const isPlatform = typeof counter !== 'string';
      const message = isPlatform
        ? `The platform of this pod allows ${max} recipients a day, for itself and all its pods.`
        : `The mail policy allows ${max} recipients a day.`;
      const fields = { retry_after: seconds, ...limitSetBy({ setBy: isPlatform ? 'platform' : 'account' }) };
      const headers = { 'retry-after': String(seconds) };
      throw limitReached('max_recipients_per_day', { used, max }, { message, fields, headers });
    }
    return counted;
  }
}

const countedOf = (accountId: string, counter: Counter) =>
  typeof counter === 'string'
    ? { accountId, address: counter }
    : { accountId: counter.platformId, address: WHOLE_ACCOUNT };

/**
 * Judges a mail by one layer. @returns why it waits for a review there, and the first recipient that the account does not
 * know
 * @throws ApiError `recipient_not_allowed`, `secret_in_mail`
 */
async function judge(reader: Reader, layer: Layer, mail: OutgoingMail) {
  const { setBy, outbound } = layer;
  const { recipients, secrets } = mail;
  let stranger: string | undefined;
  for (const recipient of recipients) {
    const standing = await standingOf(reader, layer, recipient);
    if (standing === 'barred')
      throw notAllowed(recipient, layer, `The ${WHOSE[setBy]} does not allow mail to ${recipient}.`);
    if (standing === 'stranger') stranger ??= recipient;
  }
  if (outbound.secrets === 'reject' && secrets.length > 0) {
    const where = setBy === 'account' ? '' : `, which the ${WHOSE[setBy]} does not allow`;
    const message = `The email contains a secret${where}: ${secrets.join(', ')}.`;
    throw new ApiError('secret_in_mail', { message, fields: limitSetBy(layer) });
  }
  return { reason: await holdReason(reader, layer, mail, stranger !== undefined), stranger };
}

/**
 * Lets a mail pass the policy of another account. What that would hold is refused: a review would show the mail to its
 * operators, who cannot read it: a platform reads no mail of its pods, and a delegate's operator none of the delegator.
 */
async function pass(reader: Reader, layer: Layer, mail: OutgoingMail): Promise<void> {
  const { reason, stranger } = await judge(reader, layer, mail);
  if (reason === null) return;
  const why = reason === 'secrets' ? `secrets: ${mail.secrets.join(', ')}` : reason;
  const message = `The ${WHOSE[layer.setBy]} holds such mail for review (${why}). Here it is refused instead.`;
  throw notAllowed(stranger ?? (mail.recipients[0] as string), layer, message);
}

async function holdReason(
  reader: Reader,
  { accountId, outbound: { to, hold, secrets: answer } }: Layer,
  { from, secrets, writtenAt, answersSuspicious }: OutgoingMail,
  hasStranger: boolean,
): Promise<HoldReason | null> {
  if (answer === 'hold' && secrets.length > 0) return 'secrets';
  if (hold === 'always') return 'always';
  if (hasStranger && hold === 'first_contact') return 'first_contact';
  if (hasStranger && to !== 'open') return 'not_listed';
  if (hold !== 'after_suspicious') return null;
  // A platform that read such mail may steer its pods.
  for (const id of new Set([from.accountId, accountId])) {
    const readAt = await lastSuspiciousRead(reader, id);
    if (readAt !== null && readAt > writtenAt - AFTER_READING_MS) return 'after_suspicious';
  }
  return (await answersSuspicious()) ? 'after_suspicious' : null;
}

/** What a layer says of a recipient. `stranger`: neither on its list nor known to its account, and not refused for that. */
async function standingOf(
  reader: Reader,
  { accountId, outbound }: Layer,
  recipient: string,
): Promise<'known' | 'stranger' | 'barred'> {
  const { to, hold, otherwise } = outbound;
  const listed = recipientListedIn(outbound, recipient);
  if (listed !== null) return listed === 'allow' ? 'known' : 'barred';
  if (to === 'list' && otherwise === 'refuse') return 'barred';
  const holdsStrangers = hold === 'first_contact';
  const needsContact = to !== 'open' || holdsStrangers;
  if (needsContact && (await isContact(reader, accountId, comparable(recipient)))) return 'known';
  return to === 'known' && otherwise === 'refuse' && !holdsStrangers ? 'barred' : 'stranger';
}

/** The platform of a pod reviews none of its mail. */
const NO_REVIEW = async () => false;

/** Whether a mail that was made may not go to a recipient any more. No review can follow. */
async function isRefused(
  reader: Reader,
  layer: Layer,
  recipient: string,
  wasApproved: () => Promise<boolean>,
): Promise<boolean> {
  const { to, hold } = layer.outbound;
  const standing = await standingOf(reader, layer, recipient);
  const isHeld =
    layer.setBy !== 'account' && (hold === 'always' || (hold === 'first_contact' && standing === 'stranger'));
  if (standing === 'barred' || isHeld) return true;
  return to !== 'open' && standing === 'stranger' && !(await wasApproved());
}
