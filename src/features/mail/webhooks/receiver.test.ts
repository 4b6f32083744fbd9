import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { onEngines, startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import {
  answer,
  type Behaviour,
  deliveriesOf,
  hang,
  receive,
  reset,
  WEBHOOKS,
  watched,
  webhookOf,
} from '../../../../test/support/webhook-receiver.ts';

/** Writes a status and up to 10 MB. */
const flood =
  (status: number): Behaviour =>
  async (response) => {
    response.setMaxListeners(0).writeHead(status);
    const chunk = Buffer.alloc(65_536, 'x');
    for (let written = 0; written < 10_485_760 && !response.destroyed; written += chunk.length)
      if (!response.write(chunk)) await new Promise((go) => response.once('drain', go).once('close', go));
    response.end();
  };

interface Outcome {
  status: string;
  error: string | null;
  /** Milliseconds until the next attempt, at least. Null: there is none. */
  wait: number | null;
  /** The status of the webhook. */
  state?: string;
}

/** A receiver, and the outcome of the first attempt. The second attempt follows after 5 s. */
const RECEIVERS: [what: string, behave: Behaviour, first: Outcome][] = [
  ['succeeds', answer(200), { status: 'delivered', error: null, wait: null }],
  ['answers 500', answer(500), { status: 'pending', error: 'http_status', wait: 5000 }],
  ['resets', reset, { status: 'pending', error: 'ECONNRESET', wait: 5000 }],
  [
    'redirects to loopback',
    answer(302, { location: 'http://127.0.0.1:9/' }),
    { status: 'pending', error: 'redirect', wait: 5000 },
  ],
  ['answers 410', answer(410), { status: 'failed', error: 'http_status', wait: null, state: 'disabled' }],
  [
    'answers 429 with Retry-After',
    answer(429, { 'retry-after': '90' }),
    { status: 'pending', error: 'http_status', wait: 90_000 },
  ],
  ['answers 10 MB', flood(200), { status: 'delivered', error: null, wait: null }],
  ['answers 500 and 10 MB', flood(500), { status: 'pending', error: 'http_status', wait: 5000 }],
];

/** Declares that the first two attempts end so. */
function ends(suite: { readonly t: TestApp }, what: string, behave: Behaviour, first: Outcome): void {
  it(`${what}: ${first.status}, next attempt ${first.wait === null ? 'never' : `in ${first.wait / 1000} s`}`, async (context) => {
    const { t } = suite;
    const ada = await watched(context, t, behave);
    await receive(t, ada.address);
    const [delivery] = await deliveriesOf(ada);
    assert.deepEqual([delivery.status, delivery.error, delivery.attempts], [first.status, first.error, 1]);
    assert.equal((await webhookOf(ada)).status, first.state ?? 'active');
    if (first.wait === null) {
      assert.equal(delivery.next_attempt_at, null);
      return;
    }
    const planned = Date.parse(delivery.next_attempt_at) - t.clock.now();
    assert.ok(planned >= first.wait && planned <= Math.max(first.wait, 5000 * 1.2), `${planned} ms`);
    t.clock.advance(planned - 1);
    await t.app.worker.runDue();
    assert.equal(ada.receiver.received.length, 1);
    t.clock.advance(1);
    await t.app.worker.runDue();
    const [again] = await deliveriesOf(ada);
    assert.deepEqual([again.attempts, again.error, ada.receiver.received.length], [2, first.error, 2]);
    const third = Date.parse(again.next_attempt_at) - t.clock.now();
    assert.ok(third >= 300_000 && third <= 300_000 * 1.2, `${third} ms`);
    await ada.api.delete(`${WEBHOOKS}/${ada.hook}`);
  });
}

onEngines('any', 'a receiver that', {}, (suite) => {
  for (const receiver of RECEIVERS) ends(suite, ...receiver);
});

describe('a receiver that, when the service waits four seconds,', () => {
  let t: TestApp | undefined;
  before(async () => {
    t = await startTestApp('sqlite', { webhookTimeoutMs: 4000 });
  });
  after(() => t?.stop());
  const suite = {
    get t() {
      return t as TestApp;
    },
  };
  ends(suite, 'hangs', hang, { status: 'pending', error: 'timeout', wait: 5000 });
});
