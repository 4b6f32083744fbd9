import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { freshDatabase } from '../support/harness.ts';
import { type Env, root, succeedsHere } from './command-line.ts';
import { ROOMY_LIMITS, startService } from './service.ts';

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
}

const unpacked = (version: string, name: string): Buffer => gunzipSync(readFileSync(join(FOLDER, version, name)));

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
    assert.match((await api.get(`/v1/email/messages/${messages[0].message_id}?address=${address}`)).text, /It is still here/);
    assert.equal((await api.get('/v1/budget')).body.spend.daily, 1_000_000);
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
  assert.equal((await succeedsHere(env, 'audit', 'verify', '--json')).json().ok, true);
}

for (const version of readdirSync(FOLDER))
  describe(`a database of version ${version}`, () => {
    const kept: Record<'sqlite' | 'postgres', Kept> = JSON.parse(
      readFileSync(join(FOLDER, version, 'accounts.json'), 'utf8'),
    );

    it('SQLite: signet restore brings it to the present schema, and its owner has everything', async () => {
      const { env, drop } = await freshDatabase('sqlite');
      const copy = join(env.DATA_DIR as string, 'copies', 'old.db');
      mkdirSync(join(copy, '..'));
      writeFileSync(copy, unpacked(version, 'sqlite.db.gz'));
      const { migrated } = (await succeedsHere(env, 'restore', copy, '--json')).json();
      assert.ok(migrated.length > 0);
      await owns(env, kept.sqlite);
      await drop();
    });

    it('PostgreSQL: a start brings it to the present schema, and its owner has everything', async () => {
      const { env, drop } = await freshDatabase('postgres');
      const client = new pg.Client(env.DATABASE_URL);
      await client.connect();
      await client.query(unpacked(version, 'postgres.sql.gz').toString());
      await client.end();
      await owns(env, kept.postgres);
      await drop();
    });
  });
