import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { type AuditEntry, verifyAuditChain } from '../../../client/audit-chain.ts';

/** Downloads an export and unpacks it with Python. @returns the folder */
async function download(t: TestApp, key: string, into: string): Promise<string> {
  const response = await fetch(`${t.baseUrl}/v1/account/export`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/zip');
  const file = join(into, 'export.zip');
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()));
  execFileSync('python3', [
    '-c',
    'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])',
    file,
    into,
  ]);
  return into;
}

/** The sent mails of an mbox: their subjects, and their attachments with name and SHA-256. */
const READ_SENT = `
import sys, mailbox, json, hashlib
print(json.dumps(sorted([m["subject"], [[p.get_filename(), hashlib.sha256(p.get_payload(decode=True)).hexdigest()]
  for p in m.walk() if p.get_filename()]] for m in mailbox.mbox(sys.argv[1]))))`;

const READ_MBOX = `
import sys, mailbox, json
print(json.dumps([[m["subject"], m["x-keywords"], m["status"], m.get_payload()] for m in mailbox.mbox(sys.argv[1])]))`;

const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-export-'));
  await work(folder).finally(() => rmSync(folder, { recursive: true }));
};

onEngines('any', 'GET /v1/account/export', {}, (suite) => {
  it('holds nothing of another account, and is refused to a named key', async () => {
    await inFolder(async (folder) => {
      const { t } = suite;
      const stranger = await createAgent(t);
      await stranger.api.put('/v1/vault/theirs', { ciphertext: 'stranger-words' });
      const { api, key } = await createAgent(t);
      await download(t, key, folder);
      const text = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && !one.name.endsWith('.zip'))
        .map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'))
        .join('\n');
      assert.ok(!text.includes('stranger-words') && !text.includes(stranger.accountId));
      const named = await api.post('/v1/account/keys', { name: 'ci', scopes: ['account:manage', 'mail:read'] });
      assert.equal((await t.api(named.body.api_key).get('/v1/account/export')).status, 403);
      assert.equal((await t.api().get('/v1/account/export')).status, 401);
    });
  });

  it('429 after five in a day', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    for (let n = 0; n < 5; n++) assert.equal((await api.get('/v1/account/export')).status, 200);
    const refused = await api.get('/v1/account/export');
    assert.deepEqual([refused.status, refused.body.limit.name], [429, 'account_exports_per_day']);
  });

  it('every table that a deletion empties is exported, or named here with the reason why not', () => {
    const exported = new Set(suite.t.app.provided.exportParts.flatMap(({ tables }) => tables));
    const notExported = new Set([
      // In the mbox files, or an index of what is exported.
      ...['messages', 'message_terms', 'message_words', 'threads', 'outbox_terms'],
      // Secrets, links and hashes of them.
      ...[
        'named_key_secrets',
        'mailed_links',
        'socket_tickets',
        'vault_recoveries',
        ...['person_refusals', 'approval_digests', 'session_accounts', 'access_tokens'],
        'grant_tokens',
      ],
      // They belong to a person, who may have other accounts.
      ...['passkeys', 'recovery_codes', 'operator_settings', 'login_networks'],
      // What the mail policy keeps from the agent, and what it remembers of reads for half an hour.
      ...['quarantined_messages', 'suspicious_reads'],
      // Counters and what they count is exported.
      ...['quota_counters', 'account_counts', 'account_storage', 'storage_shares'],
      ...['vault_accounts', 'ledger_totals', 'budget_periods', 'trust_inputs'],
      ...['observation_topics', 'shared_topics', 'track_records', 'event_heads', 'notice_undos', 'e2e_accounts'],
      ...['delegation_parties', 'observers'],
      // What the service notes for itself for a short time, and calendars beside their events.
      ...[
        'idempotency_keys',
        'webhook_deliveries',
        'webhook_days',
        ...['mailbox_folders', 'mailbox_uids', 'mailbox_vanished'],
        'bundled_news',
        'verified_domains',
        'calendars',
        'calendar_key_feeds',
        'finding_outcomes',
      ],
      // Former values, for `secure`. The settings are exported.
      'setting_changes',
    ]);
    const tables = suite.t.app.provided.erasures.flatMap((erasure) => [...erasure.tables]);
    const missing = tables.filter((table) => !exported.has(table) && !notExported.has(table));
    assert.deepEqual(missing, [], 'add it to `exports` of its feature, or say why not');
  });
});

onEngines('both', 'GET /v1/account/export: what the database decides', {}, (suite) => {
  it("200: mail opens in Python's mailbox, every other file fits its schema, and no secret is in it", async () => {
    await inFolder(async (folder) => {
      const { t } = suite;
      const { api, key, address } = await createAgent(t);
      await t.sendSmtp({ to: address, subject: 'first', text: 'hello\nFrom here on\n>From there\nbye' });
      await t.sendSmtp({ to: address, subject: 'second', text: 'ünïcode' });
      const { messages } = (await api.get(`/v1/email/inbox?address=${address}`)).body;
      const first = messages.find(({ subject }: { subject: string }) => subject === 'first');
      await api.patch(`/v1/email/messages/${first.message_id}?address=${address}`, {
        read: true,
        add_labels: ['blue'],
      });
      await api.put('/v1/vault/entry', { ciphertext: 'sealed-words' });
      for (let n = 0; n < 220; n++) await api.post('/v1/observations', { topic: 'count', content: `number ${n}` });
      const backup = (await api.post('/v1/auth/keys/generate-backup')).body.backup_key;
      const named = (await api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:read'] })).body.api_key;
      const hook = await api.post('/v1/email/webhooks', {
        address,
        url: 'http://127.0.0.1:9/',
        secret: 'hook-secret-1234567890',
      });
      const feed = (await api.get('/v1/calendar/feed')).text;
      assert.ok(hook.status < 300, hook.text);
      await download(t, key, folder);

      const mails = JSON.parse(
        execFileSync('python3', ['-c', READ_MBOX, join(folder, 'mail', `${address}.mbox`)], { encoding: 'utf8' }),
      );
      assert.equal(mails.length, 2);
      const [subject, keywords, status, text] = mails.find(([one]: string[]) => one === 'first');
      assert.deepEqual([subject, keywords, status], ['first', 'blue', 'RO']);
      assert.match(text, /^>From here on$/m);
      assert.match(text, /^>>From there$/m);

      const ajv = new Ajv2020({ allowUnionTypes: true, validateFormats: false });
      const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'manifest.json');
      assert.deepEqual(files, readdirSync(join(folder, 'schemas')));
      for (const name of files) {
        const check = ajv.compile(JSON.parse(readFileSync(join(folder, 'schemas', name), 'utf8')));
        assert.ok(
          check(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
          `${name}: ${JSON.stringify(check.errors)}`,
        );
      }
      const itemsOf = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
      assert.equal(itemsOf('vault_versions.json')[0].ciphertext, 'sealed-words');
      const seen = itemsOf('observations.json').map(({ content }: { content: string }) => content);
      assert.equal(new Set(seen).size, 220);

      const everything = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
      const hashes = await t.sql('select hash from api_keys union select hash from named_key_secrets');
      const token = /feed\/([\w-]{20,})/.exec(feed)?.[1] ?? 'no feed';
      const secrets = [key, backup, named, 'hook-secret-1234567890', token, ...hashes.map(({ hash }) => String(hash))];
      for (const secret of secrets) assert.ok(!everything.includes(secret), secret);
    });
  });

  it('its audit part proves itself with the zip and the published keys alone, and its manifest has the hash of every file', async () => {
    await inFolder(async (folder) => {
      const { t } = suite;
      const { api, key, accountId, address } = await createAgent(t);
      await t.sendSmtp({ to: address, subject: 'kept', text: 'kept' });
      for (let n = 0; n < 5; n++) await api.put(`/v1/vault/entry-${n}`, { ciphertext: 'sealed-words' });
      await t.app.provided.audit.flush();
      const { keys } = (await t.api().get('/.well-known/jwks.json')).body;
      await download(t, key, folder);
      rmSync(join(folder, 'export.zip'));

      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => relative(folder, join(one.parentPath, one.name)));
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      assert.equal(manifest.account_id, accountId);
      assert.deepEqual(
        manifest.files.map(({ name }: { name: string }) => name).sort(),
        files.filter((name) => name !== 'manifest.json').sort(),
      );
      for (const { name, size, sha256 } of manifest.files) {
        const bytes = readFileSync(join(folder, name));
        assert.deepEqual([bytes.length, hash('sha256', bytes)], [size, sha256], name);
      }

      const itemsOf = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const entries: AuditEntry[] = itemsOf('audit_entries.json').map((row: { entry: string; hash: string }) => ({
        ...JSON.parse(row.entry),
        hash: row.hash,
      }));
      const chain = { accountId, entries, seals: itemsOf('audit_seals.json'), keys };
      const { sealed } = await verifyAuditChain(chain);
      assert.ok(sealed > 5 && sealed >= entries.length - 1, `${sealed} of ${entries.length}`);
      assert.deepEqual(await verifyAuditChain({ ...chain, keys: itemsOf('audit_keys.json') }), {
        entries: entries.length,
        sealed,
      });
      const altered = entries.map((entry) => (entry.seq === 3 ? { ...entry, action: 'nothing.happened' } : entry));
      await assert.rejects(verifyAuditChain({ ...chain, entries: altered }), /Entry 3 was altered/);
      await assert.rejects(verifyAuditChain({ ...chain, entries: entries.slice(0, 4) }), /is missing/);
    });
  });

  it('holds what was sent with its attachments, inside and outside, also when it has left; none of sealed mail', async () => {
    await inFolder(async (folder) => {
      const { t } = suite;
      const [ada, bob] = [await createAgent(t), await createAgent(t)];
      const bytes = randomBytes(300_000);
      const attachments = (filename: string, content: Buffer) => [{ filename, content: content.toString('base64') }];
      const send = async (to: string, subject: string, more: object = {}) => {
        const mail = { from: ada.address, to, subject, text: 'From here on', ...more };
        assert.equal((await ada.api.post('/v1/email/send', mail)).status, 201);
      };
      await send('olga@out.example', 'outside', { attachments: attachments('large.bin', bytes) });
      await send(bob.address, 'inside', { attachments: attachments('small.txt', Buffer.from('note')) });
      await send(bob.address, 'without');
      await t.outboxMails();
      const jwk = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
      const sealed = await bob.api.post('/v1/email/claim', { address: `sealed-${t.engine}`, public_key: jwk.x });
      assert.equal(sealed.body.e2e_enabled, true, sealed.text);
      await send(sealed.body.address, 'sealed', { attachments: attachments('secret.txt', Buffer.from('sealed')) });
      await download(t, ada.key, folder);
      const read = execFileSync('python3', ['-c', READ_SENT, join(folder, 'mail', 'sent.mbox')], { encoding: 'utf8' });
      assert.deepEqual(JSON.parse(read), [
        ['inside', [['small.txt', hash('sha256', 'note')]]],
        ['outside', [['large.bin', hash('sha256', bytes)]]],
        ['without', []],
      ]);
    });
  });
});
