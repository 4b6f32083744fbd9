import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import type { EnqueueJob, JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret, randomBase62 } from '../../kernel/secret.ts';
import type { Database, Reader, Tx } from '../../kernel/transaction.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import { type AuditRecord, appendAudit } from '../audit/audit-rules.ts';
import { takeWindow } from '../limits/window-rules.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import {
  type AccountSeed,
  countSeeds,
  insertRecoveryLink,
  type LooseSeed,
  listRecoveries,
  listSeeds,
  type Place,
  purgeRecoveryLinks,
  storeRecovery,
  storeSeed,
  takeRecoveryLink,
} from './recovery-store.ts';
import { requireSize } from './vault-rules.ts';
import { listEntriesAfter, type VaultEntry } from './vault-store.ts';

export { purgeRecoveryLinks };

/** Everything an address has back, or as much of it as fits one reply. */
export interface Recovery {
  entries: (VaultEntry & { accountId: string })[];
  seeds: LooseSeed[];
  accounts: AccountSeed[];
  /** A token for the rest; null when this is all. */
  nextToken: string | null;
}

/** What the record of a recovery says of who asked. */
export type Caller = Pick<AuditRecord, 'actor' | 'ip' | 'requestId'>;

export interface RecoveryRules {
  /** Remembers an account's seed under an address; both replace what was there. @throws ApiError `payload_too_large` */
  register(tx: Tx, registration: AccountSeed & { email: string }, now: number): Promise<void>;
  /** Keeps a seed without an account. @throws ApiError `payload_too_large`, `rate_limited` @returns its id */
  store(tx: Tx, seed: { email: string; encryptedSeed: string; network: string }, now: number): Promise<string>;
  /** Asks for a mail, with the same work whether or not the address has anything. @throws ApiError `rate_limited` */
  request(tx: Tx, email: string, network: string, now: number): Promise<void>;
  /** One attempt at that mail. */
  mail(job: JobAttempt<'mail.recovery'>): Promise<JobOutcome>;
  /** Uses a link up. @throws ApiError `invalid_token` @returns the accounts opened, in order, and what is theirs */
  recover(tx: Tx, token: string, caller: Caller, now: number): Promise<Recovery>;
}

export interface RecoveryDeps {
  database: Database;
  mailer: LinkMailer;
  limits: Limits;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  baseUrl(): string;
}

/** A reply holds at most this much of a recovery: 20 seeds of 100 KB and 100 entries of 64 KB. */
const ACCOUNTS_PER_REPLY = 20;
const ENTRIES_PER_REPLY = 100;

type Walk = Pick<Recovery, 'entries' | 'accounts'> & { next: Place | null };

/** The accounts of an address and their entries from a place on, as many as fit. */
async function walk(reader: Reader, email: string, from: Place): Promise<Walk> {
  const found: Walk = { entries: [], accounts: [], next: null };
  const registered = await listRecoveries(reader, email, from.accountId, ACCOUNTS_PER_REPLY + 1);
  let place = from;
  for (const [i, { accountId, encryptedSeed }] of registered.entries()) {
    if (i === ACCOUNTS_PER_REPLY) return { ...found, next: place };
    const isBegun = accountId === from.accountId;
    place = isBegun ? from : { accountId, key: '' };
    if (!(await isOpen(reader, await findAccount(reader, accountId)))) continue;
    if (!isBegun) found.accounts.push({ accountId, encryptedSeed });
    const room = ENTRIES_PER_REPLY - found.entries.length;
    const entries = await listEntriesAfter(reader, place, room + 1);
    for (const entry of entries.slice(0, room)) {
      found.entries.push({ ...entry, accountId });
      place = { accountId, key: entry.key };
    }
    if (entries.length > room) return { ...found, next: place };
  }
  return found;
}

function mailText(link: string, limits: Limits): string {
  const minutes = Math.round(limits.magic_link_ttl_seconds / 60);
  return `Somebody, probably you, asked for what is kept for this address:\n\n${link}\n\nThe page shows it sealed, as it was stored: you need your passphrase to open it. The link works once, for ${minutes} minutes. If you did not ask for this mail, ignore it: nothing happens without the link.\n`;
}

export function createRecoveryRules(deps: RecoveryDeps): RecoveryRules {
  const { database, mailer, limits, appendEvent, enqueueJob, baseUrl } = deps;

  /** @returns the token, whose hash alone is stored */
  async function mintLink(tx: Tx, email: string, after: Place | null, now: number): Promise<string> {
    const token = randomBase62(32);
    await insertRecoveryLink(tx, hashSecret(token), { email, after }, now + limits.magic_link_ttl_seconds * 1000);
    return token;
  }

  /** Puts on each account's record, and tells it, that somebody was let in. The last one's entry is the pipeline's to write. */
  async function tellAccounts(tx: Tx, accountIds: readonly string[], caller: Caller, now: number): Promise<void> {
    const data = { key: null, version: null, action: 'recovered' } as const;
    for (const accountId of accountIds) await appendEvent(tx, { accountId, type: 'vault.updated', data, now });
    for (const accountId of accountIds.slice(0, -1))
      await appendAudit(tx, {
        ...caller,
        accountId,
        action: 'vault.recovered',
        resourceId: accountId,
        status: 200,
        now,
      });
  }

  return {
    register: async (tx, { accountId, email, encryptedSeed }, now) => {
      await storeRecovery(tx, { accountId, email, encryptedSeed, now });
      const data = { key: null, version: null, action: 'recovery_set' } as const;
      await appendEvent(tx, { accountId, type: 'vault.updated', data, now });
    },
    store: async (tx, { email, encryptedSeed, network }, now) => {
      const perHour = [windowRule(limits, 'legacy_vault_entries_per_ip_per_hour')];
      await takeWindow(tx, `vault-store-from:${network}`, perHour, now);
      const perDay = [windowRule(limits, 'legacy_vault_entries_per_email_per_day')];
      await takeWindow(tx, `vault-store:${hashSecret(email)}`, perDay, now);
      // Nothing is pushed out by what a stranger adds; at five a day this is weeks away.
      const most = limits.legacy_vault_entries_per_email;
      // One more than allowed is as far as it is counted.
      const used = await countSeeds(tx, email, most + 1);
      if (used >= most)
        throw limitReached(
          'legacy_vault_entries_per_email',
          { used, max: most },
          { message: `At most ${most} seeds are kept for one address.` },
        );
      const id = newId('vlt', now);
      await storeSeed(tx, email, { id, encryptedSeed, createdAt: now });
      return id;
    },
    request: async (tx, email, network, now) => {
      const perHour = windowRule(limits, 'recoveries_per_email_per_hour');
      const perDay = windowRule(limits, 'recoveries_per_email_per_day');
      const fromNetwork = [windowRule(limits, 'recoveries_per_ip_per_hour')];
      await takeWindow(tx, `recover-from:${network}`, fromNetwork, now);
      await takeWindow(tx, `recover:${hashSecret(email)}`, [perHour, perDay], now);
      await enqueueJob(tx, { kind: 'mail.recovery', payload: { email }, runAt: now });
    },
    mail: async (job) => {
      const { email } = job.payload;
      const token = await database.transaction(async (tx) => {
        const hasSeed = (await countSeeds(tx, email, 1)) > 0;
        const has = hasSeed || (await listRecoveries(tx, email, '', 1)).length > 0;
        return has ? mintLink(tx, email, null, job.now) : null;
      });
      if (token === null) return { status: 'done' };
      const text = mailText(`${baseUrl()}/recover#token=${token}`, limits);
      return mailer.send(job, { to: email, subject: 'Your vault recovery link', text });
    },
    recover: async (tx, token, caller, now) => {
      const link = await takeRecoveryLink(tx, hashSecret(token), now);
      if (!link) throw new ApiError('invalid_token');
      const { email, after } = link;
      const { entries, accounts, next } = await walk(tx, email, after ?? { accountId: '', key: '' });
      const seeds = after === null ? await listSeeds(tx, email, limits.legacy_vault_entries_per_email) : [];
      await tellAccounts(
        tx,
        accounts.map(({ accountId }) => accountId),
        caller,
        now,
      );
      return { entries, seeds, accounts, nextToken: next && (await mintLink(tx, email, next, now)) };
    },
  };
}

/** @throws ApiError `payload_too_large` */
export const requireSeedSize = (
  name: 'vault_seed_bytes' | 'legacy_vault_seed_bytes',
  encryptedSeed: string,
  limitBytes: number,
): void => requireSize(name, '/body/encrypted_seed', encryptedSeed, limitBytes);
