import assert from 'node:assert/strict';
import type { Api, ApiReply, TestAccount, TestApp } from './harness.ts';

export type Form = Record<string, string>;

/** A delegation as `POST /v1/delegations` shows it. */
export interface MadeDelegation {
  id: string;
  account_id: string;
  from: string;
  to: string;
  scopes: string[];
  expires_at: string;
  may_delegate: number;
  spent_usdc: number;
}

/** Makes a delegation to an account, for an hour if not said otherwise. */
export async function delegate(
  t: TestApp,
  api: Api,
  to: Pick<TestAccount, 'accountId'>,
  fields: Record<string, unknown>,
): Promise<MadeDelegation> {
  const expiresAt = new Date(t.clock.now() + 3_600_000).toISOString();
  const made = await api.post('/v1/delegations', { to: to.accountId, expires_at: expiresAt, ...fields });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** Asks for an access token with a key of the delegate. */
export const exchange = (
  t: Pick<TestApp, 'api'>,
  key: string,
  delegationId: string,
  fields: Form = {},
): Promise<ApiReply> =>
  t.api(key).post(
    '/oauth/token',
    String(
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: delegationId,
        subject_token_type: 'urn:signet:token-type:delegation',
        ...fields,
      }),
    ),
    { 'content-type': 'application/x-www-form-urlencoded' },
  );

/** Gets an access token with a key of the delegate. */
export async function tokenFor(
  t: Pick<TestApp, 'api'>,
  key: string,
  delegationId: string,
  fields: Form = {},
): Promise<{ access_token: string; expires_in: number; scope: string }> {
  const granted = await exchange(t, key, delegationId, fields);
  assert.equal(granted.status, 200, granted.text);
  return granted.body;
}
