import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { undoMailedLinks } from '../support/former-links.ts';
import { describeInAll, IS_FULL_RUN } from '../support/full-run.ts';
import { type Engine, freshDatabase, runSql } from '../support/harness.ts';
import { type Env, refuses, root, succeeds } from './command-line.ts';
import { ROOMY_LIMITS, runService, type Service, startService } from './service.ts';

/**
 * A database of each released version, as that version left it: an account with an address, mail, a budget and a charge,
 * a webhook, a feed link, a calendar event, a vault entry, an observation and a pod. `accounts.json` has what its owner
 * kept. To add one, start the released version, make such an account, stop it, and compress the file
 * (`VACUUM INTO`, `gzip -9n`) and the output of `pg_dump --no-owner --no-privileges --inserts`.
 */
const FOLDER = join(root, 'test/corpus/releases');

interface Kept {
  accountId: string;
  key: string;
  backupKey: string;
  address: string;
  feed: string;
  podKey: string;
  /** Seals the secrets of the database, from 0.19.0 on. */
  masterKey?: string;
}

const keyOf = ({ masterKey }: Kept): Env => (masterKey === undefined ? {} : { MASTER_KEY: masterKey });

const unpacked = (version: string, name: string): Buffer => gunzipSync(readFileSync(join(FOLDER, version, name)));

async function execute(env: Env, statements: string): Promise<void> {
  const client = new pg.Client(env.DATABASE_URL);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** What the owner of the account finds with the service of today. */
async function owns(env: Env, { accountId, key, backupKey, address, feed, podKey }: Kept): Promise<void> {
  const service = await startService({ ...env, LIMITS: ROOMY_LIMITS });
  try {
    const api = service.api(key);
    const me = (await api.get('/v1/account/me')).body;
    assert.deepEqual([me.account_id, me.name, me.addresses], [accountId, 'Ada', [address]]);
    const { messages } = (await api.get(`/v1/email/inbox?address=${address}`)).body;
    assert.deepEqual(
      messages.map(({ subject }: { subject: string }) => subject),
      ['From an earlier version'],
    );
    assert.match(
      (await api.get(`/v1/email/messages/${messages[0].message_id}?address=${address}`)).text,
      /It is still here/,
    );
    assert.equal((await api.get('/v1/budget/history')).body.summary.total_usdc, 1_000_000);
    assert.equal((await api.get('/v1/vault/ssh')).body.ciphertext, Buffer.from('x').toString('base64'));
    assert.match((await service.api().get(`/v1/calendar/feed.ics?cal_token=${feed}`)).text, /SUMMARY:Stand-up/);
    assert.equal((await service.api(podKey).get('/v1/account/me')).status, 200);
    // And works on.
    const sent = await api.post('/v1/email/send', { from: address, to: address, subject: 'Later', text: 'hello' });
    assert.equal(sent.status, 201, sent.text);
    assert.equal((await service.api(backupKey).post('/v1/auth/keys/activate-backup')).status, 200);
  } finally {
    assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null });
  }
  assert.equal((await succeeds(env, 'audit', 'verify', '--json')).json().ok, true);
}

/** The oldest runs every migration that the others run. */
const versions = readdirSync(FOLDER).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

for (const version of IS_FULL_RUN ? versions : versions.slice(0, 1))
  describe(`a database of version ${version}`, () => {
    const kept: Record<'sqlite' | 'postgres', Kept> = JSON.parse(
      readFileSync(join(FOLDER, version, 'accounts.json'), 'utf8'),
    );

    it('SQLite: signet restore brings it to the present schema, and its owner has everything', async () => {
      const { env: fresh, drop } = await freshDatabase('sqlite', { empty: true });
      const env = { ...fresh, ...keyOf(kept.sqlite) };
      const copy = join(env.DATA_DIR as string, 'copies', 'old.db');
      mkdirSync(join(copy, '..'));
      writeFileSync(copy, unpacked(version, 'sqlite.db.gz'));
      const { migrated } = (await succeeds(env, 'restore', copy, '--json')).json();
      if (version !== packageJson.version) assert.ok(migrated.length > 0);
      await owns(env, kept.sqlite);
      await drop();
    });

    it('PostgreSQL: a start brings it to the present schema, and its owner has everything', async () => {
      const { env: fresh, drop } = await freshDatabase('postgres', { empty: true });
      const env = { ...fresh, ...keyOf(kept.postgres) };
      await execute(env, unpacked(version, 'postgres.sql.gz').toString());
      await owns(env, kept.postgres);
      await drop();
    });
  });

/** Brings the schema back to that of 0.19, which every instance has to leave before. @returns what runs statements on it */
async function asBefore(engine: Engine, env: Env): Promise<(text: string) => Promise<Record<string, unknown>[]>> {
  const run = (text: string) => runSql(readConfig(env), text, []);
  await undoMailedLinks(engine, run);
  await run('alter table service_instances rename to instances');
  await run(`delete from schema_migrations where id = '0089-mailed-links'`);
  return run;
}

describe('the upgrade from 0.19, for which every instance is stopped', () => {
  it('PostgreSQL: refuses while one reports, and changes nothing; later none of them can report', async () => {
    const { env, drop } = await freshDatabase('postgres');
    const run = await asBefore('postgres', env);
    const seen = (ms: number) =>
      `insert into instances values ('ins_former', (extract(epoch from clock_timestamp()) * 1000)::bigint - ${ms})`;
    await run(seen(0));
    const said = /^signet: an instance of an earlier version reported in the last 10 seconds; stop every instance/;
    await refuses(env, 1, said, 'migrate');
    await run('delete from instances');
    await run(seen(0));
    const started = await runService(env);
    assert.equal(started.code, 1);
    assert.match(started.stderr, said);
    assert.deepEqual(await run('select hash from magic_links'), []);
    assert.equal((await run('select id from instances')).length, 1);
    // It is gone.
    await run('delete from instances');
    await run(seen(10_001));
    assert.deepEqual((await succeeds(env, 'migrate', '--json')).json().applied, ['0089-mailed-links']);
    await assert.rejects(run(seen(0)), /"instances" does not exist/);
    await drop();
  });

  it('SQLite: signet migrate refuses beside a service; without a step to run it says so', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const service = await startService(env);
    assert.match((await succeeds(env, 'migrate')).stdout, /nothing to do/);
    const run = await asBefore('sqlite', env);
    await refuses(env, 1, /another service runs on this folder/, 'migrate');
    assert.deepEqual(await run('select hash from magic_links'), []);
    await service.kill('SIGTERM');
    assert.deepEqual((await succeeds(env, 'migrate', '--json')).json().applied, ['0089-mailed-links']);
    await drop();
  });
});

/** What the first half of a later version may do to the schema while this one runs: it only adds. */
const EXPANSION = [
  'alter table accounts add column later_note text',
  'alter table messages add column later_rank bigint not null default 0',
  'create index messages_by_later_rank on messages (later_rank)',
  'create table later_things (id text primary key, account_id text not null references accounts (id))',
  `insert into schema_migrations (id) values ('9999-later')`,
];

describeInAll('a rolling upgrade of instances on PostgreSQL', () => {
  it('under load, with a schema that grows meanwhile: no request fails', async () => {
    const { env, drop } = await freshDatabase('postgres');
    const settings = { ...env, LIMITS: ROOMY_LIMITS };
    const former = await startService(settings);
    let serving = [former];
    const open = new Map<Service, number>();
    const statuses: number[] = [];
    let isOver = false;
    /** A load balancer: asks one of those that serve. */
    async function ask<T extends { status: number }>(work: (service: Service) => Promise<T>): Promise<T> {
      const service = serving[statuses.length % serving.length] as Service;
      open.set(service, (open.get(service) ?? 0) + 1);
      const reply = await work(service);
      open.set(service, (open.get(service) as number) - 1);
      statuses.push(reply.status);
      return reply;
    }
    const clients = Array.from({ length: 4 }, async (_, client) => {
      const { api_key: key } = (await ask((service) => service.api().post('/v1/auth/keys'))).body;
      const address = `rolling-${client}`;
      await ask((service) => service.api(key).post('/v1/email/claim', { address }));
      while (!isOver) {
        const mail = { from: address, to: `${address}@agents.localhost`, subject: 'x', text: 'x' };
        await ask((service) => service.api(key).post('/v1/email/send', mail));
        await ask((service) => service.api(key).get(`/v1/email/inbox?address=${address}&limit=1`));
        await ask((service) => service.api(key).get('/v1/account/me'));
      }
    });
    // A client that fails ends the wait.
    const until = (isSo: () => boolean) => Promise.race([eventually(isSo), ...clients]);
    const more = (count: number) => {
      const wanted = statuses.length + count;
      return until(() => statuses.length >= wanted);
    };
    await more(40);
    await execute(env, ['begin', ...EXPANSION, 'commit'].join(';'));
    await more(40);
    const next = await startService(settings);
    serving = [former, next];
    await more(40);
    serving = [next];
    await until(() => open.get(former) === 0);
    assert.deepEqual(await former.kill('SIGTERM'), { code: 0, signal: null });
    await more(40);
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 201]);
    assert.deepEqual(await next.kill('SIGTERM'), { code: 0, signal: null });
    await drop();
  });
});
