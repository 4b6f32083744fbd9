import { type FeatureContext, feature } from '../../../feature.ts';
import type { OperatorDeps } from './service-administration.ts';
import { createOperator } from './service-operator.ts';
import { measureState } from './state-metrics.ts';

type Needs = FeatureContext &
  Pick<OperatorDeps, 'keys' | 'addresses' | 'usage' | 'deletions' | 'audit' | 'notices' | 'replacement'>;

/** Shows and changes accounts for the command line, and measures the state of the service. */
export const operatorFeature = feature('operator', (needs: Needs) => {
  const { config, jobs } = needs;
  measureState({ ...needs, dataDir: config.dataDir });
  return {
    provides: { operator: createOperator({ ...needs, enqueueJob: jobs.enqueue, signUp: config.signUp }) },
  };
});
