import { ApiError } from '../../../../api/errors.ts';
import type { MeterReading } from '../../../../api/metering/meter-reading.ts';
import type { Principal } from '../../../../api/principal.ts';
import { hasScope } from '../../../../api/scopes.ts';
import { networkOf } from '../../../../base/client-network.ts';
import { iso } from '../../../../base/clock.ts';
import { isLoopbackHost } from '../../../../base/loopback-host.ts';
import { hashSecret, isWholeCredential, keyKindOf } from '../../../../base/secret.ts';
import { AccountSlots } from '../../../../events/account-slots.ts';
import {
  type ImapClient,
  type ImapCredentials,
  type ImapMailbox,
  ImapRefusal,
  type ImapService,
} from '../../../../mail/imap/imap-store.ts';
import { addressesOf } from '../../../account/addresses/address.ts';
import type { MailProgramDeps } from '../mail-program-deps.ts';
import type { ProgramLogin } from '../program-login.ts';
import { OpenLogins, type OpenLoginsDeps } from './open-logins.ts';
import { ProgramNetworks } from './program-network.ts';

export type ProgramServiceDeps = OpenLoginsDeps &
  Pick<MailProgramDeps, 'meter' | 'meterRules' | 'limits' | 'development' | 'hashIp' | 'networksOf' | 'countLogin'>;

/** What a login is for: to read mail, or to hand it over. */
export type ProgramScope = 'mail:read' | 'mail:send';

/** A login whose connection is open. */
export interface OpenProgramLogin extends ProgramLogin {
  /** The connection has ended. */
  close(): void;
}

/** One answer for what is wrong, unknown or another's, so that no caller learns which. */
const wrong = (): ImapRefusal => new ImapRefusal('AUTHENTICATIONFAILED', 'Wrong address or key');

/** A refusal of the API as a mail program is told it. */
function refusalOf(err: unknown): unknown {
  if (!(err instanceof ApiError)) return err;
  if (err.status >= 500) return new ImapRefusal('UNAVAILABLE', 'Try again later');
  if (err.code === 'account_suspended' || err.code === 'pod_suspended')
    return new ImapRefusal('CONTACTADMIN', err.message);
  return wrong();
}

const OUTCOMES: Record<string, string> = {
  AUTHENTICATIONFAILED: 'failed',
  PRIVACYREQUIRED: 'in_clear',
  LIMIT: 'limit',
};

/** Who is behind a connection of a mail program, by IMAP and by submission. */
export class ProgramService implements ImapService {
  readonly #deps: ProgramServiceDeps;
  readonly #networks: ProgramNetworks;
  /** By address. Of this instance alone: others admit as many. */
  readonly #connections = new AccountSlots();
  readonly #open: OpenLogins;
  /** What is being paid, by what it is for: who logs in meanwhile shares the answer. */
  readonly #paying = new Map<string, Promise<MeterReading | null>>();
  readonly #mailbox: (login: ProgramLogin) => ImapMailbox;

  /** @param mailbox opens the mailbox of a login */
  constructor(deps: ProgramServiceDeps, mailbox: (login: ProgramLogin) => ImapMailbox) {
    this.#deps = deps;
    this.#networks = new ProgramNetworks(deps);
    this.#open = new OpenLogins(deps, (principal) => this.#pay(principal));
    this.#mailbox = mailbox;
  }

  /** Open logins, for the metrics. */
  readonly size = (): number => this.#open.size();

  /** Whether a network may open a connection now. */
  readonly admits = ({ remoteAddress }: Pick<ImapClient, 'remoteAddress'>): Promise<boolean> =>
    this.#networks.admits(remoteAddress);

  async login(
    credentials: ImapCredentials,
    client: ImapClient,
    ended: (why: ImapRefusal) => void,
  ): Promise<ImapMailbox> {
    const login = await this.authenticate(credentials, client, 'mail:read', ended);
    const mailbox = this.#mailbox(login);
    const close = mailbox.close.bind(mailbox);
    mailbox.close = () => {
      login.close();
      close();
    };
    return mailbox;
  }

  /**
   * Finds who presents a credential, and follows it while the connection is open. The caller waits a second after a
   * refusal, and calls `close` when the connection ends.
   * @param ended called at most once, when the credential ends before the connection does
   * @throws ImapRefusal `AUTHENTICATIONFAILED`, `PRIVACYREQUIRED`, `CONTACTADMIN`, `LIMIT`, `UNAVAILABLE` (RFC 5530)
   */
  async authenticate(
    credentials: ImapCredentials,
    client: ImapClient,
    scope: ProgramScope,
    ended: (why: ImapRefusal) => void,
  ): Promise<OpenProgramLogin> {
    const { countLogin } = this.#deps;
    try {
      this.#requirePrivacy(client);
      const login = await this.#find(credentials, client, scope);
      const open = await this.#admit(login, client, ended);
      countLogin('ok');
      return open;
    } catch (err) {
      const refusal = refusalOf(err);
      const code = refusal instanceof ImapRefusal ? refusal.code : '';
      countLogin(OUTCOMES[code] ?? 'refused');
      if (code === 'AUTHENTICATIONFAILED') this.#networks.failed(client.remoteAddress);
      throw refusal;
    }
  }

  /** RFC 9051 11.1: a secret does not cross a network in clear. */
  readonly mayLogIn = ({ tls, remoteAddress }: ImapClient): boolean =>
    tls || (this.#deps.development && isLoopbackHost(remoteAddress));

  #requirePrivacy(client: ImapClient): void {
    if (this.mayLogIn(client)) return;
    throw new ImapRefusal('PRIVACYREQUIRED', 'Log in over TLS');
  }

  async #find(
    { user, secret }: ImapCredentials,
    { remoteAddress }: ImapClient,
    scope: ProgramScope,
  ): Promise<ProgramLogin> {
    const { database, addresses, credentials, hashIp, now } = this.#deps;
    // Known by its beginning: a key for all of an account must not get into the settings of a mail program.
    if (isWholeCredential(secret))
      throw new ImapRefusal('AUTHENTICATIONFAILED', `Use a named key: POST /v1/account/keys with ${scope}`);
    // A mistyped one costs no look-up.
    if (keyKindOf(secret) === null) throw wrong();
    // The token of a client is refused here: it is accepted at /mcp alone.
    const principal = await credentials.ofHash('api_key', hashSecret(secret), now());
    if (principal === null || !hasScope(principal, scope)) throw wrong();
    const name = user === '' ? await this.#onlyAddress(principal) : user;
    if (!name.includes('@')) throw wrong();
    const { address } = await addresses.requireOwned(database, principal, name, 'missing');
    return { principal, address, ip: hashIp(remoteAddress), network: networkOf(remoteAddress) };
  }

  /** A token may come without a user (RFC 7628 3.1). Then it names its only address. */
  async #onlyAddress(principal: Principal): Promise<string> {
    const own = principal.addresses ?? (await addressesOf(this.#deps.database, principal.accountId));
    return own.length === 1 ? (own[0] as string) : '';
  }

  async #admit(
    login: ProgramLogin,
    { remoteAddress }: ImapClient,
    ended: (why: ImapRefusal) => void,
  ): Promise<OpenProgramLogin> {
    const { credentials, limits, now } = this.#deps;
    const { principal, address } = login;
    const max = limits.mail_program_connections;
    const free = this.#connections.take(address, max);
    if (free === null)
      throw new ImapRefusal('LIMIT', `${address} has ${max} open connections (mail_program_connections)`);
    try {
      const paid = await this.#pay(principal);
      if (paid !== null && !paid.admitted)
        throw new ImapRefusal('LIMIT', `No more requests until ${iso(paid.resetAt)} (${paid.name})`);
      credentials.keyUses.note(principal, now(), paid === null ? undefined : remoteAddress);
      await this.#networks.succeeded(remoteAddress);
    } catch (err) {
      free();
      throw err;
    }
    const stop = this.#open.follow(login, ended);
    const close = (): void => {
      stop();
      free();
    };
    return { ...login, close };
  }

  /** Counts a request for a key in this hour, however often it logs in. @returns null when the hour was counted before */
  #pay(principal: Principal): Promise<MeterReading | null> {
    const id = `${principal.namedKeyId ?? principal.delegation?.id ?? principal.keyHash}`;
    const paying = this.#paying.get(id) ?? this.#payOnce(id, principal).finally(() => this.#paying.delete(id));
    this.#paying.set(id, paying);
    return paying;
  }

  async #payOnce(id: string, principal: Principal): Promise<MeterReading | null> {
    const { meter, meterRules, now } = this.#deps;
    const at = now();
    const once = {
      countId: `mail_program:${id}`,
      name: 'requests_per_day',
      owner: 'credential',
      window: 'hour',
      limit: 1,
    } as const;
    if (!(await meter.take([once], at)).admitted) return null;
    const reading = await meter.take(meterRules(principal), at);
    if (!reading.admitted) await meter.giveBack([once], at);
    return reading;
  }
}
