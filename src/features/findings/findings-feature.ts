import { type FeatureContext, feature } from '../../feature.ts';
import type { Keyring } from '../tokens/signing-key-rules.ts';
import { findingRoutes } from './finding-routes.ts';
import { createFindingRules } from './finding-rules.ts';
import { programRoutes } from './program-routes.ts';

type Needs = FeatureContext & { keyring: Keyring };

/** Security findings, and the programs that judge them. */
export const findingsFeature = feature('findings', ({ database, events, keyring, baseUrl }: Needs) => {
  const rules = createFindingRules({ database, keyring, appendEvent: events.append, baseUrl });
  return { endpoints: [...findingRoutes({ rules, baseUrl }), ...programRoutes(database)] };
});
