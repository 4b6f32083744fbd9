import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { systemClock } from '../../../base/clock.ts';
import { webhookHeaders } from './webhook-signature.ts';

const body = JSON.stringify({ id: 'ev_1', subject: 'Grüße 🌍' });
const parts = { id: 'ev_1', timestampSeconds: 0, body };

describe('the signature of a webhook', () => {
  // Now, and not when the file was loaded: the packages accept no old one.
  before(() => {
    parts.timestampSeconds = Math.floor(systemClock.now() / 1000);
  });

  it('a whsec_ secret or bare base64: both packages verify it unchanged', () => {
    for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'YWI=']) {
      const headers = webhookHeaders([secret], parts);
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
      assert.deepEqual(new SvixWebhook(secret).verify(body, headers), JSON.parse(body));
    }
  });

  it('any other text: both packages verify it as a raw secret', () => {
    for (const secret of ['correct horse battery staple', 'x', 'whsec_not-base64!', 'abcd']) {
      const headers = webhookHeaders([secret], parts);
      assert.deepEqual(new Webhook(secret, { format: 'raw' }).verify(body, headers), JSON.parse(body));
      assert.deepEqual(new SvixWebhook(secret, { format: 'raw' }).verify(body, headers), JSON.parse(body));
    }
  });

  it('X-Service-Signature is the HMAC-SHA256 of the body with the secret as given', () => {
    for (const secret of ['plain', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'pässword']) {
      const expected = `sha256=${createHmac('sha256', Buffer.from(secret)).update(body).digest('hex')}`;
      assert.equal(webhookHeaders([secret], parts)['x-service-signature'], expected);
    }
  });

  it('another secret, a changed body, another id: refused by both packages', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = webhookHeaders([secret], parts);
    for (const Verifier of [Webhook, SvixWebhook]) {
      assert.throws(() => new Verifier('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD').verify(body, headers));
      assert.throws(() => new Verifier(secret).verify(`${body} `, headers));
      assert.throws(() => new Verifier(secret).verify(body, { ...headers, 'webhook-id': 'ev_2' }));
    }
  });

  it('without a secret: an id and a time but no signature', () => {
    assert.deepEqual(Object.keys(webhookHeaders([], parts)), ['webhook-id', 'webhook-timestamp']);
  });
});
