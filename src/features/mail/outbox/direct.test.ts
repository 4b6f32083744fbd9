import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createTestDns } from '../../../../test/support/dns.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { STAGES, startStallingRelay } from '../../../../test/support/stalling-relay.ts';
import { createMailTransport } from '../../../mail/smtp-out/mail-transport.ts';

/** A mail server by other authors, on a loopback address of its own. */
interface MailServer {
  host: string;
  /** The reply code to each recipient; 250 by default. */
  answers: Map<string, number>;
  taken: { recipients: string[]; isTls: boolean; from: string }[];
  /** Called before each mail is taken. */
  onMail: () => Promise<unknown>;
}

const dns = createTestDns();
const servers: { close(done: () => void): unknown }[] = [];
after(() => Promise.all(servers.map((server) => new Promise<void>((done) => void server.close(done)))));
/** The port of every server: one port, as on the internet, and an address for each. */
let port = 0;

async function startServer(host: string, options: SMTPServerOptions = {}): Promise<MailServer> {
  const self: MailServer = { host, answers: new Map(), taken: [], onMail: async () => {} };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    onRcptTo: ({ address }, _session, callback) => {
      const code = self.answers.get(address) ?? 250;
      callback(code === 250 ? null : Object.assign(new Error(`${host} says ${code}`), { responseCode: code }));
    },
    onData: (stream, session, callback) => {
      void buffer(stream).then(async () => {
        await self.onMail();
        const { mailFrom, rcptTo } = session.envelope;
        self.taken.push({
          recipients: rcptTo.map(({ address }) => address),
          isTls: session.secure,
          from: mailFrom === false ? '' : mailFrom.address,
        });
        callback(null, 'Ok: queued as DIRECT12');
      });
    },
    ...options,
  });
  // A client that goes away during a handshake is no fault of the test.
  server.on('error', () => {});
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  port = (server.server.address() as AddressInfo).port;
  return self;
}

const one = await startServer('127.0.0.1');
const two = await startServer('127.0.0.2');
const plain = await startServer('127.0.0.3', { disabledCommands: ['AUTH', 'STARTTLS'] });
/** Offers TLS, and breaks off each handshake. */
const torn = await startServer('127.0.0.4', {
  secureContext: undefined,
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.2',
} as SMTPServerOptions);
/** Greets with 421. */
const busy = createServer((socket) => socket.on('error', () => {}).end('421 4.3.2 not now\r\n'));
servers.push(busy);
await new Promise<void>((resolve) => void busy.listen(port, '127.0.0.5', resolve));

/** Sets up a domain with mail servers, the first preferred. */
function domain(name: string, ...hosts: string[]): void {
  hosts.forEach((host, i) => {
    const mx = `mx${i}.${name}`;
    dns.set('MX', name, `${i} ${mx}`);
    dns.set('A', mx, host);
  });
}
domain('one.example', one.host);
domain('two.example', two.host);
domain('plain.example', plain.host);
domain('torn.example', torn.host);
domain('backup.example', '127.0.0.5', '127.0.0.9', two.host);
domain('down.example', '127.0.0.9');
domain('empty.example');
const stalling = await startStallingRelay({ host: '127.0.0.6', port });
after(() => stalling.close());
domain('stalling.example', '127.0.0.6', two.host);
domain('tarpit.example', '127.0.0.6');
dns.set('MX', 'null.example', '0 .');
dns.set('A', 'implicit.example', one.host);

let names = 0;
type Sender = TestAccount & { address: string };

async function sender(t: TestApp, of?: TestAccount): Promise<Sender> {
  for (const { taken, answers } of [one, two, plain, torn]) {
    taken.length = 0;
    answers.clear();
  }
  const account = of ?? (await t.createAccount());
  const { body } = await account.api.post('/v1/email/claim', { address: `direct-${names++}` });
  return { ...account, address: body.address };
}

async function send({ api, address }: Sender, to: string[]): Promise<string> {
  const { status, body } = await api.post('/v1/email/send', { from: address, to, subject: 'out', text: 'hello' });
  assert.deepEqual([status, body.status, body.provider], [201, 'pending', 'smtp']);
  return body.id;
}

const entryOf = async ({ api }: Sender, id: string) =>
  (await api.get('/v1/email/outbox')).body.messages.find((entry: { id: string }) => entry.id === id);

const options = {
  env: { DELIVERY: 'direct', MAIL_HOST: 'mx.agents.example' },
  resolveDns: dns.resolve,
  mailPort: port,
};

onEngines('any', 'direct delivery', options, (suite) => {
  it('reaches the server of each domain over TLS, and each recipient gets a copy of their own', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const to = ['a@one.example', 'b@one.example', 'c@two.example', 'd@implicit.example'];
    const id = await send(ada, to);
    await t.app.worker.runDue();
    const got = [...one.taken, ...two.taken].map(({ recipients }) => recipients.join()).sort();
    assert.deepEqual(got, ['a@one.example', 'b@one.example', 'c@two.example', 'd@implicit.example']);
    assert.ok([...one.taken, ...two.taken].every(({ isTls, from }) => isTls && from.startsWith('bounce+')));
    const { status, left_machine } = await entryOf(ada, id);
    assert.deepEqual([status, left_machine], ['sent', undefined]);
  });

  it('goes without TLS to a server that has none or whose handshake fails', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const ids = [await send(ada, ['x@plain.example']), await send(ada, ['x@torn.example'])];
    await t.app.worker.runDue();
    for (const id of ids) assert.equal((await entryOf(ada, id)).status, 'sent');
    assert.deepEqual(
      [...plain.taken, ...torn.taken].map(({ isTls }) => isTls),
      [false, false],
    );
  });

  it('goes to the next server when one is down or does not greet', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const id = await send(ada, ['x@backup.example']);
    await t.app.worker.runDue();
    assert.equal((await entryOf(ada, id)).status, 'sent');
    assert.equal(two.taken.length, 1);
  });

  it('fails at once for a domain that does not exist, has no mail server, or takes no mail (RFC 7505)', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const ids = [await send(ada, ['x@gone.example']), await send(ada, ['x@null.example'])];
    await t.app.worker.runDue();
    const errors = [];
    for (const id of ids) {
      const { status, error } = await entryOf(ada, id);
      assert.equal(status, 'failed');
      errors.push(error.slice(0, 10));
    }
    assert.deepEqual(errors, ['550 5.1.2 ', '556 5.1.10']);
  });

  it('waits when the DNS or every server is down, and sends to the others meanwhile', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const id = await send(ada, ['x@down.example', 'y@one.example']);
    await t.app.worker.runDue();
    assert.equal((await entryOf(ada, id)).status, 'pending');
    assert.equal(one.taken.length, 1);
    dns.down = true;
    const other = await send(ada, ['y@silent.example']);
    await t.app.worker.runDue();
    assert.equal((await entryOf(ada, other)).status, 'pending');
    dns.down = false;
    const [job] = await t.sql('select attempts, run_at from jobs where payload like ?', `%${id}%down.example%`);
    assert.deepEqual([Number(job?.attempts), Number(job?.run_at)], [1, t.clock.now() + 60_000]);
  });

  it('tries again only the recipients that were deferred, and repeats nothing', async () => {
    const { t } = suite;
    const ada = await sender(t);
    one.answers.set('later@one.example', 451);
    one.answers.set('no@one.example', 550);
    const id = await send(ada, ['yes@one.example', 'later@one.example', 'no@one.example', 'yes@two.example']);
    await t.app.worker.runDue();
    assert.equal((await entryOf(ada, id)).status, 'pending');
    one.answers.delete('later@one.example');
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    const { status, recipients } = await entryOf(ada, id);
    const outcomes = recipients.map((one: { address: string; status: string }) => `${one.address} ${one.status}`);
    assert.deepEqual(
      [status, outcomes.sort()],
      ['sent', ['later@one.example sent', 'no@one.example failed', 'yes@one.example sent', 'yes@two.example sent']],
    );
    const got = [...one.taken, ...two.taken].flatMap(({ recipients }) => recipients).sort();
    assert.deepEqual(got, ['later@one.example', 'yes@one.example', 'yes@two.example']);
  });
});

onEngines('both', 'direct delivery', options, (suite) => {
  it('has at most four connections to a domain, and mail that finds none free waits without an attempt', async () => {
    const { t } = suite;
    const [ada, bob] = [await sender(t), await sender(t)];
    let open = 0;
    let most = 0;
    const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
    one.onMail = async () => {
      most = Math.max(most, ++open);
      if (open === 4) isFull();
      await full;
      open -= 1;
    };
    for (let n = 0; n < 8; n++) await send(n < 4 ? ada : bob, ['x@one.example']);
    await t.app.worker.runDue();
    for (let n = 0; n < 4; n++) {
      t.clock.advance(5000);
      await t.app.worker.runDue();
    }
    one.onMail = async () => {};
    assert.deepEqual([most, one.taken.length], [4, 8]);
  });

  it('has at most three deliveries of an account at a time and six of a platform with its pods, and sends the mail of others meanwhile', async () => {
    const { t } = suite;
    const [ada, bob] = [await sender(t), await sender(t)];
    const pods = [await sender(t, await makePod(t, ada)), await sender(t, await makePod(t, ada))];
    stalling.trouble = { stage: 'RCPT', how: 'hang' };
    const slow = Array.from({ length: 9 }, (_, n) => `x@pit${names}-${n}.example`);
    for (const address of slow) domain(address.slice(2), '127.0.0.6');
    const ids = await Promise.all(slow.map((address, n) => send([ada, ...pods][n % 3] as Sender, [address])));
    const running = t.app.worker.runDue();
    const quick = await send(bob, ['y@one.example']);
    const waiting = async (): Promise<number> => {
      const rows = await t.sql('select payload from jobs where lease_until = 0 and run_at > ?', t.clock.now());
      return rows.filter(({ payload }) => ids.includes(JSON.parse(String(payload)).outboxId)).length;
    };
    await eventually(async () => stalling.stalled() >= 6 && one.taken.length >= 1 && (await waiting()) >= 3);
    assert.deepEqual([stalling.stalled(), await waiting()], [6, 3]);
    stalling.trouble = null;
    await stalling.hangUp();
    await running;
    assert.equal((await entryOf(bob, quick)).status, 'sent');
  });
});

it('direct delivery in production never connects to a private address, whatever the MX of a domain says', async () => {
  one.taken.length = 0;
  const direct = { hostname: 'mx.agents.example', resolve: dns.resolve, blockPrivate: true, port };
  const transport = createMailTransport({ relayUrl: null, outboxDir: '/nowhere', direct });
  const mail = { id: 'out_1', envelopeFrom: '', raw: Buffer.from('Subject: x\r\n\r\nx') };
  const outcome = await transport.send({ ...mail, recipients: ['x@one.example'] });
  assert.deepEqual([outcome.status, one.taken.length], ['rejected', 0]);
  assert.match(outcome.status === 'rejected' ? outcome.reason : '', /127\.0\.0\.1/);
});

for (const how of ['hang', 'close'] as const)
  it(`direct delivery tries the next server when one ${how}s, but not when it may have the message`, async () => {
    const mail = { id: 'out_2', envelopeFrom: '', raw: Buffer.from('Subject: x\r\n\r\nx') };
    for (const stage of how === 'hang' ? (['RCPT', 'taken'] as const) : STAGES) {
      const times = { connectMs: 60_000, [stage === 'RCPT' ? 'idleMs' : 'dataMs']: 4000 };
      const direct = { hostname: 'mx.agents.example', resolve: dns.resolve, blockPrivate: false, port, ...times };
      const transport = createMailTransport({ relayUrl: null, outboxDir: '/nowhere', direct });
      two.taken.length = 0;
      stalling.mails.length = 0;
      stalling.trouble = { stage, how };
      const { status } = await transport.send({ ...mail, recipients: ['x@stalling.example'] });
      const expected = stage === 'taken' ? ['deferred', 1, 0] : ['sent', 0, 1];
      assert.deepEqual([stage, status, stalling.mails.length, two.taken.length], [stage, ...expected]);
    }
  });

it('direct delivery leaves a domain alone that used up the time of an attempt, but not when the service stopped', async () => {
  const direct = { hostname: 'mx.agents.example', resolve: dns.resolve, blockPrivate: false, port };
  const transport = createMailTransport({ relayUrl: null, outboxDir: '/nowhere', direct });
  const recipients = ['x@tarpit.example'];
  const mail = { id: 'out_3', envelopeFrom: '', raw: Buffer.from('Subject: x\r\n\r\nx'), recipients };
  stalling.mails.length = 0;
  stalling.trouble = { stage: 'RCPT', how: 'hang' };
  const reasons: string[] = [];
  const send = async (withinMs: number, signal?: AbortSignal): Promise<void> => {
    const outcome = await transport.send({ ...mail, withinMs }, signal);
    reasons.push(outcome.status === 'deferred' ? outcome.reason : outcome.status);
  };
  await send(30_000, AbortSignal.abort());
  await send(500);
  stalling.trouble = null;
  await send(30_000);
  const [stopped, late] = ['the service stopped before the relay had answered', 'the server took too long'];
  assert.deepEqual(reasons, [stopped, `451 4.4.1 tarpit.example: ${late}`, late]);
  assert.equal(stalling.mails.length, 0);
});
