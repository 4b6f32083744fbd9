import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inboundFeature } from './inbound-feature.ts';

it('the mail of killed processes is no longer worked off once the service closes, so that a backlog delays no stop', async () => {
  let looks = 0;
  const parts = inboundFeature.build({
    config: { smtpPort: null },
    database: {
      first: async () => {
        looks += 1;
      },
    },
    events: { appendAll: async () => {} },
    jobs: {},
    metrics: { counter: () => () => {} },
    arrivals: { idle: async () => {} },
    instance: { id: 'ins_test' },
    overrides: {},
    now: () => 0,
  } as never);
  const [timer] = parts.timers ?? [];
  await timer?.run();
  assert.equal(looks, 1);
  await parts.close?.();
  await timer?.run();
  assert.equal(looks, 1);
  await parts.stop?.();
});
