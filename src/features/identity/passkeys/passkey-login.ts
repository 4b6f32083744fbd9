import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { ApiError } from '../../../api/errors.ts';
import { windowRule } from '../../../api/limits.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { iso } from '../../../base/clock.ts';
import { lastId } from '../../../base/ids.ts';
import { hashSecret } from '../../../base/secret.ts';
import { findAccounts } from '../../account/accounts/account-lifecycle.ts';
import { actingOperator, isOperator, operatedBy } from '../../account/people/person.ts';
import { takeNetworkWindow, takeWindow } from '../../service/limits/rate-window.ts';
import type { OpenedSession } from '../login/mailed-login.ts';
import { loginOptions, verifyLogin } from './ceremony.ts';
import { burnChallenge, expectedChallenge, keepChallenge, loginOf, spendChallenge } from './challenge.ts';
import { isActive, type PasskeyDeps } from './passkey.ts';
import { findByCredential, recordUse } from './passkey-store.ts';
import type { Passkey } from './passkey-table.ts';
import { codeHash } from './recovery-code.ts';
import { isCode, takeCode } from './recovery-code-store.ts';

/** How many accounts are looked through for the one that a session is opened for. */
const OPERATED_MAX = 1000;

/** A passkey that signed a challenge, with its new counter. */
export interface ProvenPasskey {
  passkey: Passkey;
  counter: number;
  challenge: string;
  networks: ClientNetworks;
}

/** A recovery code as it was sent. */
export interface Recovery {
  address: string;
  code: string;
  networks: ClientNetworks;
}

/** What a login counts against, and the challenge that it answers. Null: unknown. */
interface Attempt {
  networks: ClientNetworks;
  address: string | null;
  challenge: string | null;
}

/** Opens operator sessions with passkeys and recovery codes. */
export class PasskeyLogin {
  readonly #deps: PasskeyDeps;

  constructor(deps: PasskeyDeps) {
    this.#deps = deps;
  }

  /** Makes the options of a login. They say nothing about the address. @throws ApiError `passkeys_unavailable` */
  options() {
    return loginOptions(this.#deps.relyingParty());
  }

  /** Stores the challenge of options. @throws ApiError `rate_limited` */
  async keepOptions(
    tx: Tx,
    { challenge, address, networks }: { challenge: string; address: string | null; networks: ClientNetworks },
    now: number,
  ): Promise<void> {
    await this.#countLogin(tx, { networks, address: null }, now);
    await keepChallenge(tx, challenge, loginOf(address), now);
  }

  /** Checks the answer to a challenge. @throws ApiError `invalid_passkey`, `passkey_pending`, `rate_limited` */
  async prove(response: AuthenticationResponseJSON, networks: ClientNetworks, now: number): Promise<ProvenPasskey> {
    const { database, relyingParty } = this.#deps;
    const party = relyingParty();
    const passkey = await findByCredential(database, response.id);
    const attempt: Attempt = { networks, address: passkey?.address ?? null, challenge: null };
    try {
      if (!passkey) throw new ApiError('invalid_passkey');
      const bound = [loginOf(passkey.address), loginOf(null)];
      const challenge = await expectedChallenge(database, response.response.clientDataJSON, bound, now);
      attempt.challenge = challenge;
      const counter = await verifyLogin(party, response, challenge, passkey);
      // Said only to someone who holds the passkey.
      if (!isActive(passkey, now))
        throw new ApiError('passkey_pending', { fields: { active_at: iso(passkey.activeAt) } });
      return { passkey, counter, challenge, networks };
    } catch (err) {
      // In a separate transaction: a refused attempt counts too, and uses its challenge up.
      await database.transaction(async (tx) => {
        await this.#countLogin(tx, attempt, now);
        if (attempt.challenge !== null) await burnChallenge(tx, attempt.challenge, now);
      });
      throw err;
    }
  }

  /** Opens a session. @param accountId the account to act for; default: the first one. @throws ApiError `invalid_passkey`, `not_found` */
  async open(
    tx: Tx,
    { passkey, counter, challenge, networks }: ProvenPasskey,
    accountId: string | undefined,
    now: number,
  ): Promise<OpenedSession> {
    const { address, id } = passkey;
    await this.#countLogin(tx, { networks, address }, now);
    await spendChallenge(tx, challenge, now);
    if (!(await recordUse(tx, id, counter, now))) throw new ApiError('invalid_passkey');
    const account = await this.#accountOf(tx, address, accountId);
    if (account === null) throw new ApiError('invalid_passkey');
    const who = { accountId: account, person: actingOperator(address), method: 'passkey' } as const;
    return this.#deps.login.open(tx, who, networks, now);
  }

  /** Counts a wrong recovery code. @throws ApiError `invalid_code`, `rate_limited` */
  async requireCode(recovery: Recovery, now: number): Promise<void> {
    const { database } = this.#deps;
    if (await isCode(database, codeHash(recovery.address, recovery.code))) return;
    // In a separate transaction: a refused attempt counts too.
    await database.transaction((tx) => this.#countRecovery(tx, recovery, now));
    throw new ApiError('invalid_code');
  }

  /** Uses up a recovery code and opens a session. @throws ApiError `invalid_code`, `not_found`, `rate_limited` */
  async recover(tx: Tx, recovery: Recovery, accountId: string | undefined, now: number): Promise<OpenedSession> {
    const { login, enqueueJob } = this.#deps;
    const { address, code } = recovery;
    await this.#countRecovery(tx, recovery, now);
    if (!(await takeCode(tx, codeHash(address, code)))) throw new ApiError('invalid_code');
    const account = await this.#accountOf(tx, address, accountId);
    if (account === null) throw new ApiError('invalid_code');
    const payload = { address, news: 'code_used' as const, activeAt: null };
    await enqueueJob(tx, { kind: 'mail.passkey', payload, runAt: now });
    const who = { accountId: account, person: actingOperator(address), method: 'recovery' } as const;
    return login.open(tx, who, recovery.networks, now);
  }

  async #countLogin(tx: Tx, { networks, address }: Omit<Attempt, 'challenge'>, now: number): Promise<void> {
    const { limits } = this.#deps;
    const perNetwork = [windowRule(limits, 'passkey_logins_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'passkey-login-from', networks, perNetwork, now);
    if (address === null) return;
    const perAddress = [windowRule(limits, 'passkey_logins_per_email_per_hour')];
    await takeWindow(tx, `passkey-login:${hashSecret(address)}`, perAddress, now);
  }

  async #countRecovery(
    tx: Tx,
    { address, networks }: Pick<Recovery, 'address' | 'networks'>,
    now: number,
  ): Promise<void> {
    const { limits } = this.#deps;
    const perNetwork = [windowRule(limits, 'recovery_codes_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'recovery-code-from', networks, perNetwork, now);
    const perAddress = [windowRule(limits, 'recovery_codes_per_email_per_hour')];
    await takeNetworkWindow(tx, `recovery-code:${hashSecret(address)}`, networks, perAddress, now);
  }

  /**
   * The account that a session is opened for: the wanted one, else the one that the person has operated for longest. Null:
   * the person operates none that is open. @throws ApiError `not_found` when the person does not operate the wanted one
   */
  async #accountOf(reader: Reader, address: string, wanted: string | undefined): Promise<string | null> {
    if (wanted !== undefined && !(await isOperator(reader, wanted, address))) throw new ApiError('not_found');
    if (wanted !== undefined) return wanted;
    const ids = (await operatedBy(reader, address, lastId('per'), OPERATED_MAX)).map(({ accountId }) => accountId);
    const accounts = await findAccounts(reader, ids);
    return ids.findLast((id) => accounts.get(id)?.status === 'active') ?? null;
  }
}
