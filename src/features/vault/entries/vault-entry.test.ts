import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { send } from '../../../../test/contract/contract-client.ts';
import { setTier } from '../../../../test/support/agents.ts';
import { type Api, onEngines } from '../../../../test/support/harness.ts';
import { sealVaultEntry } from '../../../client/vault-seal.ts';

const SEALED = 'AAECAwQFBgcICQoLDA0ODw';
const put = (api: Api, key: string, body: object = {}, headers?: Record<string, string>) =>
  api.put(`/v1/vault/${key}`, { ciphertext: SEALED, ...body }, headers);
const kb = (n: number): string => 'a'.repeat(n * 1024);

onEngines('any', 'PUT /v1/vault/{key}', { defaultLimits: true, limits: { signups_per_ip_per_hour: 1000 } }, (suite) => {
  it('201 for a new key, 200 for a new version; both with every field and an ETag', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const created = await put(api, 'db-password', { metadata: { env: 'prod' } });
    const { created_at, updated_at, ...fields } = created.body;
    assert.deepEqual([created.status, fields], [201, { key: 'db-password', stored: true, version: 1 }]);
    assert.equal(created_at, updated_at);
    assert.equal(created.headers.get('etag'), '"1"');
    t.clock.advance(1000);
    const second = await put(api, 'db-password');
    assert.deepEqual([second.status, second.body.version, second.headers.get('etag')], [200, 2, '"2"']);
    assert.equal(second.body.created_at, created_at);
    assert.equal(Date.parse(second.body.updated_at) - Date.parse(created_at), 1000);
  });

  it('plain text is stored, and the reply warns and says how to seal; a sealed value gets no warning', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const plain = ['hello world plain', 'hunter2', '{"password":"x"}', 'correct-horse-battery-staple-for-everyone'];
    const encoded = Buffer.from('correct horse battery').toString('base64');
    for (const ciphertext of [...plain, encoded]) {
      const { body } = await put(api, 'k', { ciphertext });
      assert.match(body.warning, /looks like plain text/, ciphertext);
      const page = new URL(body.docs_url);
      assert.ok((await api.get(page.pathname)).text.includes('## Seal and store') && page.hash === '#seal-and-store');
      assert.equal((await api.put('/v1/vault/k?verbose=false', { ciphertext })).body.warning, undefined);
    }
    const sealed = await sealVaultEntry(randomBytes(32), 'k', 'correct horse');
    for (const ciphertext of [sealed, Buffer.from(sealed, 'base64url').toString('hex'), SEALED])
      assert.equal((await put(api, 'k', { ciphertext })).body.warning, undefined, ciphertext);
  });

  it('400 invalid_ciphertext when it is missing, not a string, or empty', async () => {
    const { api } = await suite.t.createAccount();
    for (const body of [{}, { ciphertext: null }, { ciphertext: 7 }, { ciphertext: ['a'] }, { ciphertext: '' }]) {
      const refused = await api.put('/v1/vault/k', body);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_ciphertext'], JSON.stringify(body));
    }
    assert.equal((await api.get('/v1/vault/k')).status, 404);
  });

  it('400 payload_too_large from one byte over 16 KB, counted in UTF-8; 413 over a megabyte', async () => {
    const { api } = await suite.t.createAccount();
    assert.equal((await put(api, 'k', { ciphertext: kb(16) })).status, 201);
    for (const ciphertext of [`${kb(16)}a`, 'é'.repeat(8193), kb(900)]) {
      const refused = await put(api, 'k', { ciphertext });
      assert.deepEqual([refused.status, refused.body.error], [400, 'payload_too_large']);
      assert.deepEqual([refused.body.limit_bytes, refused.body.size_bytes], [16_384, Buffer.byteLength(ciphertext)]);
    }
    assert.equal((await put(api, 'k', { ciphertext: kb(1100) })).status, 413);
  });

  it('a paid account stores 64 KB; one byte more is 400 payload_too_large', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await setTier(t, accountId, 'paid');
    assert.equal((await put(api, 'k', { ciphertext: kb(64) })).status, 201);
    const refused = await put(api, 'k', { ciphertext: `${kb(64)}a` });
    assert.deepEqual([refused.status, refused.body.error], [400, 'payload_too_large']);
  });

  it('400 metadata_too_large for metadata over 4 KB as JSON', async () => {
    const { api } = await suite.t.createAccount();
    const empty = Buffer.byteLength(JSON.stringify({ a: '' }));
    assert.equal((await put(api, 'k', { metadata: { a: 'x'.repeat(4096 - empty) } })).status, 201);
    const refused = await put(api, 'k', { metadata: { a: 'x'.repeat(4097 - empty) } });
    assert.deepEqual([refused.status, refused.body.error, refused.body.limit_bytes], [400, 'metadata_too_large', 4096]);
    assert.equal((await put(api, 'k', { metadata: ['no', 'object'] })).body.error, 'invalid_request');
  });

  it('400 invalid_key for what the pattern does not match, "." and ".."; names of fixed routes are valid keys', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const body = { ciphertext: SEALED };
    for (const name of ['.', '..', '%2e%2e', 'a%20b', 'a%2Fb', '%C3%A9', 'a'.repeat(129), 'a:b']) {
      for (const method of ['PUT', 'GET', 'DELETE']) {
        const request = { method, path: `/v1/vault/${name}`, key };
        const refused = await send(t.baseUrl, method === 'PUT' ? { ...request, body } : request);
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_key'], `${method} ${name}`);
      }
    }
    for (const name of ['store', 'recover', 'recovery-email', '...', 'a'.repeat(128), '-', '_.A']) {
      assert.equal((await put(api, name)).status, 201, name);
      assert.equal((await api.get(`/v1/vault/${name}`)).body.ciphertext, SEALED, name);
      assert.equal((await api.delete(`/v1/vault/${name}`)).status, 200, name);
    }
  });

  it('stores the ciphertext byte for byte', async () => {
    const { api } = await suite.t.createAccount();
    for (const ciphertext of ['a+/=', 'DEADbeef', '{"v":1}', ' x\n', '日本語', "'; drop table vault_entries; --"]) {
      await put(api, 'k', { ciphertext });
      const { body } = await api.get('/v1/vault/k');
      assert.deepEqual([body.ciphertext, body.value], [ciphertext, ciphertext]);
    }
  });
});

onEngines(
  'both',
  'PUT /v1/vault/{key}',
  { defaultLimits: true, limits: { signups_per_ip_per_hour: 1000 } },
  (suite) => {
    it('the free tier keeps the newest three versions; numbers keep rising', async () => {
      const { t } = suite;
      const { api, accountId } = await t.createAccount();
      for (let n = 1; n <= 5; n++) assert.equal((await put(api, 'k', { ciphertext: `v${n}` })).body.version, n);
      for (const n of [1, 2]) {
        const gone = await api.get(`/v1/vault/k?version=${n}`);
        assert.deepEqual([gone.status, gone.body.error], [404, 'version_not_found']);
      }
      for (const n of [3, 4, 5]) assert.equal((await api.get(`/v1/vault/k?version=${n}`)).body.ciphertext, `v${n}`);
      // A gap in the numbers does not change how many versions are kept.
      await api.delete('/v1/vault/k?version=4');
      await put(api, 'k', { ciphertext: 'v6' });
      assert.equal((await api.get('/v1/vault/k?version=3')).status, 200);
      await put(api, 'k', { ciphertext: 'v7' });
      const kept = await t.sql('select version from vault_versions where account_id = ? order by version', accountId);
      assert.deepEqual(
        kept.map(({ version }) => Number(version)),
        [5, 6, 7],
      );
    });

    it('after a change to a smaller tier, the next version removes the oldest ones', async () => {
      const { t } = suite;
      const { api, accountId } = await t.createAccount();
      await setTier(t, accountId, 'paid');
      for (let n = 1; n <= 8; n++) await put(api, 'k');
      await setTier(t, accountId, 'free');
      await put(api, 'k');
      const [entry] = await t.sql('select versions, latest_version from vault_entries where account_id = ?', accountId);
      assert.deepEqual([Number(entry?.versions), Number(entry?.latest_version)], [3, 9]);
      assert.equal((await t.sql('select 1 from vault_versions where account_id = ?', accountId)).length, 3);
    });

    it('64 parallel writes of one key get unique numbers without gaps; the newest three are kept; no 5xx', async () => {
      const { t } = suite;
      const { api, accountId } = await t.createAccount({});
      await setTier(t, accountId, 'free');
      const replies = await Promise.all(Array.from({ length: 64 }, (_, n) => put(api, 'hot', { ciphertext: `c${n}` })));
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
      assert.ok(replies.every(({ status }) => status === 201 || status === 200));
      const versions = replies.map(({ body }) => body.version as number).sort((a, b) => a - b);
      assert.deepEqual(
        versions,
        Array.from({ length: 64 }, (_, n) => n + 1),
      );
      const kept = await t.sql(
        'select version, ciphertext from vault_versions where account_id = ? order by version',
        accountId,
      );
      const answered = new Map(replies.map(({ body }, n) => [body.version, `c${n}`]));
      assert.deepEqual(
        kept.map(({ version, ciphertext }) => [Number(version), ciphertext]),
        [62, 63, 64].map((version) => [version, answered.get(version)]),
      );
    });
  },
);

onEngines('any', 'GET /v1/vault/{key}', {}, (suite) => {
  it('200 with every field, for the latest version and for one named by number', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const start = new Date(t.clock.now()).toISOString();
    await put(api, 'k', { ciphertext: 'one', metadata: { note: 'first', hint: 'x' } });
    t.clock.advance(5000);
    await put(api, 'k', { ciphertext: 'two' });
    const later = new Date(t.clock.now()).toISOString();
    const latest = await api.get('/v1/vault/k?verbose=false');
    assert.equal(latest.headers.get('etag'), '"2"');
    assert.deepEqual(latest.body, {
      key: 'k',
      ciphertext: 'two',
      value: 'two',
      metadata: null,
      version: 2,
      latest_version: 2,
      created_at: start,
      updated_at: later,
    });
    const first = (await api.get('/v1/vault/k?version=1&verbose=false')).body;
    assert.deepEqual(
      [first.ciphertext, first.version, first.latest_version, first.updated_at],
      ['one', 1, 2, start],
      'updated_at is the time the version was stored',
    );
    assert.deepEqual(first.metadata, { note: 'first', hint: 'x' }, 'verbose=false keeps what clients wrote');
  });

  it('400 invalid_version, 404 version_not_found, 404 not_found', async () => {
    const { api } = await suite.t.createAccount();
    await put(api, 'k');
    for (const version of ['0', '-1', '1.5', 'abc', '', '1e3', '9007199254740993']) {
      for (const method of ['GET', 'DELETE']) {
        const refused = await api(method, `/v1/vault/k?version=${version}`);
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_version'], `${method} ${version}`);
      }
    }
    assert.equal((await api.get('/v1/vault/k?version=2')).body.error, 'version_not_found');
    for (const path of ['/v1/vault/none', '/v1/vault/none?version=1'])
      assert.deepEqual((await api.get(path)).body.error, 'not_found', path);
  });

  it('lists the versions that are kept, newest first, without ciphertexts; another account’s look like none', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const start = t.clock.now();
    for (const note of ['first', 'second', 'third']) {
      await put(api, 'k', { metadata: { note } });
      t.clock.advance(1000);
    }
    await api.delete('/v1/vault/k?version=2');
    const { status, body } = await api.get('/v1/vault/k/versions');
    const entry = (version: number, note: string) => ({
      version,
      metadata: { note },
      stored_at: new Date(start + (version - 1) * 1000).toISOString(),
    });
    assert.deepEqual([status, body], [200, { key: 'k', versions: [entry(3, 'third'), entry(1, 'first')] }]);
    const stranger = await t.createAccount();
    const [others, missing] = [
      await stranger.api.get('/v1/vault/k/versions'),
      await stranger.api.get('/v1/vault/none/versions'),
    ];
    assert.deepEqual([others.status, others.text], [404, missing.text]);
    assert.equal((await api.get('/v1/vault/%20/versions')).body.error, 'invalid_key');
  });

  it('304 when If-None-Match names the current version', async () => {
    const { api } = await suite.t.createAccount();
    await put(api, 'k');
    const known = await api.get('/v1/vault/k', { 'if-none-match': 'W/"1"' });
    assert.deepEqual([known.status, known.text], [304, '']);
    assert.equal((await api.get('/v1/vault/k', { 'if-none-match': '"2"' })).status, 200);
  });
});

onEngines('any', 'DELETE /v1/vault/{key}', {}, (suite) => {
  it('deletes every version; the key stored again is a new key', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await put(api, 'k');
    await put(api, 'k');
    const { status, body } = await api.delete('/v1/vault/k');
    assert.deepEqual([status, body], [200, { key: 'k', deleted: true, versions_removed: 2 }]);
    assert.equal((await api.get('/v1/vault/k')).status, 404);
    assert.equal((await api.delete('/v1/vault/k')).body.error, 'not_found');
    assert.deepEqual(await t.sql('select 1 from vault_versions where account_id = ?', accountId), []);
    const again = await put(api, 'k');
    assert.deepEqual([again.status, again.body.version], [201, 1]);
  });

  it('?version=N deletes one; the version before the newest becomes the latest, and no number is given again', async () => {
    const { api } = await suite.t.createAccount();
    for (const n of [1, 2, 3]) await put(api, 'k', { ciphertext: `v${n}`, metadata: { n } });
    const removed = await api.delete('/v1/vault/k?version=3');
    assert.deepEqual(removed.body, { key: 'k', deleted: true, versions_removed: 1 });
    const { body } = await api.get('/v1/vault/k');
    assert.deepEqual([body.ciphertext, body.version, body.latest_version, body.metadata], ['v2', 2, 2, { n: 2 }]);
    assert.deepEqual((await api.get('/v1/vault/')).body.keys[0].metadata, { n: 2 });
    assert.equal((await api.delete('/v1/vault/k?version=3')).body.error, 'version_not_found');
    assert.equal((await put(api, 'k')).body.version, 4);
  });

  it('a key without versions is gone and no longer counts', async () => {
    const { api } = await suite.t.createAccount();
    await put(api, 'k');
    assert.equal((await api.delete('/v1/vault/k?version=2')).body.error, 'version_not_found');
    assert.equal((await api.delete('/v1/vault/k?version=1')).body.versions_removed, 1);
    assert.equal((await api.get('/v1/vault/k')).body.error, 'not_found');
    assert.equal((await api.get('/v1/vault/')).body.count, 0);
  });
});

onEngines('any', 'GET /v1/vault/', {}, (suite) => {
  it('200 with names, versions, metadata and times in order, without ciphertexts; the same without the slash', async () => {
    const { api } = await suite.t.createAccount();
    assert.deepEqual((await api.get('/v1/vault/')).body, {
      keys: [],
      count: 0,
      limit: 10,
      tier: 'free',
      next_cursor: null,
    });
    for (const key of ['b', 'a', 'c']) await put(api, key, { ciphertext: 'SECRETBLOB', metadata: { key } });
    await put(api, 'a', { ciphertext: 'SECRETBLOB2' });
    const { text, body } = await api.get('/v1/vault/');
    assert.ok(!text.includes('SECRETBLOB'));
    assert.deepEqual(
      body.keys.map((entry: Record<string, unknown>) => [entry.key, entry.version, entry.metadata]),
      [
        ['a', 2, null],
        ['b', 1, { key: 'b' }],
        ['c', 1, { key: 'c' }],
      ],
    );
    assert.deepEqual(Object.keys(body.keys[0]).sort(), ['created_at', 'key', 'metadata', 'updated_at', 'version']);
    assert.equal((await api.get('/v1/vault')).text, text);
  });
});

onEngines('both', 'GET /v1/vault/', {}, (suite) => {
  it('returns pages by cursor; count covers all pages', async () => {
    const { api } = await suite.t.createAccount();
    const names = ['k1', 'k2', 'k3', 'k4', 'k5'];
    for (const name of names) await put(api, name);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await api.get(`/v1/vault/?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      assert.equal(body.count, 5);
      seen.push(...body.keys.map(({ key }: { key: string }) => key));
      cursor = body.next_cursor;
    }
    assert.deepEqual(seen, names);
    assert.equal((await api.get('/v1/vault/?cursor=nonsense')).body.error, 'invalid_cursor');
  });
});
