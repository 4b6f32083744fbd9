import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { dkimRecord } from '../../src/mail/smtp-out/zone-records.ts';
import { startTestListener } from '../support/smtp-dialogue.ts';
import { refuses, succeeds } from './command-line.ts';

const dir = mkdtempSync(join(tmpdir(), 'signet-dns-'));
after(() => rmSync(dir, { recursive: true }));
const env = { DATA_DIR: join(dir, 'data'), MAIL_DOMAIN: 'agents.example', DNS_SERVERS: '127.0.0.1:1' };

it('signet dns makes the DKIM key of a fresh service, prints its record, and keeps it', async () => {
  const [first, again] = [
    (await succeeds(env, 'dns', '--ip', '192.0.2.1', '--json')).json(),
    (await succeeds(env, 'dns', '--ip', '192.0.2.1', '--json')).json(),
  ];
  assert.deepEqual(first, again);
  const pem = join(env.DATA_DIR, 'dkim.pem');
  const record = first.records.find(({ purpose }: { purpose: string }) => purpose === 'dkim');
  assert.equal(record.value, dkimRecord(readFileSync(pem, 'utf8')));
  assert.equal(statSync(pem).mode & 0o777, 0o600);
});

it('signet mail test sends a signed mail and shows each step; with files only, it says what to set', async () => {
  const listener = await startTestListener();
  const relay = { ...env, SMTP_RELAY_URL: `smtp://127.0.0.1:${listener.port}` };
  const { stdout } = await succeeds(relay, 'mail', 'test', 'ada@agents.example');
  await listener.close(0);
  const steps = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
  assert.deepEqual(steps, ['queued', 'relay', 'dsn', 'sent']);
  const raw = listener.accepted[0]?.raw.toString('latin1') ?? '';
  assert.match(raw, /^DKIM-Signature: .*d=agents\.example/m);
  await refuses(env, 1, /set DELIVERY=direct/, 'mail', 'test', 'ada@agents.example');
});
