import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Service } from '../test/process/service.ts';
import { createDatabase, type Postgres, startPostgres } from '../test/support/postgres.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, perSecond, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = 3;
const WARM_UP_SECONDS = 3;

/** A charge by one busy account with three caps that it never reaches. */
async function chargeRequest(service: Service): Promise<Buffer> {
  const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
  const caps = { daily: 1_000_000_000, weekly: 1_000_000_000, monthly: 1_000_000_000 };
  const set = await service.api(key).put('/v1/budget', { caps });
  if (set.status !== 200) throw new Error(set.text);
  return httpRequest('POST', '/v1/charge', key, { amount: 1, category: 'api', description: 'One call of a tool' });
}

interface Side {
  name: string;
  aim: number;
  measure(seconds: number): Promise<Measured>;
}

async function sideOf(name: string, aim: number, service: Service): Promise<Side> {
  const request = await chargeRequest(service);
  const { httpPort: port } = service;
  return { name, aim, measure: (seconds) => runLoad({ port, connections: CONNECTIONS, seconds, next: () => request }) };
}

/** The simplest guarded counter: one row, one statement, one transaction per charge. */
async function prepareHotRow(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table hot (id integer primary key, spent bigint not null, cap bigint not null)');
  await client.query('insert into hot values (1, 0, 1000000000000)');
  await client.end();
}

/** Transactions per second that pgbench makes on that row with as many clients. */
async function pgbench(url: string, script: string, seconds: number): Promise<number> {
  const socketDir = new URL(url).searchParams.get('host') as string;
  const options = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '2', '-T', String(seconds), '-f', script];
  const database = new URL(url).pathname.slice(1);
  const child = spawn('pgbench', [...options, '-h', socketDir, '-U', 'postgres', database], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await once(child, 'close');
  const tps = /tps = ([\d.]+)/.exec(output)?.[1];
  if (tps === undefined) throw new Error(`pgbench did not measure:\n${output}`);
  return Number(tps);
}

const show = ({ perSecond: rate, p50Ms, p99Ms }: Measured): string =>
  `${perSecond(rate)}, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

async function compare(sides: readonly Side[], hotRow: () => Promise<number>, say: (line: string) => void) {
  const rounds: { tps: number; ours: Measured[] }[] = [];
  for (const side of sides) await side.measure(WARM_UP_SECONDS);
  for (let n = 1; n <= ROUNDS; n++) {
    const tps = await hotRow();
    say(`round ${n}, pgbench: ${perSecond(tps)}`);
    const ours: Measured[] = [];
    for (const side of sides) {
      const measured = await side.measure(SECONDS);
      say(`round ${n}, ${side.name}: ${show(measured)}`);
      ours.push(measured);
    }
    rounds.push({ tps, ours });
  }
  return sides.map(({ name, aim }, i): Row => {
    const runs = rounds.map(({ ours }) => ours[i] as Measured);
    return {
      what: `charges on one account, ${name} / pgbench on one hot row`,
      ours: show({
        perSecond: median(runs.map((run) => run.perSecond)),
        p50Ms: median(runs.map((run) => run.p50Ms)),
        p99Ms: median(runs.map((run) => run.p99Ms)),
        cpuMicros: median(runs.map((run) => run.cpuMicros)),
      }),
      peer: perSecond(median(rounds.map(({ tps }) => tps))),
      ratio: median(rounds.map(({ tps, ours }) => (ours[i] as Measured).perSecond / tps)),
      aim: `>= ${aim}`,
    };
  });
}

async function run(postgres: Postgres, dir: string, say: (line: string) => void): Promise<Row[]> {
  const ours = await createDatabase(postgres.url, 'ours');
  const theirs = await createDatabase(postgres.url, 'theirs');
  await prepareHotRow(theirs);
  const script = join(dir, 'hot-row.sql');
  writeFileSync(script, 'update hot set spent = spent + 1 where id = 1 and spent + 1 <= cap;\n');
  return withService({}, (onSqlite) =>
    withService({ databaseUrl: ours }, async (onPostgres) => {
      const sides = [await sideOf('SQLite', 8, onSqlite), await sideOf('PostgreSQL', 4, onPostgres)];
      return compare(sides, () => pgbench(theirs, script, SECONDS), say);
    }),
  );
}

export const bench: Bench = {
  question: `How many charges a second does one account take over HTTP, from ${CONNECTIONS} connections, with three caps, ledger, audit and event?`,
  run: async (say) => {
    const dir = mkdtempSync(join(tmpdir(), 'signet-bench-'));
    const postgres = await startPostgres({ durable: true });
    try {
      return await run(postgres, dir, say);
    } finally {
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
