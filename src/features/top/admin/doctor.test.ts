import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import packageJson from '../../../../package.json' with { type: 'json' };
import { freePort } from '../../../../test/support/free-port.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { parseMasterKey } from '../../../base/sealing.ts';
import { examineSecrets } from '../../../secrets.ts';
import { WEBHOOK_SECRET } from '../../mail/webhooks/webhook-table.ts';
import { examine } from './doctor.ts';

type Deps = Parameters<typeof examine>[0];

/** One line for each finding, as the operator reads it. */
async function findings(t: TestApp, over: Partial<Deps> = {}): Promise<string> {
  const { config } = t;
  const applied = await t.sql('select id from schema_migrations order by id');
  const checks = await examine({
    ...config,
    reservedAddresses: ['ceo'],
    version: packageJson.version,
    migrations: applied.map(({ id }) => String(id)),
    examineSecrets: (database) => examineSecrets(config, database, [WEBHOOK_SECRET]),
    now: t.clock.now,
    ...over,
  });
  return checks.map(({ status, name, message, remedy }) => `${status} ${name}: ${message}. ${remedy ?? ''}`).join('\n');
}

onEngines('any', 'signet doctor', {}, (suite) => {
  it('fails for a port of another program and an unreachable relay, with the variable to set', async () => {
    const { t } = suite;
    const port = await freePort();
    const other = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await once(other, 'listening');
    const taken = await findings(t, { port, smtpPort: port });
    await new Promise((resolve) => other.close(resolve));
    assert.match(taken, /^fail api port: another program listens on .* set PORT /m);
    assert.match(taken, /^fail smtp port: another program listens on .* set SMTP_PORT /m);
    const away = await findings(t, { port, smtpRelayUrl: `smtp://u:hush@127.0.0.1:${port}` });
    assert.match(away, /^ok api port: \S+ is free/m);
    assert.match(away, /^fail mail relay: 127\.0\.0\.1:\d+ does not answer: .*Check SMTP_RELAY_URL/m);
    assert.ok(!away.includes('hush'));
  });

  it('fails for a running service without its SMTP port; warns about a service of another version', async () => {
    const { t } = suite;
    const port = Number(new URL(t.baseUrl).port);
    const smtpPort = t.app.smtpPort as number;
    assert.match(await findings(t, { port, smtpPort }), /^ok api port: .*\nok smtp port: \S+ greets/m);
    assert.match(await findings(t, { port, smtpPort: 1 }), /^fail smtp port: the service runs, and nothing listens/m);
    assert.match(await findings(t, { port, version: '9.9.9' }), /^warn api port: .*this is 9\.9\.9\. Restart/m);
  });

  it('fails for a clock before the release of this version', async () => {
    assert.match(await findings(suite.t, { now: () => 0 }), /^fail clock: .*1970.*NTP/m);
  });

  it('warns about a data folder that others can read, with the command to run', async () => {
    const { t } = suite;
    chmodSync(t.config.dataDir, 0o755);
    const open = await findings(t);
    chmodSync(t.config.dataDir, 0o700);
    assert.match(open, /^warn data folder: .*chmod 700/m);
    assert.match(await findings(t), /^ok data folder/m);
  });

  it('names the files that other users may read, in every folder, with the command to run', async () => {
    const { t } = suite;
    const { dataDir } = t.config;
    const outbox = join(dataDir, 'outbox');
    mkdirSync(outbox, { recursive: true, mode: 0o700 });
    writeFileSync(join(outbox, 'login.eml'), 'a link', { mode: 0o644 });
    writeFileSync(join(dataDir, 'old-key.json'), '{}', { mode: 0o640 });
    assert.match(await findings(t), /^warn data files: .*old-key\.json.*outbox\/login\.eml.*chmod -R go-rwx /m);
    execFileSync('chmod', ['-R', 'go-rwx', dataDir]);
    assert.match(await findings(t), /^ok data files/m);
    rmSync(outbox, { recursive: true });
    rmSync(join(dataDir, 'old-key.json'));
  });

  it('warns about unread mail to the postmaster, and when it is not forwarded', async () => {
    const { t } = suite;
    assert.match(await findings(t), /^warn postmaster mail: .*Set POSTMASTER_MAIL/m);
    assert.match(await findings(t, { postmasterMail: 'ops@example.com' }), /^ok postmaster mail: .*ops@example\.com/m);
    const dir = join(t.config.dataDir, 'postmaster');
    mkdirSync(dir, { mode: 0o700 });
    writeFileSync(join(dir, 'mail_1.eml'), 'help', { mode: 0o600 });
    assert.match(await findings(t), /^warn postmaster mail: 1 mails /m);
    rmSync(dir, { recursive: true });
  });

  it('checks the master key: a wrong one, secrets in the clear, and a rotation left half done', async () => {
    const { t } = suite;
    const { config } = t;
    const given = (masterKey: Buffer | null, masterKeyPrevious: Buffer | null = null): Partial<Deps> => ({
      examineSecrets: (database) =>
        examineSecrets({ ...config, masterKey, masterKeyPrevious }, database, [WEBHOOK_SECRET]),
    });
    assert.match(await findings(t), /^ok master key: [0-9a-f]{12} opens the check value/m);
    const other = Buffer.alloc(32, 7);
    assert.match(await findings(t, given(other)), /^fail master key: MASTER_KEY is the wrong key/m);
    const mine = config.masterKey ?? parseMasterKey(readFileSync(join(config.dataDir, 'master.key'), 'utf8'));
    assert.match(await findings(t, given(mine, other)), /^warn key rotation: MASTER_KEY_PREVIOUS is still set/m);
    const { api } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: 'rotated' })).body;
    const hook = { address, url: 'http://127.0.0.1:9/hook', secret: 'a secret' };
    const { id } = (await api.post('/v1/email/webhooks', hook)).body;
    const half = await findings(t, given(other, mine));
    assert.match(half, /^ok master key/m);
    assert.match(
      half,
      /^warn key rotation: webhooks\.secret is still sealed by the key before\. Run signet master-key/m,
    );
    await t.sql('update webhooks set secret = ? where id = ?', 'a secret', id);
    assert.match(await findings(t), /^warn secrets: webhooks\.secret holds secrets in the clear/m);
    await api.delete(`/v1/email/webhooks/${id}`);
  });
});

onEngines('both', 'signet doctor', {}, (suite) => {
  it('fails for an older schema and warns about a newer one, with the names of the migrations', async () => {
    const { t } = suite;
    assert.match(await findings(t, { migrations: ['9999-later'] }), /^fail database: .*lacks 9999-later\. .*migrate/m);
    assert.match(await findings(t, { migrations: [] }), /^warn database: .*0001-foundation.*newer version/m);
  });

  it('warns about jobs more than five minutes overdue', async () => {
    const { t } = suite;
    const at = t.clock.now();
    await t.sql(
      `insert into jobs (id, lane, kind, payload, attempts, run_at, lease_until, created_at) values (?, 'mail', 'mail.login', '{}', 0, ?, ?, ?)`,
      'job_late',
      at - 600_000,
      at + 600_000,
      at,
    );
    assert.match(await findings(t), /^warn jobs: the oldest job is 10 minutes overdue/m);
    await t.sql('delete from jobs where id = ?', 'job_late');
    assert.match(await findings(t), /^ok jobs: none waiting/m);
  });

  it('names the addresses that were claimed before their name was reserved', async () => {
    const { t } = suite;
    assert.match(await findings(t), /^ok reserved names/m);
    const { api, accountId } = await t.createAccount();
    await api.post('/v1/email/claim', { address: 'ceo' });
    await api.post('/v1/email/claim', { address: 'early' });
    await t.sql("update addresses set address = 'no_reply@agents.localhost' where address = 'early@agents.localhost'");
    const said = await findings(t);
    assert.match(said, new RegExp(`^warn reserved names: .*ceo@agents\\.localhost \\(${accountId}\\)`, 'm'));
    assert.match(said, /^warn reserved names: .*no_reply@agents\.localhost /m);
  });
});
