import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import { mayCall } from '../../../http/pipeline/authenticate.ts';
import { OperatorsWaiting } from './operator-waiting.ts';
import { WaitingRules } from './waiting-list.ts';
import { waitingRoutes } from './waiting-routes.ts';

/** One list of what waits for someone to act. Each feature says in `waiting` what it has. */
export const waitingFeature = feature('waiting', ({ database, waiting }: FeatureContext & Contributions) => {
  const rules = new WaitingRules({ database, waiting, mayCall });
  return {
    endpoints: waitingRoutes(rules, new OperatorsWaiting(rules, database)),
    attach: (_server, _ports, { endpoints }) => rules.know(endpoints),
    provides: { whatWaits: rules },
  };
});
