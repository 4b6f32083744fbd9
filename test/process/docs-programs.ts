import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as jose from 'jose';
import { Webhook } from 'standardwebhooks';
import type { WebSocket } from 'ws';
import { sealCredential } from '../../src/client/sealed-credential.ts';
import { SignetClient } from '../../src/client/signet-client.ts';
import { confirmOperator } from '../support/agents.ts';
import { programsOf, runProgram } from '../support/doc-programs.ts';
import type { TestApp } from '../support/harness.ts';
import { followLink, loginLinks, newPerson } from '../support/operators.ts';
import { answer, startReceiver } from '../support/webhook-receiver.ts';

/** The programs of the pages, run after the shell commands of the page, against the service of the page. */

export interface PageWorld {
  t: TestApp;
  /** The folder in which the commands of the page ran. */
  cwd: string;
  /** A variable of the shell of the page. */
  variable(name: string): Promise<string>;
}

/** What a JWT says is checked at the time of the service. */
async function verified(page: string, t: TestApp, token: string): Promise<jose.JWTPayload> {
  const jwtVerify = (jwt: string, keys: jose.JWTVerifyGetKey, options: jose.JWTVerifyOptions) =>
    jose.jwtVerify(jwt, keys, { ...options, currentDate: new Date(t.clock.now()) });
  const [code = ''] = programsOf(page);
  const { payload } = await runProgram(code.replaceAll('https://signet.example', t.baseUrl), {
    given: { token },
    modules: { jose: { ...jose, jwtVerify } },
    wanted: ['payload'],
  });
  return payload as jose.JWTPayload;
}

async function audit({ t, cwd, variable }: PageWorld): Promise<void> {
  const said: { entries: number }[] = [];
  const log = (line: { entries: number }): number => said.push(line);
  const key = await variable('KEY');
  const [online = '', offline = ''] = programsOf('docs/audit.md');
  await runProgram(online, { given: { baseUrl: t.baseUrl, key, console: { log } } });
  const zip = await fetch(`${t.baseUrl}/v1/account/export`, { headers: { authorization: `Bearer ${key}` } });
  const [file, folder] = [join(cwd, 'export.zip'), join(cwd, 'export')];
  writeFileSync(file, new Uint8Array(await zip.arrayBuffer()));
  execFileSync('python3', ['-m', 'zipfile', '-e', file, folder]);
  await runProgram(offline, { given: { folder, console: { log } } });
  assert.equal(said.length, 2);
  for (const { entries } of said) assert.ok(entries > 0);
}

async function tokens({ t, variable }: PageWorld): Promise<void> {
  const { aud } = await verified('docs/tokens.md', t, await variable('TOKEN'));
  assert.equal(aud, 'https://api.example.com');
}

async function findings({ t, cwd }: PageWorld): Promise<void> {
  const { token, agent_id: agent } = JSON.parse(readFileSync(join(cwd, 'finding.json'), 'utf8'));
  assert.equal((await verified('docs/findings.md', t, token)).sub, agent);
}

async function events({ t, variable }: PageWorld): Promise<void> {
  const [code = ''] = programsOf('docs/events.md');
  const given = { key: await variable('KEY'), last: 'ev_00000000000000000000000000' };
  const here = code.replace('ws://127.0.0.1:8787', t.baseUrl.replace(/^http/, 'ws'));
  const { socket } = (await runProgram(here, { given, wanted: ['socket'] })) as { socket: WebSocket };
  const [text] = await once(socket, 'message');
  assert.match(JSON.parse(String(text)).id, /^ev_/);
  socket.terminate();
}

/** The operator of the page opens the link, sees the key and gives a value. */
async function credentials({ t }: PageWorld): Promise<void> {
  const [asking = '', opening = ''] = programsOf('docs/credentials.md');
  const [account, email] = [await t.createAccount(), newPerson(t)];
  await confirmOperator(t, account, email);
  const [link] = await loginLinks(t, email);
  const session = await followLink(t, link as string);
  const decided = async (code: string): Promise<void> => {
    const asked = (await t.api().post('/v1/credentials/view', { user_code: code, session })).body;
    const sealed = await sealCredential(asked.public_key, asked.request_id, 'sk_test_1');
    const answered = { user_code: code, session, decision: 'approve', sealed_value: sealed };
    const { status, text } = await t.api().post('/v1/credentials/approve', answered);
    assert.equal(status, 200, text);
  };
  const waits = '// … wait for credential.resolved …';
  assert.ok(asking.includes(waits));
  const signet = new SignetClient({ baseUrl: t.baseUrl, key: account.key });
  const { value } = await runProgram(asking.replace(waits, 'await decided(user_code);'), {
    given: { signet, decided, console: { log: () => {} } },
    wanted: ['value'],
  });
  assert.equal(value, 'sk_test_1');
  const { open } = (await runProgram(opening, { wanted: ['open'] })) as { open: (...of: unknown[]) => string };
  const vectors = fileURLToPath(new URL('../../docs/vectors/credential.json', import.meta.url));
  const [vector] = JSON.parse(readFileSync(vectors, 'utf8')).vectors;
  const jwk = { kty: 'OKP', crv: 'X25519', x: vector.agent_public_key, d: vector.agent_private_key };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  assert.equal(open(key, vector.request_id, vector.sealed_value), vector.plaintext);
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A delivery as a receiver gets it. */
async function delivery({ t, variable }: PageWorld) {
  const receiver = await startReceiver(answer(204));
  try {
    const api = t.api(await variable('KEY'));
    const made = await api.post('/v1/email/webhooks', { address: 'hello', url: receiver.url, secret: SECRET });
    assert.equal(made.status, 201, made.text);
    assert.equal((await api.post(`/v1/webhooks/${made.body.id}/test`)).status, 202);
    return (await receiver.waitFor(1))[0] as { headers: http.IncomingHttpHeaders; body: string };
  } finally {
    await receiver.close();
  }
}

/** Starts the receiver of the page. */
async function receiverOf(code: string, got: (event: { type: string }) => void): Promise<http.Server> {
  const made: http.Server[] = [];
  const createServer = (listener: http.RequestListener): http.Server => {
    const server = http.createServer(listener);
    made.push(server);
    return server;
  };
  assert.ok(code.includes('.listen(9000'));
  await runProgram(code.replace('.listen(9000', '.listen(0'), {
    given: { process: { env: { WEBHOOK_SECRET: SECRET } }, console: { log: got } },
    modules: { 'node:http': { createServer } },
  });
  const [server] = made as [http.Server];
  if (!server.listening) await once(server, 'listening');
  return server;
}

/** Its signature covers the time, which is that of the service. */
class AtTheTimeOfTheService extends Webhook {
  static now = 0;
  override verify(...given: Parameters<Webhook['verify']>): unknown {
    mock.timers.enable({ apis: ['Date'], now: AtTheTimeOfTheService.now });
    try {
      return super.verify(...given);
    } finally {
      mock.timers.reset();
    }
  }
}

async function webhooks(world: PageWorld): Promise<void> {
  const [receiving = '', standard = ''] = programsOf('docs/webhooks.md');
  const { headers, body } = await delivery(world);
  const got: string[] = [];
  const server = await receiverOf(receiving, ({ type }) => got.push(type));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const signature = { 'x-service-signature': String(headers['x-service-signature']) };
    const send = (text: string) => fetch(url, { method: 'POST', headers: signature, body: text });
    assert.deepEqual([(await send(body)).status, (await send(`${body} `)).status], [204, 401]);
    assert.deepEqual(got, ['webhook.test']);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  AtTheTimeOfTheService.now = world.t.clock.now();
  const { event } = await runProgram(standard, {
    given: { process: { env: { WEBHOOK_SECRET: SECRET } }, body: Buffer.from(body), request: { headers } },
    modules: { standardwebhooks: { Webhook: AtTheTimeOfTheService } },
    wanted: ['event'],
  });
  assert.equal((event as { type: string }).type, 'webhook.test');
  const python = `${programsOf('docs/webhooks.md', 'python').join('\n')}
import json, sys
given = json.load(sys.stdin)
print([is_genuine(given["secret"], text.encode(), given["headers"]) for text in given["bodies"]])`;
  const input = JSON.stringify({ secret: SECRET, headers, bodies: [body, `${body} `] });
  const run = spawnSync('python3', ['-c', python], { input, encoding: 'utf8' });
  // Who has no Python has no program to run; CI has it.
  if (!run.error) assert.equal(run.stdout.trim(), '[True, False]', run.stderr);
}

/** The programs of mail programs, with the host and the ports of the test, which have no certificate. */
async function mailPrograms({ t, variable }: PageWorld): Promise<void> {
  const [key, address] = [await variable('PROGRAM'), await variable('ADDRESS')];
  const { imap, submission } = t.app.programPorts;
  const here = (code: string): string => {
    const changed = code
      .replace("IMAP4_SSL('mx.agents.example.com', 993)", `IMAP4('127.0.0.1', ${imap})`)
      .replace("SMTP_SSL('mx.agents.example.com', 465)", `SMTP('127.0.0.1', ${submission})`)
      .replace("'mx.agents.example.com',\n  port: 993,\n  secure: true", `'127.0.0.1', port: ${imap}, secure: false`)
      .replaceAll('ada@agents.example.com', address)
      .replaceAll('bob@example.com', address);
    assert.ok(!changed.includes('mx.agents'), code);
    return changed;
  };
  const [reading = '', sending = ''] = programsOf('docs/mail-programs.md', 'python');
  const python = (code: string): Promise<string> =>
    promisify(execFile)('python3', ['-c', `key = '${key}'\n${here(code)}`]).then(({ stdout }) => stdout);
  await python(sending);
  assert.match(await python(reading), /^Subject: Hello\r?$/m);
  assert.equal(await python(reading), '', 'all is read');
  const [code = ''] = programsOf('docs/mail-programs.md');
  const { subjects } = await runProgram(here(code), {
    given: { key, console: { log: () => {} } },
    wanted: ['subjects'],
  });
  assert.deepEqual(subjects, ['By curl', 'Hello']);
}

/** By page. */
export const PROGRAMS: Readonly<Record<string, (world: PageWorld) => Promise<void>>> = {
  'audit.md': audit,
  'credentials.md': credentials,
  'events.md': events,
  'findings.md': findings,
  'mail-programs.md': mailPrograms,
  'tokens.md': tokens,
  'webhooks.md': webhooks,
};
