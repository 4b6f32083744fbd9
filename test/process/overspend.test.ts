import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { verifyChain } from '../../src/features/record/audit/audit-log.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { type Engine, freshDatabase, runSql } from '../support/harness.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

/** `SIGNET_OVERSPEND_CHARGES=1000` is the full size. The others are smaller, because every push waits for them. */
const CLIENTS = 64;
const CHARGES = Number(process.env.SIGNET_OVERSPEND_CHARGES ?? (IS_FULL_RUN ? 15 : 5));
const AMOUNT = 7;

/** Caps, one of which is the tightest in each case. None is a multiple of the amount. */
function capsOf(binding: 'daily' | 'weekly' | 'monthly'): { caps: Record<string, number>; cap: number } {
  // About two thirds of the requested sum.
  const cap = Math.floor((CLIENTS * CHARGES * AMOUNT * 2) / 3 / AMOUNT) * AMOUNT + 3;
  if (binding === 'daily') return { cap, caps: { daily: cap, weekly: cap * 2, monthly: cap * 3 } };
  if (binding === 'weekly') return { cap, caps: { weekly: cap, monthly: cap * 2 } };
  return { cap, caps: { monthly: cap } };
}

/** Each client charges sequentially, through one process or through all in rotation. @returns the accepted amount */
async function spendAll(services: readonly Service[], key: string): Promise<number> {
  let accepted = 0;
  const client = async (n: number): Promise<void> => {
    for (let i = 0; i < CHARGES; i++) {
      const service = services[(n + i) % services.length] as Service;
      const { status, text } = await service.api(key).post('/v1/charge', { amount: AMOUNT, category: `c${n % 3}` });
      assert.ok(status === 200 || status === 402, text);
      if (status === 200) accepted += AMOUNT;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  return accepted;
}

async function holdsTogether(
  env: Record<string, string>,
  service: Service,
  key: string,
  accountId: string,
  expected: number,
): Promise<void> {
  const config = readConfig(env);
  const sum = async (sql: string): Promise<number> => Number((await runSql(config, sql, [accountId]))[0]?.n);
  assert.equal(await sum('select sum(amount_usdc) as n from ledger where account_id = ?'), expected);
  assert.equal(await sum('select sum(total_usdc) as n from ledger_totals where account_id = ?'), expected);
  assert.equal(await sum('select total_usdc as n from budgets where account_id = ?'), expected);
  for (const period of ['daily', 'weekly', 'monthly'])
    assert.equal(await sum(`select ${period}_spent as n from budgets where account_id = ?`), expected, period);
  const count = expected / AMOUNT;
  const completed = `select count(*) as n from events where account_id = ? and type = 'charge.completed'`;
  assert.equal(await sum(completed), count);
  assert.equal(
    await sum(`select count(*) as n from audit_entries where account_id = ? and action = 'charge.made'`),
    count,
  );
  assert.equal((await service.api(key).get('/v1/budget/history')).body.summary.total_usdc, expected);
  const database = openDatabase(config);
  assert.equal((await verifyChain(database, accountId)).fault, null);
  await database.close();
}

for (const [engine, processes] of [
  ['sqlite', 1],
  ['postgres', 2],
] as const satisfies [Engine, number][]) {
  describe(`${CLIENTS} clients × ${CHARGES} charges at once on one account [${engine}, ${processes} processes]`, () => {
    let env: Record<string, string>;
    let drop: () => Promise<void>;
    let services: Service[];
    before(async () => {
      ({ env, drop } = await freshDatabase(engine));
      const settings = { ...env, LIMITS: ROOMY_LIMITS };
      services = await Promise.all(Array.from({ length: processes }, () => startService(settings)));
    });
    after(async () => {
      await Promise.all(services.map((one) => one.kill('SIGTERM')));
      await drop();
    });

    for (const binding of ['daily', 'weekly', 'monthly'] as const) {
      it(`a ${binding} cap binds: the accepted sum is floor(cap / amount) × amount, and every record agrees`, async () => {
        const [service] = services as [Service];
        const { api_key: key, account_id: accountId } = (await service.api().post('/v1/auth/keys')).body;
        const { caps, cap } = capsOf(binding);
        assert.equal((await service.api(key).put('/v1/budget', { caps })).status, 200);
        const accepted = await spendAll(services, key);
        assert.equal(accepted, Math.floor(cap / AMOUNT) * AMOUNT);
        await holdsTogether(env, service, key, accountId, accepted);
      });
    }
  });
}
