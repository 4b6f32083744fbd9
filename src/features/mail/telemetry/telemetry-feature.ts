import { type FeatureContext, feature } from '../../../feature.ts';
import type { MailPolicyRules } from '../mail-policy/effective-policy.ts';
import { telemetryRoutes } from './telemetry-routes.ts';

type Needs = FeatureContext & { mailPolicy: Pick<MailPolicyRules, 'requireWayOut'> };

/** Reports of agents about their work. */
export const telemetryFeature = feature('telemetry', ({ mailPolicy }: Needs) => ({
  endpoints: telemetryRoutes((tx, principal) => mailPolicy.requireWayOut(tx, principal)),
}));
