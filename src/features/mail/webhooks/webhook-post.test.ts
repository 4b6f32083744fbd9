import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  answer,
  type Behaviour,
  hang,
  type Receiver,
  reset,
  startReceiver,
} from '../../../../test/support/webhook-receiver.ts';
import { openGuard, publicGuard, type Resolve } from '../../../base/outbound-guard.ts';
import { createWebhookPost, type PostResult } from './webhook-post.ts';

const receivers: Receiver[] = [];
async function receiver(behave: Behaviour): Promise<Receiver> {
  const started = await startReceiver(behave);
  receivers.push(started);
  return started;
}

const never = new AbortController().signal;
const post = createWebhookPost(openGuard(), undefined, () => true);
const send = (url: string, by = post, signal = never): Promise<PostResult> =>
  by({ url, headers: { 'webhook-id': 'ev_1' }, body: '{"a":"ü"}', signal });

const reasonOf = (result: PostResult): string =>
  result.kind === 'failed' ? result.reason : `not failed: ${result.kind}`;

describe('a webhook POST', () => {
  after(() => Promise.all(receivers.map(({ close }) => close())));

  it('sends the given headers, and the body byte for byte', async () => {
    const { url, received } = await receiver(answer(204));
    const result = await send(url);
    assert.equal(result.kind === 'answered' && result.status, 204);
    assert.equal(received[0]?.body, '{"a":"ü"}');
    assert.equal(received[0]?.headers['webhook-id'], 'ev_1');
    assert.equal(received[0]?.headers['content-type'], 'application/json');
  });

  it('does not follow a redirect: it is the result, and its target gets no request', async () => {
    const target = await receiver(answer(200));
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await receiver(answer(status, { location: target.url }));
      const result = await send(url);
      assert.equal(result.kind === 'answered' && result.status, status);
    }
    assert.equal(target.received.length, 0);
  });

  it('reads the beginning of a 10 MB reply and closes the connection', async () => {
    let written = 0;
    const { url } = await receiver(async (response) => {
      response.setMaxListeners(0).writeHead(200);
      const chunk = Buffer.alloc(16_384, 'x');
      for (; written < 10_485_760 && !response.destroyed; written += chunk.length) {
        if (!response.write(chunk)) await new Promise((go) => response.once('drain', go).once('close', go));
      }
      response.end();
    });
    const result = await send(url);
    assert.equal(result.kind === 'answered' && result.status, 200);
    assert.equal(result.kind === 'answered' && result.snippet, 'x'.repeat(200));
    // What the kernel buffers on both sides of the connection is all that got out beyond what was read.
    assert.ok(written < 10_485_760, `${written} bytes were taken`);
  });

  it('keeps one short line of a reply, without control characters', async () => {
    const { url } = await receiver(answer(500, {}, `\u001b[31mno\u0000\r\n  space left\u202e${'y'.repeat(500)}`));
    const result = await send(url);
    assert.equal(result.kind === 'answered' && result.snippet, `[31mno space left ${'y'.repeat(182)}`);
  });

  it('shows no part of a reply from a private address', async () => {
    const { url } = await receiver(answer(200, {}, 'inside'));
    const result = await send(url, createWebhookPost(openGuard()));
    assert.deepEqual(result.kind === 'answered' && [result.status, result.snippet], [200, '']);
  });

  it('times out if the receiver hangs, before its headers or in its body', async () => {
    const within = (ms: number) => createWebhookPost(openGuard(), ms, () => true);
    const silent = await receiver(hang);
    assert.equal(reasonOf(await send(silent.url, within(100))), 'timeout');
    const dripping = await receiver((response) => void response.writeHead(200).write('so far'));
    // Long enough for the beginning of the reply to arrive on a machine that does much else.
    const result = await send(dripping.url, within(5000));
    assert.deepEqual(result.kind === 'answered' && [result.status, result.snippet], [200, 'so far']);
  });

  it('reports a reset, a closed port, and a name that never resolves', async () => {
    const resetting = await receiver(reset);
    assert.equal(reasonOf(await send(resetting.url)), 'ECONNRESET');
    const gone = await startReceiver(hang);
    await gone.close();
    assert.equal(reasonOf(await send(gone.url)), 'ECONNREFUSED');
    const unresolved = createWebhookPost(
      openGuard(() => new Promise(() => {})),
      100,
    );
    assert.equal(reasonOf(await send('http://name.example/', unresolved)), 'timeout');
  });

  it('is aborted when the service stops', async () => {
    const stopping = new AbortController();
    const { url, waitFor } = await receiver(hang);
    const sending = send(url, post, stopping.signal);
    await waitFor(1);
    stopping.abort();
    assert.deepEqual(await sending, { kind: 'aborted' });
    assert.deepEqual(await send(url, post, stopping.signal), { kind: 'aborted' });
  });

  it('checks a name at each connection: one that has since changed to loopback is refused', async () => {
    const victim = await receiver(answer(200));
    const url = `http://rebind.example:${victim.port}/`;
    let address = '8.8.8.8';
    const rebinding: Resolve = async () => [{ address, family: 4 }];
    const guard = publicGuard(rebinding);
    const checked = await new Promise((resolve) => guard.lookup('rebind.example', {}, (_err, found) => resolve(found)));
    assert.equal(checked, '8.8.8.8');
    address = '127.0.0.1';
    assert.equal(reasonOf(await send(url, createWebhookPost(guard))), 'host_refused');
    assert.equal(victim.received.length, 0);
    // The same name and the same answer, where nothing is kept away, arrives: it was the guard that refused.
    assert.equal((await send(url, createWebhookPost(openGuard(rebinding)))).kind, 'answered');
    assert.equal(victim.received.length, 1);
  });

  it('refuses IP literals, which need no look-up', async () => {
    const { port, received } = await receiver(answer(200));
    const guarded = createWebhookPost(publicGuard());
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '0']) {
      assert.equal(reasonOf(await send(`http://${host}:${port}/`, guarded)), 'host_refused', host);
    }
    assert.equal(received.length, 0);
  });
});
