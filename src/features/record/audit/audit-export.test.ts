import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import { AuditExport, fileSink } from './audit-export.ts';

const folder = mkdtempSync(join(tmpdir(), 'signet-audit-'));
after(() => rmSync(folder, { recursive: true }));

interface Line {
  account_id: string;
  action: string;
  seq: number;
  hash: string;
}

const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const path = join(folder, 'audit.jsonl');

onEngines('both', 'AUDIT_EXPORT', { env: { AUDIT_EXPORT: `file:${path}` } }, (suite) => {
  it('writes every entry once, in the order of its chain, with the hash that covers it', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    for (let n = 0; n < 5; n++) await api.put(`/v1/vault/key-${n}`, { ciphertext: 'x' });
    await t.app.provided.audit.flush();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const own = linesOf(path).filter((line) => line.account_id === accountId);
    assert.deepEqual(
      own.map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6],
    );
    for (const { hash: given, ...entry } of own) assert.equal(given, hash('sha256', JSON.stringify(entry), 'hex'));
  });

  it('loses nothing when the process dies between writing and noting, and when another process appended', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await api.put('/v1/vault/a', { ciphertext: 'x' });
    // All is written and noted, so the service itself, which looks every second, writes no more of this chain.
    await t.app.provided.audit.flush();
    // What a killed process leaves: entries that nobody noted, and a position behind what was written.
    await t.sql('update audit_chains set exported_seq = 0 where account_id = ?', accountId);
    const other = join(folder, `other-${t.engine}.jsonl`);
    const restarted = new AuditExport(t.app.database, fileSink(other));
    await restarted.find();
    await restarted.close();
    const own = linesOf(other).filter((line) => line.account_id === accountId);
    assert.deepEqual(
      own.map(({ seq }) => seq),
      [1, 2],
    );
  });
});
