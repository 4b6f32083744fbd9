import { WAY_POLICIES } from './way-policy-table.ts';

export const saveWay = WAY_POLICIES.save();
export const removeWay = WAY_POLICIES.remove();
/** The policy of an account for a way, and the one that its platform set. */
export const findWay = WAY_POLICIES.list(['accountId', 'way']);
export const listWays = WAY_POLICIES.list(['accountId']);
