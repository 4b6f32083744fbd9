import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { reply } from '../../../../api/endpoint.ts';
import { ApiError } from '../../../../api/errors.ts';
import { findPresented, type Principal } from '../../../../api/principal.ts';
import { localPartOf, parseMailbox } from '../../../../mail/address/mail-address.ts';
import { isRoleName } from '../../../../mail/address/reserved-names.ts';
import { type ImapClient, type ImapCredentials, ImapRefusal } from '../../../../mail/imap/imap-store.ts';
import {
  onlyMailbox,
  requireCleanLines,
  type WrittenField,
  writtenFields,
} from '../../../../mail/mime/written-header.ts';
import type { SmtpListener } from '../../../../mail/smtp-in/smtp-listener.ts';
import {
  type SubmitAnswer,
  type SubmitService,
  type SubmittedMail,
  startSubmitListener,
} from '../../../../mail/smtp-submit/submit-listener.ts';
import { type Address, findAddress } from '../../../account/addresses/address.ts';
import { requireTriesLeft, takeTriedRecipients } from '../../../service/limits/email-quota.ts';
import { NO_SUCH_ADDRESS, sortRecipients } from '../../outbox/internal-delivery.ts';
import { withLargeParts } from '../../outbox/prepared-mail.ts';
import { sentNote } from '../../outbox/send-schema.ts';
import type { PaymentOffer, SentMail } from '../../outbox/sent-mail.ts';
import type { ProgramService, OpenProgramLogin as SendLogin } from '../doors/program-service.ts';
import type { MailProgramDeps } from '../mail-program-deps.ts';
import type { SendCall } from './send-call.ts';
import { answerOf, SubmissionRefusal } from './submission-answer.ts';
import { draftOfBytes } from './submitted-draft.ts';

export interface SubmissionConfig {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** The name in the greeting and in Received headers. */
  hostname: string;
  /** Null: STARTTLS is not offered. */
  tls: { context(): SecureContext } | null;
  /** Whether connections begin with TLS (RFC 8314 3.3). Needs `tls`. */
  implicitTls: boolean;
  /** Whether a client may log in over a connection that is not encrypted. */
  mayLoginInClear(remoteAddress: string): boolean;
  limits?: Parameters<typeof startSubmitListener>[0]['limits'];
}

type Taken = 'database' | 'mailDomain' | 'limits' | 'addresses' | 'credentials' | 'mailboxes' | 'log' | 'now';

/** What submission is made of. */
export interface SubmissionParts
  extends Pick<MailProgramDeps, Taken | 'suppressions' | 'sendPolicy' | 'outbox' | 'parser'> {
  sendCall: SendCall;
  logins: Pick<ProgramService, 'admits' | 'authenticate'>;
}

/** Starts the server to which mail programs hand over mail. Rejects if it cannot listen. */
export const startSubmission = (deps: SubmissionParts, config: SubmissionConfig): Promise<SmtpListener> =>
  startSubmitListener({ ...config, service: new Submission(deps, config.hostname), log: deps.log });

/** What a refused recipient of this service is told of. It is known only when the mail is delivered. */
class Undelivered extends SubmissionRefusal {
  /** How many recipients the mail has on this service. */
  readonly many: number;

  constructor({ internalRecipients }: SentMail, address: string, error: string) {
    const [code, status] =
      error === NO_SUCH_ADDRESS ? [550, '5.1.1'] : /\bfull\b/.test(error) ? [452, '4.2.2'] : [550, '5.7.1'];
    super(code as number, `${status} ${address}: ${error} Nobody got the mail.`);
    this.many = internalRecipients.length;
  }
}

const ACCEPTED: SubmitAnswer = { ok: true };
const SCOPE = 'mail:send';
/** Beside From, these say who sent a mail. Of the latter two there may be several. */
const ALSO_AUTHORS = new Set(['sender', 'resent-from', 'resent-sender']);
/** A payment is not offered over SMTP. */
const NO_PAYMENT: PaymentOffer = { resource: '', offer: null };
const SLICE_BYTES = 524_288;

/**
 * Takes mail of programs, by the rules of `POST /v1/email/send`: `sendCall` has those of every such call, and
 * `OutboxRules.send` those of every mail.
 */
class Submission implements SubmitService<SendLogin> {
  readonly #deps: SubmissionParts;
  readonly #hostname: string;

  constructor(deps: SubmissionParts, hostname: string) {
    this.#deps = deps;
    this.#hostname = hostname;
  }

  admits(client: ImapClient): Promise<boolean> {
    return this.#deps.logins.admits(client);
  }

  async login(credentials: ImapCredentials, client: ImapClient, ended: () => void): Promise<SendLogin> {
    try {
      return await this.#deps.logins.authenticate(credentials, client, SCOPE, ended);
    } catch (err) {
      if (!(err instanceof ImapRefusal) || err.code !== 'AUTHENTICATIONFAILED' || err.message.includes(SCOPE))
        throw err;
      // The same for each, so that it does not tell a wrong key from one without the scope.
      throw new ImapRefusal(err.code, `${err.message}. A key needs ${SCOPE}`);
    }
  }

  ownerOf({ principal }: SendLogin): string {
    return principal.quotaAccountId;
  }

  left(login: SendLogin): void {
    login.close();
  }

  sender(login: SendLogin, from: string): Promise<SubmitAnswer> {
    return this.#answer(async (now) => {
      if (from === '') throw new SubmissionRefusal(550, '5.7.1 The reverse path must be an address of this account');
      await this.#deps.mailboxes.sender(await this.#current(login, now), from);
      return ACCEPTED;
    });
  }

  /** Says of a recipient what a mail to it would be refused for, as far as that is the account's own affair. */
  recipient(login: SendLogin, { from, to, others }: { from: string; to: string; others: number }) {
    const { database, mailboxes, suppressions, sendPolicy } = this.#deps;
    return this.#answer(async (now) => {
      const principal = await this.#current(login, now);
      if (others >= principal.limits.recipients_per_send)
        throw new SubmissionRefusal(452, `4.5.3 A mail has at most ${principal.limits.recipients_per_send} recipients`);
      const mailbox = parseMailbox(to);
      if (mailbox === null) throw new SubmissionRefusal(553, '5.1.3 This is no email address');
      const sender = await mailboxes.sender(principal, from);
      await suppressions.requireMaySend(database, principal.accountId, [mailbox], 0, now);
      const whose = {
        ...sender,
        platformId: principal.quotaAccountId,
        actors: principal.delegation?.actors ?? [],
      };
      // What is held for a review is let through here.
      const [refused] = await sendPolicy.refused(database, whose, [mailbox], async () => true);
      if (refused)
        throw new SubmissionRefusal(
          550,
          `5.7.1 The mail policy of the ${refused.by} does not allow mail to ${mailbox}`,
        );
      await this.#requireKnown(principal, mailbox, now);
      return ACCEPTED;
    });
  }

  async accept(login: SendLogin, mail: SubmittedMail): Promise<SubmitAnswer> {
    let principal: Principal | null = null;
    return this.#answer(
      async (now) => {
        principal = await this.#current(login, now);
        this.#deps.sendCall.require(principal);
        return { ok: true, text: await this.#take(principal, mail, now) };
      },
      (err, now) => {
        const ip = mail.client.remoteAddress;
        if (principal !== null) this.#deps.sendCall.noteRefused(err, { principal, ip, now });
      },
    );
  }

  /** @returns what a mail is answered that is safe now */
  async #take(principal: Principal, mail: SubmittedMail, now: number): Promise<string> {
    const { outbox, sendCall } = this.#deps;
    const { bytes, client, smtpUtf8, id } = mail;
    await requireCleanLines(bytes);
    const fields = writtenFields(bytes);
    const hasId = fields.some(({ name }) => name === 'message-id');
    const caller = { principal, ip: client.remoteAddress, repeat: hasId ? await hashOf(mail) : null, now };
    // Before the checks: a repeat may no longer pass those that the first mail passed.
    const first = await sendCall.first(caller);
    if (first) return textIn(first);
    const from = await this.#author(principal, fields);
    const trace = { hostname: this.#hostname, tls: client.tls, smtpUtf8, id };
    const draft = await draftOfBytes(
      this.#deps,
      { from, recipients: mail.recipients, bytes, fields, trace },
      principal,
      now,
    );
    try {
      const taken = await withLargeParts(this.#deps, { principal, now, dryRun: null }, draft, (whole) =>
        sendCall.transact(caller, async (tx, audit) => {
          const sent = await outbox.send(tx, whole, principal, NO_PAYMENT, now);
          requireAll(sent);
          Object.assign(audit, sentNote(sent));
          return sent.review === null
            ? reply(201, { text: `2.0.0 Queued as ${sent.entry.id}` })
            : reply(202, { text: `2.0.0 Held for review ${sent.review.id}` });
        }),
      );
      return textIn(taken);
    } catch (err) {
      if (err instanceof Undelivered) await this.#countTried(principal, err.many, now);
      throw err;
    }
  }

  /** The address of the account that the mail is from. @throws SubmissionRefusal; ApiError `sender_not_owned` */
  async #author(principal: Principal, fields: readonly WrittenField[]): Promise<Address> {
    const own = async (name: string, value: string): Promise<Address> => {
      const mailbox = onlyMailbox(value);
      if (mailbox === null)
        throw new SubmissionRefusal(
          550,
          `5.7.1 ${name} must name one address of this account, in one way, and no other one in its name`,
        );
      return this.#deps.mailboxes.sender(principal, mailbox);
    };
    for (const { name, value } of fields) if (ALSO_AUTHORS.has(name)) await own(name, value);
    return own('From', fields.find(({ name }) => name === 'from')?.value ?? '');
  }

  /** @throws SubmissionRefusal for an address of this service that takes no mail; ApiError `rate_limited` */
  async #requireKnown(principal: Principal, mailbox: string, now: number): Promise<void> {
    const { database, mailDomain, addresses, limits } = this.#deps;
    const { internal } = await sortRecipients(database, [mailbox], mailDomain);
    const [recipient] = internal;
    if (recipient === undefined || isRoleName(localPartOf(recipient))) return;
    // Also for those that are there: else the answer tells, without end, who is not.
    await requireTriesLeft(database, principal.quotaAccountId, limits.tried_recipients_per_hour, now);
    const address = await findAddress(database, recipient);
    if (address !== null && (await addresses.receiver(database, address)) !== null) return;
    await this.#countTried(principal, 1, now);
    throw new SubmissionRefusal(550, `5.1.1 ${mailbox}: ${NO_SUCH_ADDRESS}`);
  }

  /** Counts what a refusal tells of addresses of others, as a dry run does. @throws ApiError `rate_limited` */
  async #countTried({ quotaAccountId }: Principal, many: number, now: number): Promise<void> {
    const { database, limits } = this.#deps;
    await database.transaction((tx) =>
      takeTriedRecipients(tx, quotaAccountId, many, limits.tried_recipients_per_hour, now),
    );
  }

  /** The caller as it is now: a session stays open for long. @throws ApiError `unauthorized`, `account_suspended` */
  async #current({ principal }: SendLogin, now: number): Promise<Principal> {
    const { accountId, grant } = principal;
    const { credential, hash } = findPresented(principal);
    const access = { account: accountId, forClients: grant !== null };
    const found = await this.#deps.credentials.ofHash(credential, hash, now, access);
    if (found === null) throw new ApiError('unauthorized', { message: 'The login has ended' });
    return found;
  }

  /** Answers a refusal in the words of SMTP. What is none goes on. */
  async #answer(
    work: (now: number) => Promise<SubmitAnswer>,
    refused: (err: ApiError, now: number) => void = () => {},
  ): Promise<SubmitAnswer> {
    const now = this.#deps.now();
    try {
      return await work(now);
    } catch (err) {
      if (err instanceof ApiError) refused(err, now);
      const answer = answerOf(err, now);
      if (answer === null || (err instanceof ApiError && err.status >= 500 && err.code !== 'storage_unavailable')) {
        this.#deps.log.error({ err }, 'submission failed');
      }
      if (answer === null) throw err;
      return answer;
    }
  }
}

const textIn = ({ body }: { body: unknown }): string => (body as { text: string }).text;

/** After DATA all recipients get the mail or none. @throws Undelivered, so that the transaction is rolled back */
function requireAll(sent: SentMail): void {
  for (const { address, error } of sent.internalRecipients)
    if (error !== null) throw new Undelivered(sent, address, error);
}

/** A hash over the envelope and the bytes as they came. */
async function hashOf({ from, recipients, bytes }: SubmittedMail): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([from.toLowerCase(), [...new Set(recipients)].sort()]));
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    if (start > 0) await nextTurn();
    hash.update(bytes.subarray(start, start + SLICE_BYTES));
  }
  return hash.digest('hex');
}
