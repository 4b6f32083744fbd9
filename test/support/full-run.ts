import { it } from 'node:test';
/** `npm run test:all` and the long profiles run everything. */
export const IS_FULL_RUN = Boolean(process.env.SIGNET_TEST_ALL || process.env.SIGNET_LONG);
/** A test that `npm test` leaves to `npm run test:all`: what breaks seldom and takes long. */
export const itInAll = (IS_FULL_RUN ? it : () => {}) as typeof it;
