import { column, columnMap, type RecordOf } from '../../kernel/column-map.ts';
import type { Tier } from '../../kernel/limits.ts';

export const ACCOUNTS = columnMap({
  id: column.text('id'),
  /** The platform that a pod belongs to. Null for a platform. */
  parentId: column.text('parent_id').orNull(),
  name: column.text('name').orNull(),
  tier: column.word<Tier>()('tier'),
  /** `paused`: a pod suspended by its platform. `suspended`: suspended by the operator of the service. */
  status: column.word<'active' | 'suspended' | 'paused'>()('status'),
  capabilities: column.json<string[]>()('capabilities'),
  /** Scopes that its tokens may have. Null allows every scope. */
  allowedScopes: column.json<string[]>()('allowed_scopes').orNull(),
  createdAt: column.integer('created_at'),
});
export type Account = RecordOf<typeof ACCOUNTS>;
