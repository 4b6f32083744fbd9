import type { Principal } from '../../../api/principal.ts';
import { iso } from '../../../base/clock.ts';
import { nextDay } from '../../../base/period.ts';
import { ImapRefusal } from '../../../mail/imap/imap-store.ts';
import { addProgramBytes, readProgramBytes } from '../../service/limits/email-quota.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';

/** Bytes that a session counts together. A crash loses at most as many of its count. */
const STEP_BYTES = 256 * 1024;

/** What one session spends of the bytes that mail programs of its account get a day. */
export class ByteBudget {
  readonly #deps: Pick<MailProgramDeps, 'database' | 'now'>;
  readonly #payer: Pick<Principal, 'quotaAccountId' | 'limits'>;
  #pending = 0;
  #isKnown = false;

  constructor(deps: Pick<MailProgramDeps, 'database' | 'now'>, payer: Pick<Principal, 'quotaAccountId' | 'limits'>) {
    this.#deps = deps;
    this.#payer = payer;
  }

  /** Counts bytes that are sent. @throws ImapRefusal `LIMIT` when those of the day are used up */
  async spend(bytes: number): Promise<void> {
    this.#pending += bytes;
    if (this.#isKnown && this.#pending < STEP_BYTES) return;
    const { database, now } = this.#deps;
    const { quotaAccountId, limits } = this.#payer;
    const at = now();
    // Of a session that ended for the limit, the next one must not begin anew.
    const used = this.#isKnown ? await this.#count(at) : await readProgramBytes(database, quotaAccountId, at);
    this.#isKnown = true;
    if (used < limits.mail_program_bytes_per_day) return;
    throw new ImapRefusal(
      'LIMIT',
      `The ${limits.mail_program_bytes_per_day} bytes of this day are used up. They return at ${iso(nextDay(at))}`,
    );
  }

  /** Counts what is left to count. The session has ended, so no command waits for it. */
  close(): void {
    if (this.#pending === 0) return;
    // When the service stops, the database may be closed already.
    this.#count(this.#deps.now()).catch(() => {});
  }

  #count(now: number): Promise<number> {
    const bytes = this.#pending;
    this.#pending = 0;
    return this.#deps.database.transaction((tx) => addProgramBytes(tx, this.#payer.quotaAccountId, bytes, now));
  }
}
