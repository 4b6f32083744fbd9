import type { Config } from '../../../config/service-config.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { ChainClient } from './chain-client.ts';
import { FacilitatorClient } from './facilitator-client.ts';
import { type Acceptance, type PaymentDeps, PaymentRules } from './payment.ts';
import { paymentRoutes } from './payment-routes.ts';
import { PAYMENTS } from './payment-table.ts';
import { SettlementJob, waitForReceipt } from './settlement-job.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Settles a payment with the facilitator, after the delivery. */
    'payment.settle': { paymentId: string };
  }
}

/** Without a facilitator no payment can be settled. A development server delivers anyway; a public one refuses payments. */
function acceptanceOf({ x402FacilitatorUrl, development }: Config): Acceptance {
  if (x402FacilitatorUrl !== null) return 'facilitator';
  return development ? 'off' : 'refused';
}

/**
 * Payments by x402: a request over a limit can pay for what it asks.
 *
 * A feature that sells something calls `payments.offered` before its transaction and `payments.collect` in it.
 */
export const paymentsFeature = feature('payments', ({ config, database, events, jobs }: FeatureContext) => {
  const { x402PayTo: payTo, x402FacilitatorUrl: url, x402RpcUrl } = config;
  const deps: PaymentDeps = {
    database,
    payTo,
    acceptance: acceptanceOf(config),
    facilitator: url === null ? null : new FacilitatorClient(url),
    chain: new ChainClient(x402RpcUrl),
    enqueueJob: jobs.enqueue,
    appendEvent: events.append,
  };
  const payments = new PaymentRules(deps);
  const settlement = new SettlementJob(deps);
  return {
    tables: [PAYMENTS],
    endpoints: paymentRoutes(payments),
    jobs: { 'payment.settle': (attempt) => settlement.run(attempt) },
    provides: { payments, receipt: (paymentId: string) => waitForReceipt(database, paymentId) },
  };
});
