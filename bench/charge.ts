import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Service } from '../test/process/service.ts';
import { createDatabase, type Postgres, startPostgres } from '../test/support/postgres.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { processorMicros } from './rig/processor.ts';
import type { Bench, Row } from './rig/result.ts';
import { inTurns, rowOf, type Side } from './rig/turns.ts';
import { newDataDir, withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const TURNS = { rounds: 3, seconds: 3, warmUpSeconds: 3 };
/** The accounts that charge in turns beside a random row of pgbench. */
const ACCOUNTS = 10_000;

/** Three caps that no account reaches. */
const CAPS = { daily: 1_000_000_000, weekly: 1_000_000_000, monthly: 1_000_000_000 };
const CHARGE = { amount: 1, category: 'api', description: 'One call of a tool' };

/** A charge by one busy account. */
async function chargeRequest(service: Service): Promise<Buffer> {
  const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
  const set = await service.api(key).put('/v1/budget', { caps: CAPS });
  if (set.status !== 200) throw new Error(set.text);
  return httpRequest('POST', '/v1/charge', key, CHARGE);
}

const sideOf = (name: string, { httpPort: port }: Service, pids: readonly number[], next: () => Buffer): Side => ({
  name,
  measure: (seconds) => runLoad({ port, pids, connections: CONNECTIONS, seconds, next }),
});

/** A charge by each of many accounts in turn, so that two of one account hardly ever meet. */
async function chargesInTurn(service: Service): Promise<() => Buffer> {
  const requests: Buffer[] = [];
  const makeSome = async (): Promise<void> => {
    while (requests.length < ACCOUNTS) {
      const place = requests.push(Buffer.alloc(0)) - 1;
      const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
      await service.api(key).put('/v1/budget', { caps: CAPS });
      requests[place] = httpRequest('POST', '/v1/charge', key, CHARGE);
    }
  };
  await Promise.all(Array.from({ length: 32 }, makeSome));
  let n = 0;
  return () => requests[n++ % ACCOUNTS] as Buffer;
}

async function runSql(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** The simplest guarded counters: one row, one statement, one transaction per charge. */
const ROWS = [
  'create table hot (id integer primary key, spent bigint not null, cap bigint not null)',
  `insert into hot select n, 0, 1000000000000 from generate_series(1, ${ACCOUNTS}) n`,
];
/** Gives the planner of a database the figures that it collects by itself within a minute. */
const SETTLE = 'vacuum analyze';

/** What pgbench measures on those rows with as many clients. The time counts that PostgreSQL takes, as for ours. */
async function pgbench(url: string, pids: readonly number[], script: string, seconds: number): Promise<Measured> {
  const socketDir = new URL(url).searchParams.get('host') as string;
  const options = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '2', '-T', String(seconds), '-f', script];
  const database = new URL(url).pathname.slice(1);
  const cpuBefore = processorMicros(pids);
  const child = spawn('pgbench', [...options, '-h', socketDir, '-U', 'postgres', database], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  const of = (pattern: RegExp): number => Number(pattern.exec(output)?.[1]);
  const rate = of(/tps = ([\d.]+)/);
  const p50Ms = of(/latency average = ([\d.]+)/);
  if (!(rate > 0)) throw new Error(`pgbench did not measure:\n${output}`);
  const done = of(/transactions actually processed: (\d+)/);
  // It tells the mean alone.
  return { perSecond: rate, p50Ms, p99Ms: p50Ms, cpuMicros: (processorMicros(pids) - cpuBefore) / done };
}

const pidOf = ({ dir }: Postgres): number =>
  Number.parseInt(readFileSync(join(dir, 'data/postmaster.pid'), 'utf8'), 10);

async function run(postgres: Postgres, dir: string, say: (line: string) => void): Promise<Row[]> {
  const ours = await createDatabase(postgres.url, 'ours');
  const theirs = await createDatabase(postgres.url, 'theirs');
  await runSql(theirs, ...ROWS, SETTLE);
  const database = pidOf(postgres);
  const peer = (name: string, statement: string): Side => {
    const script = join(dir, `${name.replaceAll(' ', '-')}.sql`);
    writeFileSync(script, statement);
    return { name, measure: (seconds) => pgbench(theirs, [database], script, seconds) };
  };
  const hot = peer('one hot row', 'update hot set spent = spent + 1 where id = 1 and spent + 1 <= cap;\n');
  const random = peer(
    'random row',
    `\\set id random(1, ${ACCOUNTS})\nupdate hot set spent = spent + 1 where id = :id and spent + 1 <= cap;\n`,
  );
  return withService({}, (onSqlite) =>
    withService({ databaseUrl: ours }, async (onPostgres) => {
      const rows: Row[] = [];
      const compare = async (what: string, mine: Side, their: Side, aim: string): Promise<void> => {
        const [compared] = await inTurns(mine, [their], TURNS, say);
        if (compared) rows.push(rowOf(what, compared, aim));
      };
      const [one, other] = [await chargeRequest(onSqlite), await chargeRequest(onPostgres)];
      const sqlite = sideOf('SQLite', onSqlite, [onSqlite.pid], () => one);
      await compare('charges on one account, SQLite / pgbench on one hot row', sqlite, hot, '>= 8 a processor second');
      const pids = [onPostgres.pid, database];
      const busy = sideOf('PostgreSQL', onPostgres, pids, () => other);
      await compare('charges on one account, PostgreSQL / pgbench on one hot row', busy, hot, '-');
      const charges = await chargesInTurn(onPostgres);
      await runSql(ours, SETTLE);
      const spread = sideOf('PostgreSQL, many accounts', onPostgres, pids, charges);
      const many = ACCOUNTS.toLocaleString('en');
      await compare(
        `charges over ${many} accounts, PostgreSQL / pgbench on a random row`,
        spread,
        random,
        '>= 0.30 a processor second',
      );
      return rows;
    }),
  );
}

export const bench: Bench = {
  question: `How many charges a second are taken over HTTP, from ${CONNECTIONS} connections, with three caps, ledger, audit and event?`,
  run: async (say) => {
    const dir = newDataDir();
    const postgres = await startPostgres({ durable: true });
    try {
      return await run(postgres, dir, say);
    } finally {
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
