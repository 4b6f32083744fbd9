import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Api, onEngines } from '../../../../test/support/harness.ts';

const issue = async (api: Api, ttl: number, audience = 'https://api.example.com'): Promise<string> =>
  (await api.post('/v1/tokens/issue', { audience, scopes: ['a', 'b'], ttl })).body.jti;

onEngines('any', 'GET /v1/tokens', {}, (suite) => {
  it('lists the tokens of the account with every field, newest first, and no other account’s', async () => {
    const { t } = suite;
    const [{ api }, stranger] = [await t.createAccount(), await t.createAccount()];
    const at = t.clock.now();
    const old = await issue(api, 60);
    t.clock.advance(1000);
    const young = await issue(api, 60, 'https://other.example.com');
    const { status, body } = await api.get('/v1/tokens');
    assert.equal(status, 200);
    assert.deepEqual(
      body.tokens.map(({ jti }: { jti: string }) => jti),
      [young, old],
    );
    assert.deepEqual(body.tokens[1], {
      jti: old,
      audience: 'https://api.example.com',
      scopes: ['a', 'b'],
      issued_at: new Date(at).toISOString(),
      expires_at: new Date(at + 60_000).toISOString(),
      status: 'active',
    });
    assert.deepEqual((await stranger.api.get('/v1/tokens')).body, { tokens: [], next_cursor: null });
    assert.equal((await api.get('/v1/tokens?cursor=x')).body.error, 'invalid_cursor');
    assert.equal((await api.get('/v1/tokens?status=lost')).status, 400);
  });
});

onEngines('both', 'GET /v1/tokens', {}, (suite) => {
  it('filters by status, page by page; the owner revokes what a thief issued by the listed `jti`', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const expired = [await issue(api, 60), await issue(api, 60)];
    const longest = await issue(api, 86_400);
    t.clock.advance(60_000);
    const stolen = [await issue(api, 3600), await issue(api, 3600)];
    const byStatus = async (status: string): Promise<string[]> => {
      const found: string[] = [];
      let cursor = '';
      do {
        const { body } = await api.get(`/v1/tokens?limit=1&status=${status}${cursor && `&cursor=${cursor}`}`);
        for (const token of body.tokens) {
          assert.equal(token.status, status);
          found.push(token.jti);
        }
        cursor = body.next_cursor ?? '';
      } while (cursor);
      return found;
    };
    const newestFirst = (ids: string[]) => [...ids].sort().reverse();
    assert.deepEqual(await byStatus('active'), newestFirst([longest, ...stolen]));
    assert.deepEqual(await byStatus('expired'), newestFirst(expired));
    assert.deepEqual(await byStatus('revoked'), []);
    for (const token of stolen) assert.equal((await api.post('/v1/tokens/revoke', { token })).body.revoked, true);
    assert.deepEqual(await byStatus('active'), [longest]);
    assert.deepEqual(await byStatus('revoked'), newestFirst(stolen));
    t.clock.advance(86_400_000 - 60_001);
    assert.deepEqual(await byStatus('active'), [longest], 'the longest token is listed until its last moment');
    t.clock.advance(1);
    assert.deepEqual(await byStatus('active'), []);
  });
});
