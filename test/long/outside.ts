import { startStallingRelay } from '../support/stalling-relay.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';
import type { Outside } from './model.ts';

/** Starts a relay that takes every mail, and a receiver that takes every webhook. */
export async function startOutside(): Promise<Outside & { env: Record<string, string>; close(): Promise<void> }> {
  const relay = await startStallingRelay();
  const receiver = await startReceiver(answer(200));
  return {
    relay,
    receiver,
    env: { SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}`, DELIVERY: 'relay' },
    close: async () => {
      await relay.close();
      await receiver.close();
    },
  };
}
