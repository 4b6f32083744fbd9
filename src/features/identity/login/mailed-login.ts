import type { LockdownHook } from '../../../api/account/lockdown-parts.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { type Limits, windowRule } from '../../../api/limits.ts';
import type { ActingPerson } from '../../../api/principal.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import type { WatchCache } from '../../../base/cache-fill.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, mintToken, SESSION_PREFIX } from '../../../base/secret.ts';
import { findAccounts, lockAccounts } from '../../account/accounts/account-lifecycle.ts';
import { mintConfirmation } from '../../account/people/confirmation.ts';
import {
  actingPerson,
  confirmByLogin,
  isOperator,
  loginPeople,
  type Person,
  peopleOfAccount,
} from '../../account/people/person.ts';
import { takeNetworkWindow } from '../../service/limits/rate-window.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import {
  endLoginLinks,
  endLoginLinksOf,
  endPlainLoginLinks,
  findLink,
  mintLink,
  takeLink,
} from '../../service/mailer/mailed-link.ts';
import type { LoginNetworks } from './login-network.ts';
import { purgeNetworks } from './login-network-store.ts';
import type { Session } from './login-table.ts';
import { endOpenSessions, endSessions, endSessionsOf, insertSession, purgeSessions } from './session-store.ts';

/** One account's link in a login mail. */
export interface MailedLink {
  accountId: string;
  accountName: string | null;
  operator: boolean;
  /** `login` opens a session; `confirm` opens the page on which the operator confirms the address first. */
  opens: 'login' | 'confirm';
  token: string;
}

/** How many unconfirmed accounts are listed from each end: the oldest and the newest. */
const UNCONFIRMED_PER_END = 5;

export interface OpenedSession {
  /** The session token. Shown once. */
  token: string;
  accountId: string;
  expiresAt: number;
  person: ActingPerson;
}

/** What logins need. Each part takes what it uses of this. */
export interface LoginDeps {
  database: Database;
  gate: Gate;
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  loginNetworks: LoginNetworks;
  /** An address whose mail this service receives may log in, and has no separate quota. */
  notices: Pick<Notices, 'isOutside'>;
  mailer: LinkMailer;
  baseUrl(): string;
  networksOf(ip: string): ClientNetworks;
  watchCache: WatchCache;
}

/** Mails login links and opens sessions with them. */
export class LoginRules {
  readonly #deps: LoginDeps;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
  }

  /**
   * Queues a login mail. The work is the same for known and unknown addresses, so that neither the reply nor its timing
   * reveals which is which. The job that makes the mail looks up the accounts.
   */
  async requestLogin(tx: Tx, email: string, networks: ClientNetworks, now: number): Promise<void> {
    const { limits, loginNetworks, enqueueJob } = this.#deps;
    await takeNetworkWindow(tx, 'login-from', networks, [windowRule(limits, 'logins_per_ip_per_hour')], now);
    const perEmail = [windowRule(limits, 'logins_per_email_per_hour')];
    await loginNetworks.takeMail(tx, { action: 'login', email, networks }, perEmail, now);
    await enqueueJob(tx, { kind: 'mail.login', payload: { email }, runAt: now });
  }

  /**
   * Mints the links of one mail and commits their hashes: for the accounts that confirmed the address, then for the oldest
   * and the newest that did not. Returns none for an address without an active account.
   */
  mintLinks(email: string, now: number): Promise<MailedLink[]> {
    return this.#deps.database.transaction(async (tx) => {
      const { confirmed, oldest, newest } = await loginPeople(tx, email);
      const ids = [...confirmed, ...oldest, ...newest].map(({ accountId }) => accountId);
      const accounts = await findAccounts(tx, ids);
      const listed = new Map<string, Person[]>();
      const add = (people: readonly Person[], most: number): void => {
        const before = listed.size;
        for (const person of people) {
          const known = listed.get(person.accountId);
          if (known) known.push(person);
          else if (accounts.get(person.accountId)?.status === 'active' && listed.size - before < most)
            listed.set(person.accountId, [person]);
        }
      };
      add(confirmed, Number.POSITIVE_INFINITY);
      add(oldest, UNCONFIRMED_PER_END);
      add(newest, UNCONFIRMED_PER_END);
      const links: MailedLink[] = [];
      for (const [accountId, people] of listed)
        links.push(await this.#mintLink(tx, people, accounts.get(accountId)?.name ?? null, email, now));
      return links;
    });
  }

  /** Uses a link, which confirms the address, and opens a session. @throws ApiError `invalid_token` */
  async openSession(tx: Tx, token: string, networks: ClientNetworks, now: number): Promise<OpenedSession> {
    const found = await findLink(tx, 'login', token, now);
    // Before the link is used, so that a `secure` that runs sees the session, or has ended the link.
    if (found) await lockAccounts(tx, [found.accountId]);
    const link = await takeLink(tx, 'login', token, now);
    const people = link ? await peopleOfAccount(tx, link.accountId) : [];
    // The mail may have been made while the address was taken from the account.
    const isTheirs = people.some(({ address }) => address === link?.email);
    // A used link was opened in a browser, which then shows a page that explains the refusal.
    if (!link || !isTheirs) throw new ApiError('invalid_token', { headers: { refresh: '0; url=/login#used' } });
    const { accountId, email } = link;
    for (const { id, role, address } of await confirmByLogin(tx, accountId, email, now)) {
      const data = { person_id: id, role, address, change: 'confirmed' } as const;
      await this.#deps.appendEvent(tx, { accountId, type: 'account.person_changed', data, now });
    }
    const operator = link.detail === 'operator' && (await isOperator(tx, accountId, email));
    const person = actingPerson(people, { person: email, operator });
    return this.open(tx, { accountId, person, method: 'link' }, networks, now);
  }

  /** Opens a session for someone who was proven, and notes the network. */
  async open(
    tx: Tx,
    { person, ...who }: Pick<Session, 'accountId' | 'method'> & { person: ActingPerson },
    networks: ClientNetworks,
    now: number,
  ): Promise<OpenedSession> {
    const token = mintToken(SESSION_PREFIX);
    const expiresAt = now + this.#deps.limits.session_ttl_seconds * 1000;
    const { address: email, role } = person;
    const session = { id: newId('ses', now), hash: hashSecret(token), ...who, email, operator: role === 'operator' };
    await insertSession(tx, { ...session, keyHash: null, createdAt: now, expiresAt });
    await this.#deps.loginNetworks.note(tx, email, networks, now);
    return { token, accountId: who.accountId, expiresAt, person };
  }

  /** Mints the link of one account. One that only an unconfirmed operator would get leads to the confirmation. */
  async #mintLink(
    tx: Tx,
    people: readonly Person[],
    accountName: string | null,
    email: string,
    now: number,
  ): Promise<MailedLink> {
    const [{ accountId }] = people as [Person, ...Person[]];
    const all = (await peopleOfAccount(tx, accountId)).filter(({ address }) => address === email);
    const operator = all.some(({ role, confirmedAt }) => role === 'operator' && confirmedAt !== null);
    const waiting = all.every(({ role }) => role === 'operator') && !operator ? all[0] : undefined;
    if (waiting) {
      const token = await mintConfirmation(tx, waiting, null, this.#deps.limits, now);
      return { accountId, accountName, operator: true, opens: 'confirm', token };
    }
    const detail = operator ? 'operator' : null;
    const expiresAt = now + this.#deps.limits.magic_link_ttl_seconds * 1000;
    const token = await mintLink(tx, { kind: 'login', accountId, subject: null, email, detail, expiresAt });
    return { accountId, accountName, operator, opens: 'login', token };
  }
}

/** Deletes expired sessions and networks. */
export async function purgeLogins(tx: Tx, now: number): Promise<void> {
  await purgeSessions(tx, now);
  await purgeNetworks(tx, now);
}

/**
 * Ends every session of an account except one, and deletes its unused links. Called when its key or address changes. It
 * spares operators: an agent that rotates its key in a loop must not keep its operator out.
 */
export async function endLogins(tx: Tx, accountId: string, keptSession: string | null): Promise<void> {
  await endSessions(tx, accountId, keptSession);
  await endPlainLoginLinks(tx, accountId);
}

/** Ends the sessions of an address for one account and deletes its unused links, after the address went. */
export async function endLoginsOf(tx: Tx, accountId: string, address: string): Promise<void> {
  await endSessionsOf(tx, accountId, address);
  await endLoginLinksOf(tx, accountId, address);
}

/** Ends an account's other sessions and its unused links. Those of an operator stay: no key may lock the operator out. */
export const secureLogins: LockdownHook = async (tx, { accountId, keptSession, whole, now }) => {
  const sessions = await endOpenSessions(tx, accountId, keptSession, now);
  return { ended: { sessions, links: await endLoginLinks(tx, accountId, whole, now) } };
};
