import { readdir, stat } from 'node:fs/promises';
import type { WaitingJobs } from '../../kernel/jobs.ts';
import type { Reader } from '../../kernel/transaction.ts';

export interface PostmasterRoomDeps {
  /** Folder of the mails that are not forwarded. */
  dir: string;
  /** Whether such mail is forwarded. Otherwise each ends in the folder. */
  isForwarded: boolean;
  waiting: WaitingJobs;
}

/** Bytes that are kept, and bytes that wait. Over it, senders are refused, so that nobody can fill the disk. */
const BYTES_MAX = 104_857_600;
/** The same in files, and in mails that wait: each look counts them. */
const MAILS_MAX = 10_000;

/**
 * How much mail to `postmaster@` and `abuse@` the service takes, from strangers (RFC 5321 4.5.1 allows a limit) and from
 * its agents. No account stores such mail, so no other limit bounds it.
 */
export class PostmasterRoom {
  readonly #deps: PostmasterRoomDeps;

  constructor(deps: PostmasterRoomDeps) {
    this.#deps = deps;
  }

  /** Whether so many bytes may be taken beside what waits, and beside what is kept if they end there too. */
  async takes(reader: Reader, bytes: number): Promise<boolean> {
    const { waiting, isForwarded } = this.#deps;
    const mails = await waiting(reader, 'mail.postmaster', MAILS_MAX);
    if (mails.length === MAILS_MAX) return false;
    const sum = mails.reduce((total, { sizeBytes }) => total + (sizeBytes ?? 0), bytes);
    return sum <= BYTES_MAX && (isForwarded || this.holds(sum));
  }

  /** Whether the folder takes so many bytes more. */
  async holds(bytes: number): Promise<boolean> {
    const { dir } = this.#deps;
    const names = await readdir(dir).catch(() => []);
    if (names.length >= MAILS_MAX) return false;
    const sizes = await Promise.all(
      names.map((name) =>
        stat(`${dir}/${name}`).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, bytes) <= BYTES_MAX;
  }
}
