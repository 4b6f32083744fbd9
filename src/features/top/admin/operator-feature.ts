import { type FeatureContext, feature } from '../../../feature.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { KeyRules } from '../../account/keys/key.ts';
import type { NoticeRules } from '../../account/pending-removals/notice.ts';
import type { OperatorReplacement } from '../../account/people/operator-replacement.ts';
import type { DeletionRules } from '../../identity/deletion/account-deletion.ts';
import type { CheckpointCheck } from '../../record/audit/audit-log.ts';
import type { UsageRules } from '../usage/usage-report.ts';
import { createOperator } from './service-operator.ts';
import { measureState } from './state-metrics.ts';

type Needs = FeatureContext & {
  keys: KeyRules;
  addresses: AddressRules;
  usage: UsageRules;
  deletions: DeletionRules;
  audit: { isGenuine: CheckpointCheck };
  notices: NoticeRules;
  replacement: OperatorReplacement;
};

/** Shows and changes accounts for the command line, and measures the state of the service. */
export const operatorFeature = feature('operator', (needs: Needs) => {
  const { config, database, jobs, keys, addresses, usage, audit, deletions, notices, replacement, now } = needs;
  const { isGenuine } = audit;
  const { enqueue: enqueueJob } = jobs;
  measureState({ database, dataDir: config.dataDir, metrics: needs.metrics, now });
  return {
    provides: {
      operator: createOperator({
        database,
        keys,
        addresses,
        usage,
        isGenuine,
        enqueueJob,
        deletions,
        notices,
        replacement,
        now,
        signUp: config.signUp,
      }),
    },
  };
});
