import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { claimDatabase } from '../../src/db/open.ts';
import { eventually } from '../support/eventually.ts';
import { describeInAll, IS_FULL_RUN } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { loadReleased, RELEASES, writeReleased } from '../support/released.ts';
import { type Env, refuses, succeeds } from './command-line.ts';
import { ROOMY_LIMITS, runService, type Service, startService } from './service.ts';

/**
 * What the owner of an account kept, in `accounts.json`. Beside it is a database of each released version, as that version
 * left it: the account has an address, mail, a budget and a charge, a webhook, a feed link, a calendar event, a vault
 * entry, an observation and a pod. To add one, start the released version, make such an account, stop it, and compress the
 * file (`VACUUM INTO`, `gzip -9n`) and the output of `pg_dump --no-owner --no-privileges --inserts`.
 */
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

/** One version, from which every later one comes, is refused. */
const TOO_OLD = '0.18.3';
/** The oldest runs every migration that the others run. */
const versions = readdirSync(RELEASES)
  .filter((version) => version !== TOO_OLD)
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

for (const version of IS_FULL_RUN ? versions : versions.slice(0, 1))
  describe(`a database of version ${version}`, () => {
    const kept: Record<'sqlite' | 'postgres', Kept> = JSON.parse(
      readFileSync(join(RELEASES, version, 'accounts.json'), 'utf8'),
    );

    it('SQLite: signet restore brings it to the present schema, and its owner has everything', async () => {
      const { env: fresh, drop } = await freshDatabase('sqlite', { empty: true });
      const env = { ...fresh, ...keyOf(kept.sqlite) };
      const copy = join(env.DATA_DIR as string, 'copies', 'old.db');
      mkdirSync(join(copy, '..'));
      writeReleased(version, copy);
      const { migrated } = (await succeeds(env, 'restore', copy, '--json')).json();
      assert.ok(migrated.length > 0);
      await owns(env, kept.sqlite);
      await drop();
    });

    it('PostgreSQL: a start brings it to the present schema, and its owner has everything', async () => {
      const { env: fresh, drop } = await freshDatabase('postgres', { empty: true });
      const env = { ...fresh, ...keyOf(kept.postgres) };
      await loadReleased(version, env.DATABASE_URL as string);
      await owns(env, kept.postgres);
      await drop();
    });
  });

describe(`a database of version ${TOO_OLD}`, () => {
  const REFUSAL =
    / a version of signet before 0\.19 made this database; start 0\.19\.0 on it once, then this version\n$/;

  const schemaOf = (env: Env, text: string) => runSql(readConfig(env), text, []);

  it('SQLite: neither a start nor a restore takes it, and nothing changes', async () => {
    const { env, drop } = await freshDatabase('sqlite', { empty: true });
    const copy = join(env.DATA_DIR as string, 'old.db');
    for (const path of [join(env.DATA_DIR as string, 'signet.db'), copy]) writeReleased(TOO_OLD, path);
    const schema = () =>
      schemaOf(env, 'select id, null from schema_migrations union all select name, sql from sqlite_master');
    const before = await schema();
    for (const args of [['migrate'], ['serve'], ['restore', copy]]) await refuses(env, 1, REFUSAL, ...args);
    assert.deepEqual(await schema(), before);
    await drop();
  });

  it('PostgreSQL: a start does not take it, and nothing changes', async () => {
    const { env, drop } = await freshDatabase('postgres', { empty: true });
    await loadReleased(TOO_OLD, env.DATABASE_URL as string);
    const schema = () =>
      schemaOf(env, 'select id, null from schema_migrations union all select indexname, indexdef from pg_indexes');
    const before = await schema();
    await refuses(env, 1, REFUSAL, 'serve');
    assert.deepEqual(await schema(), before);
    describe('the upgrade from 0.19, for which every instance is stopped', () => {
      const run = (env: Env, text: string) => runSql(readConfig(env), text, []);

      it('PostgreSQL: refuses while one reports, and changes nothing; later none of them can report', async () => {
        const { env, drop } = await freshDatabase('postgres', { empty: true });
        await loadReleased('0.19.0', env.DATABASE_URL as string);
        const report = (ms: number) =>
          run(
            env,
            `delete from instances; insert into instances
         values ('ins_former', (extract(epoch from clock_timestamp()) * 1000)::bigint - ${ms})`,
          );
        await report(0);
        const said = /^signet: an instance of an earlier version reported in the last 10 seconds; stop every instance/;
        await refuses(env, 1, said, 'migrate');
        await report(0);
        const started = await runService(env);
        assert.equal(started.code, 1);
        assert.match(started.stderr, said);
        assert.deepEqual(await run(env, `select id from schema_migrations where id > '0085'`), []);
        assert.equal((await run(env, 'select id from instances')).length, 1);
        // It is gone.
        await report(10_001);
        assert.ok((await succeeds(env, 'migrate', '--json')).json().applied.includes('0089-mailed-links'));
        await assert.rejects(report(0), /"instances" does not exist/);
        await drop();
      });

      it('SQLite: signet migrate refuses beside a service; without a step to run it says so', async () => {
        const { env, drop } = await freshDatabase('sqlite', { empty: true });
        writeReleased('0.19.0', join(env.DATA_DIR as string, 'signet.db'));
        const release = claimDatabase(readConfig(env));
        await refuses(env, 1, /another service runs on this folder/, 'migrate');
        assert.deepEqual(await run(env, `select id from schema_migrations where id > '0085'`), []);
        release();
        assert.ok((await succeeds(env, 'migrate', '--json')).json().applied.includes('0089-mailed-links'));
        const again = claimDatabase(readConfig(env));
        assert.match((await succeeds(env, 'migrate')).stdout, /nothing to do/);
        again();
        await drop();
      });
    });

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
    await runSql(readConfig(env), ['begin', ...EXPANSION, 'commit'].join(';'), []);
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
