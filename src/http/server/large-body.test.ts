import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { IS_FULL_RUN } from '../../../test/support/full-run.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/support/harness.ts';
import { isLongRun } from '../../../test/support/long-run.ts';

const MIB = 1_048_576;
const TIMES = isLongRun ? 100 : IS_FULL_RUN ? 20 : 4;

let t: TestApp;
let account: TestAccount;
const jsonOf = (bytes: number): string => JSON.stringify({ description: 'a'.repeat(bytes) });

/** Sends a program its input and returns what it prints. */
async function run(command: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.on('error', () => {}).end(input);
  await once(child, 'close');
  return output;
}

/** Clients that send their whole body before they read, as Python's do. httpx is there if Python has it. */
const PYTHON = `
import http.client, sys
try:
    import httpx
except ImportError:
    httpx = None
body = sys.stdin.buffer.read()
host, key = sys.argv[1:]
for _ in range(${TIMES}):
    connection = http.client.HTTPConnection(host)
    connection.request("POST", "/v1/observations", body, {"authorization": "Bearer " + key, "content-type": "application/json"})
    print(connection.getresponse().status)
headers = {"authorization": "Bearer " + key, "content-type": "application/json"}
for _ in range(${TIMES} if httpx else 0):
    print(httpx.post("http://" + host + "/v1/observations", content=body, headers=headers).status_code)
`;
/** The system's Python, as its packages have httpx. */
const PYTHON_PROGRAM = '/usr/bin/python3';
const hasHttpx = spawnSync(PYTHON_PROGRAM, ['-c', 'import httpx']).status === 0;

describe('a large body', () => {
  before(async () => {
    t = await startTestApp('sqlite');
    account = await t.createAccount();
  });
  after(() => t.stop());

  describe('a body that is too large', () => {
    for (const bytes of [1.2 * MIB, 3 * MIB, 10 * MIB]) {
      it(`of ${bytes / MIB} MiB: every client hears the 413`, async () => {
        const { host } = new URL(t.baseUrl);
        const body = jsonOf(bytes);
        const heard: number[] = [];
        const headers = { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' };
        const url = `${t.baseUrl}/v1/observations`;
        for (let n = 0; n < TIMES; n++) heard.push((await fetch(url, { method: 'POST', headers, body })).status);
        assert.deepEqual(heard, Array(TIMES).fill(413), 'fetch');
        const authorization = `authorization: Bearer ${account.key}`;
        const curl = ['-sS', '-X', 'POST', '-H', authorization, '-H', 'content-type: application/json'];
        const expectNothing = ['-H', 'expect:', '--data-binary', '@-', '-o', '/dev/null', '-w', '%{http_code} '];
        assert.equal(await run('curl', [...curl, ...expectNothing, url], body), '413 ', 'curl');
        const python = await run(PYTHON_PROGRAM, ['-c', PYTHON, host, account.key], body);
        assert.equal(python, '413\n'.repeat(hasHttpx ? 2 * TIMES : TIMES), 'Python');
      });
    }

    it('of a stranger: he hears the 401 before his body counts', async () => {
      const heard: number[] = [];
      for (let n = 0; n < TIMES; n++) heard.push((await t.api().post('/v1/observations', jsonOf(10 * MIB))).status);
      assert.deepEqual(heard, Array(TIMES).fill(401));
    });

    it('is read to 16 MiB at most', async () => {
      const { hostname, port } = new URL(t.baseUrl);
      const socket = connect(Number(port), hostname);

      const head = `POST /v1/observations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\n`;
      socket.write(`${head}content-type: application/json\r\ncontent-length: ${1000 * MIB}\r\n\r\n`);
      let reply = '';
      socket.setEncoding('latin1').on('data', (text: string) => {
        reply += text;
      });
      const piece = Buffer.alloc(MIB, 97);
      let sent = 0;
      const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
      for (; sent < 200 && !socket.destroyed; sent++) {
        if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      }
      await closed;
      assert.match(reply, /^HTTP\/1\.1 413 /);
      assert.ok(sent < 60, `${sent} MiB were taken, buffers included`);
    });
  });

  describe('a body with many members', () => {
    const wide = (open: string, member: string, close: string, count: number): string =>
      `${open}${Array(count).fill(member).join(',')}${close}`;

    it('N10: is refused before it is parsed, whatever they are, as soon as there are more than 5,000', async () => {
      for (const body of [
        wide('[', '[]', ']', 9_900),
        wide('[', '1', ']', 5_001),
        wide('[', '[]', ']', 90_000),
        wide('{"description":[', '1', ']}', 90_000),
        wide('{', '"":0', '}', 90_000),
        '['.repeat(90_000),
      ]) {
        const { status, body: refusal } = await account.api.post('/v1/observations', body);
        assert.deepEqual(
          [status, refusal.error, refusal.details[0].code],
          [400, 'invalid_request', 'too_many_members'],
        );
      }
    });

    it('is not taken for one where commas and brackets stand in text', async () => {
      const content = `${'[,{'.repeat(30_000)}\\\\\\"`;
      const { status, body } = await account.api.post('/v1/observations', { topic: 'notes', content });
      assert.notEqual(body.details?.[0]?.code, 'too_many_members', `${status}`);
    });

    it('without a credential may have 16 KiB', async () => {
      const long = JSON.stringify({ description: 'a'.repeat(16_384) });
      const { status, body } = await t.api().post('/v1/register', long);
      assert.deepEqual([status, body.error], [413, 'body_too_large']);
    });
  });
});
