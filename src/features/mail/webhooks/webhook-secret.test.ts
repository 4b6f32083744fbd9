import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { onEngines } from '../../../../test/support/harness.ts';
import {
  answer,
  type Received,
  receive,
  type Watched,
  WEBHOOKS,
  watched,
} from '../../../../test/support/webhook-receiver.ts';
import { verifyWebhook } from '../../../client/webhook-proof.ts';

const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

onEngines('any', 'a rotated webhook secret', {}, (suite) => {
  const rotate = ({ api, hook }: Watched, body: object, family = '/v1/webhooks') =>
    api.post(`${family}/${hook}/rotate-secret`, body);

  const next = async (ada: Watched): Promise<Received> => {
    await receive(suite.t, ada.address);
    return ada.receiver.received.at(-1) as Received;
  };

  /** Whether the client library and the library of Standard Webhooks accept a delivery with this secret. */
  async function accepts(secret: string, { headers, body }: Received): Promise<boolean> {
    const now = () => suite.t.clock.now();
    const ours = await verifyWebhook({ secret, headers, body, now }).then(
      () => true,
      () => false,
    );
    // The library has no clock to set; its check of the signature is what counts here.
    const wanted = new Webhook(secret).sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1000),
      body,
    );
    assert.equal(String(headers['webhook-signature']).split(' ').includes(wanted), ours);
    return ours;
  }

  const service = (secret: string, { body }: Received): string =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

  const start = (context: TestContext, fields: object = { secret: OLD }) =>
    watched(context, suite.t, answer(200), fields);

  it('signs beside the old one during the grace, alone afterwards; old receivers keep working meanwhile', async (context) => {
    const ada = await start(context);
    const { status, body } = await rotate(ada, { grace_seconds: 3600 });
    assert.equal(status, 200);
    assert.match(body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(body.previous_valid_until, new Date(suite.t.clock.now() + 3_600_000).toISOString());
    const during = await next(ada);
    assert.deepEqual([await accepts(OLD, during), await accepts(body.secret, during)], [true, true]);
    assert.equal(during.headers['x-service-signature'], service(OLD, during));
    suite.t.clock.advance(3_600_000);
    const later = await next(ada);
    assert.deepEqual([await accepts(OLD, later), await accepts(body.secret, later)], [false, true]);
    assert.equal(later.headers['x-service-signature'], service(body.secret, later));
  });

  it('a thief who knows the old secret signs nothing more: grace 0, and a second rotation ends the first', async (context) => {
    const ada = await start(context);
    const first = (await rotate(ada, { grace_seconds: 0 }, WEBHOOKS)).body;
    assert.equal(first.previous_valid_until, null);
    const one = await next(ada);
    assert.deepEqual([await accepts(OLD, one), await accepts(first.secret, one)], [false, true]);
    const second = (await rotate(ada, {})).body;
    const third = (await rotate(ada, {})).body;
    const two = await next(ada);
    assert.deepEqual(
      [await accepts(first.secret, two), await accepts(second.secret, two), await accepts(third.secret, two)],
      [false, true, true],
    );
    const stored = await suite.t.sql('select secret, previous_secret from webhooks where id = ?', ada.hook);
    for (const secret of [OLD, first.secret, second.secret, third.secret])
      assert.equal(JSON.stringify(stored).includes(secret), false);
  });

  it('signs from now on when the webhook had no secret; another’s webhook is 404', async (context) => {
    const ada = await start(context, {});
    const { secret, previous_valid_until } = (await rotate(ada, {})).body;
    assert.equal(previous_valid_until, null);
    assert.equal(await accepts(secret, await next(ada)), true);
    const eve = await suite.t.createAccount();
    const theft = await eve.api.post(`/v1/webhooks/${ada.hook}/rotate-secret`, {});
    assert.deepEqual([theft.status, theft.body.error], [404, 'not_found']);
    assert.equal((await rotate(ada, { grace_seconds: 86_401 })).status, 400);
  });
});
