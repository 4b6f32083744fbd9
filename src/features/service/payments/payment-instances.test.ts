import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WARES, type Ware } from '../../../../test/support/buyer.ts';
import { startFacilitator } from '../../../../test/support/facilitator.ts';
import { startTestApp } from '../../../../test/support/harness.ts';
import { decode, payV1 } from '../../../../test/support/wallet.ts';

const MAIL = WARES[0] as Ware;
const FREE = 1;

describe('two instances on one database', () => {
  it('the same payment in 50 parallel requests, half on each instance: one mail, one settlement, identical replies', async (test) => {
    // Last first, and also if the next one does not start: an open one would hold the process.
    const open: (() => Promise<unknown>)[] = [];
    test.after(async () => {
      for (const close of open.reverse()) await close();
    });
    const facilitator = await startFacilitator();
    open.push(facilitator.close);
    const options = {
      limits: { free: { emails_per_day: FREE } },
      env: { X402_FACILITATOR_URL: facilitator.url, X402_PAY_TO: `0x${'5'.repeat(40)}` },
    };
    const one = await startTestApp('postgres', options);
    open.push(one.stop);
    const other = await startTestApp('postgres', {
      ...options,
      env: { ...options.env, DATABASE_URL: one.config.databaseUrl as string },
    });
    open.push(other.stop);
    const buyer = await MAIL.prepare(one, FREE);
    const payment = await payV1(buyer.wallet, await buyer.buy(), one.clock.now());
    const { url, ...init } = buyer.request();
    const urls = [url, url.replace(one.baseUrl, other.baseUrl)];
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        fetch(urls[i % 2] as string, { ...init, headers: { ...init.headers, ...payment } }),
      ),
    );
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal(new Set(await Promise.all(replies.map((reply) => reply.text()))).size, 1);
    const receipts = new Set(replies.map(({ headers }) => headers.get('payment-response')));
    assert.deepEqual(
      [...receipts].map((text) => decode(text).transaction),
      ['0xabc'],
    );
    assert.deepEqual(
      [await buyer.owned(), facilitator.calls.filter(({ path }) => path === 'settle').length],
      [FREE + 1, 1],
    );
  });
});
