import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describeInAll } from '../support/full-run.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { EXPECTED_FAILURES } from './mcp-conformance-table.ts';

/**
 * The official conformance suite of the Model Context Protocol. It cannot send a credential, so a proxy adds one. What it
 * is told to expect to fail stands in a table, with the reason.
 */

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** Writes the table as the suite reads it. @returns its path */
function writeExpected(folder: string, revision: string): string {
  const scenarios = EXPECTED_FAILURES.flatMap(({ scenarios: all }) => all[revision] ?? []);
  const path = join(folder, `${revision}.yml`);
  writeFileSync(path, ['server:', ...scenarios.map((scenario) => `  - ${scenario}`), ''].join('\n'));
  return path;
}

describeInAll('MCP conformance', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-conformance-'));
  let t: TestApp;
  const proxy = createServer((incoming, outgoing) => {
    const { port } = new URL(t.baseUrl);
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const options = { port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers };
    const forward = httpRequest(options, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(forward);
  });
  let key = '';
  let url = '';

  before(async () => {
    t = await startTestApp('sqlite');
    key = (await t.createAccount()).key;
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  });
  after(async () => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
    await t.stop();
  });

  for (const revision of ['2026-07-28', '2025-11-25']) {
    it(`holds for ${revision}`, async (test) => {
      const args = [
        SUITE,
        'server',
        '--url',
        url,
        '--requirements',
        revision,
        '--expected-failures',
        writeExpected(folder, revision),
      ];
      const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
        execFile(process.execPath, args, { maxBuffer: 16 * 1_048_576 }, (err, out, errors) =>
          resolve({ code: err ? Number(err.code ?? 1) : 0, said: out + errors }),
        );
      });
      for (const { reason, scenarios } of EXPECTED_FAILURES)
        test.diagnostic(`${(scenarios[revision] ?? []).length} expected to fail: ${reason}`);
      test.diagnostic(said.slice(said.lastIndexOf('=== SUMMARY')).slice(0, 6000));
      assert.equal(code, 0, said.slice(-4000));
    });
  }
});
