import { DEVICE_LOGINS } from './device-login-table.ts';

/** @returns false when another login has the user code */
export const insertDeviceLogin = DEVICE_LOGINS.insertNew();
export const findDeviceLogin = DEVICE_LOGINS.find();
export const findByUserCode = DEVICE_LOGINS.find(['userCodeHash']);
/** Notes a poll, and how long the next one has to wait. */
export const savePoll = DEVICE_LOGINS.patch(['polledAt', 'intervalSeconds']);
/** @returns false when it was decided before */
export const denyDeviceLogin = DEVICE_LOGINS.patch(['deniedAt'], { deniedAt: null });
/** Deletes a login that waits. @returns 0 when it was decided before */
export const takeDeviceLogin = DEVICE_LOGINS.remove(['deviceHash'], { deniedAt: null });
export const purgeDeviceLogins = DEVICE_LOGINS.purge('expiresAt');
