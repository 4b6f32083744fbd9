import type { TestApp } from '../../support/harness.ts';
import { by, expect, type Prepare } from './sample.ts';

/** A delegation of one new account to another. `last`: which of them is made last, and so is taken for the caller. */
async function delegated(t: TestApp, last: 'account' | 'delegate' = 'account') {
  const [first, second] = [await t.createAccount(), await t.createAccount()];
  const [account, delegate] = last === 'account' ? [second, first] : [first, second];
  const expiresAt = new Date(t.clock.now() + 3_600_000).toISOString();
  const body = { to: delegate.accountId, scopes: ['account:read'], expires_at: expiresAt };
  const made = await expect(201, account.api.post('/v1/delegations', body));
  return { account, delegate, body, id: made.body.id as string };
}

/** Delegations, and the tokens that delegates get. */
export const delegationSamples: Record<string, Prepare> = {
  createDelegation: async (t) => {
    const { account, body } = await delegated(t);
    return { ...by(account), body };
  },
  endDelegation: async (t) => {
    const { account, id } = await delegated(t);
    return { ...by(account), path: `/v1/delegations/${id}` };
  },
  exchangeToken: async (t) => {
    const { delegate, id } = await delegated(t, 'delegate');
    const body = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: id,
      subject_token_type: 'urn:signet:token-type:delegation',
    };
    return { ...by(delegate), body };
  },
};
