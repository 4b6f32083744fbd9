import { column } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** Who may create an account: everyone, holders of an invite, or the administrator alone. */
export const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

/** An unused invite to sign up. */
export const INVITES = table(
  'invites',
  {
    /** SHA-256 of the invite. The invite itself is not stored. */
    hash: column.text('hash'),
    /** Names the invite in the audit log. */
    id: column.text('id'),
    createdAt: column.integer('created_at'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['hash'], account: [], erase: { keep: 'belongs to no account' }, expires: 'expiresAt' },
);
