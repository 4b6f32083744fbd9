import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import {
  Recovered,
  RegisterBody,
  Registered,
  RequestBody,
  Requested,
  StoreBody,
  StoredSeed,
  TokenQuery,
} from './recovery-schema.ts';
import type { AccountSeed, AnonymousSeed } from './recovery-table.ts';
import type { VaultDeps } from './vault-entry.ts';
import type { RecoveryRules } from './vault-recovery.ts';
import type { VaultEntry } from './vault-table.ts';

const TAG = 'Vault recovery';

const register = (rules: RecoveryRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/vault/recovery-email',
    operation: 'setVaultRecovery',
    tag: TAG,
    summary: 'Store a sealed seed for recovery by email',
    description:
      'Anyone who can read mail at this address can get the sealed seed and the sealed entries of this vault, but cannot open them without the passphrase. A new seed replaces the previous one; a previous one that is older than 7 days works for 7 days more. Rotating keys does not change it. `POST /v1/account/recovery-email` is separate: it is for login.',
    auth: 'key',
    scope: 'vault:write',
    wholeAccount: true,
    effect: 'write',
    leaves: ['invite'],
    action: 'vault.recovery_set',
    body: RegisterBody,
    replies: { 200: Registered },
    errors: ['payload_too_large', 'removal_disputed', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) => {
      const { accountId } = principal;
      const email = requirePersonalEmail(body.email, '/body/email');
      const { encrypted_seed: encryptedSeed } = body;
      rules.checkSize('vault_seed_bytes', encryptedSeed);
      return transact(async (tx, audit) => {
        await rules.register(tx, principal, { email, encryptedSeed }, now);
        audit.resourceId = accountId;
        return reply(200, { ok: true, registered: true, email, stored_at: iso(now) });
      });
    },
  });

const store = (rules: RecoveryRules, { networksOf }: VaultDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/vault/store',
    operation: 'storeSeed',
    tag: TAG,
    summary: 'Store a sealed seed without an account',
    description: 'At most five seeds in 24 hours for one address, and 60 an hour from one network.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'vault.seed_stored',
    body: StoreBody,
    bodyLimitBytes: 262_144,
    replies: { 200: StoredSeed },
    errors: ['payload_too_large', 'rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const email = requirePersonalEmail(body.recovery_email, '/body/recovery_email');
      const { encrypted_seed: encryptedSeed } = body;
      rules.checkSize('legacy_vault_seed_bytes', encryptedSeed);
      const networks = networksOf(ip);
      return transact(async (tx, audit) => {
        const id = await rules.store(tx, { email, encryptedSeed, networks }, now);
        audit.resourceId = id;
        const message = 'Stored. To get it back, call POST /v1/vault/recover with this address.';
        return reply(200, { vault_id: id, stored_at: iso(now), message });
      });
    },
  });

const recover = (rules: RecoveryRules, { networksOf }: VaultDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/vault/recover',
    operation: 'requestVaultRecovery',
    tag: TAG,
    summary: 'Request a recovery link by email',
    description:
      'The reply is the same for an address with nothing stored. For one address at most three requests an hour and five in 24 hours: from each network that it logged in from within 90 days, and from all others together.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'vault.recovery_requested',
    body: RequestBody,
    replies: { 200: Requested },
    errors: ['rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const email = requirePersonalEmail(body.email, '/body/email');
      const networks = networksOf(ip);
      return transact(async (tx) => {
        await rules.request(tx, email, networks, now);
        return reply(200, { sent: true, message: 'If anything is stored for this address, a link is on its way.' });
      });
    },
  });

const NOTE =
  'Everything here is sealed. Open a seed with its passphrase, then the entries of its account with the seed.';

const entryBody = (entry: VaultEntry) => ({
  account_id: entry.accountId,
  key: entry.key,
  ciphertext: entry.ciphertext,
  metadata: entry.metadata,
  version: entry.version,
  created_at: iso(entry.storedAt),
});

const seedBody = ({ id, encryptedSeed, createdAt }: AnonymousSeed) => ({
  vault_id: id,
  encrypted_seed: encryptedSeed,
  created_at: iso(createdAt),
});

const accountBody = ({ accountId, encryptedSeed }: AccountSeed) => ({
  account_id: accountId,
  encrypted_seed: encryptedSeed,
});

const verify = (rules: RecoveryRules, { hashIp, networksOf }: VaultDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/vault/recover/verify',
    operation: 'verifyVaultRecovery',
    tag: TAG,
    summary: 'Recover vaults with a recovery link',
    description:
      'The link works once. If not everything fits in one reply, call this endpoint again with `next_token`. The audit log of each recovered account records the call.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'vault.recovered',
    query: TokenQuery,
    replies: { 200: Recovered },
    errors: ['invalid_token'],
    codes: { '/query/token': 'invalid_token' },
    handle: async ({ query, ip, requestId, now, transact }) =>
      transact(async (tx, audit) => {
        const caller = { ip: hashIp(ip), requestId, networks: networksOf(ip) };
        const { actor, entries, seeds, accounts, nextToken } = await rules.recover(tx, query.token, caller, now);
        const lastAccount = accounts.at(-1)?.accountId ?? entries.at(-1)?.accountId ?? null;
        if (lastAccount !== null) [audit.accountId, audit.actor] = [lastAccount, actor];
        audit.resourceId = lastAccount === null ? null : audit.accountId;
        const body = {
          recovered: accounts.length + entries.length + seeds.length > 0,
          entries: entries.map(entryBody),
          legacy_entries: seeds.map(seedBody),
          account_entries: accounts.map(accountBody),
          next_token: nextToken,
          note: NOTE,
        };
        return reply(200, body, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      }),
  });

export const recoveryRoutes = (rules: RecoveryRules, deps: VaultDeps): Endpoint[] => [
  register(rules),
  store(rules, deps),
  recover(rules, deps),
  verify(rules, deps),
];
