import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { Service } from '../process/service.ts';
import { deliver } from './outside.ts';

const EVERY_MS = 1000;
const PATIENCE_MS = 60_000;

/**
 * An agent of no interest to an attacker: each second it gets a mail from outside, hears of it on its stream, reads it, and
 * proves itself with a token.
 * @returns how long each mail took from its 250 until it could be read, in milliseconds
 */
export async function standBy(service: Service, isOver: () => boolean): Promise<number[]> {
  const key = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
  const api = service.api(key);
  const { address } = (await api.post('/v1/email/claim', { address: 'bystander' })).body;
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/v1/ws`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const heard: string[] = [];
  socket.on('message', (frame) => {
    const { type, data } = JSON.parse(String(frame));
    if (type === 'email.received') heard.push(data.subject);
  });
  await once(socket, 'open');
  const sent: string[] = [];
  const waits: number[] = [];
  for (let n = 0; n === 0 || !isOver(); n++) {
    const subject = `bystander-${n}`;
    // A network of its own.
    const client = { smtpPort: service.smtpPort, from: '127.200.0.1', patienceMs: PATIENCE_MS };
    assert.equal(await deliver(client, address, subject), 250, subject);
    const began = performance.now();
    sent.push(subject);
    const isFirst = async (): Promise<boolean> =>
      (await api.get(`/v1/email/inbox?address=${address}&limit=1`)).body.messages[0]?.subject === subject;
    while (!(await isFirst())) assert.ok(performance.now() - began < PATIENCE_MS, `${subject} is not there`);
    waits.push(performance.now() - began);
    const issued = await api.post('/v1/tokens/issue', {
      audience: 'https://a.example',
      scopes: ['mail.read'],
      ttl: 60,
    });
    const { body } = await service.api().post('/v1/tokens/introspect', { token: issued.body.token });
    assert.equal(body.active, true, issued.text);
    await sleep(EVERY_MS);
  }
  for (const ends = performance.now() + PATIENCE_MS; heard.length < sent.length && performance.now() < ends; )
    await sleep(20);
  assert.deepEqual(heard, sent, 'the stream told of each mail once, in order');
  socket.terminate();
  return waits;
}
