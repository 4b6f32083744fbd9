import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookHeaders } from '../features/mail/webhooks/webhook-signature.ts';
import { SignetCryptoError } from './signet-error.ts';
import { verifyWebhook, type WebhookCheck } from './webhook-proof.ts';

const NOW = Date.UTC(2026, 0, 14, 12);
const seconds = NOW / 1000;
const body = JSON.stringify({ id: 'ev_1', subject: 'Grüße 🌍' });
const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'YWI=', 'correct horse battery staple', 'pässword'];

const signed = (secret: string, timestampSeconds = seconds) =>
  webhookHeaders([secret], { id: 'ev_1', timestampSeconds, body });
const check = (over: Partial<WebhookCheck> = {}): Promise<unknown> =>
  verifyWebhook({ secret: 'plain', headers: signed('plain'), body, now: () => NOW, ...over });
const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;

describe('verifyWebhook', () => {
  it('accepts a webhook of the service by either signature, for every form of the secret', async () => {
    for (const secret of SECRETS) {
      for (const scheme of ['standard', 'service'] as const) {
        const headers = signed(secret);
        assert.deepEqual(await check({ secret, headers, scheme }), JSON.parse(body));
        const again = { secret, scheme, headers: new Headers(headers), body: Buffer.from(body) };
        assert.deepEqual(await check(again), JSON.parse(body));
        const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
        assert.deepEqual(await check({ secret, scheme, headers: upper }), JSON.parse(body));
      }
    }
  });

  it('accepts a signature by another implementation of Standard Webhooks', async () => {
    const secret = SECRETS[0] as string;
    const signature = new Webhook(secret).sign('ev_1', new Date(NOW), body);
    const headers = { 'webhook-id': 'ev_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
    assert.deepEqual(await check({ secret, headers }), JSON.parse(body));
    const several = { ...headers, 'webhook-signature': `v1a,xyz v1,AAAA ${signature}` };
    assert.deepEqual(await check({ secret, headers: several }), JSON.parse(body));
  });

  it('refuses another secret, body, id or time', async () => {
    for (const scheme of ['standard', 'service'] as const) {
      await assert.rejects(check({ secret: 'other', scheme }), code('signature_invalid'));
      await assert.rejects(check({ body: `${body} `, scheme }), code('signature_invalid'));
      await assert.rejects(check({ headers: {}, scheme }), code('signature_missing'));
    }
    const changed = [{ 'webhook-id': 'ev_2' }, { 'webhook-timestamp': String(seconds + 1) }];
    for (const header of changed)
      await assert.rejects(check({ headers: { ...signed('plain'), ...header } }), code('signature_invalid'));
    const late = Array.from({ length: 10 }, () => 'v1,AAAA').join(' ');
    const signature = `${late} ${signed('plain')['webhook-signature']}`;
    await assert.rejects(
      check({ headers: { ...signed('plain'), 'webhook-signature': signature } }),
      code('signature_invalid'),
    );
  });

  it('refuses a replay, even without the signature that covers the time', async () => {
    await check({ headers: signed('plain', seconds - 300) });
    await check({ headers: signed('plain', seconds + 300) });
    await assert.rejects(check({ headers: signed('plain', seconds - 301) }), code('expired'));
    await assert.rejects(check({ headers: signed('plain', seconds + 301) }), code('not_yet_valid'));
    await assert.rejects(check({ headers: signed('plain', seconds - 11), toleranceSeconds: 10 }), code('expired'));
    const { 'webhook-signature': _, ...less } = signed('plain', seconds - 3600);
    await assert.rejects(check({ headers: less }), code('signature_missing'));
    await assert.rejects(check({ headers: { ...signed('plain'), 'webhook-timestamp': 'soon' } }), code('malformed'));
  });

  it('reports a genuine body that is not JSON', async () => {
    const headers = webhookHeaders(['plain'], { id: 'ev_1', timestampSeconds: seconds, body: 'text' });
    await assert.rejects(check({ headers, body: 'text' }), code('malformed'));
  });
});
