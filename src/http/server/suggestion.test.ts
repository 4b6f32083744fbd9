import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Api, startTestApp, type TestApp } from '../../../test/support/harness.ts';

/** A wrong field or word in a body, and the right one. */
const FIELDS: readonly [method: 'post' | 'put', path: string, body: object, right: string][] = [
  ['post', '/v1/email/send', { body: 'x' }, 'text'],
  ['post', '/v1/email/send', { message: 'x' }, 'text'],
  ['post', '/v1/email/send', { content: 'x' }, 'text'],
  ['post', '/v1/email/send', { body_text: 'x' }, 'text'],
  ['post', '/v1/email/send', { html_body: 'x' }, 'html'],
  ['post', '/v1/email/send', { body_html: 'x' }, 'html'],
  ['post', '/v1/email/send', { title: 'x' }, 'subject'],
  ['post', '/v1/email/send', { subjet: 'x' }, 'subject'],
  ['post', '/v1/email/send', { recipient: 'x' }, 'to'],
  ['post', '/v1/email/send', { recipients: ['x'] }, 'to'],
  ['post', '/v1/email/send', { sender: 'x' }, 'from'],
  ['post', '/v1/email/send', { from_address: 'x' }, 'from'],
  ['post', '/v1/email/send', { replyTo: 'x' }, 'reply_to'],
  ['post', '/v1/email/send', { inReplyTo: 'x' }, 'in_reply_to'],
  ['post', '/v1/email/send', { 'reply-to': 'x' }, 'reply_to'],
  ['post', '/v1/email/send', { attachment: [] }, 'attachments'],
  ['post', '/v1/inbox/a/send', { text: 'x' }, 'body'],
  ['post', '/v1/register', { nam: 'x' }, 'name'],
  ['post', '/v1/register', { username: 'x' }, 'name'],
  ['post', '/v1/register', { email: 'x' }, 'address'],
  ['post', '/v1/register', { recoveryEmail: 'x' }, 'recovery_email'],
  ['post', '/v1/register', { capability: [] }, 'capabilities'],
  ['post', '/v1/email/claim', { email: 'x' }, 'address'],
  ['post', '/v1/email/claim', { inbox: 'x' }, 'address'],
  ['post', '/v1/email/claim', { adress: 'x' }, 'address'],
  ['put', '/v1/vault/a', { value: 'x' }, 'ciphertext'],
  ['put', '/v1/vault/a', { secret: 'x' }, 'ciphertext'],
  ['put', '/v1/vault/a', { data: 'x' }, 'ciphertext'],
  ['put', '/v1/vault/a', { cipher_text: 'x' }, 'ciphertext'],
  ['put', '/v1/vault/a', { meta_data: {} }, 'metadata'],
  ['post', '/v1/charge', { amount_usdc: 1 }, 'amount'],
  ['post', '/v1/charge', { cost: 1 }, 'amount'],
  ['post', '/v1/charge', { price: 1 }, 'amount'],
  ['post', '/v1/charge', { reference: 'x' }, 'reference_id'],
  ['post', '/v1/charge', { referenceId: 'x' }, 'reference_id'],
  ['put', '/v1/budget', { daily_limit: 1 }, 'daily'],
  ['put', '/v1/budget', { daily_cap: 1 }, 'daily'],
  ['put', '/v1/budget', { monthly_limit: 1 }, 'monthly'],
  ['put', '/v1/budget', { onLimit: 'approve' }, 'on_limit'],
  ['put', '/v1/budget', { on_limit: 'deny' }, 'reject'],
  ['put', '/v1/budget', { on_limit: 'Approve' }, 'approve'],
  ['put', '/v1/budget', { authority: 'operators' }, 'operator'],
  ['post', '/v1/calendar/events', { title: 'x' }, 'summary'],
  ['post', '/v1/calendar/events', { name: 'x', start_time: 'x' }, 'start'],
  ['post', '/v1/calendar/events', { end_time: 'x' }, 'end'],
  ['post', '/v1/calendar/events', { participants: [] }, 'attendees'],
  ['post', '/v1/calendar/events', { guests: [] }, 'attendees'],
  ['post', '/v1/calendar/events', { place: 'x' }, 'location'],
  ['post', '/v1/calendar/events', { notes: 'x' }, 'description'],
  ['post', '/v1/tokens/issue', { aud: 'x' }, 'audience'],
  ['post', '/v1/tokens/issue', { scope: 'x' }, 'scopes'],
  ['post', '/v1/tokens/issue', { expires_in: 60 }, 'ttl'],
  ['post', '/v1/tokens/issue', { email: 'x' }, 'agent_email'],
  ['put', '/v1/budget', { cap: { daily: 5 } }, 'caps'],
  ['post', '/v1/account/keys', { permissions: [] }, 'scopes'],
  ['post', '/v1/account/keys', { expires_in: 60 }, 'expires_in_seconds'],
  ['post', '/v1/observations', { note: 'x' }, 'content'],
  ['post', '/v1/observations', { text: 'x' }, 'content'],
  ['post', '/v1/observations', { title: 'x' }, 'topic'],
  ['post', '/v1/observations', { public: true }, 'shared'],
  ['post', '/v1/credentials/request', { reason: 'x', details: 'x' }, 'description'],
  ['post', '/v1/credentials/poll', { deviceCode: 'x' }, 'device_code'],
  ['post', '/v1/email/webhooks', { endpoint: 'x' }, 'url'],
  ['post', '/v1/email/webhooks', { event_types: [] }, 'events'],
  ['post', '/v1/delegations', { expires: 'x' }, 'expires_at'],
];

/** Words and values of parameters, and what the refusal says. */
const VALUES: readonly [path: string, said: RegExp][] = [
  ['/v1/email/inbox?address=seen&folder=junk', /Did you mean spam\?/],
  ['/v1/email/inbox?address=seen&folder=bin', /Did you mean trash\?/],
  ['/v1/events?after=newest', /the id of an event, or `latest`/],
];

const PATHS: readonly [given: string, right: string][] = [
  ['/v1/whoami', '/v1/account/me'],
  ['/whoami', '/v1/account/me'],
  ['/v1/me', '/v1/account/me'],
  ['/v1/account/whoami', '/v1/account/me'],
  ['/v1/signup', '/v1/register'],
  ['/register', '/v1/register'],
  ['/api/v1/register', '/v1/register'],
  ['/v1/registr', '/v1/register'],
  ['/v1/login', '/v1/auth/login'],
  ['/v1/messages', '/v1/email/inbox'],
  ['/v1/emails', '/v1/email/inbox'],
  ['/v1/email/inboxx', '/v1/email/inbox'],
  ['/v1/email/message/msg_1', '/v1/email/messages/{id}'],
  ['/v1/send', '/v1/email/send'],
  ['/v1/secrets', '/v1/vault/{key}'],
  ['/v1/calendar/event', '/v1/calendar/events'],
  ['/v1/budgets', '/v1/budget'],
  ['/v1/charges', '/v1/charge'],
  ['/v1/token', '/v1/tokens/issue'],
  ['/v1/observation', '/v1/observations'],
  ['/v1/docs', '/llms.txt'],
];

const PARAMETERS: readonly [given: string, right: string][] = [
  ['/v1/email/inbox?address=seen&unred=true', 'unread'],
  ['/v1/email/inbox?address=seen&query=x', 'q'],
  ['/v1/email/inbox?address=seen&search=x', 'q'],
  ['/v1/email/inbox?address=seen&page_size=5', 'limit'],
  ['/v1/email/inbox?address=seen&tag=x', 'label'],
  ['/v1/events?since=x', 'after'],
  ['/v1/events?types=x', 'type'],
  ['/v1/calendar/events?until=x', 'to'],
  ['/v1/observations?topics=x', 'topic'],
  ['/v1/audit?page=2', 'cursor'],
];

describe('suggestions', () => {
  let t: TestApp;
  let api: Api;
  before(async () => {
    t = await startTestApp('sqlite');
    ({ api } = await t.createAccount());
  });
  after(() => t.stop());

  it('a wrong field or word gets the right one, at the top and beside its fault', async () => {
    assert.ok(FIELDS.length >= 60);
    for (const [method, path, body, right] of FIELDS) {
      const refused = await api[method](path, body);
      const at = `${path} ${JSON.stringify(body)}`;
      assert.equal(refused.status, 400, at);
      const suggestions = refused.body.details.flatMap((detail: { suggestion?: string }) => detail.suggestion ?? []);
      assert.ok(suggestions.includes(right), `${at}: ${suggestions}`);
      assert.equal(refused.body.suggestion, suggestions[0], at);
    }
  });

  it('E: `cap` gets `caps`, which takes what was in it', async () => {
    const refused = await api.put('/v1/budget', { cap: { daily: 5 } });
    assert.deepEqual([refused.status, refused.body.suggestion], [400, 'caps']);
    assert.equal((await api.put('/v1/budget', { [refused.body.suggestion]: { daily: 5 } })).status, 200);
  });

  it('B: a number with a fraction gets the text that means it', async () => {
    for (const [amount, right] of [
      [0.02, '"0.02"'],
      [12.5, '"12.5"'],
    ] as const) {
      const { status, body } = await api.post('/v1/charge', { amount });
      assert.deepEqual([status, body.suggestion], [400, right]);
      assert.match(body.message, new RegExp(`Did you mean ${right}\\?$`));
      assert.notEqual((await api.post('/v1/charge', { amount: JSON.parse(right) })).status, 400);
    }
    assert.equal((await api.put('/v1/budget', { caps: { daily: 0.5 } })).body.suggestion, '"0.5"');
    assert.equal((await api.post('/v1/charge', { amount: 1e-9 })).body.suggestion, undefined);
  });

  it('B: a refused time says what one looks like, in every field of a time', async () => {
    for (const refused of [
      await api.get('/v1/budget/history?before=yesterday'),
      await api.get('/v1/observations?since=2026'),
      await api.get('/v1/email/wait?address=seen&after=soon'),
      await api.get('/v1/calendar/events?from=today'),
      await api.post('/v1/calendar/events', { summary: 'x', start: '2026-01-14', end: '2026-01-14T09:00:00Z' }),
      await api.post('/v1/delegations', { to: 'acc_x', scopes: ['mail:read'], expires_at: 'tomorrow' }),
    ])
      assert.match(JSON.stringify(refused.body), /such as 2026-01-14/, refused.text);
  });

  it('a wrong value gets the right one, or every type that it may have', async () => {
    for (const [path, said] of VALUES) {
      const { status, body } = await api.get(path);
      assert.equal(status, 400, path);
      assert.match(body.message, said, path);
    }
    const to = { from: 'seen', to: { email: 'x@example.com' }, subject: 's', text: 't' };
    assert.match((await api.post('/v1/email/send', to)).body.message, /must be of type string or array/);
  });

  it('a wrong path gets the right one', async () => {
    for (const [given, right] of PATHS) {
      const { status, body } = await api.get(given);
      assert.deepEqual([status, body.error, body.suggestion], [404, 'not_found', right], given);
    }
  });

  it('an unknown event type gets the one most like it', async () => {
    for (const path of ['/v1/events?type=mail.received', '/v1/events?type=email.sent,email.recieved']) {
      const { status, body } = await api.get(path);
      assert.deepEqual(
        [status, body.suggestion, body.details[0].suggestion],
        [400, 'email.received', 'email.received'],
      );
    }
    const types = { url: 'https://example.com/hook', events: ['charge.complete'] };
    assert.equal((await api.post('/v1/webhooks', types)).body.suggestion, 'charge.completed');
  });

  it('a parameter that is almost right is ignored, and the reply warns; verbose=false leaves the warning out', async () => {
    assert.equal((await api.get('/v1/email/inbox?address=seen')).status, 200);
    for (const [path, right] of PARAMETERS) {
      const { status, body } = await api.get(path);
      assert.equal(status, 200, path);
      assert.match(body.warning, new RegExp(`Did you mean ${right}\\?$`), path);
      assert.equal('warning' in (await api.get(`${path}&verbose=false`)).body, false, path);
    }
    assert.equal('warning' in (await api.get('/v1/events?utm_source=mail')).body, false);
  });

  it('B: a wait is refused for a parameter that is nearly a known one, and so is a call that means to wait', async () => {
    for (const [path, given, right] of [
      ['/v1/email/wait?timeout=5', 'timeout', 'wait'],
      ['/v1/email/wait?wait=1&sender=ada@example.com', 'sender', 'from'],
      ['/v1/email/wait?Wait=1', 'Wait', 'wait'],
      ['/v1/events?timeout=5', 'timeout', 'wait'],
      ['/v1/events?wait=1&types=email.received', 'types', 'type'],
      ['/v1/email/inbox?address=seen&wait_seconds=5', 'wait_seconds', 'wait'],
    ] as const) {
      const { status, body } = await api.get(path);
      assert.deepEqual([status, body.error, body.suggestion], [400, 'invalid_request', right], path);
      assert.deepEqual([body.details[0].path, body.details[0].code], [`/query/${given}`, 'unknown_field'], path);
    }
    for (const path of ['/v1/email/wait?utm_source=mail&_=1', '/v1/events?utm_source=mail&before=ev_0'])
      assert.doesNotMatch((await api.get(path)).text, /unknown_field/, path);
  });

  it('B: a required parameter that came under another name is named', async () => {
    const { status, body } = await api.get('/v1/email/inbox?adress=seen');
    assert.deepEqual([status, body.suggestion, body.details.length], [400, 'address', 1]);
    assert.equal(body.message, 'There is no parameter "adress". Did you mean address?');
    const { body: bare } = await api.get('/v1/email/inbox?utm_source=mail');
    assert.deepEqual([bare.message, 'suggestion' in bare], ['address is required.', false]);
  });

  it('B: many words are listed once, beside the one that is meant, and a missing field has an example', async () => {
    const key = (scopes: string[]) => api.post('/v1/account/keys', { name: 'x', scopes });
    for (const [given, right] of [
      ['read_mail', 'mail:read'],
      ['mail.read', 'mail:read'],
      ['send-mail', 'mail:send'],
    ] as const) {
      const { status, text, body } = await key([given]);
      assert.deepEqual([status, body.suggestion], [400, right], given);
      assert.equal(text.split('audit:read').length, 2, 'listed once');
      assert.ok(body.details[0].allowed.includes(right));
    }
    const { body } = await api.post('/v1/tokens/issue', { audience: 'https://api.example.com' });
    assert.deepEqual([body.error, body.message], ['invalid_scopes', 'scopes is required, such as ["mail:read"].']);
  });

  it('B: a refusal for a scope names the one that is needed and those of the credential, and a page of at most 6 KB', async () => {
    const { body: made } = await api.post('/v1/account/keys', {
      name: 'reader',
      scopes: ['account:read', 'mail:read'],
    });
    const { status, body, text } = await t.api(made.api_key).get('/v1/vault');
    assert.deepEqual([status, body.required_scope, body.scopes], [403, 'vault:read', ['account:read', 'mail:read']]);
    assert.match(body.message, /needs the scope vault:read/);
    assert.ok(text.length < 500, text);
    for (const refused of [body, (await t.api('signet_live_x').get('/v1/vault')).body]) {
      const page = await t.api().get(refused.docs_url.slice(t.baseUrl.length));
      assert.ok(page.status === 200 && page.text.length <= 6 * 1024, refused.docs_url);
    }
  });

  it('what is like nothing gets no suggestion', async () => {
    const { body } = await api.post('/v1/charge', { amount: 1, zzzzzzzz: 1 });
    assert.deepEqual([body.error, 'suggestion' in body], ['invalid_request', false]);
    assert.equal('suggestion' in (await api.get('/qqqqqqqqq/wwwwwwwww')).body, false);
    assert.equal('suggestion' in (await api.get(`/${'x'.repeat(1500)}`)).body, false);
  });

  it('every error has its code twice and a page that exists', async () => {
    const missing = `/v1/email/messages/msg_0000000000000000000000000?address=seen`;
    const refusals = [
      await api.post('/v1/charge', { amount: -1 }),
      await api.get(missing),
      await t.api().get('/v1/account/me'),
      await api.get('/v1/nothing-here'),
      await api.delete('/v1/charge'),
      await api.post('/v1/charge', '{'),
      await api.post('/v1/charge', 'amount=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    ];
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [400, 404, 401, 404, 405, 400, 415],
    );
    for (const { body } of refusals) {
      assert.equal(body.code, body.error);
      assert.ok(body.docs_url.startsWith(t.baseUrl), body.docs_url);
      assert.equal((await fetch(body.docs_url)).status, 200, body.docs_url);
    }
    assert.match(refusals[6]?.body.message, /Content-Type: application\/json/);
  });

  it('401 says which mistake it was', async () => {
    const issued = await api.post('/v1/tokens/issue', { audience: 'https://api.example.com', scopes: ['a'] });
    const mistakes: readonly [headers: Record<string, string>, said: RegExp][] = [
      [{}, /^Send a valid key: Authorization: Bearer/],
      [{ 'x-api-key': 'signet_live_x' }, /not as X-API-Key/],
      [{ authorization: 'signet_live_x' }, /word Bearer is missing/],
      [{ authorization: 'Basic YTpi' }, /^Basic is not supported/],
      [{ authorization: 'Bearer ' }, /after Bearer is empty/],
      [{ authorization: `Bearer ${issued.body.token}` }, /signed token/],
      [{ authorization: 'Bearer device_abc' }, /device code/],
      [{ authorization: 'Bearer signet_live_x' }, /unknown, revoked, expired or mistyped/],
    ];
    for (const [headers, said] of mistakes) {
      const { status, body } = await t.api().get('/v1/account/me', headers);
      assert.equal(status, 401);
      assert.match(body.message, said, JSON.stringify(headers));
    }
  });
});
