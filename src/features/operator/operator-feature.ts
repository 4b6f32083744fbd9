import { type FeatureContext, feature } from '../../feature.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { CheckpointCheck } from '../audit/audit-rules.ts';
import type { DeletionRules } from '../deletion/deletion-rules.ts';
import type { KeyRules } from '../keys/key-rules.ts';
import type { NoticeRules } from '../notices/notice-rules.ts';
import type { OperatorReplacement } from '../people/replacement-rules.ts';
import type { UsageRules } from '../usage/usage-rules.ts';
import { measureState } from './figure-rules.ts';
import { createOperator } from './operator-rules.ts';

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
        ...{ database, keys, addresses, usage, isGenuine, enqueueJob, deletions, notices, replacement, now },
        signUp: config.signUp,
      }),
    },
  };
});
