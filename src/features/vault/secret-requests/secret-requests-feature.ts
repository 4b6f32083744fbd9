import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { parsePublicKey } from '../../account/e2e/mail-sealer.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { listOpenRequests } from './open-secret-request-routes.ts';
import { countOpenRequests } from './open-secret-requests.ts';
import { PollThrottle } from './poll-throttle.ts';
import { DecisionRules } from './secret-decision.ts';
import { decisionRoutes } from './secret-decision-routes.ts';
import { purgeCredentials, RequestRules } from './secret-request.ts';
import { createRequestMailer } from './secret-request-mailer.ts';
import { requestRoutes } from './secret-request-routes.ts';
import { CREDENTIAL_REQUESTS, CREDENTIAL_VALUE } from './secret-request-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /**
     * Mails a link to an operator of a request; without `email`, to each of them. The payload has only the hash of the
     * user code.
     */
    'mail.credential': { codeHash: string; email?: string };
  }
}

type Needs = FeatureContext & {
  credentials: Pick<Credentials, 'authenticate' | 'confirm'>;
  mailer: LinkMailer;
};

/** Requests of agents for a credential from their operator, by the pattern of RFC 8628. */
export const credentialsFeature = feature('credentials', (needs: Needs) => {
  const { database, limits, events, jobs, credentials, mailer, baseUrl, networksOf } = needs;
  const { sealer } = needs.secrets;
  const { authenticate, confirm } = credentials;
  const decisions = new DecisionRules({
    limits,
    sealer,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
    authenticate,
  });
  const rules = new RequestRules(limits, events.append, sealer);
  return {
    tables: [CREDENTIAL_REQUESTS],
    // The links are the operator's rows. They also go with the account that asks.
    erases: [
      rowsOf('mailed_links', ['kind', 'hash'], { by: 'subject', through: { table: 'credential_requests', id: 'id' } }),
    ],
    openItems: { credential_requests: countOpenRequests },
    endpoints: [
      ...requestRoutes({ rules, database, limits, throttle: new PollThrottle(), baseUrl, parsePublicKey }),
      listOpenRequests(database),
      ...decisionRoutes({ rules: decisions, database, networksOf, confirm }),
    ],
    jobs: { 'mail.credential': createRequestMailer({ database, mailer, enqueueJob: jobs.enqueue, baseUrl }) },
    sealed: [CREDENTIAL_VALUE],
    expire: purgeCredentials,
  };
});
