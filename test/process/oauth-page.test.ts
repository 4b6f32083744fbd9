import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { twoAgents } from '../support/operators.ts';

const missing = ['bash', 'curl', 'openssl'].filter((tool) => spawnSync(tool, ['--version']).error);
const skip = missing.length > 0 ? `SKIPPED: there is no ${missing.join(', ')}` : false;

describe('docs/oauth.md', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t?.stop());

  it('every example works, one after the other', { skip }, async () => {
    const page = readFileSync(new URL('../../docs/oauth.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    assert.equal(blocks.length, 5);
    const cwd = mkdtempSync(join(tmpdir(), 'signet-page-'));
    const { token: session } = await twoAgents(t);
    const env = { ...process.env, SIGNET: t.baseUrl, SESSION: session };
    try {
      const script = blocks.join('\necho; echo ----\n');
      const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd, env });
      const [client = '', consent = '', tokens = '', more = '', ended = ''] = stdout.split('----\n');
      assert.match(client, /"client_id":"oac_/);
      assert.equal(new URL(JSON.parse(consent).redirect_to).searchParams.get('iss'), t.baseUrl);
      assert.equal(JSON.parse(tokens).scope, 'mail:read');
      assert.match(more, /"refresh_token":"signet_rt_/);
      assert.match(ended, /My editor[\s\S]*\{"ok":true\}/);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });
});
