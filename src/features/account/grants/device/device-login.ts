import { ApiError } from '../../../../api/errors.ts';
import { windowRule } from '../../../../api/limits.ts';
import { FIXED_LIMITS } from '../../../../api/metering/fixed-limits.ts';
import { DEVICE_CODE_GRANT, type GrantType, isResourceOf, oauthError, resourceOf } from '../../../../api/oauth.ts';
import type { Principal } from '../../../../api/principal.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import type { ClientNetworks } from '../../../../base/client-network.ts';
import { HOUR_MS } from '../../../../base/period.ts';
import { hashSecret, mintToken } from '../../../../base/secret.ts';
import { takeNetworkWindow } from '../../../service/limits/rate-window.ts';
import { readScopes } from '../authorization.ts';
import type { ConsentRules } from '../consent-decision.ts';
import type { GrantDeps, GrantRules } from '../grant.ts';
import { CODE_TTL_MS, COMMAND_LINE, type Grant } from '../grant-table.ts';
import {
  denyDeviceLogin,
  findByUserCode,
  findDeviceLogin,
  insertDeviceLogin,
  purgeDeviceLogins,
  savePoll,
  takeDeviceLogin,
} from './device-login-store.ts';
import type { DeviceLogin } from './device-login-table.ts';
import { mintUserCode, userCodeHash } from './user-code.ts';

const PREFIX = 'signet_dc_';
/** RFC 8628 3.2 and 3.5. */
const INTERVAL_SECONDS = 5;
const SLOWER_SECONDS = 5;

/** What a command line asks for (RFC 8628 3.1, RFC 8707 2). */
export interface DeviceRequest {
  client_id?: string;
  scope?: string;
  resource?: string;
}

/** Known only now. */
export interface StartedLogin {
  deviceCode: string;
  userCode: string;
  expiresInSeconds: number;
  intervalSeconds: number;
}

/** A poll that came before the decision. */
class PolledEarly extends ApiError {
  readonly login: DeviceLogin;
  constructor(login: DeviceLogin, now: number) {
    const { polledAt, intervalSeconds } = login;
    const isSoon = polledAt !== null && now - polledAt < intervalSeconds * 1000;
    const [code, message] = isSoon
      ? (['slow_down', `Ask every ${intervalSeconds + SLOWER_SECONDS} seconds.`] as const)
      : (['authorization_pending', 'The person has not decided yet.'] as const);
    super(code, { message, fields: { error_description: message } });
    this.login = { ...login, polledAt: now, intervalSeconds: intervalSeconds + (isSoon ? SLOWER_SECONDS : 0) };
  }
}

/** A right code counts nothing: it rolls the count back. */
class RightCode extends Error {
  readonly login: DeviceLogin;
  constructor(login: DeviceLogin) {
    super('a right code');
    this.login = login;
  }
}

const unknownCode = (): ApiError =>
  new ApiError('unknown_user_code', {
    message: 'No command line waits with this code. Check it against the code that the command line shows.',
  });

/** Logins of the command line on a machine without a browser (RFC 8628): a person types the code that it shows. */
export class DeviceLoginRules {
  readonly #deps: GrantDeps;
  readonly #consents: ConsentRules;
  readonly #grants: GrantRules;

  constructor(deps: GrantDeps, consents: ConsentRules, grants: GrantRules) {
    this.#deps = deps;
    this.#consents = consents;
    this.#grants = grants;
  }

  /** What the command line polls with (RFC 8628 3.4). */
  readonly grantType: GrantType = {
    name: DEVICE_CODE_GRANT,
    issue: async (tx, { form, now }, audit) => {
      const { device_code: text, client_id: clientId } = form;
      if (text === undefined) throw oauthError('invalid_request', 'Send device_code.');
      if (clientId !== COMMAND_LINE.id) throw unknownClient();
      await requireDecided(tx, text, now);
      // A code of a browser has a challenge, and is no device code.
      return this.#grants.redeem(tx, { text, form, now }, ({ challenge }) => challenge === null, audit);
    },
    afterRefusal: async (err, now) => {
      await this.#grants.endReused(err, now);
      // The transaction of the refusal rolled back.
      if (err instanceof PolledEarly) await this.#deps.database.transaction((tx) => savePoll(tx, err.login));
    },
  };

  /** @throws ApiError `invalid_client`, `invalid_target`, `invalid_scope`, `rate_limited` */
  async start(tx: Tx, asked: DeviceRequest, networks: ClientNetworks, now: number): Promise<StartedLogin> {
    const { baseUrl, limits } = this.#deps;
    if (asked.client_id !== COMMAND_LINE.id) throw unknownClient();
    if (!isResourceOf(COMMAND_LINE.id, asked.resource, baseUrl()))
      throw oauthError('invalid_target', `resource must be ${resourceOf(COMMAND_LINE.id, baseUrl())}.`);
    const scopes = readScopes(asked.scope, COMMAND_LINE.id);
    if (typeof scopes === 'string') throw oauthError('invalid_scope', scopes);
    const perHour = [windowRule(limits, 'device_logins_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'device-login', networks, perHour, now);
    const deviceCode = mintToken(PREFIX);
    const expiresInSeconds = FIXED_LIMITS.device_login_seconds.value;
    const login = {
      deviceHash: hashSecret(deviceCode),
      scopes,
      intervalSeconds: INTERVAL_SECONDS,
      polledAt: null,
      deniedAt: null,
      createdAt: now,
      expiresAt: now + expiresInSeconds * 1000,
    };
    let userCode = mintUserCode();
    while (!(await insertDeviceLogin(tx, { ...login, userCodeHash: userCodeHash(userCode) })))
      userCode = mintUserCode();
    return { deviceCode, userCode, expiresInSeconds, intervalSeconds: INTERVAL_SECONDS };
  }

  /**
   * Finds the login that waits with a code. A wrong code counts against the network, and after too many no code is looked at.
   * @throws ApiError `unknown_user_code`, `rate_limited`, `invalid_request` when it is not a code
   */
  async find(typed: string, networks: ClientNetworks, now: number): Promise<DeviceLogin> {
    const codeHash = userCodeHash(typed);
    const rules = [windowRule(this.#deps.limits, 'device_wrong_codes_per_ip_per_hour')];
    try {
      // Counted before it is looked up, so that of parallel guesses none is looked up for nothing.
      await this.#deps.database.transaction(async (tx) => {
        await takeNetworkWindow(tx, 'device-code', networks, rules, now);
        const login = await findByUserCode(tx, codeHash);
        if (login && login.deniedAt === null && login.expiresAt > now) throw new RightCode(login);
      });
    } catch (err) {
      if (err instanceof RightCode) return err.login;
      throw err;
    }
    throw unknownCode();
  }

  /**
   * Lets the command line act for the caller's account: its next poll gets the key.
   * @throws ApiError `unknown_user_code` when it was decided before; as {@link ConsentRules.allow}
   */
  async allow(
    tx: Tx,
    acting: Principal,
    { deviceHash: hash, scopes: asked, expiresAt }: DeviceLogin,
    chosen: readonly string[] | undefined,
    now: number,
  ): Promise<Grant> {
    if ((await takeDeviceLogin(tx, hash)) === 0) throw unknownCode();
    const code = { hash, prefix: PREFIX, redirectUri: null, challenge: null };
    const shown = { client: COMMAND_LINE, to: 'the command line that showed the code', ...code };
    // Time for one more poll.
    const until = Math.max(expiresAt, now + CODE_TTL_MS);
    return this.#consents.admit(tx, acting, { ...shown, expiresAt: until }, { asked, chosen }, now);
  }

  /** @throws ApiError `unknown_user_code` when it was decided before */
  async deny(tx: Tx, { deviceHash }: DeviceLogin, now: number): Promise<void> {
    if (!(await denyDeviceLogin(tx, { deviceHash, deniedAt: now }))) throw unknownCode();
  }
}

const unknownClient = (): ApiError =>
  oauthError('invalid_client', `Only the client ${COMMAND_LINE.id} logs in with a device code.`);

/** @throws ApiError `authorization_pending`, `slow_down`, `access_denied`, `expired_token` while it waits, or waited in vain */
async function requireDecided(reader: Reader, deviceCode: string, now: number): Promise<void> {
  const deviceHash = hashSecret(deviceCode);
  const login = await findDeviceLogin(reader, deviceHash);
  if (!login) return;
  if (login.deniedAt !== null) throw oauthError('access_denied', 'The person denied the request.');
  if (login.expiresAt <= now) throw oauthError('expired_token', 'The device code has expired.');
  throw new PolledEarly(login, now);
}

/** Forgets logins an hour after their end, so that a late poll learns what became of them. */
export const expireDeviceLogins = (tx: Tx, now: number): Promise<number> => purgeDeviceLogins(tx, now - HOUR_MS);
