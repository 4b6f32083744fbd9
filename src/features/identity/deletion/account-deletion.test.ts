import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, openSession } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { twoAgents } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type ChainReport, verifyChains } from '../../record/audit/audit-log.ts';

const DUE_MS = 3 * DAY_MS;

/** Lets a deletion that is due run to its end. */
async function runDeletion(t: TestApp): Promise<void> {
  await t.app.worker.runDue();
  // Both are written every second; a minute passes before anything is erased.
  await t.app.provided.audit.flush();
  await t.app.provided.meter.flush();
  t.clock.advance(60_000);
  await t.app.worker.runDue();
  // What its keys did last is saved once a minute. It must leave nothing behind.
  await t.app.provided.credentials.keyUses.save();
}

async function tableNames(t: TestApp): Promise<string[]> {
  const rows =
    t.engine === 'sqlite'
      ? await t.sql(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
      : await t.sql(`select table_name as name from information_schema.tables where table_schema = 'public'`);
  return rows.map(({ name }) => String(name));
}

/** The tables that hold one of the words, read as text. */
async function tablesWith(t: TestApp, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tableNames(t)) {
    // The index of words is read through its own table functions; its rows go with the messages.
    if (/^message_words_/.test(table)) continue;
    const text = (await t.sql(`select * from ${table}`))
      .map((row) =>
        JSON.stringify(row, (_name, value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
      )
      .join('\n');
    for (const word of words) if (text.includes(word)) found.push(`${table}: ${word}`);
  }
  return found;
}

async function reportsOf(t: TestApp, accountId: string | null): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  const { database, provided } = t.app;
  for await (const report of verifyChains(database, accountId, provided.audit.isGenuine)) reports.push(report);
  return reports;
}

const AUDIT_TABLES = /^audit_(chains|entries|seals): acc_/;

onEngines('any', 'DELETE /v1/account', {}, (suite) => {
  it('202: due in 72 hours; until then its keys only read; a repeat answers the same', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const asked = await agent.api.delete('/v1/account');
    assert.equal(asked.status, 202);
    assert.equal(Date.parse(asked.body.deletes_at), t.clock.now() + DUE_MS);
    assert.deepEqual(asked.body.pods, []);
    const refused = await agent.api.put('/v1/vault/a', { ciphertext: 'x' });
    assert.deepEqual([refused.status, refused.body.error], [403, 'account_deleting']);
    assert.equal(refused.body.deletes_at, asked.body.deletes_at);
    const named = await agent.api.post('/v1/account/recovery-email', { email: 'x@example.com' });
    assert.deepEqual([named.status, named.body], [403, refused.body], 'an address is only cleared');
    assert.equal((await agent.api.post('/v1/account/recovery-email', { email: null })).status, 200);
    assert.equal((await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).status, 200);
    t.clock.advance(1000);
    assert.deepEqual((await agent.api.delete('/v1/account')).body, asked.body);
    const events = await agent.api.get('/v1/events?types=account.deletion_scheduled');
    assert.equal(events.body.events.length, 1);
    assert.equal((await agent.api.post('/v1/auth/keys/rotate')).status, 200);
  });

  it('is cancelled by the primary key, a backup key and a session, until it is due', async () => {
    const { t } = suite;
    const email = 'ada-of-deletion@example.com';
    const { api, key, accountId } = await t.createAccount({ email });
    const backup = (await api.post('/v1/auth/keys/generate-backup')).body.backup_key;
    const session = await openSession(t, email);
    for (const factor of [t.api(key), t.api(backup), session]) {
      assert.equal((await api.delete('/v1/account')).status, 202);
      assert.equal((await factor.post('/v1/account/delete/cancel')).status, 200);
      assert.ok((await api.put('/v1/vault/a', { ciphertext: 'x' })).status < 300);
    }
    assert.equal((await api.post('/v1/account/delete/cancel')).status, 404);
    t.clock.advance(DUE_MS);
    await runDeletion(t);
    assert.equal((await t.sql('select id from accounts where id = ?', accountId)).length, 1);
    assert.equal((await api.get('/v1/account/me')).status, 200);
  });

  it('cannot be cancelled once it is due; nobody gets in any more', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.delete('/v1/account');
    t.clock.advance(DUE_MS);
    await t.app.worker.runDue();
    assert.equal((await api.post('/v1/account/delete/cancel')).status, 401);
    assert.equal((await api.get('/v1/account/me')).status, 401);
  });

  it('403: a named key and a pod never delete; 401 without a key', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const named = await platform.api.post('/v1/account/keys', { name: 'ci', scopes: ['account:manage'] });
    assert.equal((await t.api(named.body.api_key).delete('/v1/account')).status, 403);
    const pod = await makePod(t, platform);
    assert.equal((await pod.api.delete('/v1/account')).body.error, 'pod_auth_forbidden');
    assert.equal((await t.api().delete('/v1/account')).status, 401);
  });

  it('under authority operator the key cannot start it', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const { api } = agents[0];
    assert.equal((await operator.put('/v1/budget', { authority: 'operator' })).status, 200);
    const refused = await api.delete('/v1/account');
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    assert.equal((await operator.delete('/v1/account')).status, 202);
    assert.equal((await operator.post('/v1/account/delete/cancel')).status, 200);
  });
});

onEngines('both', 'DELETE /v1/account: what the database decides', {}, (suite) => {
  it('leaves nothing in any table but the hashes of the chain and of its addresses, and the chain verifies', async () => {
    const { t } = suite;
    const words = await fill(t);
    const { api, accountId, pod } = words;
    assert.ok((await tablesWith(t, words.all)).length > 20, 'the account is in many tables');
    assert.deepEqual((await api.delete('/v1/account')).body.pods, [pod.podId]);
    t.clock.advance(DUE_MS);
    await runDeletion(t);
    const left = (await tablesWith(t, words.all)).filter((one) => !AUDIT_TABLES.test(one));
    assert.deepEqual(left, []);
    const reports = await reportsOf(t, null);
    assert.deepEqual(
      reports.filter(({ fault }) => fault !== null),
      [],
    );
    assert.ok(reports.some((report) => report.accountId === accountId && report.entries > 3));
    const stranger = await t.createAccount();
    const claimed = await stranger.api.post('/v1/email/claim', { address: words.address });
    assert.deepEqual([claimed.status, claimed.body.error], [409, 'address_unavailable']);
  });

  it('of a chain that was emptied without a deletion, the check says altered', async () => {
    const { t } = suite;
    const { accountId } = await t.createAccount();
    await t.sql(`update audit_entries set entry = '', action = '' where account_id = ?`, accountId);
    const [report] = await reportsOf(t, accountId);
    assert.deepEqual(report?.fault, { seq: 1, problem: 'altered' });
  });

  it('goes on after its process was killed in the middle', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    for (let n = 0; n < 30; n++) await api.put(`/v1/vault/key-${n}`, { ciphertext: 'x' });
    await api.delete('/v1/account');
    t.clock.advance(DUE_MS);
    await t.app.worker.runDue();
    // What a killed process leaves behind: some tables empty, and a job that another one leased.
    await t.app.provided.deletions.eraseSome(accountId, t.clock.now(), 3);
    await t.app.provided.deletions.eraseSome(accountId, t.clock.now(), 3);
    assert.equal((await t.sql('select id from accounts where id = ?', accountId)).length, 1);
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    assert.deepEqual(await t.sql('select id from accounts where id = ?', accountId), []);
  });

  it('every table with rows of accounts is emptied by a feature', async () => {
    const { t } = suite;
    const erased = new Set(t.app.provided.erasures.flatMap(({ tables }) => tables));
    const kept = new Set(['accounts', 'account_deletions', 'audit_chains', 'audit_entries', 'audit_seals']);
    for (const table of await tableNames(t)) {
      const columns =
        t.engine === 'sqlite'
          ? await t.sql(`select name from pragma_table_info(?)`, table)
          : await t.sql(`select column_name as name from information_schema.columns where table_name = ?`, table);
      const isOfAccounts = columns.some(({ name }) =>
        /^(account|holder|spender|operator|parent_account|key|webhook)_id$/.test(String(name)),
      );
      if (isOfAccounts && table !== 'master_keys')
        assert.ok(erased.has(table) || kept.has(table), `${table}: name it in \`erases\` of its feature`);
    }
  });
});

/** Fills an account and a pod with one of everything, and returns the words to look for. */
async function fill(t: TestApp) {
  const email = 'gone-ada@example.com';
  const account = await t.createAccount({ name: 'gone-agent', email });
  const agent = await createAgent(t, { address: 'gone-hello' }, account);
  const { api, accountId, key } = agent;
  const pod = await makePod(t, account, null, { name: 'gone-pod' });
  const ok = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply;
    assert.ok(status < 300, `${status} ${text}`);
  };
  await ok(pod.api.post('/v1/email/claim', { address: 'gone-pod' }));
  await ok(pod.api.post('/v1/charge', { amount: 1000, category: 'x', description: 'gone-charge' }));
  await ok(api.put('/v1/vault/gone-key', { ciphertext: 'gone-cipher' }));
  await ok(api.post('/v1/auth/keys/generate-backup'));
  await ok(api.post('/v1/account/keys', { name: 'gone-named', scopes: ['mail:read'] }));
  await ok(api.post('/v1/account/operator-email', { email: 'gone-operator@example.com' }));
  await ok(api.post('/v1/email/webhooks', { address: agent.address, url: 'http://127.0.0.1:9/gone-hook' }));
  await ok(
    api.post('/v1/calendar/events', {
      summary: 'gone-event',
      start: '2026-03-01T10:00:00Z',
      end: '2026-03-01T11:00:00Z',
    }),
  );
  await ok(api.post('/v1/observations', { topic: 'gone-topic', content: 'gone-content', shared: true }));
  await ok(api.get('/v1/calendar/feed'));
  await t.sendSmtp({ to: agent.address, subject: 'gone-subject', text: 'gone-body' });
  await t.sendSmtp({ to: agent.address, subject: 'gone-hidden', text: 'gone-body' });
  await ok(
    api.post('/v1/email/send', {
      from: agent.address,
      to: ['someone@example.com'],
      subject: 'gone-sent',
      text: 'gone',
    }),
  );
  await ok(api.get(`/v1/email/inbox?address=${agent.address}`));
  await openSession(t, email);
  await t.outboxMails();
  const all = ['gone-', accountId, pod.podId, pod.accountId, key.slice(0, 18)];
  return { ...agent, pod, all };
}
