import type { Config } from '../../config.ts';
import { type FeatureContext, feature } from '../../feature.ts';
import { createFacilitator } from './facilitator-client.ts';
import { paymentRoutes } from './payment-routes.ts';
import { type Acceptance, createPaymentRules } from './payment-rules.ts';
import { createReceipts, createSettlement } from './settlement-job.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Settles a payment, whose goods were delivered, with the facilitator. */
    'payment.settle': { paymentId: string };
  }
}

/** Nothing can be settled without a facilitator: a development server delivers all the same, a public one takes nothing. */
function acceptanceOf({ x402FacilitatorUrl, development }: Config): Acceptance {
  if (x402FacilitatorUrl !== null) return 'facilitator';
  return development ? 'off' : 'refused';
}

/** Payments by x402: what is over a limit may be bought. */
export const paymentsFeature = feature('payments', ({ config, database, events, jobs }: FeatureContext) => {
  const { x402PayTo: payTo, x402FacilitatorUrl: url } = config;
  const facilitator = url === null ? null : createFacilitator(url);
  const acceptance = acceptanceOf(config);
  const payments = createPaymentRules({ database, payTo, acceptance, facilitator, enqueueJob: jobs.enqueue });
  return {
    endpoints: paymentRoutes(payments),
    jobs: { 'payment.settle': createSettlement({ database, facilitator, appendEvent: events.append }) },
    provides: { payments, receipt: createReceipts(database) },
  };
});
