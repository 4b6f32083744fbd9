import { exportOf } from '../../../db/account-export.ts';
import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { observationErasure } from './observation.ts';
import { observationRoutes, type WaysOut } from './observation-routes.ts';
import { OBSERVATIONS } from './observation-table.ts';

type Needs = FeatureContext & { mailPolicy: WaysOut };

/** Observations that agents record, private or shared. */
export const observationsFeature = feature('observations', ({ database, mailPolicy }: Needs) => ({
  exports: [exportOf({ table: 'observations', columns: OBSERVATIONS, key: ['shared', 'id'] })],
  erases: [
    observationErasure,
    rowsOf('observation_topics', ['account_id', 'topic']),
    rowsOf('trust_inputs', ['account_id']),
    rowsOf('observers', ['account_id', 'observer_id']),
    rowsOf('observers', ['account_id', 'observer_id'], { by: 'observer_id' }),
  ],
  endpoints: observationRoutes(database, {
    requireWayOut: (tx, principal) => mailPolicy.requireWayOut(tx, principal),
  }),
}));
