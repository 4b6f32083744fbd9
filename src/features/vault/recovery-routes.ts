import { Type } from 'typebox';
import { clientNetwork } from '../../kernel/client-network.ts';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { guidance, record, text, timestamp } from '../../kernel/fields.ts';
import type { Limits } from '../../kernel/limits.ts';
import { requirePersonalEmail } from '../../kernel/mail-address.ts';
import { type RecoveryRules, requireSeedSize } from './recovery-rules.ts';
import { Recovered } from './vault-schema.ts';

export interface RecoveryRouteDeps {
  rules: RecoveryRules;
  limits: Limits;
  hashIp(ip: string): string;
}

const TAG = 'Vault recovery';
const SEALED = 'The seed, sealed by the client (base64 or hex); the service cannot open it.';

const seed = (most: string) => Type.String({ minLength: 1, description: `${SEALED} At most ${most}.` });

const register = ({ rules, limits }: RecoveryRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/vault/recovery-email',
    operation: 'setVaultRecovery',
    tag: TAG,
    summary: 'Leave a sealed seed, to be had back by mail',
    description:
      'Whoever reads mail at this address can have the sealed seed and the sealed entries of this vault; without the passphrase neither can be read. It replaces what was left before, outlives a change of keys, and is apart from `/v1/account/recovery-email`, which is for login.',
    auth: 'key',
    effect: 'write',
    action: 'vault.recovery_set',
    body: record({ email: text(254), encrypted_seed: seed('100 KB') }),
    replies: {
      200: record({
        ok: Type.Boolean(),
        registered: Type.Boolean(),
        email: Type.String(),
        stored_at: timestamp(),
      }),
    },
    errors: ['payload_too_large'],
    handle: async ({ principal, body, now, transact }) => {
      const email = requirePersonalEmail(body.email, '/body/email');
      const { encrypted_seed: encryptedSeed } = body;
      requireSeedSize('vault_seed_bytes', encryptedSeed, limits.vault_seed_bytes);
      const { accountId } = principal;
      return transact(async (tx, audit) => {
        await rules.register(tx, { accountId, email, encryptedSeed }, now);
        audit.resourceId = accountId;
        return reply(200, { ok: true, registered: true, email, stored_at: iso(now) });
      });
    },
  });

const store = ({ rules, limits, hashIp }: RecoveryRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/vault/store',
    operation: 'storeSeed',
    tag: TAG,
    summary: 'Leave a sealed seed without an account',
    description: 'At most five a day for one address, and 60 an hour from one network.',
    auth: 'none',
    effect: 'write',
    action: 'vault.seed_stored',
    body: record({ encrypted_seed: seed('50 KB'), recovery_email: text(254) }),
    bodyLimitBytes: 262_144,
    replies: {
      200: record({ vault_id: Type.String(), stored_at: timestamp(), message: guidance(Type.String()) }),
    },
    errors: ['payload_too_large', 'rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const email = requirePersonalEmail(body.recovery_email, '/body/recovery_email');
      const { encrypted_seed: encryptedSeed } = body;
      requireSeedSize('legacy_vault_seed_bytes', encryptedSeed, limits.legacy_vault_seed_bytes);
      const network = hashIp(clientNetwork(ip));
      return transact(async (tx, audit) => {
        const id = await rules.store(tx, { email, encryptedSeed, network }, now);
        audit.resourceId = id;
        const message = 'Kept. POST /v1/vault/recover with this address mails a link to it.';
        return reply(200, { vault_id: id, stored_at: iso(now), message });
      });
    },
  });

const recover = ({ rules, hashIp }: RecoveryRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/vault/recover',
    operation: 'requestVaultRecovery',
    tag: TAG,
    summary: 'Have a recovery link mailed',
    description:
      'Answers the same whether or not anything is kept for the address. At most three an hour and five a day for one address.',
    auth: 'none',
    effect: 'write',
    action: 'vault.recovery_requested',
    body: record({ email: text(254) }),
    replies: { 200: record({ sent: Type.Boolean(), message: guidance(Type.String()) }) },
    errors: ['rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const email = requirePersonalEmail(body.email, '/body/email');
      const network = hashIp(clientNetwork(ip));
      return transact(async (tx) => {
        await rules.request(tx, email, network, now);
        return reply(200, { sent: true, message: 'If anything is kept for this address, a link to it is on its way.' });
      });
    },
  });

const NOTE =
  'Everything here is sealed: open a seed with its passphrase, and the entries of its account with the seed.';

const verify = ({ rules, hashIp }: RecoveryRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/vault/recover/verify',
    operation: 'verifyVaultRecovery',
    tag: TAG,
    summary: 'What a mailed recovery link gives back',
    description:
      'Uses the link up. `account_entries` are the seeds of accounts, `entries` the latest versions in their vaults, `legacy_entries` the seeds left without an account.',
    auth: 'none',
    effect: 'write',
    action: 'vault.recovered',
    query: record({ token: text(256, { description: 'From the mailed link, or the `next_token` of a reply.' }) }),
    replies: { 200: Recovered },
    errors: ['invalid_token'],
    codes: { '/query/token': 'invalid_token' },
    handle: async ({ query, ip, requestId, now, transact }) =>
      transact(async (tx, audit) => {
        const caller = { actor: 'anonymous', ip: hashIp(ip), requestId };
        const { entries, seeds, accounts, nextToken } = await rules.recover(tx, query.token, caller, now);
        audit.accountId = accounts.at(-1)?.accountId ?? entries.at(-1)?.accountId ?? audit.accountId;
        audit.resourceId = accounts.length + entries.length > 0 ? audit.accountId : null;
        const body = {
          recovered: accounts.length + entries.length + seeds.length > 0,
          entries: entries.map(({ accountId, key, ciphertext, metadata, version, updatedAt }) => ({
            account_id: accountId,
            key,
            ciphertext,
            metadata,
            version,
            created_at: iso(updatedAt),
          })),
          legacy_entries: seeds.map(({ id, encryptedSeed, createdAt }) => ({
            vault_id: id,
            encrypted_seed: encryptedSeed,
            created_at: iso(createdAt),
          })),
          account_entries: accounts.map(({ accountId, encryptedSeed }) => ({
            account_id: accountId,
            encrypted_seed: encryptedSeed,
          })),
          next_token: nextToken,
          note: NOTE,
        };
        return reply(200, body, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      }),
  });

export const recoveryRoutes = (deps: RecoveryRouteDeps): Endpoint[] => [
  register(deps),
  store(deps),
  recover(deps),
  verify(deps),
];
