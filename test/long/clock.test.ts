import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../support/harness.ts';
import { outlive } from './outlive.ts';
import { sizeOf } from './size.ts';

/** Jumps, forward and back in turn. */
const ROUNDS = sizeOf(20);
const BOUND_MS = { sqlite: 20_000, postgres: 150_000 };

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const skip = existsSync(LIBRARY) ? false : 'needs the package faketime';

describe('the clock of the machine jumps by an hour and back', { skip }, () => {
  for (const engine of ['sqlite', 'postgres'] as const)
    it(`${ROUNDS} times under load on ${engine}: nothing is lost, done twice or left waiting`, async (t) => {
      const { env, drop } = await freshDatabase(engine);
      const folder = mkdtempSync(join(tmpdir(), 'signet-clock-'));
      const file = join(folder, 'offset');
      let isLate = false;
      const set = (): void => writeFileSync(file, isLate ? '+3600\n' : '+0\n');
      set();
      const faked = {
        LD_PRELOAD: LIBRARY,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_NO_CACHE: '1',
        // A real jump moves the wall clock only.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
      try {
        await outlive(t, {
          what: `clock ±1 h, ${engine}`,
          rounds: ROUNDS,
          boundMs: BOUND_MS[engine],
          envs: [{ ...env, ...faked }],
          trouble: async ({ random }) => {
            isLate = !isLate;
            set();
            await sleep(2000 * random());
          },
        });
      } finally {
        await drop();
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
