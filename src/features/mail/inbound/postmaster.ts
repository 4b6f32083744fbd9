import type { Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { isRoleName } from '../../../mail/address/reserved-names.ts';
import type { AcceptAnswer } from '../../../mail/smtp-in/smtp-listener.ts';
import { deliveredTo } from '../../../mail/smtp-in/smtp-trace.ts';
import { ownerOfDomain } from '../../account/domains/stack.ts';
import { insertContent, releaseContent, type Staged, withStaged } from '../mailboxes/content/mail-content.ts';
import { keepRoleMail, type RoleMail } from '../outbox/postmaster-quota.ts';
import type { AcceptedMail } from './incoming-mail.ts';
import type { InboundDeps } from './intake.ts';

const ACCEPTED: AcceptAnswer = { ok: true, text: '2.0.0 Accepted' };
const FULL: AcceptAnswer = { ok: false, code: 451, text: '4.3.1 This mailbox is full, try again later' };

/**
 * Mail for the people who run the service: `postmaster@` and `abuse@` of the mail domain and of verified domains, and
 * `postmaster` without a domain (RFC 5321 4.5.1, RFC 2142 4). It is never for any other address, so nothing is relayed.
 */
export class PostmasterRules {
  readonly #deps: InboundDeps;

  constructor(deps: InboundDeps) {
    this.#deps = deps;
  }

  /** Whether a recipient, as the SMTP server passes it on, is one of these. An inbox of the same name comes first. */
  async serves(reader: Reader, recipient: string): Promise<boolean> {
    const { mailDomain } = this.#deps;
    if (recipient === 'postmaster') return true;
    const at = recipient.lastIndexOf('@');
    if (at < 0 || !isRoleName(recipient.slice(0, at))) return false;
    const domain = recipient.slice(at + 1);
    return domain === mailDomain || (await ownerOfDomain(reader, domain)) !== null;
  }

  /**
   * Stores a mail durably, for forwarding or for `signet postmaster list`. Refuses a mail that was forwarded before.
   * @param recipients of which {@link serves} is true
   */
  async accept(
    { envelopeFrom, raw }: Pick<AcceptedMail, 'envelopeFrom' | 'raw'>,
    recipients: readonly string[],
  ): Promise<AcceptAnswer> {
    for (const address of deliveredTo(raw))
      if (await this.serves(this.#deps.database, address))
        return { ok: false, code: 554, text: '5.4.6 This mail was forwarded from here before, it is in a loop' };
    return (await this.#store(raw, envelopeFrom, recipients)) ? ACCEPTED : FULL;
  }

  /** Keeps a mail whose content is stored. When there is no room, it is lost, and the log says so. */
  async keepLast(tx: Tx, mail: Omit<RoleMail, 'id'>): Promise<void> {
    const { log, postmasterRoom } = this.#deps;
    const { contentId: id, reason, sizeBytes } = mail;
    if (await postmasterRoom.holds(tx, sizeBytes)) return this.#keep(tx, mail);
    await releaseContent(tx, id);
    tx.afterCommit(() => log.warn({ id, reason }, 'mail to postmaster or abuse was dropped: there is no room for it'));
  }

  async #keep(tx: Tx, mail: Omit<RoleMail, 'id'>): Promise<void> {
    const { log, now } = this.#deps;
    const { contentId: id, reason } = mail;
    await keepRoleMail(tx, { ...mail, id: newId('mail', now()) });
    tx.afterCommit(() => log.warn({ id, reason }, 'mail to postmaster or abuse was kept: see signet postmaster list'));
  }

  /** Stores the mail, and the job that forwards it or the entry of `signet postmaster list`. @returns false if there is no room */
  async #store(raw: Uint8Array, envelopeFrom: string, recipients: readonly string[]): Promise<boolean> {
    const { database, enqueueJob, mailDomain, postmasterMail, postmasterRoom, now } = this.#deps;
    const createdAt = now();
    const contentId = newId('mail', createdAt);
    const sizeBytes = raw.length;
    const [first = 'postmaster'] = recipients;
    const recipient = first.includes('@') ? first : `${first}@${mailDomain}`;
    if (!(await postmasterRoom.takes(database, sizeBytes))) return false;
    const store = async (tx: Tx, staged: Staged): Promise<boolean> => {
      if (!(await postmasterRoom.takes(tx, sizeBytes))) return false;
      await insertContent(tx, { ...PLAIN, id: contentId, raw, sizeBytes, copies: 1, createdAt }, staged);
      const mail = { contentId, envelopeFrom, recipient, sizeBytes };
      // There was room. It is not asked for twice: what is dropped now would be answered with 250.
      if (postmasterMail === null) await this.#keep(tx, { ...mail, reason: NOT_SET, keptAt: createdAt });
      else await enqueueJob(tx, { kind: 'mail.postmaster', payload: mail, runAt: createdAt });
      return true;
    };
    return withStaged(database, [raw], createdAt, (staged) => database.transaction((tx) => store(tx, staged)));
  }
}

/** Why a mail is kept. */
export const NOT_SET = 'POSTMASTER_MAIL is not set';

/** A content that is not parsed. */
const PLAIN = {
  state: 'parsed' as const,
  text: '',
  html: null,
  visibleText: null,
  findings: null,
  problem: null,
  parseLeaseUntil: 0,
};
