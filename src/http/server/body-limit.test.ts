import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import type { Endpoint } from '../../api/endpoint.ts';

const SMALL_BYTES = 16_384;

/** What may be longer without a credential, and why. */
const LONG_WITHOUT_CREDENTIAL: Record<string, string> = {
  '/mcp': 'finds its credential itself',
  '/mcp/x/{group}': 'finds its credential itself',
  '/oauth/register': 'RFC 7591 metadata, with keys',
  '/oauth/revoke': 'every token that is not ours gets the same reply',
  '/v1/tokens/introspect': 'every token that is not ours gets the same reply',
  '/v1/auth/passkey': 'an attestation of an authenticator',
  '/v1/credentials/approve': 'a sealed credential',
  '/v1/vault/store': 'a sealed seed',
};

/** What may be longer with a key: its schema sets no bound, or one above 16 KiB. */
const LONG_WITH_KEY: readonly string[] = [
  'PATCH /v1/agents/profile',
  'PATCH /v1/account/keys/{id}',
  'POST /v1/account/keys',
  'POST /v1/agents/{agentId}/findings',
  'PUT /v1/account/policy',
  'PUT /v1/budget',
  'POST /v1/calendar/events',
  'PATCH /v1/calendar/events/{id}',
  'POST /v1/charge',
  'POST /v1/delegations',
  'POST /v1/email/drafts',
  'PATCH /v1/email/drafts/{id}',
  'PATCH /v1/email/messages/{id}',
  'POST /v1/email/messages/{id}/forward',
  'POST /v1/email/messages/{id}/pictures',
  'POST /v1/email/messages/{id}/reply',
  'POST /v1/email/messages/{id}/reply_all',
  'PUT /v1/email/policy',
  'POST /v1/email/send',
  'PATCH /v1/email/threads/{id}',
  'POST /v1/email/webhooks',
  'POST /v1/inbox/{address}/send',
  'POST /v1/observations',
  'POST /v1/programs',
  'POST /v1/telemetry/submit',
  'POST /v1/tokens/issue',
  'POST /v1/tokens/revoke',
  'POST /v1/vault/recovery-email',
  'PUT /v1/vault/{key}',
  'POST /v1/webhooks',
  'PATCH /v1/webhooks/{id}',
];

let t: TestApp;
const isOpen = ({ auth }: Endpoint): boolean => auth === 'none' || auth === 'optional';
const writes = (): Endpoint[] => t.app.endpoints.filter(({ method }) => method !== 'GET');
const pathOf = ({ path }: Endpoint): string => path.replace(/\{[^}]+\}/g, 'x');
const LONG = JSON.stringify({ x: 'a'.repeat(SMALL_BYTES) });

describe('a body of more than 16 KiB', () => {
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  it('is refused unparsed by every route that anybody may call, except those that need more', async () => {
    for (const endpoint of writes().filter(isOpen)) {
      const { status } = await t.api()(endpoint.method, pathOf(endpoint), LONG);
      const isLong = endpoint.path in LONG_WITHOUT_CREDENTIAL;
      assert.equal(status === 413, !isLong, `${endpoint.method} ${endpoint.path}: ${status}`);
    }
  });

  it('is refused unparsed by every route whose schema allows no longer one', async () => {
    const { api } = await t.createAccount();
    const long: string[] = [];
    for (const endpoint of writes().filter(({ auth }) => auth === 'key')) {
      const { status } = await api(endpoint.method, pathOf(endpoint), LONG);
      if (status !== 413) long.push(`${endpoint.method} ${endpoint.path}`);
    }
    assert.deepEqual(long.sort(), [...LONG_WITH_KEY].sort());
  });

  it('a text of the longest kind, every character escaped, still fits where a schema allows it', async () => {
    const { api } = await t.createAccount();
    const escaped = `{"name":"${'\\ud83d\\ude00'.repeat(64)}","text":"x"}`;
    assert.notEqual((await api.post('/v1/account/keys', escaped)).status, 413);
  });
});
