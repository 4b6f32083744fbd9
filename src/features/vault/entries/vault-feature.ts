import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import type { Reader } from '../../../api/transaction.ts';
import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { LoginNetworks } from '../../identity/login/login-network.ts';
import type { StorageRules } from '../../mail/storage/storage-quota.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import type { PaymentRules } from '../../service/payments/payment.ts';
import { recoveryEmailOf, VaultRecoveryFactors } from './recovery-factor.ts';
import { createRecoveryMailer } from './recovery-mailer.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { ACCOUNT_SEEDS } from './recovery-table.ts';
import { VaultRules } from './vault-entry.ts';
import { RecoveryRules } from './vault-recovery.ts';
import { vaultRoutes } from './vault-routes.ts';
import { VAULT_ENTRIES, VAULT_VERSIONS } from './vault-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Mails a link that recovers everything stored for an address. */
    'mail.recovery': { email: string };
  }
}

/** What the vault takes from earlier features. */
type Needs = FeatureContext & {
  payments: PaymentRules;
  mailer: LinkMailer;
  notices: Notices;
  authority: { of(reader: Reader, accountId: string): Promise<Authority> };
  storage: StorageRules;
  loginNetworks: LoginNetworks;
};

/**
 * The vault stores what clients sealed, under keys, in versions. The service cannot read it.
 *
 * - To change a limit: edit its row in `src/api/limits.ts`. `vault-entry.ts` checks it, `vault-limit.test.ts` tests it.
 * - To add a field to an entry: add a column in a migration and in `VAULT_VERSIONS` (`vault-table.ts`), a property in
 *   `vault-schema.ts`, and both in the bodies of `vault-routes.ts`. The store needs no change. `vault-entry.test.ts` tests it.
 * - Then run `npm run generate`.
 */
export const vaultFeature = feature('vault', (needs: Needs) => {
  const { database, limits, events, jobs, payments, mailer, notices, authority, storage, baseUrl, hashIp, networksOf } =
    needs;
  const { append: appendEvent } = events;
  const entries = new VaultRules({ limits, payments, storage, appendEvent });
  const factors = new VaultRecoveryFactors(notices, authority.of);
  const recovery = new RecoveryRules({
    limits,
    appendEvent,
    enqueueJob: jobs.enqueue,
    factors,
    loginNetworks: needs.loginNetworks,
  });
  return {
    tables: [VAULT_VERSIONS, VAULT_ENTRIES, ACCOUNT_SEEDS],
    erases: [rowsOf('vault_accounts', ['account_id'])],
    endpoints: [
      ...vaultRoutes({ rules: entries, database, baseUrl }),
      ...recoveryRoutes({ rules: recovery, hashIp, networksOf }),
    ],
    jobs: { 'mail.recovery': createRecoveryMailer({ database, mailer, recovery, limits, baseUrl }) },
    notices: { vault_recovery_email: factors.handler },
    secure: factors.secure,
    recentlyAdded: factors.young,
    provides: { vaultRecoveryOf: (accountId: string) => recoveryEmailOf(database, accountId) },
  };
});
