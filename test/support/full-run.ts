import { describe, it } from 'node:test';
import type { Engine } from './harness.ts';

/** `npm run test:all` and the long profiles run everything. */
export const IS_FULL_RUN = Boolean(process.env.SIGNET_TEST_ALL || process.env.SIGNET_LONG);

/** A test that `npm test` leaves to `npm run test:all`: what breaks seldom and takes long. */
export const itInAll = (IS_FULL_RUN ? it : () => {}) as typeof it;

/** A suite that `npm test` leaves to `npm run test:all`. */
export const describeInAll = (IS_FULL_RUN ? describe : () => {}) as typeof describe;

export const BOTH_ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

/** For tests that start a service of their own, and are decided before or after the database. */
export const ANY_ENGINE: readonly Engine[] = IS_FULL_RUN ? BOTH_ENGINES : ['sqlite'];
