import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createAgent } from '../../../test/support/agents.ts';
import { onEngines } from '../../../test/support/harness.ts';

interface Raw {
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** Gets a body as it was sent, without decoding it. */
const rawGet = (url: string, key: string, coding: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': coding };
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });

onEngines('any', 'the coding of a reply', {}, (suite) => {
  it('E: a long list of what the account did is compressed for who takes gzip, and a short one is not', async () => {
    const { t } = suite;
    const { api, key } = await t.createAccount();
    const [short, long] = [`${t.baseUrl}/v1/audit?limit=1`, `${t.baseUrl}/v1/audit?limit=50`];
    for (let written = 0; written < 30; written += 1)
      assert.equal((await api.put('/v1/budget', { daily: 1000 + written })).status, 200);
    const plain = await rawGet(long, key, 'identity');
    assert.ok(plain.bytes.length > 8192 && plain.headers['content-encoding'] === undefined);
    for (const coding of ['gzip', 'br, gzip;q=0.5', '*']) {
      const { headers, bytes } = await rawGet(long, key, coding);
      assert.deepEqual([headers['content-encoding'], headers.vary], ['gzip', 'accept-encoding'], coding);
      assert.equal(headers['content-length'], String(bytes.length));
      assert.ok(bytes.length < plain.bytes.length / 3);
      assert.equal(gunzipSync(bytes).toString(), plain.bytes.toString());
    }
    for (const [url, coding] of [
      [short, 'gzip'],
      [long, 'gzip;q=0'],
      [long, 'br'],
    ] as const) {
      const { headers } = await rawGet(url, key, coding);
      assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, 'accept-encoding'], coding);
    }
  });

  it('E: what holds mail, secrets or keys is never compressed, however long', async () => {
    const { t } = suite;
    const { api, address, key } = await createAgent(t);
    await t.sendSmtp({ to: address, subject: 'Long', text: 'word '.repeat(4000) });
    const [message] = (await api.get(`/v1/email/inbox?address=${address}&wait=30`)).body.messages;
    const sealed = Buffer.alloc(9000, 1).toString('base64');
    assert.equal((await api.put('/v1/vault/long', { ciphertext: sealed })).status, 201);
    for (const path of [
      `/v1/email/messages/${message.message_id}?address=${address}`,
      `/v1/email/messages/${message.message_id}/raw`,
      '/v1/vault/long',
      '/v1/account/export',
    ]) {
      const { headers, bytes } = await rawGet(t.baseUrl + path, key, 'gzip, br');
      assert.equal(headers['content-encoding'], undefined, path);
      assert.ok(bytes.length > 8192 || path.endsWith('export'), path);
    }
  });

  it('E: only reads without a secret, of other things than mail, vault, keys and tokens, may be compressed, and none has an ETag', async () => {
    const may = suite.t.app.endpoints.filter(({ compressed }) => compressed);
    assert.ok(may.length > 0);
    const { key } = await suite.t.createAccount();
    for (const { operation, method, scope, replies, path } of may) {
      assert.equal(method, 'GET', operation);
      assert.doesNotMatch(
        JSON.stringify(replies),
        /"x-secret"|"(subject|snippet|text|content|description)":\{/,
        operation,
      );
      assert.match(scope ?? 'none', /^(none|audit:read|account:read)$/, operation);
      assert.doesNotMatch(path, /email|inbox|vault|keys|tokens|export|sessions|grants/, operation);
      const { headers } = await rawGet(suite.t.baseUrl + path, key, 'gzip');
      assert.equal(headers.etag, undefined, operation);
    }
  });
});
