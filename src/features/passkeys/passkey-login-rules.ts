import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { iso } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import { lastId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret } from '../../kernel/secret.ts';
import type { Database, Reader, Tx } from '../../kernel/transaction.ts';
import { findAccounts } from '../accounts/account-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import type { LoginRules, OpenedSession } from '../login/login-rules.ts';
import { isOperator, operatedBy } from '../people/person-rules.ts';
import { loginOptions, verifyLogin } from './ceremony-rules.ts';
import { keepChallenge, loginOf, useChallenge } from './challenge-rules.ts';
import type { Passkey, RelyingParty } from './passkey-data.ts';
import { isActive } from './passkey-rules.ts';
import { findByCredential, recordUse } from './passkey-store.ts';
import { codeHash } from './recovery-code-rules.ts';
import { takeCode } from './recovery-code-store.ts';

/** How many accounts are looked through for the one that a session is opened for. */
const OPERATED_MAX = 1000;

export interface PasskeyLoginDeps {
  database: Database;
  limits: Limits;
  enqueueJob: EnqueueJob;
  login: Pick<LoginRules, 'open'>;
  /** @throws ApiError `passkeys_unavailable` */
  relyingParty(): RelyingParty;
}

/** A passkey that signed, with its new counter. */
export interface ProvenPasskey {
  passkey: Passkey;
  counter: number;
}

/** Opens operator sessions with passkeys and recovery codes. */
export class PasskeyLogin {
  readonly #deps: PasskeyLoginDeps;

  constructor(deps: PasskeyLoginDeps) {
    this.#deps = deps;
  }

  /** Makes the options of a login. They say nothing about the address. @throws ApiError `passkeys_unavailable` */
  options() {
    return loginOptions(this.#deps.relyingParty());
  }

  /** Stores the challenge of options. @throws ApiError `rate_limited` */
  async keepOptions(
    tx: Tx,
    { challenge, address, network }: { challenge: string; address: string | null; network: string },
    now: number,
  ): Promise<void> {
    await this.#countLogin(tx, network, now);
    await keepChallenge(tx, challenge, loginOf(address), now);
  }

  /** Checks the answer to a challenge. @throws ApiError `invalid_passkey`, `passkey_pending`, `rate_limited` */
  async prove(response: AuthenticationResponseJSON, network: string, now: number): Promise<ProvenPasskey> {
    const { database, limits, relyingParty } = this.#deps;
    const party = relyingParty();
    const passkey = await findByCredential(database, response.id);
    // Counted in a transaction of its own: a refused attempt counts too.
    await database.transaction(async (tx) => {
      await this.#countLogin(tx, network, now);
      if (!passkey) return;
      const perAddress = [windowRule(limits, 'passkey_logins_per_email_per_hour')];
      await takeWindow(tx, `passkey-login:${hashSecret(passkey.address)}`, perAddress, now);
    });
    if (!passkey) throw new ApiError('invalid_passkey');
    const bound = [loginOf(passkey.address), loginOf(null)];
    const challenge = await useChallenge(database, response.response.clientDataJSON, bound, now);
    const counter = await verifyLogin(party, response, challenge, passkey);
    // Said only to someone who holds the passkey.
    if (!isActive(passkey, now))
      throw new ApiError('passkey_pending', { fields: { active_at: iso(passkey.activeAt) } });
    return { passkey, counter };
  }

  /** Opens a session. @param accountId the account to act for; default: the first one. @throws ApiError `invalid_passkey`, `not_found` */
  async open(
    tx: Tx,
    { passkey, counter }: ProvenPasskey,
    accountId: string | undefined,
    now: number,
  ): Promise<OpenedSession> {
    const { address, id } = passkey;
    if (!(await recordUse(tx, id, counter, now))) throw new ApiError('invalid_passkey');
    const account = await this.#accountOf(tx, address, accountId);
    if (account === null) throw new ApiError('invalid_passkey');
    return this.#deps.login.open(tx, { accountId: account, email: address, operator: true, method: 'passkey' }, now);
  }

  /** Counts an attempt with a recovery code, also one that fails. @throws ApiError `rate_limited` */
  countRecovery(address: string, network: string, now: number): Promise<void> {
    const { database, limits } = this.#deps;
    return database.transaction(async (tx) => {
      const perNetwork = [windowRule(limits, 'recovery_codes_per_ip_per_hour')];
      await takeWindow(tx, `recovery-code-from:${network}`, perNetwork, now);
      const perAddress = [windowRule(limits, 'recovery_codes_per_email_per_hour')];
      await takeWindow(tx, `recovery-code:${hashSecret(address)}:${network}`, perAddress, now);
    });
  }

  /** Uses up a recovery code and opens a session. @throws ApiError `invalid_code`, `not_found` */
  async recover(
    tx: Tx,
    { address, code, accountId }: { address: string; code: string; accountId: string | undefined },
    now: number,
  ): Promise<OpenedSession> {
    const { login, enqueueJob } = this.#deps;
    if (!(await takeCode(tx, codeHash(address, code)))) throw new ApiError('invalid_code');
    const account = await this.#accountOf(tx, address, accountId);
    if (account === null) throw new ApiError('invalid_code');
    const payload = { address, news: 'code_used' as const, activeAt: null };
    await enqueueJob(tx, { kind: 'mail.passkey', payload, runAt: now });
    return login.open(tx, { accountId: account, email: address, operator: true, method: 'recovery' }, now);
  }

  async #countLogin(tx: Tx, network: string, now: number): Promise<void> {
    const perNetwork = [windowRule(this.#deps.limits, 'passkey_logins_per_ip_per_hour')];
    await takeWindow(tx, `passkey-login-from:${network}`, perNetwork, now);
  }

  /**
   * The account that a session is opened for: the wanted one, else the one that the person has operated for longest. Null:
   * the person operates none that is open. @throws ApiError `not_found` when he does not operate the wanted one
   */
  async #accountOf(reader: Reader, address: string, wanted: string | undefined): Promise<string | null> {
    if (wanted !== undefined && !(await isOperator(reader, wanted, address))) throw new ApiError('not_found');
    if (wanted !== undefined) return wanted;
    const ids = (await operatedBy(reader, address, lastId('per'), OPERATED_MAX)).map(({ accountId }) => accountId);
    const accounts = await findAccounts(reader, ids);
    return ids.findLast((id) => accounts.get(id)?.status === 'active') ?? null;
  }
}
