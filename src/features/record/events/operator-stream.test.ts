import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { plainToken, removeOperator, twoAgents } from '../../../../test/support/operators.ts';

/** Opens the stream. @returns what reads its next event */
async function open(t: TestApp, token: string, stop: AbortSignal) {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await fetch(`${t.baseUrl}/v1/operator/events/stream`, { headers, signal: stop });
  assert.equal(status, 200);
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  return async (): Promise<{ account_id: string; type: string } | null> => {
    for (;;) {
      const [frame, ...rest] = waiting.split('\n\n');
      if (rest.length > 0) {
        waiting = rest.join('\n\n');
        const data = /^data: (.*)$/m.exec(frame as string)?.[1];
        if (data !== undefined) return JSON.parse(data);
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return null;
      waiting += value;
    }
  };
}

onEngines('any', 'GET /v1/operator/events/stream', {}, (suite) => {
  it('sends the events of every agent, and no more of one that he lost', async () => {
    const { t } = suite;
    const stop = new AbortController();
    const { agents, email, token } = await twoAgents(t);
    const next = await open(t, token, stop.signal);
    const claim = async ({ api }: (typeof agents)[number], name: string) =>
      assert.equal((await api.put(`/v1/vault/${name}`, { ciphertext: 'c2VhbGVk' })).status, 201);
    for (const [n, one] of agents.entries()) {
      await claim(one, `first-${n}`);
      const event = await next();
      assert.deepEqual([event?.type, event?.account_id], ['vault.updated', one.accountId]);
    }
    await removeOperator(t, agents[1], email);
    await claim(agents[1], 'unseen');
    await claim(agents[0], 'seen');
    const seen = await next();
    assert.equal(seen?.account_id, agents[0].accountId);
    stop.abort();
  });

  it('ends with the session', async () => {
    const { t } = suite;
    const stop = new AbortController();
    const { agents, operator, token } = await twoAgents(t);
    const next = await open(t, token, stop.signal);
    await operator.post('/v1/auth/logout');
    for (const { api } of agents) await api.put('/v1/vault/late', { ciphertext: 'c2VhbGVk' });
    assert.equal(await next(), null);
  });

  it('403 operator_required for another session', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const plain = t.api(await plainToken(t, account));
    assert.equal((await plain.get('/v1/operator/events/stream')).body.error, 'operator_required');
  });
});
