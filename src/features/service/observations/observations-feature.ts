import type { Gate } from '../../../api/way-out.ts';
import { exportOf } from '../../../db/account-export.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { observationErasure } from './observation.ts';
import { observationRoutes } from './observation-routes.ts';
import { OBSERVATION_TOPICS, OBSERVATIONS, OBSERVERS, TRUST_INPUTS } from './observation-table.ts';

type Needs = FeatureContext & { gate: Gate };

/** Observations that agents record, private or shared. */
export const observationsFeature = feature('observations', ({ database, gate }: Needs) => ({
  exports: [exportOf({ table: 'observations', columns: OBSERVATIONS, key: ['shared', 'id'] })],
  erases: [observationErasure],
  tables: [OBSERVATION_TOPICS, TRUST_INPUTS, OBSERVERS],
  endpoints: observationRoutes(database, gate),
}));
