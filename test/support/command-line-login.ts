import assert from 'node:assert/strict';
import type { Api, ApiReply, TestApp } from './harness.ts';
import { type Asking, allow, askFor, redeem, tokenCall } from './oauth-client.ts';

export const COMMAND_LINE = 'signet-cli';
const LOCAL_REDIRECT = 'http://127.0.0.1:49152/callback';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The authorization request of a command line. */
export const askForKey = (t: Pick<TestApp, 'baseUrl'>, fields: Record<string, string> = {}): Asking =>
  askFor(COMMAND_LINE, {
    redirect_uri: LOCAL_REDIRECT,
    resource: t.baseUrl,
    scope: 'account:read mail:read',
    ...fields,
  });

/** Exchanges a code for a key. */
export const redeemKey = (
  t: Pick<TestApp, 'api' | 'baseUrl'>,
  asking: Asking,
  code: string,
  fields: Record<string, string> = {},
): Promise<ApiReply> => redeem(t, asking, code, { redirect_uri: LOCAL_REDIRECT, resource: t.baseUrl, ...fields });

/** The key of a command line that the session's person let in, and its code. */
export async function keyByLogin(
  t: TestApp,
  session: Api,
  consent: object = {},
): Promise<{ key: string; code: string; asking: Asking }> {
  const asking = askForKey(t);
  const code = (await allow(session, asking, consent)).get('code') as string;
  const { status, body, text } = await redeemKey(t, asking, code);
  assert.equal(status, 200, text);
  return { key: body.access_token, code, asking };
}

/** Begins a login with a device code. */
export const startDevice = (
  t: Pick<TestApp, 'api' | 'baseUrl'>,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<ApiReply> =>
  t
    .api()
    .post(
      '/oauth/device_authorization',
      { client_id: COMMAND_LINE, scope: 'account:read mail:read mail:codes', resource: t.baseUrl, ...fields },
      headers,
    );

/** The codes of a login that waits. */
export async function waitingDevice(
  t: Pick<TestApp, 'api' | 'baseUrl'>,
): Promise<{ device_code: string; user_code: string }> {
  const { status, body, text } = await startDevice(t);
  assert.equal(status, 200, text);
  return body;
}

/** Asks for the key of a device login. */
export const pollDevice = (
  t: Pick<TestApp, 'api' | 'baseUrl'>,
  device_code: string,
  fields: Record<string, string> = {},
): Promise<ApiReply> =>
  tokenCall(t, { grant_type: DEVICE_CODE, client_id: COMMAND_LINE, device_code, resource: t.baseUrl, ...fields });
