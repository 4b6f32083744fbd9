import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, setTier, suspend, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';

const send = ({ api, address }: TestAgent, more: object) =>
  api.post('/v1/email/send', { from: address, to: 'x@example.com', subject: 'Hello', text: 'Body', ...more });

/** Asserts that a refused send stores no mail and no outbox entry, and counts nothing. */
async function assertNothingSent(t: TestApp, ada: TestAgent): Promise<void> {
  assert.equal((await ada.api.get('/v1/email/outbox')).body.count, 0);
  assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_used, 0);
  assert.equal((await t.sql('select id from messages where from_address = ?', ada.address)).length, 0);
}

onEngines('any', 'POST /v1/email/send refuses', {}, (suite) => {
  it('a missing field or a wrong type with 400 invalid_request', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const wrong: [object, string][] = [
      [{ text: undefined }, '/body/text'],
      [{ from: undefined }, '/body/from'],
      [{ to: undefined }, '/body/to'],
      [{ to: [] }, '/body/to'],
      [{ subject: undefined }, '/body/subject'],
      [{ subject: 7 }, '/body/subject'],
      [{ subject: 's'.repeat(999) }, '/body/subject'],
      [{ text: null }, '/body/text'],
      [{ surprise: true }, '/body/surprise'],
      [{ attachments: [{ filename: 'a', content: 'not base64!' }] }, '/body/attachments/0/content'],
      [{ attachments: [{ filename: 'a', content: 'QUJDR' }] }, '/body/attachments/0/content'],
      [{ attachments: [{ filename: '', content: '' }] }, '/body/attachments/0/filename'],
      [
        { attachments: [{ filename: 'a', content: '', content_type: 'text/plain; x' }] },
        '/body/attachments/0/content_type',
      ],
    ];
    for (const [more, path] of wrong) {
      const { status, body } = await send(ada, more);
      assert.deepEqual([path, status, body.error, body.details?.[0].path], [path, 400, 'invalid_request', path]);
    }
    await assertNothingSent(t, ada);
  });

  it('an invalid address with 400 invalid_recipient, and names it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (const bad of [
      '',
      '@example.com',
      'a b@example.com',
      'x@',
      'a@b@c',
      '"q"@example.com',
      'x@-a.com',
      'a,b@c.de',
    ]) {
      const { status, body } = await send(ada, { to: ['fine@example.com', bad] });
      assert.deepEqual([bad, status, body.error], [bad, 400, 'invalid_recipient']);
      assert.equal(body.details[0].path, '/body/to/1');
    }
    await assertNothingSent(t, ada);
  });

  it('CR and LF in every field that becomes a header with 400', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (const end of ['\r\nBcc: eve@example.com', '\nBcc: eve@example.com', '\rX: y', '\r\n', '\n', '\r']) {
      const injected: Record<string, object> = {
        subject: { subject: `Hello${end}` },
        to: { to: `x@example.com${end}` },
        cc: { cc: [`x@example.com${end}`] },
        bcc: { bcc: [`x@example.com${end}`] },
        reply_to: { reply_to: `x@example.com${end}` },
        in_reply_to: { in_reply_to: `<x@example.com>${end}` },
        references: { references: [`<x@example.com>${end}`] },
        filename: { attachments: [{ filename: `a${end}`, content: '' }] },
        content_type: { attachments: [{ filename: 'a', content_type: `a/b${end}`, content: '' }] },
      };
      for (const [field, more] of Object.entries(injected)) {
        const { status, body } = await send(ada, more);
        assert.deepEqual([field, end, status], [field, end, 400], JSON.stringify(body));
        assert.ok(['invalid_request', 'invalid_recipient'].includes(body.error));
      }
    }
    await assertNothingSent(t, ada);
  });

  it('senders of other accounts, unclaimed ones and other domains with the same bytes of 403 sender_not_owned', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const texts = new Set<string>();
    for (const from of [bob.address, 'nobody@agents.localhost', 'ada@example.com', 'two..dots', 'postmaster', '']) {
      const { status, body, text } = await send(ada, { from });
      assert.deepEqual([from, status, body.error], [from, 403, 'sender_not_owned']);
      texts.add(text);
    }
    assert.equal(texts.size, 1);
    await assertNothingSent(t, ada);
  });

  it('B: an unknown sender lists the addresses that the credential may use, and no others', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const bob = await createAgent(t);
    const { address: second } = (await ada.api.post('/v1/email/claim', { address: `s2-${ada.accountId.slice(4)}` }))
      .body;
    const own = (await send(ada, { from: bob.address })).body.message;
    assert.ok(own.includes(ada.address) && own.includes(second) && !own.includes(bob.address), own);
    const given = { name: 'one', scopes: ['mail:send'], addresses: [second] };
    const limited = t.api((await ada.api.post('/v1/account/keys', given)).body.api_key);
    const seen = (await send({ ...ada, api: limited }, {})).body.message;
    assert.ok(seen.includes(second) && !seen.includes(ada.address), seen);
    const none = await t.createAccount();
    assert.match((await send({ ...none, address: 'x' }, {})).body.message, /Claim one first/);
  });

  it('the 11th recipient of a free account and the 51st of a paid one with 400 too_many_recipients, over all fields', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const list = (n: number, at = 'example.com') => Array.from({ length: n }, (_, i) => `r${i}@${at}`);
    const eleven = await send(ada, { to: list(5), cc: list(5, 'example.org'), bcc: list(1, 'example.net') });
    assert.deepEqual([eleven.status, eleven.body.error, eleven.body.limit], [400, 'too_many_recipients', 10]);
    await assertNothingSent(t, ada);
    assert.equal((await send(ada, { to: [...list(10), ...list(10)] })).status, 201);
    await setTier(t, ada.accountId, 'paid');
    assert.equal((await send(ada, { to: list(51) })).body.limit, 50);
    assert.equal((await send(ada, { to: list(50) })).status, 201);
  });

  it('attachments over 25 MiB in total with 413 or 400', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const half = Buffer.alloc(13 * 1_048_576).toString('base64');
    const attachments = ['a', 'b'].map((filename) => ({ filename, content: half }));
    const { status, body } = await send(ada, { attachments });
    assert.deepEqual([status, body.error, body.details[0].code], [400, 'invalid_request', 'too_long']);
    await assertNothingSent(t, ada);
    const huge = await send(ada, { text: 'x'.repeat(38 * 1_048_576) });
    assert.deepEqual([huge.status, huge.body.error], [413, 'body_too_large']);
  });

  it('a request without a key with 401, and a suspended account with 403 account_suspended', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    assert.equal((await send({ ...ada, api: t.api() }, {})).status, 401);
    await suspend(t, ada.accountId);
    const { status, body } = await send(ada, {});
    assert.deepEqual([status, body.error], [403, 'account_suspended']);
  });
});
