import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Gate } from '../../../api/way-out.ts';
import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { type AuthorityOf, recoveryEmailOf, VaultRecoveryFactors } from './recovery-factor.ts';
import { createRecoveryMailer } from './recovery-mailer.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { ACCOUNT_SEEDS, SEED_NETWORKS } from './recovery-table.ts';
import { type VaultDeps, VaultRules } from './vault-entry.ts';
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
type Needs = FeatureContext &
  Pick<VaultDeps, 'payments' | 'storage' | 'mailer' | 'loginNetworks'> & {
    notices: Notices;
    gate: Gate;
    authority: { of: AuthorityOf };
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
  const { database, events, gate, jobs, notices, authority } = needs;
  const deps: VaultDeps = { ...needs, appendEvent: events.append, enqueueJob: jobs.enqueue };
  const factors = new VaultRecoveryFactors(notices, authority.of, gate);
  const recovery = new RecoveryRules(factors, deps);
  return {
    tables: [VAULT_VERSIONS, VAULT_ENTRIES, ACCOUNT_SEEDS, SEED_NETWORKS],
    erases: [rowsOf('vault_accounts', ['account_id'])],
    endpoints: [...vaultRoutes(new VaultRules(deps), deps), ...recoveryRoutes(recovery, deps)],
    jobs: { 'mail.recovery': createRecoveryMailer(recovery, deps) },
    notices: { vault_recovery_email: factors.handler },
    secure: factors.secure,
    recentlyAdded: factors.young,
    provides: { vaultRecoveryOf: (accountId: string) => recoveryEmailOf(database, accountId) },
  };
});
