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
    const flood = Array.from({ length: HOSTILE_MAILS }, () => t.sendSmtp({ to: eve.address, raw: hostile }));
    await Promise.all(flood);
    await t.sendSmtp({ to: ada.address, subject: 'hello', text: 'x' });
    // A read waits for the mail of its own inbox, but no longer than some seconds, which a busy machine exceeds.
    const isThere = async () =>
      (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages.length === 2;
    for (let reads = 0; !(await isThere()); reads++) assert.ok(reads < 20);
    const waiting = await t.sql("select id from mail_contents where state = 'pending'");
    assert.ok(waiting.length >= HOSTILE_MAILS / 2, `${waiting.length} of ${HOSTILE_MAILS} wait`);
  });
});
