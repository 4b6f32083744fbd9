import { column } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

const STS_POLICIES = table(
  'mta_sts_policies',
  {
    domain: column.text('domain'),
    /** JSON. */
    policy: column.text('policy'),
    fetchedAt: column.integer('fetched_at'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['domain'], account: [], erase: { keep: 'belongs to no account' }, expires: 'expiresAt' },
);

/** The policy of a domain, until it expires. */
export const findPolicy = STS_POLICIES.find(['domain', 'expiresAt']);
export const savePolicy = STS_POLICIES.save();
export const forgetPolicies = STS_POLICIES.purge('expiresAt');
