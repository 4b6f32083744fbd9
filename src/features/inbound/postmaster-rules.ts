import { newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import type { Log } from '../../kernel/log.ts';
import { isRoleName } from '../../kernel/reserved-names.ts';
import type { Database, Reader } from '../../kernel/transaction.ts';
import { createOutbox } from '../../mail/outbox-file.ts';
import type { AcceptAnswer } from '../../mail/smtp-in.ts';
import { deliveredTo } from '../../mail/smtp-trace.ts';
import { insertContent } from '../mailboxes/content-rules.ts';
import type { PostmasterRoom } from '../outbox/postmaster-room-rules.ts';
import { ownerOfDomain } from '../stacks/stack-rules.ts';
import type { AcceptedMail } from './incoming-mail-rules.ts';

export interface PostmasterDeps {
  database: Database;
  enqueueJob: EnqueueJob;
  log: Pick<Log, 'warn'>;
  mailDomain: string;
  room: Pick<PostmasterRoom, 'takes' | 'holds'>;
  /** Where the mail is forwarded. Null: it is kept in `dir`. */
  postmasterMail: string | null;
  /** Folder of the mails that are not forwarded. */
  dir: string;
  now(): number;
}

const ACCEPTED: AcceptAnswer = { ok: true, text: '2.0.0 Accepted' };
const FULL: AcceptAnswer = { ok: false, code: 451, text: '4.3.1 This mailbox is full, try again later' };

/**
 * Mail for the people who run the service: `postmaster@` and `abuse@` of the mail domain and of verified domains, and
 * `postmaster` without a domain (RFC 5321 4.5.1, RFC 2142 4). It is never for any other address, so nothing is relayed.
 */
export class PostmasterRules {
  readonly #deps: PostmasterDeps;
  readonly #write: ReturnType<typeof createOutbox>;

  constructor(deps: PostmasterDeps) {
    this.#deps = deps;
    this.#write = createOutbox(deps.dir);
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
   * Stores a mail durably, for forwarding or for reading on this machine. Refuses a mail that was forwarded before.
   * @param recipients of which {@link serves} is true
   */
  async accept(
    { envelopeFrom, raw }: Pick<AcceptedMail, 'envelopeFrom' | 'raw'>,
    recipients: readonly string[],
  ): Promise<AcceptAnswer> {
    const { postmasterMail } = this.#deps;
    for (const address of deliveredTo(raw))
      if (await this.serves(this.#deps.database, address))
        return { ok: false, code: 554, text: '5.4.6 This mail was forwarded from here before, it is in a loop' };
    const id = newId('mail', this.#deps.now());
    if (postmasterMail !== null) return (await this.#queue(id, raw, { envelopeFrom, recipients })) ? ACCEPTED : FULL;
    if (!(await this.#deps.room.takes(this.#deps.database, raw.length))) return FULL;
    await this.keep(id, raw, 'POSTMASTER_MAIL is not set');
    return ACCEPTED;
  }

  /** Writes a mail to the folder of the service, and says so in the log. */
  async keep(id: string, raw: Uint8Array, reason: string): Promise<void> {
    const file = await this.#write(id, Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
    this.#deps.log.warn({ file, reason }, 'mail to postmaster or abuse was kept in a file');
  }

  /** Keeps a mail that could not be forwarded. When the folder is full too, the mail is lost, and the log says so. */
  async keepLast(id: string, raw: Uint8Array, reason: string): Promise<void> {
    if (await this.#deps.room.holds(raw.length)) return this.keep(id, raw, reason);
    this.#deps.log.warn({ id, reason }, 'mail to postmaster or abuse was dropped: the folder for such mail is full');
  }

  /** Stores the mail and the job that forwards it, in one transaction. @returns false if too much waits */
  async #queue(
    id: string,
    raw: Uint8Array,
    { envelopeFrom, recipients }: { envelopeFrom: string; recipients: readonly string[] },
  ): Promise<boolean> {
    const { database, enqueueJob, mailDomain, room, now } = this.#deps;
    const createdAt = now();
    const content = {
      state: 'parsed' as const,
      text: '',
      html: null,
      visibleText: null,
      findings: null,
      problem: null,
      parseLeaseUntil: 0,
    };
    const [first = 'postmaster'] = recipients;
    const recipient = first.includes('@') ? first : `${first}@${mailDomain}`;
    return database.transaction(async (tx) => {
      if (!(await room.takes(tx, raw.length))) return false;
      await insertContent(tx, { ...content, id, raw, sizeBytes: raw.length, copies: 1, createdAt });
      await enqueueJob(tx, {
        kind: 'mail.postmaster',
        payload: { contentId: id, envelopeFrom, recipient, sizeBytes: raw.length },
        runAt: createdAt,
      });
      return true;
    });
  }
}
