import type { Access, Base, Mail } from './app-parts.ts';
import { decisionRoutes } from './features/credentials/decision-routes.ts';
import { createDecisionRules } from './features/credentials/decision-rules.ts';
import { createPace } from './features/credentials/pace-rules.ts';
import { createRequestMailer } from './features/credentials/request-mail-rules.ts';
import { requestRoutes } from './features/credentials/request-routes.ts';
import { createRequestRules } from './features/credentials/request-rules.ts';
import { parsePublicKey } from './features/e2e/e2e-rules.ts';
import { findingRoutes } from './features/findings/finding-routes.ts';
import { createFindingRules } from './features/findings/finding-rules.ts';
import { programRoutes } from './features/findings/program-routes.ts';
import type { Keyring } from './features/tokens/signing-key-rules.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { AppendEvent } from './kernel/events.ts';
import type { EnqueueJob } from './kernel/jobs.ts';
import type { Tx } from './kernel/transaction.ts';

/** How an agent asks its operator for a credential. */
export function credentialEndpoints(
  { config, database, baseUrl, hashIp }: Base,
  { addresses }: Mail,
  { credentials }: Access,
  appendEvent: AppendEvent<Tx>,
  enqueueJob: EnqueueJob,
): Endpoint[] {
  const { limits } = config;
  const rules = createRequestRules(limits, appendEvent);
  const { authenticate, confirm } = credentials;
  const decisions = createDecisionRules({
    limits,
    appendEvent,
    enqueueJob,
    authenticate,
    firstAddress: async (reader, accountId) => (await addresses.list(reader, accountId))[0]?.address ?? null,
  });
  return [
    ...requestRoutes({ rules, database, limits, pace: createPace(), baseUrl, parsePublicKey }),
    ...decisionRoutes({ rules: decisions, database, hashIp, confirm }),
  ];
}

/** What mails the operator a link. */
export const credentialJobs = (
  { config, database, baseUrl }: Base,
  { transport }: Mail,
  onSent: Parameters<typeof createRequestMailer>[0]['onSent'],
) => ({
  'mail.credential': createRequestMailer({ database, transport, mailDomain: config.mailDomain, baseUrl, onSent }),
});

/** Security findings, and the programs that judge them. */
export const findingEndpoints = (
  { database, baseUrl }: Base,
  keyring: Keyring,
  appendEvent: AppendEvent<Tx>,
): Endpoint[] => [
  ...findingRoutes({ rules: createFindingRules({ database, keyring, appendEvent, baseUrl }), baseUrl }),
  ...programRoutes(database),
];
