import { consoleFeature } from './dashboard/console-feature.ts';
import { dashboardFeature } from './dashboard/dashboard-feature.ts';
import { docsFeature } from './docsite/docs-feature.ts';
import type { Feature, FeatureContext, FeatureParts, Gathered } from './feature.ts';
import { accountsFeature } from './features/accounts/accounts-feature.ts';
import { addressesFeature } from './features/addresses/addresses-feature.ts';
import { adminFeature } from './features/admin/admin-feature.ts';
import { auditFeature } from './features/audit/audit-feature.ts';
import { budgetsFeature } from './features/budgets/budgets-feature.ts';
import { calendarFeature } from './features/calendar/calendar-feature.ts';
import { credentialsFeature } from './features/credentials/credentials-feature.ts';
import { delegationsFeature } from './features/delegations/delegations-feature.ts';
import { deletionFeature } from './features/deletion/deletion-feature.ts';
import { devOutboxFeature } from './features/dev-outbox/dev-outbox-feature.ts';
import { discoveryFeature } from './features/discovery/discovery-feature.ts';
import { draftsFeature } from './features/drafts/drafts-feature.ts';
import { e2eFeature } from './features/e2e/e2e-feature.ts';
import { eventsFeature } from './features/events/events-feature.ts';
import { exportFeature } from './features/export/export-feature.ts';
import { findingsFeature } from './features/findings/findings-feature.ts';
import { grantsFeature } from './features/grants/grants-feature.ts';
import { idempotencyFeature } from './features/idempotency/idempotency-feature.ts';
import { inboundFeature } from './features/inbound/inbound-feature.ts';
import { invitesFeature } from './features/invites/invites-feature.ts';
import { keysFeature } from './features/keys/keys-feature.ts';
import { limitsFeature } from './features/limits/limits-feature.ts';
import { loginFeature } from './features/login/login-feature.ts';
import { mailPolicyFeature } from './features/mail-policy/mail-policy-feature.ts';
import { mailboxesFeature } from './features/mailboxes/mailboxes-feature.ts';
import { mailerFeature } from './features/mailer/mailer-feature.ts';
import { mcpFeature } from './features/mcp/mcp-feature.ts';
import { noticesFeature } from './features/notices/notices-feature.ts';
import { observationsFeature } from './features/observations/observations-feature.ts';
import { operatorFeature } from './features/operator/operator-feature.ts';
import { operatorsFeature } from './features/operators/operators-feature.ts';
import { outboxFeature } from './features/outbox/outbox-feature.ts';
import { passkeysFeature } from './features/passkeys/passkeys-feature.ts';
import { paymentsFeature } from './features/payments/payments-feature.ts';
import { peopleFeature } from './features/people/people-feature.ts';
import { podsFeature } from './features/pods/pods-feature.ts';
import { profilesFeature } from './features/profiles/profiles-feature.ts';
import { registrationFeature } from './features/registration/registration-feature.ts';
import { requestsFeature } from './features/requests/requests-feature.ts';
import { reviewsFeature } from './features/reviews/reviews-feature.ts';
import { secureFeature } from './features/secure/secure-feature.ts';
import { sessionsFeature } from './features/sessions/sessions-feature.ts';
import { stacksFeature } from './features/stacks/stacks-feature.ts';
import { storageFeature } from './features/storage/storage-feature.ts';
import { suppressionsFeature } from './features/suppressions/suppressions-feature.ts';
import { telemetryFeature } from './features/telemetry/telemetry-feature.ts';
import { threadsFeature } from './features/threads/threads-feature.ts';
import { tokensFeature } from './features/tokens/tokens-feature.ts';
import { trustFeature } from './features/trust/trust-feature.ts';
import { usageFeature } from './features/usage/usage-feature.ts';
import { vaultFeature } from './features/vault/vault-feature.ts';
import { webhooksFeature } from './features/webhooks/webhooks-feature.ts';

/**
 * Everything that the features `L` provide on top of `Has`. It is `never` if a feature comes before one that it needs.
 */
type Provided<Has, L extends readonly unknown[]> = L extends readonly [Feature<infer Needs, infer P>, ...infer Rest]
  ? Has extends Needs
    ? Provided<Has & P, Rest>
    : never
  : Has;

/** Every feature, each after the features that it needs. The compiler refuses any other order. */
const FEATURES = [
  idempotencyFeature,
  limitsFeature,
  mailerFeature,
  paymentsFeature,
  noticesFeature,
  loginFeature,
  delegationsFeature,
  invitesFeature,
  addressesFeature,
  keysFeature,
  secureFeature,
  budgetsFeature,
  peopleFeature,
  consoleFeature,
  grantsFeature,
  passkeysFeature,
  sessionsFeature,
  mailPolicyFeature,
  reviewsFeature,
  operatorsFeature,
  e2eFeature,
  registrationFeature,
  eventsFeature,
  mailboxesFeature,
  threadsFeature,
  storageFeature,
  suppressionsFeature,
  outboxFeature,
  draftsFeature,
  inboundFeature,
  webhooksFeature,
  vaultFeature,
  accountsFeature,
  podsFeature,
  stacksFeature,
  usageFeature,
  observationsFeature,
  telemetryFeature,
  trustFeature,
  tokensFeature,
  discoveryFeature,
  profilesFeature,
  auditFeature,
  requestsFeature,
  deletionFeature,
  exportFeature,
  calendarFeature,
  credentialsFeature,
  findingsFeature,
  operatorFeature,
  dashboardFeature,
  adminFeature,
  mcpFeature,
  docsFeature,
  devOutboxFeature,
] as const;

type Everything = Provided<FeatureContext & Gathered, typeof FEATURES>;

/** Builds every feature, in order. Pure, like each `build`: it reads and starts nothing. */
export function buildFeatures(context: FeatureContext): { parts: readonly FeatureParts[]; provided: Everything } {
  const gathered: Gathered = {
    noticeHandlers: {},
    secureParts: [],
    youngParts: [],
    openItems: {},
    erasures: [],
    exportParts: [],
  };
  const provided: object = { ...context, ...gathered };
  const parts = FEATURES.map(({ build }) => {
    const built: FeatureParts = (build as (needs: object) => FeatureParts)(provided);
    Object.assign(gathered.noticeHandlers, built.notices);
    gathered.erasures.unshift(...(built.erases ?? []));
    gathered.exportParts.push(...(built.exports ?? []));
    if (built.secure) gathered.secureParts.push(built.secure);
    if (built.young) gathered.youngParts.push(built.young);
    Object.assign(gathered.openItems, built.openItems);
    Object.assign(provided, built.provides);
    return built;
  });
  return { parts, provided: provided as Everything };
}
