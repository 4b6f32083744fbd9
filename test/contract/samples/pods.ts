import { makePod } from '../../support/pods.ts';
import { by, expect, freshName, type Prepare } from './sample.ts';

const ofPod =
  (suffix = '', body?: unknown): Prepare =>
  async (t) => {
    const platform = await t.createAccount();
    const { podId } = await makePod(t, platform, { daily: 100 }, { name: 'Customer 7' });
    return { ...by(platform), path: `/v1/pods/${podId}${suffix}`, ...(body === undefined ? {} : { body }) };
  };

const LIMITS = { requests_per_minute: 10, requests_per_hour: 100, requests_per_day: 1000 };

const ofStack =
  (suffix = ''): Prepare =>
  async (t) => {
    const account = await t.createAccount();
    const made = await expect(201, account.api.post('/v1/stack', { domain: `${freshName('stack')}.example` }));
    return { ...by(account), path: `/v1/stack/${made.body.id}${suffix}` };
  };

/** Pods of a platform, and domains. */
export const podSamples: Record<string, Prepare> = {
  createPod: async () => ({
    body: {
      name: 'Customer 7',
      rate_limits: LIMITS,
      spending_caps: { daily: 5, weekly: 10 },
      allowed_scopes: ['read'],
    },
  }),
  getPod: ofPod(),
  getPodUsage: ofPod('/usage'),
  updatePod: ofPod('', { name: 'Customer 8', rate_limits: LIMITS, spending_caps: { daily: null } }),
  suspendPod: ofPod(),
  replacePodKey: ofPod('/keys'),
  createStack: async () => ({ body: { domain: `${freshName('stack')}.example` } }),
  getStack: ofStack(),
  verifyStack: ofStack('/verify'),
  deleteStack: ofStack(),
};
