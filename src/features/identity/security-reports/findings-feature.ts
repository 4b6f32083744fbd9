import type { Gate } from '../../../api/way-out.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { Keyring } from '../tokens/signing-keys.ts';
import { FindingRules } from './finding.ts';
import { findingRoutes } from './finding-routes.ts';
import { FINDING_OUTCOMES, FINDINGS, PROGRAMS, TRACK_RECORDS } from './finding-table.ts';
import { programRoutes } from './program-routes.ts';

type Needs = FeatureContext & { gate: Gate; keyring: Keyring };

/** Security findings, and programs that judge them. */
export const findingsFeature = feature('findings', ({ database, events, gate, keyring, baseUrl }: Needs) => {
  const rules = new FindingRules({ database, keyring, appendEvent: events.append, baseUrl });
  return {
    tables: [FINDING_OUTCOMES, FINDINGS, PROGRAMS, TRACK_RECORDS],
    endpoints: [...findingRoutes(rules, gate, baseUrl), ...programRoutes(database, gate)],
  };
});
