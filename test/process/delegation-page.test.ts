import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { onEngines } from '../support/harness.ts';

const missing = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error);
const skip = missing.length > 0 ? `SKIPPED: there is no ${missing.join(', ')}` : false;

onEngines('any', 'docs/delegation.md', {}, (suite) => {
  it('every example works, one after the other', { skip }, async () => {
    const { t } = suite;
    const page = readFileSync(new URL('../../docs/delegation.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    assert.equal(blocks.length, 4);
    const cwd = mkdtempSync(join(tmpdir(), 'signet-page-'));
    const expires = new Date(t.clock.now() + 3_600_000).toISOString();
    const env = { ...process.env, SIGNET: t.baseUrl, EXPIRES: expires };
    try {
      const script = blocks.join('\necho; echo ----\n');
      const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd, env });
      const [made = '', acted = '', passedOn = '', ended = ''] = stdout.split('----\n');
      assert.equal(JSON.parse(made).status, 'active');
      assert.match(acted, /"access_token":"signet_at_/);
      assert.ok(acted.includes(JSON.parse(made).account_id), 'the token shows the account of the delegator');
      assert.match(passedOn, /"active":true/);
      assert.match(ended, /\{"ok":true\}401\n/);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});
