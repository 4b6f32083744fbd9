import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Api, type ApiReply, startTestApp, type TestApp } from '../../../test/support/harness.ts';

let t: TestApp;
let api: Api;
const faultsOf = ({ status, body }: ApiReply): string[] => {
  assert.equal(status, 400);
  return body.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
};

describe('what is wrong with a request', () => {
  before(async () => {
    t = await startTestApp('sqlite');
    ({ api } = await t.createAccount());
  });
  after(() => t.stop());

  describe('a request with several faults', () => {
    it('gets all of them, one per place; error and message are those of the first', async () => {
      const refused = await t.api().post('/v1/register', { name: 7, recovery_email: 'x'.repeat(300), nam: 'Ada' });
      assert.deepEqual(faultsOf(refused).sort(), [
        '/body/nam unknown_field',
        '/body/name wrong_type',
        '/body/recovery_email too_long',
      ]);
      const { error, message, details } = refused.body;
      assert.deepEqual([error, message], ['invalid_request', details[0].message]);
    });

    it('counts characters, not their units: at the limit, and one below and above it', async () => {
      const charge = (fields: object) => api.post('/v1/charge', { amount: 1, ...fields });
      assert.equal((await charge({ description: '😀'.repeat(1000), category: '😀' })).status, 200);
      assert.deepEqual(faultsOf(await charge({ description: `${'😀'.repeat(1000)}a` })), [
        '/body/description too_long',
      ]);
      assert.deepEqual(faultsOf(await charge({ category: '' })), ['/body/category too_short']);
    });

    it('gets all faults of its query too', async () => {
      const refused = await api.get('/v1/events?limit=0&wait=61&order=up');
      assert.deepEqual(faultsOf(refused).sort(), [
        '/query/limit out_of_range',
        '/query/order not_allowed',
        '/query/wait out_of_range',
      ]);
    });

    it('gets the code that the specification names for a part', async () => {
      const { status, body } = await api.post('/v1/register', { address: 'x'.repeat(1000), recovery_email: 5 });
      assert.deepEqual([status, body.error, body.details[0].path], [400, 'invalid_address', '/body/address']);
      assert.ok(body.details.length > 1);
    });

    it('gets at most 20 of them', async () => {
      const fields = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`field-${n}`, n]));
      assert.equal(faultsOf(await t.api().post('/v1/register', fields)).length, 20);
    });

    it('gets only the first when it is large, so that a client cannot make validation costly', async () => {
      const many = Array.from({ length: 2000 }, (_, n) => n);
      assert.equal(faultsOf(await t.api().post('/v1/register', { name: 7, capabilities: many })).length, 1);
      const long = { topic: 7, topik: 'x'.repeat(70_000) };
      assert.equal(faultsOf(await api.post('/v1/observations', long)).length, 1);
    });

    it('learns what is valid: the pattern, one line, at least one field', async () => {
      const token = await api.post('/v1/tokens/issue', { audience: 'https://api.example.com', scopes: ['Mail read'] });
      assert.match(token.body.message, /^Scopes are 1 to 20 names/);
      assert.match(token.body.details[0].message, /^\/body\/scopes\/0 must match \^\[a-z\]/);
      const event = { event: 'x', agent_id: 'a\nb', timestamp: 'now', action_type: 'tool_call', outcome: 'fine' };
      const messages = (await api.post('/v1/telemetry/submit', event)).body.details.map(
        ({ path, message }: { path: string; message: string }) => message.replace(path, ''),
      );
      assert.deepEqual(messages.sort(), [
        ' must be a date-time such as 2026-01-14T09:00:00Z.',
        ' must be one of success, failure, anomaly.',
        ' must not contain line breaks or other control characters.',
      ]);
      assert.match((await api.put('/v1/vault/a%20b', { ciphertext: 'x' })).body.message, /^A vault key is 1 to 128/);
      assert.equal((await api.put('/v1/budget', {})).body.message, '/body must have at least one field.');
    });

    it('without a Bearer credential: the message asks for one and does not call it unknown', async () => {
      for (const authorization of ['Basic YTpi', 'signet_live_x'])
        assert.match((await t.api().get('/v1/account/me', { authorization })).body.message, /Bearer signet_live_/);
    });
  });

  describe('a body in another coding', () => {
    const claim = JSON.stringify({ address: 'coded' });
    const post = (body: string | Buffer, headers: Record<string, string>): Promise<ApiReply> =>
      api.post('/v1/email/claim', body, headers);

    it('415 for gzip and other codings, with the accepted coding in a header', async () => {
      for (const coding of ['gzip', 'GZIP', 'deflate', 'br', 'gzip, identity']) {
        const refused = await post(gzipSync(claim), { 'content-encoding': coding });
        assert.deepEqual([coding, refused.status, refused.body.error], [coding, 415, 'unsupported_media_type']);
        assert.equal(refused.headers.get('accept-encoding'), 'identity');
      }
    });

    it('415 for a charset other than UTF-8', async () => {
      for (const charset of ['iso-8859-1', '"utf-16"', 'us-ascii', 'utf-8859', '']) {
        const refused = await post(claim, { 'content-type': `application/json; charset=${charset}` });
        assert.deepEqual([charset, refused.status, refused.body.error], [charset, 415, 'unsupported_media_type']);
      }
    });

    it('accepts UTF-8 by any of its names, and identity', async () => {
      for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
        const taken = await post(claim, {
          'content-type': `application/json;charset=${charset}`,
          'content-encoding': 'identity',
        });
        assert.ok(taken.status < 300, taken.text);
      }
    });

    it('401 comes first: the body of an anonymous request is not read', async () => {
      const { status } = await t.api().post('/v1/email/claim', claim, { 'content-encoding': 'gzip' });
      assert.equal(status, 401);
    });
  });
});
