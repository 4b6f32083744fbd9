import { type FeatureContext, feature } from '../../feature.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import type { PaymentRules } from '../payments/payment-rules.ts';
import { recoveryRoutes } from './recovery-routes.ts';
import { createRecoveryRules, purgeRecoveryLinks } from './recovery-rules.ts';
import { vaultRoutes } from './vault-routes.ts';
import { createVaultRules } from './vault-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Mails one link to everything that an address may recover. */
    'mail.recovery': { email: string };
  }
}

type Needs = FeatureContext & { payments: PaymentRules; mailer: LinkMailer };

/** The vault: sealed entries with versions, and recovery by mail. */
export const vaultFeature = feature('vault', (needs: Needs) => {
  const { database, limits, events, jobs, payments, mailer, baseUrl, hashIp } = needs;
  const { append: appendEvent } = events;
  const entries = createVaultRules({ limits, payments, appendEvent });
  const recovery = createRecoveryRules({ database, limits, appendEvent, enqueueJob: jobs.enqueue, mailer, baseUrl });
  return {
    endpoints: [
      ...vaultRoutes({ rules: entries, database, baseUrl }),
      ...recoveryRoutes({ rules: recovery, limits, hashIp }),
    ],
    jobs: { 'mail.recovery': recovery.mail },
    expire: purgeRecoveryLinks,
  };
});
