import { INVITES } from './invite-table.ts';

export const insertInvite = INVITES.insert();
/** Uses an invite up, one of several parallel calls. @returns 0 when it is unknown, used or expired */
export const takeInvite = INVITES.remove(['hash', 'expiresAt']);
export const purgeInvites = INVITES.purge('expiresAt');
