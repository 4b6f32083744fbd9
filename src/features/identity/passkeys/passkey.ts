import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiError } from '../../../api/errors.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { newId } from '../../../base/ids.ts';
import { keyedHash } from '../../../base/secret.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import type { PersonNews } from '../../account/news/person-news.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { findSettings, lockSettings, saveSettings } from '../../service/settings/operator-settings.ts';
import type { Mails } from '../../service/settings/operator-settings-table.ts';
import type { Credentials } from '../login/authenticator.ts';
import type { LoginRules } from '../login/mailed-login.ts';
import { registrationOptions, verifyRegistration } from './ceremony.ts';
import { burnChallenge, expectedChallenge, keepChallenge, registrationOf, spendChallenge } from './challenge.ts';
import { deletePasskey, insertPasskey, passkeysOf } from './passkey-store.ts';
import type { Passkey, PasskeyNews, RelyingParty } from './passkey-table.ts';
import { codeHash, newCodes } from './recovery-code.ts';
import { codesLeft, replaceCodes } from './recovery-code-store.ts';

const DELAY_MS = FIXED_LIMITS.passkey_delay_seconds.value * 1000;

/** What passkeys need. Each part takes what it uses of this. */
export interface PasskeyDeps {
  database: Database;
  limits: Limits;
  enqueueJob: EnqueueJob;
  jobEffects: JobEffects;
  /** @throws ApiError `passkeys_unavailable` */
  relyingParty(): RelyingParty;
  /** The key under which addresses become user handles. */
  handleKey: string;
  credentials: Pick<Credentials, 'endPasskeySessions'>;
  login: LoginRules;
  mailer: LinkMailer;
  news: Pick<PersonNews, 'hasten'>;
  baseUrl(): string;
  networksOf(ip: string): ClientNetworks;
}

/** What a person set for an address, and what it rests on. */
export interface SettingsView {
  address: string;
  requirePasskey: boolean;
  mails: Mails;
  /** Passkeys that log in. */
  passkeys: number;
  recoveryCodes: number;
}

/** What a person changes. Absent: it stays. */
export type SettingsChange = { requirePasskey?: boolean | undefined; mails?: Mails | undefined };

export const isActive = ({ activeAt }: Passkey, now: number): boolean => activeAt <= now;

/** The address of an operator session. @throws ApiError `operator_required` for every other credential */
function personOf({ operator, person }: Principal): string {
  if (!operator || person === null) throw new ApiError('operator_required');
  return person;
}

/** Whether a mailed link opened the session. Such a login proves the mailbox and no more. */
const isMailed = ({ method }: Principal): boolean => method === 'link';

/** The passkeys and recovery codes of a person, and what the person requires of a login. */
export class PasskeyRules {
  readonly #deps: PasskeyDeps;

  constructor(deps: PasskeyDeps) {
    this.#deps = deps;
  }

  /** Makes the options of a registration. @throws ApiError `operator_required`, `passkeys_unavailable`, `limit_reached` */
  async options(principal: Principal) {
    const { database, relyingParty, handleKey } = this.#deps;
    const address = personOf(principal);
    const party = relyingParty();
    const known = await passkeysOf(database, address);
    requireCapacity(known);
    const handle = Uint8Array.from(Buffer.from(keyedHash(handleKey, address), 'hex'));
    return registrationOptions(party, { address, handle }, known);
  }

  /** Stores the challenge of options, for an answer in the same session. */
  keepOptions(tx: Tx, { sessionHash }: Principal, challenge: string, now: number): Promise<void> {
    return keepChallenge(tx, challenge, registrationOf(sessionHash), now);
  }

  /** Checks a new passkey. @throws ApiError `operator_required`, `passkeys_unavailable`, `invalid_passkey` */
  async prove(principal: Principal, response: RegistrationResponseJSON, now: number) {
    const { database, relyingParty } = this.#deps;
    personOf(principal);
    const party = relyingParty();
    const bound = [registrationOf(principal.sessionHash)];
    const challenge = await expectedChallenge(database, response.response.clientDataJSON, bound, now);
    const passkey = await verifyRegistration(party, response, challenge).catch(async (err: unknown) => {
      await database.transaction((tx) => burnChallenge(tx, challenge, now));
      throw err;
    });
    return { challenge, passkey };
  }

  /**
   * Stores a passkey that was proven. The first is active at once, and so is one that is added with another passkey or a
   * recovery code. One that is added with a mailed login waits, so that its owner can remove it: a thief who reads the
   * mailbox could add it too. @throws ApiError `limit_reached`, `invalid_passkey` when it is registered already
   */
  async add(
    tx: Tx,
    principal: Principal,
    { challenge, passkey: proven, name }: Awaited<ReturnType<PasskeyRules['prove']>> & { name: string },
    now: number,
  ): Promise<Passkey> {
    const address = personOf(principal);
    await spendChallenge(tx, challenge, now);
    await lockSettings(tx, address);
    const known = await passkeysOf(tx, address);
    requireCapacity(known);
    const waits = isMailed(principal) && known.length > 0;
    const sessionHash = principal.sessionHash as string;
    const times = { createdAt: now, activeAt: waits ? now + DELAY_MS : now, lastUsedAt: null };
    const passkey: Passkey = { id: newId('psk', now), address, name, sessionHash, ...proven, ...times };
    if (!(await insertPasskey(tx, passkey))) throw new ApiError('invalid_passkey');
    const { id, activeAt } = passkey;
    await this.#tell(tx, address, waits ? 'pending' : 'added', now, activeAt);
    if (waits) {
      const payload = { address, news: 'active' as const, activeAt, passkeyId: id };
      await this.#deps.enqueueJob(tx, { kind: 'mail.passkey', payload, runAt: activeAt });
    }
    return passkey;
  }

  list(reader: Reader, principal: Principal): Promise<Passkey[]> {
    return passkeysOf(reader, personOf(principal));
  }

  /**
   * Removes a passkey. A mailed login removes only what waits and what it added itself, because it could else remove the
   * owner's and add a first one. @throws ApiError `not_found`, `passkey_required`, `passkeys_needed` for the last one
   */
  async remove(tx: Tx, principal: Principal, id: string, now: number): Promise<void> {
    const address = personOf(principal);
    const { requirePasskey } = await lockSettings(tx, address);
    const known = await passkeysOf(tx, address);
    const passkey = known.find((one) => one.id === id);
    if (!passkey) throw new ApiError('not_found');
    const isOwn = passkey.sessionHash === principal.sessionHash && !requirePasskey;
    if (isActive(passkey, now)) {
      if (isMailed(principal) && !isOwn) throw new ApiError('passkey_required');
      const isLast = !known.some((one) => one.id !== id && isActive(one, now));
      if (requirePasskey && isLast)
        throw new ApiError('passkeys_needed', {
          message: 'This is your last passkey. Add another first, or turn off require_passkey.',
        });
    }
    await deletePasskey(tx, address, id);
    // The holder of the removed passkey may be logged in with it.
    if (isActive(passkey, now))
      await this.#deps.credentials.endPasskeySessions(tx, address, principal.sessionHash, now);
    // Codes stand in for passkeys. Without one they would only be another way in.
    if (known.length === 1) await replaceCodes(tx, address, []);
    await this.#tell(tx, address, 'removed', now);
  }

  /**
   * Replaces the recovery codes. With a mailed login only the session that added the first passkey makes the first ones.
   * @returns the codes, to show once. @throws ApiError `passkey_required`
   */
  async renewCodes(tx: Tx, principal: Principal, now: number): Promise<string[]> {
    const address = personOf(principal);
    const { requirePasskey } = await lockSettings(tx, address);
    if (isMailed(principal)) {
      const known = await passkeysOf(tx, address);
      const addedOne = known.some((one) => isActive(one, now) && one.sessionHash === principal.sessionHash);
      if (requirePasskey || !addedOne || (await codesLeft(tx, address)) > 0) throw new ApiError('passkey_required');
    }
    const codes = newCodes();
    await replaceCodes(
      tx,
      address,
      codes.map((code) => codeHash(address, code)),
    );
    await this.#tell(tx, address, 'codes_made', now);
    return codes;
  }

  async settings(reader: Reader, principal: Principal, now: number): Promise<SettingsView> {
    const address = personOf(principal);
    const { requirePasskey, mails } = await findSettings(reader, address);
    const passkeys = (await passkeysOf(reader, address)).filter((one) => isActive(one, now)).length;
    return { address, requirePasskey, mails, passkeys, recoveryCodes: await codesLeft(reader, address) };
  }

  /**
   * Sets how often news is mailed, and whether a mailed link no longer decides. The latter takes two passkeys, or one and codes, so that the loss of one does
   * not lock its owner out. @throws ApiError `passkeys_needed`, `passkey_required` to turn it off with a mailed login
   */
  async changeSettings(tx: Tx, principal: Principal, change: SettingsChange, now: number): Promise<SettingsView> {
    const address = personOf(principal);
    const settings = await lockSettings(tx, address);
    const { requirePasskey = settings.requirePasskey, mails = settings.mails } = change;
    const { passkeys, recoveryCodes } = await this.settings(tx, principal, now);
    const isChange = settings.requirePasskey !== requirePasskey;
    if (isChange && !requirePasskey && isMailed(principal)) throw new ApiError('passkey_required');
    if (isChange && requirePasskey && passkeys < 2 && (passkeys < 1 || recoveryCodes < 1))
      throw new ApiError('passkeys_needed');
    await saveSettings(tx, { address, requirePasskey, mails });
    if (mails !== settings.mails) await this.#deps.news.hasten(tx, address, now);
    if (isChange) await this.#tell(tx, address, requirePasskey ? 'required' : 'not_required', now);
    return { address, requirePasskey, mails, passkeys, recoveryCodes };
  }

  async #tell(tx: Tx, address: string, news: PasskeyNews, now: number, activeAt: number | null = null): Promise<void> {
    await this.#deps.enqueueJob(tx, { kind: 'mail.passkey', payload: { address, news, activeAt }, runAt: now });
  }
}

/** @throws ApiError `limit_reached` */
function requireCapacity(known: readonly Passkey[]): void {
  const max = FIXED_LIMITS.passkeys.value;
  if (known.length >= max) throw limitReached('passkeys', { used: known.length, max });
}
