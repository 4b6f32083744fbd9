import { SETTING_CHANGES } from './setting-change-table.ts';

export const saveChanges = SETTING_CHANGES.save();
export const findChanges = SETTING_CHANGES.find();
export const purgeChanges = SETTING_CHANGES.purge('changedAt');
/** In the order of their targets. */
export const listChanges = SETTING_CHANGES.list(['accountId', 'setting']);
