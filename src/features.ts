import type { Contributions, Feature, FeatureContext, FeatureParts } from './feature.ts';
import { accountsFeature } from './features/account/accounts/accounts-feature.ts';
import { addressesFeature } from './features/account/addresses/addresses-feature.ts';
import { delegationsFeature } from './features/account/delegations/delegations-feature.ts';
import { stacksFeature } from './features/account/domains/stacks-feature.ts';
import { e2eFeature } from './features/account/e2e/e2e-feature.ts';
import { exportFeature } from './features/account/export/export-feature.ts';
import { grantsFeature } from './features/account/grants/grants-feature.ts';
import { keysFeature } from './features/account/keys/keys-feature.ts';
import { secureFeature } from './features/account/lockdown/secure-feature.ts';
import { newsFeature } from './features/account/news/news-feature.ts';
import { noticesFeature } from './features/account/pending-removals/notices-feature.ts';
import { peopleFeature } from './features/account/people/people-feature.ts';
import { profilesFeature } from './features/account/profiles/profiles-feature.ts';
import { invitesFeature } from './features/account/sign-up/invites-feature.ts';
import { registrationFeature } from './features/account/sign-up/registration-feature.ts';
import { trustFeature } from './features/account/trust/trust-feature.ts';
import { calendarFeature } from './features/calendar/calendar-feature.ts';
import { deletionFeature } from './features/identity/deletion/deletion-feature.ts';
import { loginFeature } from './features/identity/login/login-feature.ts';
import { sessionsFeature } from './features/identity/login/sessions-feature.ts';
import { operatorsFeature } from './features/identity/operators/operators-feature.ts';
import { passkeysFeature } from './features/identity/passkeys/passkeys-feature.ts';
import { podsFeature } from './features/identity/pods/pods-feature.ts';
import { findingsFeature } from './features/identity/security-reports/findings-feature.ts';
import { tokensFeature } from './features/identity/tokens/tokens-feature.ts';
import { draftsFeature } from './features/mail/drafts/drafts-feature.ts';
import { inboundFeature } from './features/mail/inbound/inbound-feature.ts';
import { mailPolicyFeature } from './features/mail/mail-policy/mail-policy-feature.ts';
import { mailProgramsFeature } from './features/mail/mail-programs/mail-programs-feature.ts';
import { mailboxesFeature } from './features/mail/mailboxes/mailboxes-feature.ts';
import { threadsFeature } from './features/mail/mailboxes/threads/threads-feature.ts';
import { outboxFeature } from './features/mail/outbox/outbox-feature.ts';
import { reviewsFeature } from './features/mail/reviews/reviews-feature.ts';
import { storageFeature } from './features/mail/storage/storage-feature.ts';
import { telemetryFeature } from './features/mail/telemetry/telemetry-feature.ts';
import { waysOutFeature } from './features/mail/ways-out/ways-out-feature.ts';
import { webhooksFeature } from './features/mail/webhooks/webhooks-feature.ts';
import { mcpFeature } from './features/mcp/mcp-feature.ts';
import { budgetsFeature } from './features/money/budgets-feature.ts';
import { auditFeature } from './features/record/audit/audit-feature.ts';
import { eventsFeature } from './features/record/events/events-feature.ts';
import { devOutboxFeature } from './features/service/dev-outbox/dev-outbox-feature.ts';
import { discoveryFeature } from './features/service/discovery/discovery-feature.ts';
import { idempotencyFeature } from './features/service/idempotency/idempotency-feature.ts';
import { limitsFeature } from './features/service/limits/limits-feature.ts';
import { mailerFeature } from './features/service/mailer/mailer-feature.ts';
import { observationsFeature } from './features/service/observations/observations-feature.ts';
import { paymentsFeature } from './features/service/payments/payments-feature.ts';
import { requestsFeature } from './features/service/request-log/request-log-feature.ts';
import { suppressionsFeature } from './features/service/suppressions/suppressions-feature.ts';
import { adminFeature } from './features/top/admin/admin-feature.ts';
import { operatorFeature } from './features/top/admin/operator-feature.ts';
import { searchFeature } from './features/top/search/search-feature.ts';
import { usageFeature } from './features/top/usage/usage-feature.ts';
import { waitingFeature } from './features/top/waiting/waiting-feature.ts';
import { vaultFeature } from './features/vault/entries/vault-feature.ts';
import { credentialsFeature } from './features/vault/secret-requests/secret-requests-feature.ts';
import { consoleFeature } from './web/site/console-feature.ts';
import { dashboardFeature } from './web/site/dashboard-feature.ts';

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
  newsFeature,
  waysOutFeature,
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
  mailProgramsFeature,
  webhooksFeature,
  vaultFeature,
  waitingFeature,
  searchFeature,
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
  devOutboxFeature,
] as const;

type Everything = Provided<FeatureContext & Contributions, typeof FEATURES>;

/** Builds every feature, in order. Pure, like each `build`: it reads and starts nothing. */
export function buildFeatures(context: FeatureContext): { parts: readonly FeatureParts[]; provided: Everything } {
  const gathered: Contributions = {
    noticeHandlers: {},
    secureParts: [],
    youngParts: [],
    waiting: {},
    searches: [],
    erasures: [],
    exportParts: [],
  };
  const provided: object = { ...context, ...gathered };
  const parts = FEATURES.map(({ build }) => {
    const built: FeatureParts = (build as (needs: object) => FeatureParts)(provided);
    Object.assign(gathered.noticeHandlers, built.notices);
    gathered.erasures.unshift(...(built.erases ?? []), ...(built.tables ?? []).flatMap(({ erases }) => erases));
    gathered.exportParts.push(...(built.tables ?? []).flatMap(({ exports }) => exports), ...(built.exports ?? []));
    gathered.searches.push(...(built.tables ?? []).flatMap(({ searches }) => searches), ...(built.searches ?? []));
    if (built.secure) gathered.secureParts.push(built.secure);
    if (built.recentlyAdded) gathered.youngParts.push(built.recentlyAdded);
    Object.assign(gathered.waiting, built.waiting);
    Object.assign(provided, built.provides);
    return built;
  });
  return { parts, provided: provided as Everything };
}
