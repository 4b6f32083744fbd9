import type { Principal } from '../../../../api/principal.ts';
import { HOUR_MS } from '../../../../base/period.ts';
import { eventsTopic } from '../../../../events/event-log.ts';
import { ImapRefusal } from '../../../../mail/imap/imap-store.ts';
import { ACCOUNTS_TOPIC } from '../../../account/accounts/account-lifecycle.ts';
import type { MailProgramDeps } from '../mail-program-deps.ts';
import type { ProgramLogin } from '../program-login.ts';

const TICK_MS = 1000;
/** A signal between instances can be lost, so every login is looked at this often. */
const LOOK_EVERY_TICKS = 20;

export type OpenLoginsDeps = Pick<MailProgramDeps, 'database' | 'addresses' | 'credentials' | 'onFault' | 'now'>;

interface Entry {
  login: ProgramLogin;
  /** The credential as it was found last: its end may have been moved. */
  expiresAt: number;
  /** The hour that was last paid for. */
  hour: number;
  isChecking: boolean;
  isStale: boolean;
  unsubscribe(): void;
  ended(why: ImapRefusal): void;
}

const hourOf = (now: number): number => Math.floor(now / HOUR_MS);

/** The open connections of mail programs on this instance. Each ends when its credential does. */
export class OpenLogins {
  readonly #deps: OpenLoginsDeps;
  /** Pays for a further hour in which a login is open. */
  readonly #pay: (principal: Principal) => Promise<unknown>;
  readonly #open = new Set<Entry>();
  #timer: NodeJS.Timeout | null = null;
  #ticks = 0;

  constructor(deps: OpenLoginsDeps, pay: (principal: Principal) => Promise<unknown>) {
    this.#deps = deps;
    this.#pay = pay;
  }

  readonly size = (): number => this.#open.size;

  /** Follows a login. @param ended called at most once @returns what stops that */
  follow(login: ProgramLogin, ended: (why: ImapRefusal) => void): () => void {
    const { accountId, expiresAt } = login.principal;
    const hour = hourOf(this.#deps.now());
    const entry: Entry = { login, expiresAt, hour, isChecking: false, isStale: false, unsubscribe: () => {}, ended };
    // The end of a credential, and the release of an address, are signalled here.
    const ofCredentials = this.#deps.database.onSignal(eventsTopic(accountId), () => this.#check(entry));
    // What the administrator does with an account is signalled to all.
    const ofAccounts = this.#deps.database.onSignal(ACCOUNTS_TOPIC, () => this.#check(entry));
    entry.unsubscribe = () => {
      ofCredentials();
      ofAccounts();
    };
    this.#open.add(entry);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    // It may have ended between its look-up and the subscription.
    this.#check(entry);
    return () => this.#drop(entry);
  }

  #drop(entry: Entry): void {
    entry.unsubscribe();
    this.#open.delete(entry);
    if (this.#open.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    const now = this.#deps.now();
    this.#ticks += 1;
    for (const entry of this.#open) {
      if (entry.expiresAt <= now || this.#ticks % LOOK_EVERY_TICKS === 0) this.#check(entry);
      if (entry.hour === hourOf(now)) continue;
      entry.hour = hourOf(now);
      this.#pay(entry.login.principal).catch((err: unknown) => this.#fault(err));
    }
  }

  #check(entry: Entry): void {
    entry.isStale = true;
    if (entry.isChecking) return;
    entry.isChecking = true;
    void this.#checkUntilFresh(entry);
  }

  async #checkUntilFresh(entry: Entry): Promise<void> {
    while (entry.isStale && this.#open.has(entry)) {
      entry.isStale = false;
      try {
        const found = await this.#current(entry.login);
        if (found !== null) entry.expiresAt = found.expiresAt;
        else if (this.#open.has(entry)) this.#end(entry);
      } catch (err) {
        this.#fault(err);
      }
    }
    entry.isChecking = false;
  }

  #end(entry: Entry): void {
    this.#drop(entry);
    entry.ended(new ImapRefusal('EXPIRED', 'The key or token of this login has ended, or has changed'));
  }

  async #current({ principal, address }: ProgramLogin): Promise<Principal | null> {
    const { database, addresses, credentials, now } = this.#deps;
    const found = await credentials.current(principal, now());
    if (found === null) return null;
    return addresses.requireOwned(database, found, address, 'missing').then(
      () => found,
      (err: { status?: number }) => {
        // A database that does not answer says nothing about the address.
        if ((err.status ?? 500) >= 500) throw err;
        return null;
      },
    );
  }

  #fault(err: unknown): void {
    this.#deps.onFault(err, 'an open connection of a mail program could not be checked');
  }
}
