import { type Contributions, type FeatureContext, feature } from '../../../feature.ts';
import type { PeopleRules } from '../../account/people/people-changes.ts';
import type { OperatorDeps } from './operated-agents.ts';
import { operatorAgentRoutes } from './operator-agent-routes.ts';
import { endSuspensionBy } from './suspension.ts';

type Needs = FeatureContext &
  Contributions &
  Pick<OperatorDeps, 'addresses' | 'credentials' | 'countOpenReviews' | 'meter'> & {
    people: Pick<PeopleRules, 'watchPeople'>;
  };

/** What the operators of agents see and do: the list of their agents, and suspending one. */
export const operatorsFeature = feature('operators', (needs: Needs) => {
  const deps: OperatorDeps = { ...needs, appendEvent: needs.events.append };
  needs.people.watchPeople((tx, accountId, operator) =>
    endSuspensionBy(tx, deps, { accountId, operator, now: needs.now() }),
  );
  return { endpoints: operatorAgentRoutes(deps) };
});
