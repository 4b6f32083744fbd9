import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestAgent as Agent, createAgent } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { Dialogue } from '../../../../test/support/smtp-dialogue.ts';

/** A header that takes long to parse, of 40 KB. */
const hostile = `From: eve@out.example\r\nTo: ${'a:b:'.repeat(10_000)}\r\nSubject: slow\r\n\r\nx\r\n`;
const HOSTILE_MAILS = 10;

/** Lets no mail reach a reader before the test opens the gate. `read`: the subjects, as they were read. */
function gated({ parser }: TestApp['app']['provided']) {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const gate = { waiting: 0, read: [] as string[], open };
  const parse = parser.parse.bind(parser);
  parser.parse = async (raw, origin) => {
    gate.waiting += 1;
    await promise;
    const parsed = await parse(raw, origin);
    gate.read.push(parsed.subject);
    return parsed;
  };
  return gate;
}

// The threads know nothing of the database.
describe('mail that takes long to parse', () => {
  it('delays the mail of another address by the mail that is being parsed, and not by those that wait', async () => {
    const t = await startTestApp('sqlite');
    const gate = gated(t.app.provided);
    try {
      const [eve, ada] = [await createAgent(t), await createAgent(t)];
      const flood = Array.from({ length: HOSTILE_MAILS }, () => t.sendSmtp({ to: eve.address, raw: hostile }));
      await eventually(() => gate.waiting === HOSTILE_MAILS);
      const hers = t.sendSmtp({ to: ada.address, subject: 'hello', text: 'x' });
      await eventually(() => gate.waiting === HOSTILE_MAILS + 1);
      gate.open();
      await Promise.all([...flood, hers]);
      await t.app.provided.intake.idle();
      // In the order of their coming, hers would be the last.
      assert.ok(gate.read.indexOf('hello') <= (2 / 3) * HOSTILE_MAILS, gate.read.join());
      assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages.length, 1);
    } finally {
      gate.open();
      await t.stop();
    }
  });
});

it('a mail for an address of which too much waits is answered with 451; others are taken, and nothing is lost', async () => {
  const t = await startTestApp('sqlite', {
    parsingBytesMax: { all: 4_000_000, network: 3_000_000, address: 1_000_000 },
  });
  const { intake } = t.app.provided;
  const [eve, ada] = [await createAgent(t), await createAgent(t)];
  // Larger than what is read before it is stored.
  const mail = (n: number) => ({
    to: eve.address,
    raw: `Subject: mail ${n}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(4200)}`,
  });
  const gate = gated(t.app.provided);
  try {
    for (let n = 1; n <= 3; n++) await t.sendSmtp(mail(n));
    await assert.rejects(t.sendSmtp(mail(4)), /451 4\.3\.2 Too much mail waits to be read/);
    await t.sendSmtp({ to: ada.address, subject: 'hello', text: 'x' });
    gate.open();
    await intake.idle();
    await t.sendSmtp(mail(4));
    await intake.idle();
    const subjects = async ({ api, address }: typeof eve) =>
      (await api.get(`/v1/email/inbox?address=${address}`)).body.messages
        .map(({ subject }: { subject: string }) => subject)
        .sort();
    assert.deepEqual(await subjects(eve), ['mail 1', 'mail 2', 'mail 3', 'mail 4']);
    assert.deepEqual([await subjects(ada), t.faults], [['hello'], []]);
  } finally {
    gate.open();
    await t.stop();
  }
});

it('one network does not fill the room: its next mail is answered with 451, and that of another network is taken', async () => {
  const t = await startTestApp('sqlite', { parsingBytesMax: { all: 1_200_000, network: 700_000, address: 1_000_000 } });
  const { intake } = t.app.provided;
  const agents = await Promise.all([1, 2, 3, 4].map(() => createAgent(t)));
  const raw = `Subject: large\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(4200)}`;
  const gate = gated(t.app.provided);
  const from = async (network: string, { address }: (typeof agents)[number]): Promise<number> => {
    const client = await Dialogue.open(t.app.smtpPort as number, network);
    try {
      assert.equal(await client.begin('eve@out.example', address), 354);
      client.send(`${raw}\r\n.\r\n`);
      return (await client.reply()).code;
    } finally {
      client.close();
    }
  };
  try {
    const [one, two, three, four] = agents as [Agent, Agent, Agent, Agent];
    for (const agent of [one, two]) assert.equal(await from('127.60.0.1', agent), 250);
    assert.equal(await from('127.60.0.1', three), 451);
    assert.equal(await from('127.61.0.1', three), 250);
    gate.open();
    await intake.idle();
    assert.equal(await from('127.60.0.1', four), 250);
  } finally {
    gate.open();
    await t.stop();
  }
});
