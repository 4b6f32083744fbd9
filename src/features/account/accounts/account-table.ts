import type { Tier } from '../../../api/limits.ts';
import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

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
  /** The operators who suspend it, by address. Null: none. */
  suspendedBy: column.json<string[]>()('suspended_by').orNull(),
  /** What the agent says of itself. */
  description: column.text('description').orNull(),
  /** Its profile is found by the id of the account alone. */
  isUnlisted: column.flag('unlisted'),
});
export type Account = RecordOf<typeof ACCOUNTS>;

/** What an account may change of what others see of it. */
export type ProfileChange = Partial<Pick<Account, 'name' | 'description' | 'capabilities' | 'isUnlisted'>>;

/** What closes an account: the administrator or the platform (`status`), and its own operators. */
export interface AccountBars {
  status: Account['status'];
  isSuspended: boolean;
}

/**
 * How far an account is closed. `whole`: by the administrator, or a pod by its platform; nobody gets in. `agent`: by an
 * operator; its operators get in, and its keys still take access away. `none`: it is open.
 */
export type Closure = 'none' | 'agent' | 'whole';
