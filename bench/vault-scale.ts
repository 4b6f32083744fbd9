import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Service } from '../test/process/service.ts';
import { httpRequest, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const SMALL = 1000;
const LARGE = 1_000_000;
/** Both sizes have accounts like these, in different numbers. */
const KEYS = 20;
const VERSIONS = 5;
const CALLERS = 8;
const CONNECTIONS = 8;
const SECONDS = 1;
const ROUNDS = 5;

/**
 * Vaults with `count` versions in all, written directly into the database, with the callers' vaults spread among them.
 */
function fill(dataDir: string, callers: readonly string[], count: number): void {
  const db = new DatabaseSync(join(dataDir, 'signet.db'));
  db.exec('PRAGMA busy_timeout = 60000; PRAGMA cache_size = -262144; BEGIN IMMEDIATE');
  const vaults = Math.floor(count / (KEYS * VERSIONS));
  db.exec('create temp table owners (id text primary key)');
  const insertAccount = db.prepare(
    `insert into accounts (id, tier, status, capabilities, created_at) values (?, 'paid', 'active', '[]', 0)`,
  );
  const insertOwner = db.prepare('insert into owners values (?)');
  for (const id of callers) insertOwner.run(id);
  for (let n = callers.length; n < vaults; n++) {
    const id = `acc_${String(n).padStart(26, '0')}`;
    insertAccount.run(id);
    insertOwner.run(id);
  }
  const numbers = (name: string, size: number): string =>
    `${name}(i) as (select 1 union all select i + 1 from ${name} where i < ${size})`;
  db.exec(`insert into vault_accounts select id, ${KEYS}, 0 from owners`);
  db.exec(`with recursive ${numbers('k', KEYS)}
    insert into vault_entries
    select id, 'key-' || i, ${VERSIONS}, ${VERSIONS}, ${VERSIONS}, '{"about":"a sample"}', 0, 0 from owners, k`);
  // Version by version over all vaults, as in use: the versions of one key are far apart.
  db.exec(`with recursive ${numbers('k', KEYS)}, ${numbers('v', VERSIONS)}
    insert into vault_versions
    select id, 'key-' || k.i, v.i, hex(randomblob(250)), '{"about":"a sample"}', 0 from v cross join k cross join owners`);
  db.exec('COMMIT');
  // In use, these writes would already be in the main file.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

interface Side {
  service: Service;
  keys: string[];
}

async function prepare(service: Service, dataDir: string, count: number): Promise<Side> {
  const made = await Promise.all(
    Array.from({ length: CALLERS }, async () => (await service.api().post('/v1/auth/keys', {})).body),
  );
  fill(
    dataDir,
    made.map(({ account_id }) => account_id),
    count,
  );
  return { service, keys: made.map(({ api_key }) => api_key) };
}

type Call = (key: string, n: number) => Buffer;

const CALLS: Record<string, Call> = {
  'GET latest': (key, n) => httpRequest('GET', `/v1/vault/key-${1 + (n % KEYS)}`, key),
  'GET version': (key, n) => httpRequest('GET', `/v1/vault/key-${1 + (n % KEYS)}?version=3`, key),
  list: (key) => httpRequest('GET', '/v1/vault/', key),
  PUT: (key, n) => httpRequest('PUT', `/v1/vault/key-${1 + (n % KEYS)}`, key, { ciphertext: 'A'.repeat(500) }),
};

/** The duration of a call in milliseconds. */
async function cost({ service, keys }: Side, call: Call): Promise<number> {
  let n = 0;
  const { perSecond } = await runLoad({
    port: service.httpPort,
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: (connection) => call(keys[connection % CALLERS] as string, n++),
  });
  return (1000 * CONNECTIONS) / perSecond;
}

/**
 * Measures each call at both sizes alternately.
 * @returns the ratio of their costs. PUT is last, because it prunes what the others read.
 */
async function compare(small: Side, large: Side, say: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, call] of Object.entries(CALLS)) {
    await cost(small, call);
    await cost(large, call);
    const runs: [number, number][] = [];
    for (let round = 0; round < ROUNDS; round++) runs.push([await cost(small, call), await cost(large, call)]);
    const [few, many] = [median(runs.map(([cost]) => cost)), median(runs.map(([, cost]) => cost))];
    say(`${what}: ${milliseconds(few)} at ${SMALL} versions, ${milliseconds(many)} at ${LARGE}`);
    rows.push({
      what: `vault ${what}: at a million versions / at a thousand`,
      ours: milliseconds(many),
      peer: milliseconds(few),
      ratio: median(runs.map(([few, many]) => many / few)),
      aim: '<= 1.25 x',
    });
  }
  return rows;
}

export const bench: Bench = {
  question: `What do the calls of a vault cost with ${LARGE} versions in the database, against ${SMALL}?`,
  run: (say) =>
    withService({}, async (few, fewDir) =>
      withService({}, async (many, manyDir) =>
        compare(await prepare(few, fewDir, SMALL), await prepare(many, manyDir, LARGE), say),
      ),
    ),
};
