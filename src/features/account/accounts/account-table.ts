import type { Tier } from '../../../api/limits.ts';
import { exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const ACCOUNTS = table(
  'accounts',
  {
    id: exported.text('id'),
    /** The platform that a pod belongs to. Null for a platform. */
    parentId: exported.text('parent_id').orNull(),
    name: exported.text('name').orNull(),
    tier: exported.enum<Tier>()('tier'),
    /** `paused`: a pod suspended by its platform. `suspended`: suspended by the operator of the service. */
    status: exported.enum<'active' | 'suspended' | 'paused'>()('status'),
    capabilities: exported.json<string[]>()('capabilities'),
    /** Scopes that its tokens may have. Null allows every scope. */
    allowedScopes: exported.json<string[]>()('allowed_scopes').orNull(),
    createdAt: exported.integer('created_at'),
    /** The operators who suspend it, by address. Null: none. */
    suspendedBy: exported.json<string[]>()('suspended_by').orNull(),
    /** What the agent says of itself. */
    description: exported.text('description').orNull(),
    /** Its profile is found by the id of the account alone. */
    isUnlisted: exported.flag('unlisted'),
  },
  {
    key: ['id'],
    account: ['id'],
    erase: { by: 'account-deletion.ts, last' },
    search: [
      {
        kind: 'agent',
        by: 'id',
        order: 'id',
        texts: ['name', 'id'],
        reads: ['createdAt'],
        shown: ({ id, name, createdAt }) => ({ id, title: name ?? id, at: createdAt, place: ['overview'] }),
      },
      {
        kind: 'pod',
        by: 'parentId',
        order: 'id',
        texts: ['name', 'id'],
        reads: ['createdAt'],
        shown: ({ id, name, createdAt }) => ({ id, title: name ?? id, at: createdAt, place: ['pods', id] }),
      },
    ],
  },
);
export type Account = RecordOf<typeof ACCOUNTS>;

/** What an account may change of what others see of it. */
export type ProfileChange = Partial<Pick<Account, 'name' | 'description' | 'capabilities' | 'isUnlisted'>>;

/** What closes an account: the administrator or the platform (`status`), and its own operators. */
export interface AccountSuspensions {
  status: Account['status'];
  isSuspended: boolean;
}

/**
 * How far an account is closed. `whole`: by the administrator, or a pod by its platform; nobody gets in. `agent`: by an
 * operator; its operators get in, and its keys still take access away. `none`: it is open.
 */
export type Suspension = 'none' | 'agent' | 'whole';
