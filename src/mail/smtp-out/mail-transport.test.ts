import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MESSAGE } from '../../../test/support/outgoing-message.ts';
import { startTestListener } from '../../../test/support/smtp-dialogue.ts';
import { createMailTransport } from './mail-transport.ts';

const dir = mkdtempSync(join(tmpdir(), 'outbox-'));
after(() => rm(dir, { recursive: true }));

const relay = (port: number, query = '', connectMs = 60_000) =>
  createMailTransport({ relayUrl: `smtp://127.0.0.1:${port}${query}`, outboxDir: dir, connectMs });

/** A server that greets and answers each command with what the script says for its verb, 250 for the rest. */
async function scriptedServer(
  script: Readonly<Record<string, string>>,
): Promise<{ port: number; close(): void; lines: string[] }> {
  const lines: string[] = [];
  const server = net.createServer((socket) => {
    let inData = false;
    socket.on('error', () => {});
    socket.write(`${script.greeting ?? '220 test'}\r\n`);
    let pending = '';
    socket.on('data', (chunk) => {
      pending += chunk.toString();
      for (let at = pending.indexOf('\r\n'); at >= 0; at = pending.indexOf('\r\n')) {
        const line = pending.slice(0, at);
        pending = pending.slice(at + 2);
        if (inData && line !== '.') continue;
        lines.push(line);
        const verb = inData
          ? 'end'
          : (Object.keys(script).find((key) => line.startsWith(key)) ?? line.split(' ')[0] ?? '');
        inData = !inData && verb.startsWith('DATA') && script[verb] === undefined;
        socket.write(`${script[verb] ?? (inData ? '354 go' : '250 ok')}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, close: () => server.close(), lines };
}

describe('mail transport: file', () => {
  it('writes the complete message, readable only by its owner', async () => {
    const outboxDir = join(dir, 'deep', 'outbox');
    const transport = createMailTransport({ relayUrl: null, outboxDir });
    assert.equal(transport.provider, 'file');
    const outcome = await transport.send(MESSAGE);
    const path = join(outboxDir, 'out_1.eml');
    assert.deepEqual(outcome, {
      status: 'sent',
      providerId: path,
      detail: 'written to the development outbox',
      rejected: [],
    });
    assert.deepEqual(await readFile(path), MESSAGE.raw);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(outboxDir)).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(outboxDir), ['out_1.eml'], 'no draft left behind');
    transport.close();
  });

  it('defers a message that it cannot write, and never writes outside its folder', async () => {
    const transport = createMailTransport({ relayUrl: null, outboxDir: '/dev/null/outbox' });
    assert.equal((await transport.send(MESSAGE)).status, 'deferred');
    const careful = createMailTransport({ relayUrl: null, outboxDir: dir });
    for (const id of ['../evil', 'a/b', '', 'a\0b', '.']) {
      assert.equal((await careful.send({ ...MESSAGE, id })).status, 'deferred', id);
    }
  });
});

describe('mail transport: smtp', () => {
  it('delivers the bytes to every recipient of the envelope', async () => {
    const listener = await startTestListener({
      accept: async () => ({ ok: true, text: '2.0.0 Ok: queued as 4F1A2B' }),
    });
    const transport = relay(listener.port);
    const outcome = await transport.send(MESSAGE);
    assert.deepEqual(outcome, {
      status: 'sent',
      providerId: '4F1A2B',
      detail: '250 2.0.0 Ok: queued as 4F1A2B',
      rejected: [],
    });
    const mail = listener.accepted[0];
    assert.deepEqual(mail?.recipients, ['eve@agents.example', 'hidden@agents.example']);
    assert.equal(
      mail?.raw.toString('latin1').split('+0000\r\n').slice(1).join('+0000\r\n'),
      MESSAGE.raw.toString('latin1'),
    );
    transport.close();
    await listener.close(0);
  });

  it('sends a bounce with the null sender', async () => {
    const listener = await startTestListener();
    const transport = relay(listener.port);
    assert.equal((await transport.send({ ...MESSAGE, envelopeFrom: '' })).status, 'sent');
    assert.equal(listener.accepted[0]?.envelopeFrom, '');
    transport.close();
    await listener.close(0);
  });

  it('uses at most eight connections for many messages, or as many as the URL says', async () => {
    for (const [query, maxConnections] of [
      ['', 8],
      ['?maxConnections=2', 2],
    ] as const)
      await sendMany(query, maxConnections);
  });

  async function sendMany(query: string, maxConnections: number): Promise<void> {
    const listener = await startTestListener({ limits: { maxConnections } });
    const transport = relay(listener.port, query);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) => transport.send({ ...MESSAGE, id: `out_${i}` })),
    );
    assert.ok(outcomes.every((outcome) => outcome.status === 'sent'));
    assert.equal(listener.accepted.length, 30);
    transport.close();
    await listener.close(0);
  }

  const outcomes: readonly (readonly [string, Record<string, string>, 'rejected' | 'deferred', RegExp])[] = [
    ['5xx to the message', { end: '554 5.7.1 Spam\u0007 detected' }, 'rejected', /^554 5\.7\.1 Spam detected$/],
    ['5xx of several lines', { end: '550-one\r\n550 two' }, 'rejected', /^550-one 550 two$/],
    ['5xx to DATA', { DATA: '554 no' }, 'rejected', /^554 no$/],
    ['5xx to the sender', { MAIL: '550 5.1.8 who?' }, 'rejected', /^550 5\.1\.8 who\?$/],
    ['5xx to all recipients', { RCPT: '550 5.1.1 unknown' }, 'rejected', /^550 5\.1\.1 unknown$/],
    ['4xx to the message', { end: '451 4.3.0 later' }, 'deferred', /^451 4\.3\.0 later$/],
    ['4xx to all recipients', { RCPT: '450 4.2.1 greylisted' }, 'deferred', /greylisted/],
    [
      '4xx to one recipient and 5xx to the other',
      { 'RCPT TO:<eve': '550 no', 'RCPT TO:<hidden': '450 later' },
      'deferred',
      /450 later/,
    ],
    ['5xx in the greeting', { greeting: '554 go away' }, 'deferred', /554/],
    ['5xx to EHLO and HELO', { EHLO: '502 no', HELO: '502 no' }, 'deferred', /502/],
    ['421', { MAIL: '421 4.3.2 closing' }, 'deferred', /421/],
    ['nonsense', { greeting: 'SSH-2.0-x' }, 'deferred', /./],
    ['a reply longer than anyone reads', { end: `550 ${'x'.repeat(5000)}` }, 'rejected', /^550 x{496}$/],
  ];
  for (const [name, script, status, reason] of outcomes) {
    it(`${status}: ${name}`, async () => {
      const server = await scriptedServer(script);
      const transport = relay(server.port);
      const outcome = await transport.send(MESSAGE);
      transport.close();
      server.close();
      assert.ok(outcome.status !== 'sent');
      assert.equal(outcome.status, status);
      assert.match(outcome.reason, reason);
    });
  }

  it('deferred: wrong credentials, because we can fix them', async () => {
    const server = await scriptedServer({
      EHLO: '250-test\r\n250 AUTH PLAIN',
      AUTH: '535 5.7.8 Authentication failed',
    });
    const transport = createMailTransport({ relayUrl: `smtp://user:secret@127.0.0.1:${server.port}`, outboxDir: dir });
    const outcome = await transport.send(MESSAGE);
    transport.close();
    server.close();
    assert.equal(outcome.status, 'deferred');
    assert.doesNotMatch(JSON.stringify(outcome), /secret|AHVzZXI/);
  });

  it('sent to some: names the other recipients, and whether a retry could help', async () => {
    const server = await scriptedServer({
      'RCPT TO:<b': '550 5.1.1 unknown',
      'RCPT TO:<c': '450 4.2.1 later',
      end: '250 2.0.0 Ok',
    });
    const transport = relay(server.port);
    const outcome = await transport.send({ ...MESSAGE, recipients: ['a@x.example', 'b@x.example', 'c@x.example'] });
    transport.close();
    server.close();
    assert.deepEqual(outcome, {
      status: 'sent',
      providerId: 'out_1',
      detail: '250 2.0.0 Ok',
      rejected: [
        { address: 'b@x.example', reason: '550 5.1.1 unknown', permanent: true },
        { address: 'c@x.example', reason: '450 4.2.1 later', permanent: false },
      ],
    });
  });

  it('deferred: the relay does not answer, does not listen, or disconnects', async () => {
    const silent = net.createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const waiting = relay(port, '', 500);
    assert.equal((await waiting.send(MESSAGE)).status, 'deferred');
    waiting.close();
    silent.close();
    const absent = relay(port);
    assert.equal((await absent.send(MESSAGE)).status, 'deferred');
    absent.close();
    const rude = net.createServer((socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const dropped = relay((rude.address() as net.AddressInfo).port);
    assert.equal((await dropped.send(MESSAGE)).status, 'deferred');
    dropped.close();
    rude.close();
  });

  it('busy for a second, with nothing tried: another process may be sending it', async () => {
    const server = await scriptedServer({});
    const relayUrl = `smtp://127.0.0.1:${server.port}`;
    const transport = createMailTransport({ relayUrl, outboxDir: dir, mayHandOver: () => false });
    const outcome = await transport.send(MESSAGE);
    transport.close();
    server.close();
    assert.deepEqual([outcome.status, 'busyMs' in outcome && outcome.busyMs], ['deferred', 1000]);
    assert.deepEqual(server.lines, []);
  });

  it('busy for a second when it fails in a process that lost contact meanwhile, as one that stood still', async () => {
    let mayHandOver = true;
    const rude = net.createServer((socket) => {
      mayHandOver = false;
      socket.destroy();
    });
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const relayUrl = `smtp://127.0.0.1:${(rude.address() as net.AddressInfo).port}`;
    const transport = createMailTransport({ relayUrl, outboxDir: dir, mayHandOver: () => mayHandOver });
    const outcome = await transport.send(MESSAGE);
    transport.close();
    rude.close();
    assert.deepEqual([outcome.status, 'busyMs' in outcome && outcome.busyMs], ['deferred', 1000]);
  });

  it('reads a recipient as one address, never as a list or a command', async () => {
    const server = await scriptedServer({});
    const transport = relay(server.port);
    for (const recipient of [
      'a@x.example, b@x.example',
      'a@x.example>\r\nRCPT TO:<b@x.example',
      'a@x.example> NOTIFY=NEVER <b@x.example',
    ]) {
      await transport.send({ ...MESSAGE, recipients: [recipient] });
    }
    transport.close();
    server.close();
    assert.deepEqual(
      server.lines.filter((line) => /^RCPT TO:<b|NOTIFY=NEVER$/.test(line)),
      [],
    );
    assert.ok(server.lines.filter((line) => line.startsWith('RCPT')).length <= 3);
  });

  it('rejected at once: no recipient', async () => {
    const listener = await startTestListener();
    const transport = relay(listener.port);
    assert.equal((await transport.send({ ...MESSAGE, recipients: [] })).status, 'rejected');
    transport.close();
    await listener.close(0);
  });
});
