import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { sqlitePath } from '../src/db/open.ts';
import type { Service } from '../test/process/service.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import { httpRequest, runLoad } from './rig/load.ts';
import { type Bench, median, perSecond, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const FEW = 1000;
const MANY = 1_000_000;
const CONNECTIONS = 16;
const ROUNDS = 11;
const SECONDS = 1;

type Engine = 'SQLite' | 'PostgreSQL';

/** A ledger of `entries` charges in 20 categories, one per second until now, with the matching counters. */
function ledgerOf(engine: Engine, accountId: string, entries: number): string[] {
  const began = Date.now() - entries * 1000;
  const numbers =
    engine === 'SQLite'
      ? `(with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${entries}) select n from counted)`
      : `(select generate_series(1, ${entries})::bigint as n)`;
  const id = engine === 'SQLite' ? `printf('chg_%026d', n)` : `'chg_' || lpad(n::text, 26, '0')`;
  const columns =
    'account_id, position, id, spender_id, amount_usdc, category, description, reference_id, metadata, approval_id, created_at';
  const each = entries / 20;
  return [
    `insert into ledger (${columns}) select '${accountId}', (${began} + n * 1000) * 1000, ${id}, '${accountId}', 1, 'c' || (n % 20), 'One call of a tool', null, null, null, ${began} + n * 1000 from ${numbers} numbers`,
    `insert into ledger_totals (account_id, category, entries, total_usdc) select '${accountId}', 'c' || n, ${each}, ${each} from ${numbers} numbers where n <= 20`,
    `update budgets set entries = ${entries}, total_usdc = ${entries}, categories = 20 where account_id = '${accountId}'`,
  ];
}

async function fill(engine: Engine, place: string, statements: readonly string[]): Promise<void> {
  if (engine === 'SQLite') {
    const db = new DatabaseSync(sqlitePath(place));
    db.exec('PRAGMA busy_timeout = 60000');
    for (const statement of statements) db.exec(statement);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    return;
  }
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.query('vacuum analyze');
  await client.end();
}

interface Side {
  charge(): Promise<number>;
  page(): Promise<number>;
}

/** An account with caps and a ledger of that length, and the measured requests. */
async function sideOf(engine: Engine, service: Service, place: string, entries: number): Promise<Side> {
  const { api_key: key, account_id: accountId } = (await service.api().post('/v1/auth/keys', {})).body;
  const caps = { daily: 1_000_000_000, weekly: 1_000_000_000, monthly: 1_000_000_000 };
  await service.api(key).put('/v1/budget', { caps });
  await fill(engine, place, ledgerOf(engine, accountId, entries));
  const charge = httpRequest('POST', '/v1/charge', key, { amount: 1, category: 'c1' });
  // The middle of the ledger, farthest from both ends.
  const middle = new Date(Date.now() - (entries / 2) * 1000).toISOString();
  const page = httpRequest('GET', `/v1/budget/history?limit=50&before=${middle}`, key);
  const rate = async (request: Buffer): Promise<number> => {
    const load = { port: service.httpPort, connections: CONNECTIONS, seconds: SECONDS, next: () => request };
    return (await runLoad(load)).perSecond;
  };
  return { charge: () => rate(charge), page: () => rate(page) };
}

async function compare(engine: Engine, few: Side, many: Side, say: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, ask] of [
    ['a charge', (side: Side) => side.charge()],
    ['a history page', (side: Side) => side.page()],
  ] as const) {
    await ask(few);
    await ask(many);
    const rounds: { few: number; many: number }[] = [];
    for (let n = 1; n <= ROUNDS; n++) {
      const round = { few: await ask(few), many: await ask(many) };
      rounds.push(round);
      say(`${engine}, ${what}, round ${n}: ${perSecond(round.few)} at ${FEW}, ${perSecond(round.many)} at ${MANY}`);
    }
    rows.push({
      what: `cost of ${what}, ${engine}: ${MANY.toLocaleString('en')} ledger rows / ${FEW.toLocaleString('en')}`,
      ours: perSecond(median(rounds.map((round) => round.many))),
      peer: perSecond(median(rounds.map((round) => round.few))),
      ratio: median(rounds.map((round) => round.few / round.many)),
      aim: '<= 1.25',
    });
  }
  return rows;
}

async function onSqlite(say: (line: string) => void): Promise<Row[]> {
  return withService({}, (small, smallDir) =>
    withService({}, async (large, largeDir) => {
      const few = await sideOf('SQLite', small, smallDir, FEW);
      const many = await sideOf('SQLite', large, largeDir, MANY);
      return compare('SQLite', few, many, say);
    }),
  );
}

async function onPostgres(say: (line: string) => void): Promise<Row[]> {
  const postgres = await startPostgres({ durable: true });
  try {
    const [fewUrl, manyUrl] = [await createDatabase(postgres.url, 'few'), await createDatabase(postgres.url, 'many')];
    return await withService({ databaseUrl: fewUrl }, (small) =>
      withService({ databaseUrl: manyUrl }, async (large) => {
        const few = await sideOf('PostgreSQL', small, fewUrl, FEW);
        const many = await sideOf('PostgreSQL', large, manyUrl, MANY);
        return compare('PostgreSQL', few, many, say);
      }),
    );
  } finally {
    await postgres.stop();
  }
}

export const bench: Bench = {
  question: `What do a charge and a history page cost at ${MANY} ledger rows, against ${FEW}?`,
  run: async (say) => [...(await onSqlite(say)), ...(await onPostgres(say))],
};
