import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import { twoAgents } from '../../../test/support/operators.ts';

/** What a host keeps for the official client, which finds everything else by itself. */
class HostProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1/callback';
  readonly clientMetadata = { client_name: 'Host', redirect_uris: [this.redirectUrl] };
  /** The page that the person is sent to. */
  page: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  clientInformation = () => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed): void => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: OAuthTokens): void => {
    this.#tokens = tokens;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState): void => {
    this.#discovered = state;
  };
  discoveryState = () => this.#discovered;
  redirectToAuthorization = (page: URL): void => {
    this.page = page;
  };
}

describe('the official MCP client with its OAuth provider', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  it('finds the authorization server, registers, is let in by a person, and uses the tools of its scopes', async () => {
    const { operator } = await twoAgents(t);
    const provider = new HostProvider();
    const transport = () => new StreamableHTTPClientTransport(new URL(`${t.baseUrl}/mcp`), { authProvider: provider });
    const first = transport();
    await assert.rejects(new Client({ name: 'host', version: '1' }).connect(first), UnauthorizedError);
    const request = provider.page?.search.slice(1) ?? '';
    assert.match(request, /code_challenge_method=S256/);
    const allowed = await operator.post('/oauth/consent', { request, decision: 'allow' });
    assert.equal(allowed.status, 200, allowed.text);
    await first.finishAuth(new URL(allowed.body.redirect_to).searchParams);
    const client = new Client({ name: 'host', version: '1' });
    await client.connect(transport());
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    for (const name of ['whoami', 'send_mail', 'charge', 'wait_for_approval']) assert.ok(names.includes(name), name);
    const { isError } = await client.callTool({ name: 'whoami', arguments: {} });
    assert.equal(isError ?? false, false);
    await client.close();
  });
});
