import type { Base } from './app-parts.ts';
import type { PaymentRules } from './features/payments/payment-rules.ts';
import { recoveryRoutes } from './features/vault/recovery-routes.ts';
import { createRecoveryRules } from './features/vault/recovery-rules.ts';
import { vaultRoutes } from './features/vault/vault-routes.ts';
import { createVaultRules } from './features/vault/vault-rules.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { AppendEvent } from './kernel/events.ts';
import type { EnqueueJob } from './kernel/jobs.ts';
import type { Tx } from './kernel/transaction.ts';
import type { MailTransport } from './mail/smtp-out.ts';

/** What the vault needs of its neighbours. */
export interface VaultNeeds {
  payments: PaymentRules;
  transport: MailTransport;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
}

/** The vault and the ways back into it. */
export function buildVault({ config, log, database, baseUrl }: Base, needs: VaultNeeds) {
  const { limits, mailDomain } = config;
  const { payments, transport, appendEvent, enqueueJob } = needs;
  const onSent = (fact: { id: string; provider: string; providerId: string }): void => log.info(fact, 'mail sent');
  return {
    entries: createVaultRules({ limits, payments, appendEvent }),
    recovery: createRecoveryRules({
      ...{ database, limits, appendEvent, enqueueJob, baseUrl },
      ...{ transport, mailDomain, onSent },
    }),
  };
}

export type Vault = ReturnType<typeof buildVault>;

export const vaultEndpoints = (
  { config, database, hashIp, baseUrl }: Base,
  { entries, recovery }: Vault,
): Endpoint[] => [
  ...vaultRoutes({ rules: entries, database, baseUrl }),
  ...recoveryRoutes({ rules: recovery, limits: config.limits, hashIp }),
];
