import { describe, it } from 'node:test';
import type { Service } from '../process/service.ts';
import { freshDatabase } from '../support/harness.ts';
import { outlive } from './outlive.ts';
import { sizeOf } from './size.ts';

const ROUNDS = sizeOf(100);
/** Ten times the promised time after a restart, milliseconds. */
const BOUND_MS = { sqlite: 20_000, postgres: 150_000 };

describe('kill -9 under the whole API', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`${ROUNDS} times on ${engine}: keys, mail, vault, charges, approvals and webhooks exist once`, async (t) => {
      const { env, drop } = await freshDatabase(engine);
      try {
        await outlive(t, {
          what: `kill -9 under the whole API, ${engine}`,
          rounds: ROUNDS,
          boundMs: BOUND_MS[engine],
          envs: [env],
          withPrograms: true,
          trouble: async ({ services }) => {
            await (services[0] as Service).kill('SIGKILL');
            services[0] = await (services[0] as Service).restart();
          },
        });
      } finally {
        await drop();
      }
    });
  }
});
