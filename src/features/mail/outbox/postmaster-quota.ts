import type { WaitingJobs } from '../../../api/job-types.ts';
import type { Database, Reader } from '../../../api/transaction.ts';
import { readRaw, releaseContent } from '../mailboxes/content/mail-content.ts';
import {
  deleteRoleMail,
  findRoleMail,
  keepRoleMail,
  listRoleMails,
  type RoleMail,
  sumRoleMails,
} from './role-mail-store.ts';

/** Bytes that are kept, and bytes that wait. Over it, senders are refused, so that they cannot fill the disk. */
const BYTES_MAX = 104_857_600;
/** The same in mails that are kept, and that wait: each look counts them. */
const MAILS_MAX = 10_000;

/**
 * How much mail to `postmaster@` and `abuse@` the service takes, from strangers (RFC 5321 4.5.1 allows a limit) and from
 * its agents. No account stores such mail, so no other limit bounds it.
 */
export class PostmasterQuota {
  readonly #waiting: WaitingJobs;
  readonly #isForwarded: boolean;

  /** @param isForwarded whether such mail is forwarded; otherwise it is kept for `signet postmaster list` */
  constructor(waiting: WaitingJobs, isForwarded: boolean) {
    this.#waiting = waiting;
    this.#isForwarded = isForwarded;
  }

  /** Whether so many bytes may be taken beside what waits, and beside what is kept if they end there too. */
  async takes(reader: Reader, bytes: number): Promise<boolean> {
    const mails = await this.#waiting(reader, 'mail.postmaster', MAILS_MAX);
    if (mails.length === MAILS_MAX) return false;
    const sum = mails.reduce((total, { sizeBytes }) => total + (sizeBytes ?? 0), bytes);
    return sum <= BYTES_MAX && (this.#isForwarded || this.holds(reader, sum));
  }

  /** Whether so many bytes more may be kept. */
  async holds(reader: Reader, bytes: number): Promise<boolean> {
    const kept = await sumRoleMails(reader);
    return kept.count < MAILS_MAX && kept.bytes + bytes <= BYTES_MAX;
  }
}

export { keepRoleMail, type RoleMail };

/** The mails to `postmaster@` and `abuse@` that were not forwarded, oldest first. */
export const keptRoleMails = (reader: Reader): Promise<RoleMail[]> => listRoleMails(reader, {}, { id: '' }, MAILS_MAX);

/** How many there are. */
export const countRoleMails = async (reader: Reader): Promise<number> => (await sumRoleMails(reader)).count;

/** One of them as it was received; null if there is none. */
export async function readRoleMail(reader: Reader, id: string): Promise<Uint8Array | null> {
  const mail = await findRoleMail(reader, id);
  return mail && readRaw(reader, mail.contentId);
}

/** @returns false when there is none */
export const removeRoleMail = (database: Database, id: string): Promise<boolean> =>
  database.transaction(async (tx) => {
    const mail = await findRoleMail(tx, id);
    if (mail === null || (await deleteRoleMail(tx, id)) === 0) return false;
    await releaseContent(tx, mail.contentId);
    return true;
  });
