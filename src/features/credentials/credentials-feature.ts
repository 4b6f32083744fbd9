import { type FeatureContext, feature } from '../../feature.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { parsePublicKey } from '../e2e/e2e-rules.ts';
import type { Credentials } from '../login/credential-rules.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { decisionRoutes } from './decision-routes.ts';
import { createDecisionRules } from './decision-rules.ts';
import { createPace } from './poll-throttle-rules.ts';
import { createRequestMailer } from './request-mailer.ts';
import { requestRoutes } from './request-routes.ts';
import { createRequestRules, purgeCredentials } from './request-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Mails a link to the operator who is asked for a credential. The user code is known by its hash alone. */
    'mail.credential': { codeHash: string };
  }
}

type Needs = FeatureContext & {
  addresses: AddressRules;
  credentials: Pick<Credentials, 'authenticate' | 'confirm'>;
  mailer: LinkMailer;
};

/** How an agent asks its operator for a credential. */
export const credentialsFeature = feature('credentials', (needs: Needs) => {
  const { database, limits, events, jobs, addresses, credentials, mailer, baseUrl, hashIp } = needs;
  const { authenticate, confirm } = credentials;
  const decisions = createDecisionRules({
    limits,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
    authenticate,
    firstAddress: async (reader: Reader, accountId: string) =>
      (await addresses.list(reader, accountId))[0]?.address ?? null,
  });
  const rules = createRequestRules(limits, events.append);
  return {
    endpoints: [
      ...requestRoutes({ rules, database, limits, pace: createPace(), baseUrl, parsePublicKey }),
      ...decisionRoutes({ rules: decisions, database, hashIp, confirm }),
    ],
    jobs: { 'mail.credential': createRequestMailer({ database, mailer, baseUrl }) },
    expire: purgeCredentials,
  };
});
