import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import { describeInAll } from '../support/full-run.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { registerClient } from '../support/oauth-client.ts';
import { twoAgents } from '../support/operators.ts';

const SUITE = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** The official conformance suite, as a client that a person lets in. */
describeInAll('MCP conformance of the authorization server', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t?.stop());

  it('holds for the metadata and the authorization code grant', async () => {
    const port = await freePort();
    const clientId = await registerClient(t, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
    const { operator } = await twoAgents(t);
    const args = ['authorization', '--url', t.baseUrl, '--client-id', clientId, '--port', String(port)];
    const suite = spawn(process.execPath, [SUITE, ...args, '--resource', `${t.baseUrl}/mcp`]);
    let said = '';
    let isAnswered = false;
    const listen = (chunk: Buffer): void => {
      said += chunk;
      const request = /\/oauth\/authorize\?(\S+)/.exec(said)?.[1];
      if (request === undefined || isAnswered || !said.includes('Waiting up to')) return;
      isAnswered = true;
      void operator
        .post('/oauth/consent', { request, decision: 'allow' })
        .then(({ body }) => fetch(body.redirect_to))
        .catch((err: unknown) => {
          said += String(err);
          suite.kill();
        });
    };
    suite.stdout.on('data', listen);
    suite.stderr.on('data', listen);
    const code = await new Promise((resolve) => suite.on('close', resolve));
    assert.equal(code, 0, said.slice(-4000));
    assert.ok(isAnswered, said.slice(-4000));
  });
});
