import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { Suppressions } from './suppression.ts';
import { suppressionRoutes } from './suppression-routes.ts';
import { SENDING_DAYS, SUPPRESSIONS } from './suppression-table.ts';

/** Recipients that get no more mail, and the pause of accounts whose mail comes back. */
export const suppressionsFeature = feature('suppressions', ({ limits, events, database }: FeatureContext) => {
  const suppressions = new Suppressions({ limits, appendEvents: events.appendAll });
  return {
    tables: [SUPPRESSIONS, SENDING_DAYS],
    endpoints: suppressionRoutes(suppressions, database),
    expire: (tx: Tx, now: number) => suppressions.expire(tx, now),
    provides: { suppressions },
  };
});
