import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { type ApiReply, createApi, onEngines, startTestApp } from '../../../../../test/support/harness.ts';
import { untilRequestsWait } from '../../../../../test/support/stream-client.ts';
import { startApp } from '../../../../app.ts';

const waitForMail = ({ api, address }: TestAgent, query = ''): Promise<ApiReply> =>
  api.get(`/v1/email/wait?address=${address}&wait=60${query}`);

onEngines('any', 'GET /v1/email/wait', {}, (suite) => {
  it('an old mail never answers; the next mail that fits does, with its code and links', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address, subject: 'Old', text: 'Your verification code is 111222.' });
    const old = await ada.api.get(`/v1/email/inbox?address=${ada.address}&wait=60`);
    assert.equal(old.body.count, 1);
    const pending = waitForMail(ada, '&code=true&from=EXAMPLE.com&subject=SIGN');
    await untilRequestsWait(t);
    const other = 'Your verification code is 333444.';
    await t.sendSmtp({ to: ada.address, subject: 'Other', text: other });
    await t.sendSmtp({ to: ada.address, from: 'x@example.org', subject: 'Sign in', text: other });
    await t.sendSmtp({ to: ada.address, subject: 'Sign in', text: 'Hello, we will write soon.' });
    const text = 'Your verification code is 482913. It expires in 10 minutes.\n\nhttps://example.com/verify?token=abc';
    await t.sendSmtp({ to: ada.address, subject: 'Sign in', text });
    const { body } = await pending;
    assert.equal(body.code.code, '482913');
    assert.equal(body.code.expires_hint, 600);
    assert.equal(body.code.sender.domain, 'example.com');
    assert.equal(body.code.message_id, body.message.message_id);
    assert.deepEqual([body.links[0].host, body.links[0].kind], ['example.com', 'verify']);
    const since = await ada.api.get(`/v1/email/wait?after=2020-01-01T00:00:00Z`);
    assert.equal(since.body.message.subject, 'Old');
    const read = await ada.api.get(`/v1/email/messages/${body.message.message_id}?address=${ada.address}`);
    assert.deepEqual([read.body.code, read.body.links], [body.code, body.links]);
  });

  it('names the candidates of an ambiguous mail when the time is over', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const text = 'Your verification code is 482913.\nYour verification code is 839201.';
    await t.sendSmtp({ to: ada.address, subject: 'Codes', text });
    await ada.api.get(`/v1/email/inbox?address=${ada.address}&wait=60`);
    const { body } = await ada.api.get('/v1/email/wait?code=true&wait=1&after=2020-01-01T00:00:00Z');
    assert.equal(body.code.code, null);
    assert.deepEqual(body.code.candidates.toSorted(), ['482913', '839201']);
    const none = await ada.api.get('/v1/email/wait?code=true&wait=1');
    assert.deepEqual([none.body.message, none.body.code, none.body.links], [null, null, []]);
  });

  it('reads a code that stands in HTML alone, and none that the page hides', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const html = (style: string) => `<p>Dear customer,</p><p style="${style}">Your verification code is 739201</p>`;
    const pending = waitForMail(ada);
    await untilRequestsWait(t);
    await t.sendSmtp({ to: ada.address, subject: 'a', html: html('color:#000') });
    assert.equal((await pending).body.code.code, '739201');
    const hidden = waitForMail(ada);
    await untilRequestsWait(t);
    await t.sendSmtp({ to: ada.address, subject: 'b', html: html('display:none') });
    assert.equal((await hidden).body.code, null);
  });

  it('events say that there is a code, and never which; no log has it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const pending = waitForMail(ada);
    await untilRequestsWait(t);
    const text = 'Your code: 482 913 https://example.com/verify?token=abc';
    await t.sendSmtp({ to: ada.address, subject: '482913 is your verification code', text });
    assert.equal((await pending).body.code.code, '482913');
    const { events } = (await ada.api.get('/v1/events?type=email.received')).body;
    const { data } = events.at(-1);
    assert.deepEqual([data.has_code, data.link_kinds], [true, ['verify']]);
    assert.equal(data.subject, '••• is your verification code');
    assert.equal(data.snippet, 'Your code: ••• •••');
    assert.doesNotMatch(JSON.stringify(t.faults), /482913/);
    assert.doesNotMatch((await t.api().get('/metrics')).text, /482913/);
  });

  it('says of sealed mail that it is sealed, and nothing of its words', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { publicKey } = generateKeyPairSync('x25519');
    const public_key = publicKey.export({ format: 'jwk' }).x;
    const keyed = await ada.api.post('/v1/email/claim', { address: ada.address, public_key });
    assert.ok(keyed.status < 300, keyed.text);
    const pending = waitForMail(ada);
    await untilRequestsWait(t);
    await t.sendSmtp({ to: ada.address, subject: 'Hi', text: 'Your verification code is 482913.' });
    const { body } = await pending;
    assert.deepEqual([body.code, body.links, body.sealed], [null, null, true]);
    const { events } = (await ada.api.get('/v1/events?type=email.received')).body;
    assert.deepEqual([events.at(-1).data.has_code, events.at(-1).data.link_kinds], [false, []]);
  });

  it('refuses several addresses without a choice, a foreign address and a wrong wait', async () => {
    const { t } = suite;
    const [ada, eve] = [await createAgent(t), await createAgent(t)];
    assert.equal((await eve.api.get(`/v1/email/wait?address=${ada.address}`)).body.error, 'address_forbidden');
    for (const query of ['wait=0', 'wait=61', 'after=yesterday'])
      assert.equal((await ada.api.get(`/v1/email/wait?${query}`)).status, 400, query);
    await ada.api.post('/v1/email/claim', { address: `second-${ada.address}` });
    assert.equal((await ada.api.get('/v1/email/wait')).status, 400);
  });
});

onEngines('both', 'GET /v1/email/wait', {}, (suite) => {
  it('counts mail of the millisecond that `after` names, and none before it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const now = t.clock.now();
    await t.sendSmtp({ to: ada.address, subject: 'Now', text: 'Your verification code is 482913.' });
    await ada.api.get(`/v1/email/inbox?address=${ada.address}&wait=60`);
    const at = new Date(now).toISOString();
    for (const after of [at, at.replace('Z', '900Z')])
      assert.equal((await waitForMail(ada, `&after=${after}`)).body.code?.code, '482913', after);
    const later = await ada.api.get(`/v1/email/wait?wait=1&after=${new Date(now + 1).toISOString()}`);
    assert.equal(later.body.message, null);
  });
});

it('GET /v1/email/wait: mail that arrives at another instance answers', async () => {
  const t = await startTestApp('postgres');
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const other = await startApp(t.config, log, { clock: t.clock });
  try {
    const ada = await createAgent(t);
    const pending = createApi(other.baseUrl, ada.key).get('/v1/email/wait?code=true&wait=60');
    await untilRequestsWait(other);
    await t.sendSmtp({ to: ada.address, subject: 'Hi', text: 'Your verification code is 482913.' });
    assert.equal((await pending).body.code.code, '482913');
  } finally {
    await other.stop();
    await t.stop();
  }
});
