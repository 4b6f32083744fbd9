import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { listOpenRequests } from './open-secret-request-routes.ts';
import { DecisionRules } from './secret-decision.ts';
import { decisionRoutes } from './secret-decision-routes.ts';
import { purgeCredentials, RequestRules, type SecretRequestDeps } from './secret-request.ts';
import { createRequestMailer } from './secret-request-mailer.ts';
import { requestRoutes } from './secret-request-routes.ts';
import { CREDENTIAL_REQUESTS, CREDENTIAL_VALUE } from './secret-request-table.ts';
import { waitingAnswers, waitingCredentialRequests } from './waiting-secret-requests.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /**
     * Mails a link to an operator of a request; without `email`, to each of them. The payload has only the hash of the
     * user code.
     */
    'mail.credential': { codeHash: string; email?: string };
  }
}

type Needs = FeatureContext & Pick<SecretRequestDeps, 'credentials' | 'mailer'>;

/** Requests of agents for a credential from their operator, by the pattern of RFC 8628. */
export const credentialsFeature = feature('credentials', (needs: Needs) => {
  const { events, jobs, secrets } = needs;
  const deps: SecretRequestDeps = {
    ...needs,
    sealer: secrets.sealer,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
  };
  return {
    tables: [CREDENTIAL_REQUESTS],
    // The links are the operator's rows. They also go with the account that asks.
    erases: [
      rowsOf('mailed_links', ['kind', 'hash'], { by: 'subject', through: { table: 'credential_requests', id: 'id' } }),
    ],
    waiting: { credential_request: { list: waitingCredentialRequests }, answer: { list: waitingAnswers } },
    endpoints: [
      ...requestRoutes(new RequestRules(deps), deps),
      listOpenRequests(deps.database),
      ...decisionRoutes(new DecisionRules(deps), deps),
    ],
    jobs: { 'mail.credential': createRequestMailer(deps) },
    sealed: [CREDENTIAL_VALUE],
    expire: purgeCredentials,
  };
});
