import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/support/harness.ts';

const HOSTILE = [
  'From: "<img src=x onerror=alert(1)>" <eve@example.com>',
  'To: ada@example.com',
  'Subject: </title><script>alert(1)</script>',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'See https://evil.example/"><script>x</script> and javascript:alert(1), then https://example.com/login#token=T0ken.',
  '--b',
  'Content-Type: text/html',
  '',
  '<img src="https://tracker.example/pixel"><script>alert(2)</script>',
  '--b--',
  '',
].join('\r\n');

describe('/dev/outbox', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  const keep = (file: string, at: number, raw: string): void => {
    const dir = join(t.config.dataDir, 'outbox');
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, file), raw);
    utimesSync(join(dir, file), at, at);
  };

  it('lists what was sent, the newest first, and a link of a mail can be followed', async () => {
    assert.match((await t.api().get('/dev/outbox')).text, /No mail yet/);
    const { api } = await t.createAccount();
    await api.post('/v1/account/operator-email', { email: 'boss@example.com' });
    assert.equal((await t.outboxMails()).length, 1);
    keep('old.eml', 1000, 'From: a@example.com\r\nTo: b@example.com\r\nSubject: Old\r\n\r\nOld.\r\n');
    const { text, headers } = await t.api().get('/dev/outbox');
    assert.match(text, /Development server: nothing leaves this machine/);
    assert.equal(headers.get('cache-control'), 'no-store');
    const files = [...text.matchAll(/href="(\/dev\/outbox\/[\w-]+\.eml)"/g)].map(([, file = '']) => file);
    assert.equal(files.length, 2);
    assert.equal(files[1], '/dev/outbox/old.eml');
    const mail = await t.api().get(files[0] ?? '');
    assert.match(mail.text, /boss@example\.com/);
    assert.ok(mail.text.includes(`<a href="${t.baseUrl}/confirm#token=`), mail.text);
  });

  it('shows a hostile mail as text and loads nothing of it', async () => {
    keep('hostile.eml', 2000, HOSTILE);
    for (const path of ['/dev/outbox', '/dev/outbox/hostile.eml']) {
      const { text, headers } = await t.api().get(path);
      assert.doesNotMatch(text, /<script|<img (?!src="\/assets)|href="javascript/);
      assert.match(
        headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self';/,
      );
    }
    const { text } = await t.api().get('/dev/outbox/hostile.eml');
    assert.ok(text.includes('<a href="https://example.com/login#token=T0ken" rel="noopener noreferrer">'));
    assert.ok(text.includes('&lt;img src=&quot;https://tracker.example/pixel&quot;&gt;'));
  });

  it('N11: is not there for another name of this machine, from the internet, for another file, or on a server for others', async () => {
    keep('old.eml', 1000, 'Subject: Old\r\n\r\nOld.\r\n');
    for (const file of ['none.eml', '..%2Fsignet.db', 'old', '.old.eml'])
      assert.equal((await t.api().get(`/dev/outbox/${file}`)).status, 404, file);
    const { port } = new URL(t.baseUrl);
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        const asked = request({ port, path: '/dev/outbox', headers: { host } }, (res) => {
          res.resume();
          resolve(res.statusCode);
        });
        asked.on('error', reject).end();
      });
    assert.deepEqual(
      await Promise.all([`evil.example:${port}`, `localhost:${port}`, `[::1]:${port}`].map(statusFor)),
      [404, 200, 200],
    );
    const far = await startTestApp('sqlite', { env: { TRUST_PROXY: '1' } });
    try {
      const statuses = ['8.8.8.8', '2001:4860:4860::8888', '172.17.0.1', '::1'].map(async (peer) => {
        const answers = ['/dev/outbox', '/dev/outbox/none.eml'].map((path) =>
          far.api().get(path, { 'x-forwarded-for': peer }),
        );
        return (await Promise.all(answers)).map(({ status, body }) => [status, body?.error]);
      });
      const missing = [404, 'not_found'];
      const near = [[200, undefined], missing];
      assert.deepEqual(await Promise.all(statuses), [[missing, missing], [missing, missing], near, near]);
    } finally {
      await far.stop();
    }
    const other = await startTestApp('sqlite', { env: { DEVELOPMENT: 'off' } });
    try {
      const { status, text } = await other.api().get('/dev/outbox');
      const unknown = await other.api().get('/dev/outboy');
      assert.deepEqual([status, text], [404, unknown.text.replaceAll('/dev/outboy', '/dev/outbox')]);
    } finally {
      await other.stop();
    }
  });
});
