import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { Dialogue } from '../../../../test/support/smtp-dialogue.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { BadRecipients } from '../../../mail/smtp-in/bad-recipients.ts';

describe('a client that tries out recipients', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite', {
      limits: { bad_recipients_per_session: 8, bad_recipients_per_network_per_hour: 16 },
    });
    const { api } = await t.createAccount();
    await api.post('/v1/email/claim', { address: 'ada' });
  });
  after(() => t.stop());

  const open = async (): Promise<Dialogue> => {
    const client = await Dialogue.open(t.app.smtpPort as number);
    await client.say('EHLO client.example');
    await client.say('MAIL FROM:<eve@out.example>');
    return client;
  };
  const guess = (client: Dialogue, n: number) => client.say(`RCPT TO:<guess-${n}@${t.config.mailDomain}>`);

  it('gets 421 at the limit, and the connection ends', async () => {
    const client = await open();
    const codes: number[] = [];
    for (let n = 0; n < 8; n++) codes.push(await guess(client, n));
    assert.deepEqual(codes, [550, 550, 550, 550, 550, 550, 550, 421]);
    assert.equal(await guess(client, 9), 0);
  });

  it('is counted for the session, over several mails; below the limit its mail is taken', async () => {
    const client = await open();
    for (let n = 0; n < 4; n++) assert.equal(await guess(client, n), 550);
    assert.equal(await client.say(`RCPT TO:<ada@${t.config.mailDomain}>`), 250);
    assert.equal(await client.say('DATA'), 354);
    client.send('Subject: hello\r\n\r\nhi\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    await client.say('MAIL FROM:<eve@out.example>');
    const codes: number[] = [];
    for (let n = 4; n < 8; n++) codes.push(await guess(client, n));
    assert.deepEqual(codes, [550, 550, 550, 421]);
  });

  it('is known by its network: a new session ends with the first wrong name, and the next hour begins anew', async () => {
    t.clock.advance(HOUR_MS);
    for (let session = 0; session < 2; session++) {
      const client = await open();
      for (let n = 0; n < 7; n++) assert.equal(await guess(client, n), 550);
    }
    const third = await open();
    for (const code of [550, 550, 421]) assert.equal(await guess(third, 0), code);
    const fourth = await open();
    assert.equal(await fourth.say(`RCPT TO:<ada@${t.config.mailDomain}>`), 250, 'a name that exists');
    assert.equal(await guess(fourth, 0), 421);
    t.clock.advance(HOUR_MS);
    assert.equal(await guess(await open(), 0), 550);
  });

  it('N8: is known by its /48 too, which may name 12 times as many', () => {
    const bad = new BadRecipients({ perSession: 100, perNetworkPerHour: 2 });
    const note = (n: number) => bad.note({}, `2001:db8:1:${n.toString(16)}::1`, 0).isLast;
    for (let n = 0; n < 24; n++) assert.equal(note(n), false);
    assert.equal(note(24), true);
    assert.equal(bad.note({}, '2001:db8:2::1', 0).isLast, false);
  });
});
