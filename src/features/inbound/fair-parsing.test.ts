import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAgent } from '../../../test/support/agents.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';

/** A header that takes long to parse, of 200 KB. */
const hostile = `From: eve@out.example\r\nTo: ${'a:b:'.repeat(50_000)}\r\nSubject: slow\r\n\r\nx\r\n`;
const HOSTILE_MAILS = 10;

// The threads know nothing of the database.
describe('mail that takes long to parse', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  it('delays the mail of another address by the mail that is being parsed, and not by those that wait', async () => {
    const [eve, ada] = [await createAgent(t), await createAgent(t)];
    await t.sendSmtp({ to: ada.address, subject: 'first', text: 'x' });
    const there = async (): Promise<number> =>
      (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages.length;
    // In the order of their coming, hers would be the last to be read. A machine may read all before it looks, so again.
    for (let round = 1; ; round++) {
      const flood = Array.from({ length: HOSTILE_MAILS }, () => t.sendSmtp({ to: eve.address, raw: hostile }));
      await Promise.all(flood);
      await t.sendSmtp({ to: ada.address, subject: 'hello', text: 'x' });
      // A read waits for the mail of its own inbox, but no longer than some seconds, which a busy machine exceeds.
      for (let reads = 0; (await there()) <= round; reads++) assert.ok(reads < 20);
      const waiting = await t.sql("select id from mail_contents where state = 'pending'");
      if (waiting.length >= HOSTILE_MAILS / 3) break;
      assert.ok(round < 5, `${waiting.length} of ${HOSTILE_MAILS} wait`);
    }
  });
});

it('a mail for an address of which too much waits is answered with 451; others are taken, and nothing is lost', async () => {
  const t = await startTestApp('sqlite', { parsingBytesMax: { all: 4_000_000, address: 1_000_000 } });
  const { parser, intake } = t.app.provided;
  const [eve, ada] = [await createAgent(t), await createAgent(t)];
  // Larger than what is read before it is stored.
  const mail = (n: number) => ({
    to: eve.address,
    raw: `Subject: mail ${n}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(4200)}`,
  });
  // No reader ends before the test lets it, so what was taken waits.
  const gate = Promise.withResolvers<void>();
  const parse = parser.parse.bind(parser);
  parser.parse = async (raw, origin) => {
    await gate.promise;
    return parse(raw, origin);
  };
  try {
    for (let n = 1; n <= 3; n++) await t.sendSmtp(mail(n));
    await assert.rejects(t.sendSmtp(mail(4)), /451 4\.3\.2 Too much mail waits to be read/);
    await t.sendSmtp({ to: ada.address, subject: 'hello', text: 'x' });
    gate.resolve();
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
    gate.resolve();
    await t.stop();
  }
});
