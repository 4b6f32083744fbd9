import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { admitSignUp, purgeInvites } from './invite.ts';
import { INVITES } from './invite-table.ts';

/** Decides who may sign up: everyone, holders of an invite, or the administrator alone. */
export const invitesFeature = feature('invites', ({ config }: FeatureContext) => ({
  tables: [INVITES],
  expire: purgeInvites,
  provides: {
    admit: (tx: Tx, invite: string | undefined, now: number) => admitSignUp(tx, config.signUp, invite, now),
  },
}));
