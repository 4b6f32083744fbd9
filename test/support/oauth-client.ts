import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api, ApiReply, TestApp } from './harness.ts';

export const REDIRECT = 'https://client.example/callback';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface Asking {
  clientId: string;
  verifier: string;
  /** The query of the authorization request. */
  request: string;
}

/** Registers a client. @returns its id */
export async function registerClient(t: TestApp, fields: object = {}): Promise<string> {
  const { status, body, text } = await t.api().post('/oauth/register', {
    redirect_uris: [REDIRECT],
    client_name: 'A client',
    ...fields,
  });
  assert.equal(status, 201, text);
  return body.client_id;
}

/** Makes an authorization request with PKCE. */
export function askFor(clientId: string, fields: Record<string, string> = {}): Asking {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const request = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      state: 'the state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'mail:read mail:send',
      ...fields,
    }),
  );
  return { clientId, verifier, request };
}

/** Lets the client in. @returns the parameters of the answer */
export async function allow(session: Api, asking: Asking, fields: object = {}): Promise<URLSearchParams> {
  const reply = await session.post('/oauth/consent', { request: asking.request, decision: 'allow', ...fields });
  assert.equal(reply.status, 200, reply.text);
  return new URL(reply.body.redirect_to).searchParams;
}

export const tokenCall = (t: Pick<TestApp, 'api'>, fields: Record<string, string>): Promise<ApiReply> =>
  t.api().post('/oauth/token', String(new URLSearchParams(fields)), FORM);

/** Exchanges a code for tokens. */
export const redeem = (
  t: Pick<TestApp, 'api'>,
  { clientId, verifier }: Asking,
  code: string,
  fields: Record<string, string> = {},
): Promise<ApiReply> =>
  tokenCall(t, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    ...fields,
  });

export const refresh = (
  t: Pick<TestApp, 'api'>,
  clientId: string,
  token: string,
  fields: Record<string, string> = {},
): Promise<ApiReply> =>
  tokenCall(t, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...fields });

/** The tokens of a new client that the session's person let in. */
export async function clientTokens(
  t: TestApp,
  session: Api,
  fields: Record<string, string> = {},
): Promise<{ asking: Asking; access: string; refresh: string; code: string }> {
  const asking = askFor(await registerClient(t), fields);
  // All that it asks for: a person names `mail:codes`, or it is not given.
  const scopes = fields.scope?.split(' ').filter((scope) => scope.includes(':'));
  const code = (await allow(session, asking, scopes ? { scopes } : {})).get('code') as string;
  const { status, body, text } = await redeem(t, asking, code);
  assert.equal(status, 200, text);
  return { asking, code, access: body.access_token, refresh: body.refresh_token };
}

/** Serves the metadata document of a client on this machine. */
export async function documentServer(): Promise<{
  url: string;
  document: Record<string, unknown>;
  /** Changes the next replies. */
  answer: { status: number; headers: Record<string, string>; body: string | null };
  fetches(): number;
  close(): Promise<void>;
}> {
  const answer = { status: 200, headers: {} as Record<string, string>, body: null as string | null };
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
  const document: Record<string, unknown> = { client_id: url, client_name: 'Documented', redirect_uris: [REDIRECT] };
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { url, document, answer, fetches: () => fetches, close };
}
