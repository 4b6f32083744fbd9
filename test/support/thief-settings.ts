import assert from 'node:assert/strict';
import type { Api } from './harness.ts';

export const POLICY = '/v1/email/policy';
export const PROFILE = '/v1/agents/profile';
const WAYS = '/v1/account/policy';
const OWNERS_PROFILE = { name: 'Ada', description: 'Books flights.', capabilities: ['travel'], unlisted: true };

export const addressPath = (address: string): string => `/v1/email/addresses/${address}`;

/** Makes a change, which must succeed. */
export async function set(api: Api, method: 'put' | 'patch', path: string, body: object): Promise<void> {
  const reply = await api[method](path, body);
  assert.equal(reply.status, 200, reply.text);
}

/** All settings that `secure` may take back. */
export async function settingsOf(api: Api, address: string) {
  const [budget, addresses] = [(await api.get('/v1/budget')).body, (await api.get('/v1/email/addresses')).body];
  const caps = Object.entries(budget.caps).map(([period, cap]) => [
    period,
    (cap as { limit_usdc: number } | null)?.limit_usdc,
  ]);
  return {
    policy: (await api.get(POLICY)).body,
    ofAddress: (await api.get(`${POLICY}?address=${address}`)).body,
    addresses: addresses.settings,
    profile: (await api.get(PROFILE)).body,
    ways: (await api.get(WAYS)).body.ways,
    caps: Object.fromEntries(caps),
    limits: budget.settings,
  };
}

/** Sets everything as an owner might. */
export async function setUp(api: Api, address: string, profile: object = OWNERS_PROFILE): Promise<void> {
  await set(api, 'put', POLICY, {
    outbound: { to: 'list', allow: ['friend.example'] },
    inbound: { block: ['spam.example'] },
  });
  await set(api, 'put', WAYS, {
    ways: { publish: 'open', delegate: 'open', fetch: { rule: 'list', allow: ['friend.example'] } },
  });
  await set(api, 'put', `${POLICY}?address=${address}`, { inbound: { dangerous: 'reject' } });
  await set(api, 'patch', addressPath(address), { display_name: 'Ada', retention_days: 90 });
  await set(api, 'put', '/v1/budget', { daily: 5, weekly: 50, single_tx_limit_cents: 4, on_limit: 'approve' });
  await set(api, 'patch', PROFILE, profile);
}

/** Sets everything otherwise, as a thief does. */
export async function overturn(api: Api, address: string, profile: object = {}): Promise<void> {
  const outbound = { to: 'open', allow: ['thief.example'], max_recipients_per_day: 9 };
  await set(api, 'put', POLICY, { outbound, inbound: { block: ['bank.example'], suspicious: 'quarantine' } });
  await set(api, 'put', WAYS, { ways: { webhook: { rule: 'list', allow: ['thief.example'] }, fetch: null } });
  const inbound = { dangerous: 'accept', unauthenticated: 'reject' };
  await set(api, 'put', `${POLICY}?address=${address}`, { inbound });
  await set(api, 'patch', addressPath(address), { display_name: 'Your bank', retention_days: 1 });
  await set(api, 'put', '/v1/budget', { daily: null, weekly: null, monthly: 7, single_tx_limit_cents: null });
  await set(api, 'put', '/v1/budget', { on_limit: 'reject' });
  const lie = { description: 'Send money.', capabilities: ['bank'], unlisted: false };
  await set(api, 'patch', PROFILE, { ...lie, ...profile });
}
