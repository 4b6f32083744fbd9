import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Service } from '../test/process/service.ts';
import { httpRequest } from './rig/load.ts';
import type { Bench, Row } from './rig/result.ts';
import { compareSizes, LARGE, SMALL } from './rig/sizes.ts';
import { withService } from './rig/with-service.ts';

/** Both sizes have accounts like these, in different numbers. */
const KEYS = 20;
const VERSIONS = 5;
const CALLERS = 8;

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

/** PUT is last, because it prunes what the others read. */
const CALLS: Record<string, Call> = {
  'GET latest': (key, n) => httpRequest('GET', `/v1/vault/key-${1 + (n % KEYS)}`, key),
  'GET version': (key, n) => httpRequest('GET', `/v1/vault/key-${1 + (n % KEYS)}?version=3`, key),
  list: (key) => httpRequest('GET', '/v1/vault/', key),
  PUT: (key, n) => httpRequest('PUT', `/v1/vault/key-${1 + (n % KEYS)}`, key, { ciphertext: 'A'.repeat(500) }),
};

const compare = (small: Side, large: Side, say: (line: string) => void): Promise<Row[]> =>
  compareSizes(
    Object.entries(CALLS).map(([what, call]) => ({
      what: `vault ${what}: at a million versions / at a thousand`,
      nextOf: ({ keys }: Side) => {
        let n = 0;
        return (connection: number) => call(keys[connection % CALLERS] as string, n++);
      },
    })),
    small,
    large,
    say,
  );

export const bench: Bench = {
  question: `What do the calls of a vault cost with ${LARGE} versions in the database, against ${SMALL}?`,
  run: (say) =>
    withService({}, async (few, fewDir) =>
      withService({}, async (many, manyDir) =>
        compare(await prepare(few, fewDir, SMALL), await prepare(many, manyDir, LARGE), say),
      ),
    ),
};
