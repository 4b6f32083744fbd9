import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAgent } from './agents.ts';
import { eventually } from './eventually.ts';
import type { TestApp } from './harness.ts';

/** Where Node tells of every request that a server of this process begins to answer. */
const REQUESTS = 'http.server.request.start';

/** Sends mail with a code whenever a command waits. @returns what stops it */
export function keepMailing(t: TestApp, to: string): () => Promise<void> {
  let isOn = true;
  let waiting = 0;
  const note = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!request.url?.includes('wait=60')) return;
    waiting += 1;
    response.once('close', () => {
      waiting -= 1;
    });
  };
  subscribe(REQUESTS, note);
  const mail = { subject: 'Your code', text: 'Your verification code is 482913.' };
  const sending = (async () => {
    const friend = await createAgent(t);
    while (isOn) {
      await eventually(() => !isOn || waiting > 0);
      if (isOn) await friend.api.post('/v1/email/send', { ...mail, from: friend.address, to });
    }
  })();
  return async () => {
    isOn = false;
    await sending;
    unsubscribe(REQUESTS, note);
  };
}
