import assert from 'node:assert/strict';
import type { Endpoint } from '../../src/api/endpoint.ts';
import type { Scope } from '../../src/api/scopes.ts';
import type { TestAccount, TestApp } from '../support/harness.ts';
import { send, type WireReply } from './contract-client.ts';

/**
 * Calls to every endpoint that needs a credential. The gate decides before it reads the path's ids and the body, so the
 * calls need no state, and one that passes may still be refused for another reason.
 */

/** Room for the accounts that the matrices make. */
export const ROOMY = { limits: { free: { named_keys: 1000, pods: 1000, delegations: 1000 } } };

/** Calls that end the credential that makes them, or the state of its account. */
export const ENDING = new Set(['logout', 'rotateKey', 'secureAccount', 'deleteAccount', 'cancelAccountDeletion']);

/** The endpoints that need a credential. */
export const needKey = (t: TestApp): Endpoint[] => t.app.endpoints.filter(({ auth }) => auth !== 'none');

/** A path that matches the pattern. Below `/v1/audit`, other ids are those of tokens, which are public. */
export const somePath = (pattern: string): string =>
  pattern.replace(/^\/v1\/audit\/\{id\}$/, '/v1/audit/aud_x1').replace(/\{\w+\}/g, 'x1');

/** Calls an endpoint with a credential. */
export const call = (
  t: TestApp,
  { method, path }: Endpoint,
  key: string,
  headers: Record<string, string> = {},
): Promise<WireReply> =>
  send(t.baseUrl, {
    method: method === 'GET' && path === '/v1/events/stream' ? 'HEAD' : method,
    path: somePath(path),
    key,
    headers,
    ...(method === 'GET' ? {} : { body: { unknown_field: 1 } }),
  });

/** Makes a named key. */
export async function namedKey(account: TestAccount, scopes: readonly Scope[], fields: object = {}) {
  const { status, body } = await account.api.post('/v1/account/keys', { name: 'one', scopes, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { id: string; api_key: string };
}

/** The scope that a reply of the gate asks for; null when the call has passed the gate. */
export function refusedScope({ status, body, headers }: WireReply, name: string): string | null {
  const challenge = String(headers['www-authenticate'] ?? '');
  const isRefused = status === 403 && challenge.includes('insufficient_scope');
  assert.notEqual(status, 401, name);
  if (!isRefused) {
    assert.notEqual(body?.error, 'insufficient_scope', name);
    return null;
  }
  const scope = /^Bearer error="insufficient_scope", scope="([a-z:]+)"$/.exec(challenge)?.[1] as string;
  // A HEAD request has no body.
  if (body) assert.deepEqual([body.error, body.required_scope], ['insufficient_scope', scope], name);
  return scope;
}

/** What the gate answers: `passed`, or the error of its refusal. A HEAD request shows no more than `refused`. */
export function gateAnswer({ status, body }: WireReply): string {
  if (status === 401) return 'unauthorized';
  if (status === 403 && !body) return 'refused';
  const suspensions = ['account_suspended', 'pod_suspended', 'account_deleting'];
  const kinds = ['backup_key_only_activates', 'pod_auth_forbidden', 'insufficient_scope', 'session_required'];
  return [...suspensions, ...kinds].includes(body?.error) ? body.error : 'passed';
}
