import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import { Dialogue } from '../../../test/support/smtp-dialogue.ts';

let t: TestApp;
before(async () => {
  t = await startTestApp('sqlite', { limits: { bad_recipients_per_session: 8 } });
  const { api } = await t.createAccount();
  await api.post('/v1/email/claim', { address: 'ada' });
});
after(() => t.stop());

describe('a client that tries out recipients', () => {
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
});
