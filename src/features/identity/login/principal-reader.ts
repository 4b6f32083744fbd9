import type { Principal, SessionMethod, WrittenActor } from '../../../api/principal.ts';
import { suspensionWithin } from '../../account/accounts/account-lifecycle.ts';
import type { Account, Suspension } from '../../account/accounts/account-table.ts';
import { requireDelegable } from '../../account/delegations/delegation.ts';
import { asStanding } from '../../account/keys/key.ts';
import { findPresentedKey } from '../../account/keys/named-key.ts';
import { actingPerson } from '../../account/people/person.ts';
import type { Person } from '../../account/people/person-table.ts';
import { quotasOf, readAccess, readGrantAccess } from './account-access.ts';
import { type LookUps, lookUpsOf } from './credential-look-ups.ts';
import type { Session } from './login-table.ts';
import type { LoginDeps } from './mailed-login.ts';
import { findSession } from './session-store.ts';

/** A credential that was found valid. */
export interface FoundCredential {
  principal: Principal;
  suspension: Suspension;
  /** Null for a key itself. */
  session: Session | null;
}

/** What the credential itself says about its principal. */
type CredentialFields = Omit<
  Principal,
  | 'kind'
  | 'accountId'
  | 'parentId'
  | 'tier'
  | 'limits'
  | 'quotaPerson'
  | 'quotaAccountId'
  | 'rateLimits'
  | 'isOperated'
  | 'deletion'
  | 'auditActor'
> & {
  /** Null for a person's session: what the person is for the account is read with it. */
  auditActor: WrittenActor | null;
};

/** A credential for all of an account. */
const UNLIMITED = { scopes: null, addresses: null, requestsShare: null } as const;

const decides = ({ role, confirmedAt }: Person): boolean => role === 'operator' && confirmedAt !== null;

/** Reads who a credential stands for. */
export class PrincipalReader {
  readonly #deps: LoginDeps;
  readonly #lookUp: LookUps;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
    this.#lookUp = lookUpsOf(deps.database);
  }

  /**
   * Reads a session on the account that its login link named. An operator session is read on `account` where that
   * exists. The caller checks that it may act for the account.
   */
  async ofSession(hash: string, account: string | undefined, now: number): Promise<FoundCredential | null> {
    const session = await findSession(this.#deps.database, hash, now);
    if (!session) return null;
    if (session.keyHash !== null) return this.#ofConsole(session, session.keyHash, now);
    const { operator, email: person, expiresAt } = session;
    const method = session.method as SessionMethod;
    const whole = { namedKeyId: null, delegation: null, grant: null, ...UNLIMITED, expiresAt };
    const hashes = { keyHash: null, sessionHash: hash, consoleHash: null, lineage: hash };
    const who = { operator, person, method, actor: 'session', auditActor: null } as const;
    const fields = { credential: 'session', ...who, ...hashes, ...whole } as const;
    const isOther = operator && account !== undefined && account !== session.accountId;
    // Each of its accounts has its own rotations.
    const found = isOther
      ? await this.#withAccount(account, { ...fields, lineage: `${hash} ${account}` }, false)
      : null;
    const base = found ?? (await this.#withAccount(session.accountId, fields, false));
    return base && { ...base, session };
  }

  async ofKey(hash: string, now: number): Promise<FoundCredential | null> {
    const key = await this.#lookUp.key(hash);
    const credential = 'api_key' as const;
    const none = { operator: false, person: null, method: null, delegation: null, grant: null };
    const fields = { credential, ...none, sessionHash: null, consoleHash: null, keyHash: hash };
    if (key) {
      const limits = { ...UNLIMITED, expiresAt: Number.POSITIVE_INFINITY };
      const { id, prefix, name, kind } = asStanding(key);
      const auditActor = { id, kind: 'key', name: name ?? kind, prefix } as const;
      const whole = { actor: prefix, auditActor, namedKeyId: null, ...limits };
      const lineage = key.lineage ?? hash;
      return this.#withAccount(key.accountId, { ...fields, ...whole, lineage }, key.status === 'backup');
    }
    const named = await findPresentedKey(this.#deps.database, hash);
    if (!named) return this.#ofAccessToken(hash, now);
    const { id: namedKeyId, name, scopes, addresses, requestsShare, prefix: actor, endsAt: expiresAt } = named;
    const auditActor = { id: namedKeyId, kind: 'key', name, prefix: actor } as const;
    const granted = { scopes, addresses, requestsShare, expiresAt };
    const whose = { actor, auditActor, namedKeyId, lineage: hash };
    return this.#withAccount(named.accountId, { ...fields, ...whose, ...granted }, false);
  }

  /** A session that a key opened is that key to all who ask, and ends before it or with it. */
  async #ofConsole(session: Session, keyHash: string, now: number): Promise<FoundCredential | null> {
    const found = await this.ofKey(keyHash, now);
    const { hash: consoleHash, expiresAt } = session;
    return found && { ...found, principal: { ...found.principal, consoleHash, expiresAt }, session };
  }

  async #ofAccessToken(hash: string, now: number): Promise<FoundCredential | null> {
    const { database, limits } = this.#deps;
    const delegated = await readAccess(database, hash, limits, now);
    const access = delegated ?? (await readGrantAccess(database, hash, now));
    const found = access && (await this.#withAccount(access.accountId, access.fields, false));
    if (delegated) await requireDelegable(database, this.#deps.gate, delegated.steps);
    return found;
  }

  async #withAccount(accountId: string, fields: CredentialFields, isBackup: boolean): Promise<FoundCredential | null> {
    const { database, limits } = this.#deps;
    const account = await this.#lookUp.account(accountId);
    if (!account) return null;
    const { parent, tier, payer } = await quotasOf(database, account, limits);
    const deletion = await this.#lookUp.deletion(parent?.id ?? accountId);
    if (deletion?.isClosed) return null;
    const people = await this.#lookUp.people(accountId);
    const principal: Principal = {
      ...fields,
      ...payer,
      kind: isBackup ? 'backup' : account.parentId === null ? 'platform' : 'pod',
      parentId: account.parentId,
      tier,
      quotaPerson: (await this.#hasOwnQuota(fields, people)) ? fields.person : null,
      deletion,
      auditActor: fields.auditActor ?? actingPerson(people, fields),
      isOperated: await this.#isOperated(people, parent),
    };
    return { principal, suspension: suspensionWithin(account, parent), session: null };
  }

  /** Operators, and people whose confirmed address is outside this service, must not spend what the agent needs. */
  async #hasOwnQuota({ operator, person }: CredentialFields, people: readonly Person[]): Promise<boolean> {
    if (operator || person === null) return operator;
    const isConfirmed = people.some(({ address, confirmedAt }) => address === person && confirmedAt !== null);
    return isConfirmed && this.#deps.notices.isOutside(this.#deps.database, person);
  }

  async #isOperated(people: readonly Person[], parent: Account | null): Promise<boolean> {
    if (people.some(decides)) return true;
    return parent !== null && (await this.#lookUp.people(parent.id)).some(decides);
  }
}
