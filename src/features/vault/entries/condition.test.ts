import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Api, onEngines } from '../../../../test/support/harness.ts';

const put = (api: Api, key: string, body: object = {}, headers?: Record<string, string>) =>
  api.put(`/v1/vault/${key}`, { ciphertext: 'c2VhbGVk', ...body }, headers);

onEngines('any', 'a conditional write', {}, (suite) => {
  it('If-Match and if_version store over that version only, otherwise 412 version_conflict with the latest version', async () => {
    const { api } = await suite.t.createAccount();
    await put(api, 'k');
    assert.equal((await put(api, 'k', {}, { 'if-match': '"1"' })).body.version, 2);
    assert.equal((await put(api, 'k', { if_version: 2 })).body.version, 3);
    const stale: [object, Record<string, string>][] = [
      [{}, { 'if-match': '"1"' }],
      [{}, { 'if-match': 'W/"3"' }],
      [{}, { 'if-match': '"x"' }],
      [{ if_version: 2 }, {}],
      [{ if_version: 3 }, { 'if-match': '"2"' }],
      [{}, { 'if-none-match': '*' }],
      [{ if_version: 0 }, {}],
    ];
    for (const [body, headers] of stale) {
      const refused = await put(api, 'k', body, headers);
      assert.deepEqual(
        [refused.status, refused.body.error],
        [412, 'version_conflict'],
        JSON.stringify([body, headers]),
      );
      assert.equal(refused.body.latest_version, 3);
    }
    assert.equal((await put(api, 'k', {}, { 'if-match': '"9", "3"' })).body.version, 4);
    assert.equal((await put(api, 'k', {}, { 'if-match': '*' })).body.version, 5);
  });

  it('for a new key: If-Match is 412, If-None-Match: * and if_version 0 create it', async () => {
    const { api } = await suite.t.createAccount();
    for (const headers of [{ 'if-match': '*' }, { 'if-match': '"1"' }]) {
      const refused = await put(api, 'new', {}, headers);
      assert.deepEqual([refused.status, refused.body.latest_version], [412, null]);
    }
    assert.equal((await put(api, 'new', {}, { 'if-none-match': '*' })).status, 201);
    assert.equal((await put(api, 'other', { if_version: 0 })).status, 201);
  });

  it('400 invalid_request for a header without a list of versions', async () => {
    const { api } = await suite.t.createAccount();
    for (const headers of [{ 'if-match': 'three' }, { 'if-match': '"1", ' }, { 'if-none-match': '"1"' }]) {
      const refused = await put(api, 'k', {}, headers as Record<string, string>);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'], JSON.stringify(headers));
      assert.match(refused.body.details[0].path, /^\/header\/if-/);
    }
  });

  it('DELETE checks If-Match too', async () => {
    const { api } = await suite.t.createAccount();
    await put(api, 'k');
    await put(api, 'k');
    assert.equal((await api.delete('/v1/vault/k', { 'if-match': '"1"' })).status, 412);
    assert.equal((await api.delete('/v1/vault/k', { 'if-match': '"2"' })).status, 200);
  });
});

onEngines('both', 'a conditional write', {}, (suite) => {
  it('of 32 parallel writes over one version, and of 32 that create a key, one succeeds; the others get 412', async () => {
    const { api } = await suite.t.createAccount();
    await put(api, 'k');
    for (const [key, headers] of [
      ['k', { 'if-match': '"1"' }],
      ['fresh', { 'if-none-match': '*' }],
    ] as const) {
      const replies = await Promise.all(Array.from({ length: 32 }, () => put(api, key, {}, headers)));
      assert.equal(replies.filter(({ status }) => status < 300).length, 1, key);
      assert.equal(replies.filter(({ status }) => status === 412).length, 31, key);
    }
  });
});
