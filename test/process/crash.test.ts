import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { freshDatabase } from '../support/harness.ts';
import {
  assertChainsHold,
  assertLedgerServed,
  assertLedgerStored,
  assertNothingHalfWritten,
  untilNothingHidden,
} from './consistency.ts';
import { createRandom, outliveLeases, seed } from './kill.ts';
import { addToLedger, newLedger } from './ledger.ts';
import { runLoad } from './load.ts';
import { ROOMY_LIMITS, startService } from './service.ts';

/** `npm run test:long -- crash` runs a hundred. */
const ROUNDS = process.env.SIGNET_LONG ? 100 : 4;
const LOAD_MS = { min: 200, max: 700 };

describe('kill -9 under mixed load', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    it(`${ROUNDS} times on ${engine}: acknowledged changes exist once, others exist whole or not at all`, async (t) => {
      const random = createRandom(seed);
      const { env, drop } = await freshDatabase(engine);
      // Trusts one proxy, so that the load can come from many networks.
      const settings = { ...env, LIMITS: ROOMY_LIMITS, TRUST_PROXY: '1' };
      const config = readConfig(settings);
      const all = newLedger();
      let service = await startService(settings);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const began = Date.now();
          let isOver = false;
          const load = runLoad(service, `r${round}`, () => isOver);
          await sleep(LOAD_MS.min + random() * (LOAD_MS.max - LOAD_MS.min));
          isOver = true;
          assert.equal((await service.kill('SIGKILL')).signal, 'SIGKILL');
          const promised = await load;
          addToLedger(all, promised);
          if (engine === 'postgres') await outliveLeases(config);
          service = await service.restart();
          await untilNothingHidden(config);
          assert.deepEqual(promised.surprises, []);
          await assertLedgerServed(service, promised);
          await assertLedgerStored(config, all);
          await assertNothingHalfWritten(config);
          await assertChainsHold(config, began);
        }
        const chains = await assertChainsHold(config, 0);
        assert.equal((await service.kill('SIGTERM')).code, 0);
        const { keys, revoked, claims, mails, messages } = all;
        t.diagnostic(
          `seed ${seed}; acknowledged and found again: ${keys.length} keys, ${revoked.length} rotations, ${claims.length} claims, ${mails.length} mails, ${messages.size} messages tidied; ${chains} audit chains`,
        );
      } catch (err) {
        t.diagnostic(
          `seed ${seed}: CRASH_SEED=${seed} repeats the moments of the kills; the service wrote:\n${service.stdout()}${service.stderr()}`,
        );
        throw err;
      } finally {
        await service.kill('SIGKILL');
        await drop();
      }
    });
  }
});
