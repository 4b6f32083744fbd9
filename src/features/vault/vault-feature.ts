import { type FeatureContext, feature } from '../../feature.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';
import { createRecoveryMailer } from './recovery-mailer.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { purgeRecoveryLinks, RecoveryRules, recoveryEmailOf } from './recovery-rules.ts';
import { vaultRoutes } from './vault-routes.ts';
import { VaultRules } from './vault-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Mails a link that recovers everything stored for an address. */
    'mail.recovery': { email: string };
  }
}

/** What the vault takes from earlier features. */
type Needs = FeatureContext & { payments: PaymentRules; mailer: LinkMailer };

/**
 * The vault stores what clients sealed, under keys, in versions. The service cannot read it.
 *
 * - To change a limit: edit its row in `src/kernel/limits.ts`. `vault-rules.ts` checks it, `vault-limit.test.ts` tests it.
 * - To add a field to an entry: add a column in a migration and in `VAULT_VERSIONS` (`vault-data.ts`), a property in
 *   `vault-schema.ts`, and both in the bodies of `vault-routes.ts`. The store needs no change. `vault.test.ts` tests it.
 * - Then run `npm run generate`.
 */
export const vaultFeature = feature('vault', (needs: Needs) => {
  const { database, limits, events, jobs, payments, mailer, baseUrl, hashIp } = needs;
  const { append: appendEvent } = events;
  const entries = new VaultRules({ limits, payments, appendEvent });
  const recovery = new RecoveryRules({ limits, appendEvent, enqueueJob: jobs.enqueue });
  return {
    endpoints: [...vaultRoutes({ rules: entries, database, baseUrl }), ...recoveryRoutes({ rules: recovery, hashIp })],
    jobs: { 'mail.recovery': createRecoveryMailer({ database, mailer, recovery, limits, baseUrl }) },
    expire: purgeRecoveryLinks,
    provides: { vaultRecoveryOf: (accountId: string) => recoveryEmailOf(database, accountId) },
  };
});
