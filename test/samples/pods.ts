import { makePod } from '../pods.ts';
import { by, type Prepare } from './sample.ts';

const ofPod =
  (suffix = '', body?: unknown): Prepare =>
  async (t) => {
    const platform = await t.createAccount();
    const { podId } = await makePod(t, platform, { daily: 100 }, { name: 'Customer 7' });
    return { ...by(platform), path: `/v1/pods/${podId}${suffix}`, ...(body === undefined ? {} : { body }) };
  };

const LIMITS = { requests_per_minute: 10, requests_per_hour: 100, requests_per_day: 1000 };

/** Pods of a platform. */
export const podSamples: Record<string, Prepare> = {
  createPod: async () => ({
    body: { name: 'Customer 7', rate_limits: LIMITS, spending_caps: { daily: 5, weekly: 10 }, allowed_scopes: ['read'] },
  }),
  getPod: ofPod(),
  updatePod: ofPod('', { name: 'Customer 8', rate_limits: LIMITS, spending_caps: { daily: null } }),
  suspendPod: ofPod(),
  replacePodKey: ofPod('/keys'),
};
