import type { Base } from './app-parts.ts';
import type { Config } from './config.ts';
import { createFacilitator } from './features/payments/facilitator-rules.ts';
import { type Acceptance, createPaymentRules } from './features/payments/payment-rules.ts';
import { createReceipts } from './features/payments/settlement-rules.ts';
import { enqueueJob } from './jobs/queue.ts';
import { isLoopbackHost } from './push/webhook-guard.ts';

/** Only its own machine can reach it. */
export const isDevelopment = ({ baseUrl, host }: Config): boolean =>
  isLoopbackHost(baseUrl === null ? host : new URL(baseUrl).hostname);

/** Without a facilitator nothing can be settled: a development server delivers all the same, a public one takes nothing. */
function acceptanceOf(config: Config): Acceptance {
  if (config.x402FacilitatorUrl !== null) return 'facilitator';
  return isDevelopment(config) ? 'off' : 'refused';
}

/** x402: what is over a limit may be bought. */
export function buildPayments({ config, database }: Base) {
  const facilitator = config.x402FacilitatorUrl === null ? null : createFacilitator(config.x402FacilitatorUrl);
  const acceptance = acceptanceOf(config);
  const rules = createPaymentRules({ database, payTo: config.x402PayTo, acceptance, facilitator, enqueueJob });
  return { rules, facilitator, receipt: createReceipts(database) };
}

export type Payments = ReturnType<typeof buildPayments>;
