import { ApiError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret, mintToken, randomBase62, SESSION_PREFIX } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { accountsOfEmail } from '../accounts/account-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import { insertLink, purgeLinks, revokeLinks, takeLink } from './link-store.ts';
import type { Session } from './login-data.ts';
import { endSessions, insertSession, purgeSessions } from './session-store.ts';

/** One account's link in a login mail. */
export interface MailedLink {
  accountId: string;
  accountName: string | null;
  operator: boolean;
  token: string;
}

export interface OpenedSession {
  /** The session token. Shown once. */
  token: string;
  accountId: string;
  expiresAt: number;
}

/** Mails login links and opens sessions with them. */
export class LoginRules {
  readonly #limits: Limits;
  readonly #enqueueJob: EnqueueJob;

  constructor(limits: Limits, enqueueJob: EnqueueJob) {
    this.#limits = limits;
    this.#enqueueJob = enqueueJob;
  }

  /**
   * Queues a login mail. The work is the same for known and unknown addresses, so that neither the reply nor its timing
   * reveals which is which. The job that makes the mail looks up the accounts.
   */
  async requestLogin(tx: Tx, email: string, network: string, now: number): Promise<void> {
    const limits = this.#limits;
    await takeWindow(tx, `login-from:${network}`, [windowRule(limits, 'logins_per_ip_per_hour')], now);
    await takeWindow(tx, `login:${hashSecret(email)}`, [windowRule(limits, 'logins_per_email_per_hour')], now);
    await this.#enqueueJob(tx, { kind: 'mail.login', payload: { email }, runAt: now });
  }

  /** Mints the links of one mail and commits their hashes. Returns none for an address without an active account. */
  mintLinks(database: Database, email: string, now: number): Promise<MailedLink[]> {
    const expiresAt = now + this.#limits.magic_link_ttl_seconds * 1000;
    return database.transaction(async (tx) => {
      const links: MailedLink[] = [];
      for (const account of await accountsOfEmail(tx, email)) {
        if (account.status !== 'active') continue;
        const token = randomBase62(32);
        const operator = account.operatorEmail === email;
        const times = { createdAt: now, expiresAt, usedAt: null };
        await insertLink(tx, { hash: hashSecret(token), accountId: account.id, email, operator, ...times });
        links.push({ accountId: account.id, accountName: account.name, operator, token });
      }
      return links;
    });
  }

  /** Uses a link and opens a session. @throws ApiError `invalid_token` */
  async openSession(tx: Tx, token: string, now: number): Promise<OpenedSession> {
    const link = await takeLink(tx, hashSecret(token), now);
    // A used link was opened in a browser, which then shows a page that explains the refusal.
    if (!link) throw new ApiError('invalid_token', { headers: { refresh: '0; url=/login#used' } });
    return this.open(tx, { ...link, method: 'link' }, now);
  }

  /** Opens a session for someone who was proven. */
  async open(
    tx: Tx,
    who: Pick<Session, 'accountId' | 'email' | 'operator' | 'method'>,
    now: number,
  ): Promise<OpenedSession> {
    const token = mintToken(SESSION_PREFIX);
    const expiresAt = now + this.#limits.session_ttl_seconds * 1000;
    await insertSession(tx, { id: newId('ses', now), hash: hashSecret(token), ...who, createdAt: now, expiresAt });
    return { token, accountId: who.accountId, expiresAt };
  }
}

/** Deletes expired links and sessions. */
export async function purgeLogins(tx: Tx, now: number): Promise<void> {
  await purgeLinks(tx, now);
  await purgeSessions(tx, now);
}

/**
 * Ends every session of an account except one, and deletes its unused links. Called when its key or address changes. It
 * spares operators: an agent that rotates its key in a loop must not keep its operator out.
 */
export async function endLogins(tx: Tx, accountId: string, keptSession: string | null): Promise<void> {
  await endSessions(tx, accountId, keptSession);
  await revokeLinks(tx, accountId);
}
