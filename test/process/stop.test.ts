import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, it } from 'node:test';
import { ConfigError } from '../../src/config/config-variable.ts';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { ANY_ENGINE } from '../support/full-run.ts';
import { freshDatabase } from '../support/harness.ts';
import { Dialogue } from '../support/smtp-dialogue.ts';
import { runService, type Service, startService } from './service.ts';
import { mailOf } from './smtp-session.ts';

/** A request whose body is sent only at `finish`, so that it stays in flight until then. */
interface HeldRequest {
  finish(): void;
  /** Everything that the server sent until it closed the connection. */
  reply: Promise<string>;
}

/** Returns when the server has read the head of the request. `Expect: 100-continue` makes the server confirm that. */
async function holdRequest(service: Service, key: string, path: string, body: unknown): Promise<HeldRequest> {
  const bytes = JSON.stringify(body);
  const socket = net.connect(service.httpPort, '127.0.0.1');
  const held = { text: '' };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    held.text += chunk;
  });
  const reply = new Promise<string>((resolve, reject) => {
    socket.on('close', () => resolve(held.text.replace('HTTP/1.1 100 Continue\r\n\r\n', '')));
    socket.on('error', reject);
  });
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(bytes)}`,
    'expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${bytes.slice(0, 1)}`);
  await eventually(() => held.text.startsWith('HTTP/1.1 100 Continue') || socket.destroyed);
  if (socket.destroyed) throw new Error(`the connection ended with: ${held.text}`);
  return { finish: () => void socket.write(bytes.slice(1)), reply };
}

/** Waits until the port accepts no more connections. */
const untilRefused = (port: number): Promise<boolean> =>
  eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = net.connect(port, '127.0.0.1');
        socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
        socket.on('connect', () => socket.destroy());
      }),
    'the port accepts no more connections',
  );

describe('SIGTERM', () => {
  for (const engine of ANY_ENGINE) {
    it(`on ${engine}: listeners close at once, open requests get their full reply, exit code 0, nothing is lost`, async () => {
      const { env, drop } = await freshDatabase(engine);
      const service = await startService(env);
      let again: Service | undefined;
      try {
        const { api_key: key } = (await service.api().post('/v1/auth/keys')).body;
        await service.api(key).post('/v1/email/claim', { address: 'first' });
        const idle = net.connect(service.httpPort, '127.0.0.1');
        const idleClosed = new Promise((resolve) => idle.on('close', resolve));
        const mail = await Dialogue.open(service.smtpPort);
        assert.equal(await mail.begin('ada@example.com', 'first@agents.localhost'), 354);
        const names = ['second', 'third', 'fourth'];
        const held = await Promise.all(
          names.map((address) => holdRequest(service, key, '/v1/email/claim', { address })),
        );
        const note = { name: 'note', arguments: { topic: 'stop', content: 'noted while stopping' } };
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: note };
        const tool = await holdRequest(service, key, '/mcp', message);

        const exited = service.kill('SIGTERM');
        await Promise.all([untilRefused(service.httpPort), untilRefused(service.smtpPort)]);
        // Both listeners are closed while the work is still open. Now let it finish.
        for (const { finish } of [...held, tool]) finish();
        mail.send(`${mailOf('sent while stopping', 'first@agents.localhost')}\r\n.\r\n`);
        assert.equal((await mail.reply()).code, 250);
        for (const [i, { reply }] of held.entries()) {
          const [head = '', body = ''] = (await reply).split('\r\n\r\n');
          assert.match(head, /^HTTP\/1\.1 201 /);
          assert.equal(JSON.parse(body).address, `${names[i]}@agents.localhost`);
        }
        const [, said = ''] = (await tool.reply).split('\r\n\r\n');
        assert.equal(JSON.parse(said).result.structuredContent.topic, 'stop', said);
        await idleClosed;
        assert.deepEqual(await exited, { code: 0, signal: null });

        again = await service.restart();
        const { addresses } = (await again.api(key).get('/v1/email/addresses')).body;
        assert.deepEqual(addresses.sort(), ['first', ...names].map((name) => `${name}@agents.localhost`).sort());
        // On a busy machine the mail is parsed only now.
        const { messages } = (await again.api(key).get('/v1/email/inbox?address=first&wait=60')).body;
        assert.deepEqual(
          messages.map((message: { subject: string }) => message.subject),
          ['sent while stopping'],
        );
        assert.equal((await again.kill('SIGTERM')).code, 0);
      } finally {
        await Promise.all([service.kill('SIGKILL'), again?.kill('SIGKILL')]);
        await drop();
      }
    });
  }

  it('ends within 10 s even if a client never finishes its request', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const service = await startService(env);
    const { api_key: key } = (await service.api().post('/v1/auth/keys')).body;
    const { reply } = await holdRequest(service, key, '/v1/email/claim', { address: 'never' });
    reply.catch(() => {});
    const mail = await Dialogue.open(service.smtpPort);
    await mail.say('EHLO client.example');
    await mail.say('MAIL FROM:<ada@example.com>');
    // It ends by itself, and says that it did not wait any longer.
    assert.deepEqual(await service.kill('SIGTERM'), { code: 1, signal: null });
    assert.match(service.stdout(), /stopped with work still open/);
    await drop();
  });
});

/** Each variable with invalid values: the part of the value that must be shown, and the expected format. */
const REFUSED: [name: string, value: string, got: string, wants: RegExp][] = [
  ['PORT', 'abc', 'abc', /a port from 0 to 65535/],
  ['PORT', '65536', '65536', /a port from 0 to 65535/],
  ['PORT', '-1', '-1', /a port from 0 to 65535/],
  ['SMTP_PORT', 'on', 'on', /a port from 0 to 65535/],
  ['BASE_URL', 'signet.example.com', 'signet.example.com', /https?:\/\//],
  ['BASE_URL', 'ftp://signet.example.com', 'ftp://signet.example.com', /https?:\/\//],
  ['DEVELOPMENT', 'yes', 'yes', /"on" or "off"/],
  ['LIMITS', '{"free":', '{', /JSON/],
  ['LIMITS', '[]', '', /JSON object/],
  ['LIMITS', '{"free":{"requests":5}}', 'free.requests', /not a limit/],
  ['LIMITS', '{"free":{"requests_per_day":"5"}}', 'free.requests_per_day', /non-negative integer/],
  ['LIMITS', '{"session_ttl_seconds":-1}', 'session_ttl_seconds', /non-negative integer/],
  ['MAIL_DOMAIN', 'agents_example', 'agents_example', /a domain name/],
  ['LOG_LEVEL', 'loud', 'loud', /trace, debug, info/],
  ['DATABASE_URL', 'mysql://db.example/signet', 'mysql://db.example/signet', /postgres:\/\//],
  ['TRUST_PROXY', 'yes', 'yes', /off/],
  ['TRUST_PROXY', '10.0.0.0/99', '10.0.0.0/99', /IP ranges/],
  ['SMTP_RELAY_URL', 'http://relay.example', 'http://relay.example', /smtps?:\/\//],
  ['X402_PAY_TO', '0x123', '0x123', /EVM address/],
  // The missing half of the pair is the wrong one.
  ['SMTP_TLS_CERT', '', '', /PEM/],
  ['SMTP_TLS_KEY', '', '', /PEM/],
];

type Exited = Pick<Awaited<ReturnType<typeof runService>>, 'code' | 'stdout' | 'stderr'>;

describe('a configuration error', () => {
  it('ends the process before it listens, with one line that shows the variable, its value and the expected format', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    // The process is the same for each variable; what it says is the message of the error.
    const inProcess = (given: Record<string, string>): Exited => {
      try {
        readConfig(given);
        return { code: 0, stdout: '', stderr: '' };
      } catch (err) {
        assert.ok(err instanceof ConfigError);
        return { code: 2, stdout: '', stderr: `signet: ${err.message}\n` };
      }
    };
    const pair = (name: string): Record<string, string> =>
      name.startsWith('SMTP_TLS') ? { SMTP_TLS_CERT: '/no/cert.pem', SMTP_TLS_KEY: '/no/key.pem' } : {};
    for (const [i, [name, value, got, wants]] of REFUSED.entries()) {
      const given = { ...env, ...pair(name), [name]: value };
      const { code, stdout, stderr } = i % 7 === 0 ? await runService(given) : inProcess(given);
      const what = `${name}=${value}`;
      assert.ok(code !== null && code !== 0, `${what}: exit code ${code}`);
      assert.equal(stdout, '', what);
      assert.match(stderr, /^signet: [^\n]+\n$/, `${what}: one line`);
      assert.ok(stderr.includes(name), `${what}: names the variable: ${stderr}`);
      // A value is shown as JSON, so that its spaces and quotes differ from the sentence around it.
      assert.ok(stderr.includes(JSON.stringify(got).slice(1, -1)), `${what}: names what it got: ${stderr}`);
      assert.match(stderr, wants, what);
    }
    await drop();
  });

  it('includes a certificate that cannot be read', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const { code, stdout, stderr } = await runService({
      ...env,
      SMTP_TLS_CERT: '/no/cert.pem',
      SMTP_TLS_KEY: '/no/key.pem',
    });
    await drop();
    assert.ok(code !== null && code !== 0);
    assert.equal(stdout, '');
    assert.match(stderr, /^signet: [^\n]*SMTP_TLS_CERT[^\n]*\/no\/cert\.pem[^\n]*\n$/);
  });

  it('does not repeat a password in a URL', async () => {
    const { stderr } = await runService({ DATABASE_URL: 'mysql://user:hunter2@db.example/signet' });
    assert.match(stderr, /DATABASE_URL/);
    assert.doesNotMatch(stderr, /hunter2/);
  });
});
