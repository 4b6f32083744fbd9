import { ApiError } from '../../kernel/errors.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret, mintToken, randomBase62, SESSION_PREFIX } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { accountsOfEmail } from '../accounts/account-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import { insertLink, purgeLinks, revokeLinks, takeLink } from './link-store.ts';
import { endSessions, insertSession, purgeSessions } from './session-store.ts';

/** One account's link in a login mail. */
export interface MailedLink {
  accountId: string;
  accountName: string | null;
  operator: boolean;
  token: string;
}

export interface OpenedSession {
  /** The session token; shown once. */
  token: string;
  accountId: string;
  expiresAt: number;
}

export interface LoginRules {
  /**
   * Asks for a login mail. Does the same work whether or not anyone has the address, so that neither the reply nor its
   * time tells; who it belongs to is looked up when the mail is made.
   */
  requestLogin(tx: Tx, email: string, network: string, now: number): Promise<void>;
  /** Mints the links of one mail; their hashes are durable when this returns. Empty when nobody has the address. */
  mintLinks(database: Database, email: string, now: number): Promise<MailedLink[]>;
  /** Uses a link up and opens a session. @throws ApiError `invalid_token` */
  openSession(tx: Tx, token: string, now: number): Promise<OpenedSession>;
}

export function createLoginRules(limits: Limits, enqueueJob: EnqueueJob): LoginRules {
  return {
    requestLogin: async (tx, email, network, now) => {
      await takeWindow(tx, `login-from:${network}`, [windowRule(limits, 'logins_per_ip_per_hour')], now);
      await takeWindow(tx, `login:${hashSecret(email)}`, [windowRule(limits, 'logins_per_email_per_hour')], now);
      await enqueueJob(tx, { kind: 'mail.login', payload: { email }, runAt: now });
    },
    mintLinks: (database, email, now) =>
      database.transaction(async (tx) => {
        const links: MailedLink[] = [];
        for (const account of await accountsOfEmail(tx, email)) {
          if (account.status !== 'active') continue;
          const token = randomBase62(32);
          const operator = account.operatorEmail === email;
          const expiresAt = now + limits.magic_link_ttl_seconds * 1000;
          await insertLink(tx, {
            hash: hashSecret(token),
            accountId: account.id,
            email,
            operator,
            createdAt: now,
            expiresAt,
          });
          links.push({ accountId: account.id, accountName: account.name, operator, token });
        }
        return links;
      }),
    openSession: async (tx, token, now) => {
      const link = await takeLink(tx, hashSecret(token), now);
      // A person who follows a used link stands in a browser, which goes on to a page that says so.
      if (!link) throw new ApiError('invalid_token', { headers: { refresh: '0; url=/login#used' } });
      const session = mintToken(SESSION_PREFIX);
      const expiresAt = now + limits.session_ttl_seconds * 1000;
      await insertSession(tx, { hash: hashSecret(session), ...link, createdAt: now, expiresAt });
      return { token: session, accountId: link.accountId, expiresAt };
    },
  };
}

/** Forgets links and sessions that have expired. */
export async function purgeLogins(tx: Tx, now: number): Promise<void> {
  await purgeLinks(tx, now);
  await purgeSessions(tx, now);
}

/**
 * Ends what an address or an old key may have opened, when an account takes itself back: every session but the one that
 * asks, and every link that is still in a mailbox.
 */
export async function endLogins(tx: Tx, accountId: string, sparedSession: string | null): Promise<void> {
  await endSessions(tx, accountId, sparedSession);
  await revokeLinks(tx, accountId);
}
