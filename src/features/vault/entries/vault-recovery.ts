import type { AuditRecord } from '../../../api/audit-record.ts';
import { ApiError } from '../../../api/errors.ts';
import type { VaultAction } from '../../../api/events.ts';
import { windowRule } from '../../../api/limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { ActingPerson, Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { ClientNetwork, ClientNetworks } from '../../../base/client-network.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret } from '../../../base/secret.ts';
import { findAccount, isOpen } from '../../account/accounts/account-lifecycle.ts';
import { appendAudit } from '../../record/audit/audit-log.ts';
import { takeNetworkWindow, takeWindow } from '../../service/limits/rate-window.ts';
import { mintLink, takeLink } from '../../service/mailer/mailed-link.ts';
import type { VaultRecoveryFactors } from './recovery-factor.ts';
import {
  addressSeedBytes,
  anonymousSeedBytes,
  countAnonymousSeeds,
  listAccountSeeds,
  listAnonymousSeeds,
  storeAnonymousSeed,
} from './recovery-store.ts';
import type { AccountSeed, AnonymousSeed } from './recovery-table.ts';
import { requireSize, type VaultDeps } from './vault-entry.ts';
import { type EntryRef, listEntriesAfter } from './vault-store.ts';
import type { VaultEntry } from './vault-table.ts';

/** From this part of the room of anonymous seeds on, a network or address with more than its share is refused. */
const CROWDED = 0.8;
const SHARE = 0.01;

/** One reply of a recovery: all that is stored for an address, or as much as fits. */
export interface Recovery {
  entries: VaultEntry[];
  seeds: AnonymousSeed[];
  accounts: AccountSeed[];
  /** Who recovers. */
  actor: ActingPerson;
  /** A token for the rest; null when this is all. */
  nextToken: string | null;
}

/** Who recovers, for the audit chain. */
export interface Caller extends Pick<AuditRecord, 'ip' | 'requestId'> {
  networks: ClientNetworks;
}

/** Recovers the seeds and entries of an address by a mailed link. */
export class RecoveryRules {
  readonly #factors: VaultRecoveryFactors;
  readonly #deps: VaultDeps;

  constructor(factors: VaultRecoveryFactors, deps: VaultDeps) {
    this.#factors = factors;
    this.#deps = deps;
  }

  /** Checks the size of a seed before a transaction begins. @throws ApiError `payload_too_large` */
  checkSize(name: 'vault_seed_bytes' | 'legacy_vault_seed_bytes', encryptedSeed: string): void {
    requireSize(name, '/body/encrypted_seed', encryptedSeed, this.#deps.limits[name]);
  }

  /**
   * Stores the seed of an account under an address. Both replace what was there, and what was old recovers for 7 days
   * more. @throws ApiError `removal_disputed`
   */
  async register(
    tx: Tx,
    principal: Principal,
    seed: Pick<AccountSeed, 'email' | 'encryptedSeed'>,
    now: number,
  ): Promise<void> {
    await this.#factors.store(tx, principal, seed, now);
    await this.#append(tx, principal.accountId, 'recovery_set', now);
  }

  /** Stores a seed without an account. @throws ApiError `rate_limited` @returns its id */
  async store(
    tx: Tx,
    { networks, ...seed }: Pick<AnonymousSeed, 'email' | 'encryptedSeed'> & { networks: ClientNetworks },
    now: number,
  ): Promise<string> {
    const { limits } = this.#deps;
    const perHour = [windowRule(limits, 'legacy_vault_entries_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'vault-store-from', networks, perHour, now);
    const perDay = [windowRule(limits, 'legacy_vault_entries_per_email_per_day')];
    await takeWindow(tx, `vault-store:${hashSecret(seed.email)}`, perDay, now);
    const max = limits.legacy_vault_entries_per_email;
    // A new seed never replaces an old one: a stranger may have stored it. Counting stops at one more than allowed.
    const used = await countAnonymousSeeds(tx, seed.email, max + 1);
    if (used >= max) {
      const message = `An address can have at most ${max} seeds.`;
      throw limitReached('legacy_vault_entries_per_email', { used, max }, { message });
    }
    const id = newId('vlt', now);
    const most = limits.legacy_vault_bytes;
    // Seeds never expire: their owner needs them on the worst of days.
    const stored = { ...seed, id, createdAt: now };
    const { name: network } = networks.at(-1) as ClientNetwork;
    const before = await storeAnonymousSeed(tx, stored, network, most);
    if (before === null) throw limitReached('legacy_vault_bytes', { used: await anonymousSeedBytes(tx), max: most });
    if (before.all <= CROWDED * most) return id;
    // So a network that fills the room is refused before all others are.
    const ofAddress = (await addressSeedBytes(tx, seed.email)) - Buffer.byteLength(seed.encryptedSeed);
    if (Math.max(before.ofNetwork, ofAddress) <= SHARE * most) return id;
    const message =
      'The room for seeds without an account is almost full, and this network or address has its share of it.';
    throw limitReached('legacy_vault_bytes', { used: before.all, max: most }, { message });
  }

  /** Queues a recovery mail. The work is the same for an address with nothing stored. @throws ApiError `rate_limited` */
  async request(tx: Tx, email: string, networks: ClientNetworks, now: number): Promise<void> {
    const { limits, enqueueJob, loginNetworks } = this.#deps;
    const perHour = windowRule(limits, 'recoveries_per_email_per_hour');
    const perDay = windowRule(limits, 'recoveries_per_email_per_day');
    const fromNetwork = [windowRule(limits, 'recoveries_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'recover-from', networks, fromNetwork, now);
    await loginNetworks.takeMail(tx, { action: 'recover', email, networks }, [perHour, perDay], now);
    await enqueueJob(tx, { kind: 'mail.recovery', payload: { email }, runAt: now });
  }

  /** Creates the token of a mailed link. @returns null when nothing is stored for the address */
  async createToken(tx: Tx, email: string, now: number): Promise<string | null> {
    const hasSeed = (await countAnonymousSeeds(tx, email, 1)) > 0;
    const hasAny = hasSeed || (await listAccountSeeds(tx, email, '', 1)).length > 0;
    return hasAny ? this.#mint(tx, email, null, now) : null;
  }

  /** Uses a token and reads what it recovers. @throws ApiError `invalid_token` */
  async recover(tx: Tx, token: string, { networks, ...caller }: Caller, now: number): Promise<Recovery> {
    const link = await takeLink(tx, 'recovery', token, now);
    if (!link) throw new ApiError('invalid_token');
    const { email, detail: after } = link;
    const { entries, accounts, next } = await readPage(tx, email, after ?? { accountId: '', key: '' });
    const most = this.#deps.limits.legacy_vault_entries_per_email;
    const seeds = after === null ? await listAnonymousSeeds(tx, { email }, { id: '' }, most) : [];
    const actor = { kind: 'person', address: email, role: 'vault_recovery' } as const;
    await this.#record(tx, accounts, { ...caller, actor }, now);
    await this.#deps.loginNetworks.note(tx, email, networks, now);
    return { actor, entries, seeds, accounts, nextToken: next && (await this.#mint(tx, email, next, now)) };
  }

  /** @returns the token of a link, which reads on after a place */
  #mint(tx: Tx, email: string, after: EntryRef | null, now: number): Promise<string> {
    const expiresAt = now + this.#deps.limits.magic_link_ttl_seconds * 1000;
    return mintLink(tx, { kind: 'recovery', accountId: null, subject: null, email, detail: after, expiresAt });
  }

  /** Appends an event and an audit entry to each account. The request itself writes the audit entry of the last one. */
  async #record(
    tx: Tx,
    accounts: readonly AccountSeed[],
    caller: Omit<Caller, 'networks'> & { actor: ActingPerson },
    now: number,
  ): Promise<void> {
    const ids = [...new Set(accounts.map(({ accountId }) => accountId))];
    for (const accountId of ids) await this.#append(tx, accountId, 'recovered', now);
    for (const accountId of ids.slice(0, -1)) {
      const entry = { accountId, action: 'vault.recovered', resourceId: accountId, status: 200, now } as const;
      await appendAudit(tx, { ...caller, ...entry });
    }
  }

  #append(tx: Tx, accountId: string, action: VaultAction, now: number): Promise<void> {
    const data = { key: null, version: null, action };
    return this.#deps.appendEvent(tx, { accountId, type: 'vault.updated', data, now });
  }
}

/** What one reply of a recovery holds at most: 20 seeds of 100 KB and 100 entries of 64 KB. */
const ACCOUNTS_PER_REPLY = 20;
const ENTRIES_PER_REPLY = 100;

type Page = Pick<Recovery, 'entries' | 'accounts'> & { next: EntryRef | null };

/** Reads the accounts of an address and their entries after a place, as many as fit. */
async function readPage(reader: Reader, email: string, after: EntryRef): Promise<Page> {
  const page: Page = { entries: [], accounts: [], next: null };
  // An address may have the current and the former seed of an account.
  const rows = await listAccountSeeds(reader, email, after.accountId, 2 * (ACCOUNTS_PER_REPLY + 1));
  const registered = Map.groupBy(rows, ({ accountId }) => accountId);
  let place = after;
  for (const [i, [accountId, seeds]] of [...registered].entries()) {
    if (i === ACCOUNTS_PER_REPLY) return { ...page, next: place };
    const isBegun = accountId === after.accountId;
    place = isBegun ? after : { accountId, key: '' };
    if (!(await isOpen(reader, await findAccount(reader, accountId)))) continue;
    if (!isBegun) page.accounts.push(...seeds);
    const left = ENTRIES_PER_REPLY - page.entries.length;
    const entries = await listEntriesAfter(reader, place, left + 1);
    for (const entry of entries.slice(0, left)) {
      page.entries.push(entry);
      place = { accountId, key: entry.key };
    }
    if (entries.length > left) return { ...page, next: place };
  }
  return page;
}
