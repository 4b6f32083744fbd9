import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { Dialogue } from '../../../../test/support/smtp-dialogue.ts';

/** An address that exists here. The tests refuse routes through it. */
const MINE = 'relay-agent@agents.localhost';

/** RCPT paths that made servers relay mail, or accept it for another domain. */
const PATHS: Record<string, readonly string[]> = {
  'a foreign recipient': ['<victim@other.example>', '<VICTIM@OTHER.EXAMPLE>', '<relay-agent@localhost>'],
  'the percent hack': ['<victim%other.example@agents.localhost>', '<relay-agent%agents.localhost@agents.localhost>'],
  'a source route': [
    '<@agents.localhost:victim@other.example>',
    '<@agents.localhost,@b.example:victim@other.example>',
    `<@agents.localhost:${MINE}>`,
  ],
  'quoted at-signs': [
    '<"victim@other.example"@agents.localhost>',
    '<"victim@other.example">',
    '<victim@other.example@agents.localhost>',
    `<${MINE}@other.example>`,
    '<"relay-agent"@agents.localhost>',
  ],
  'a bang path': [
    '<other.example!victim@agents.localhost>',
    '<other.example!victim>',
    '<agents.localhost!other.example!victim>',
  ],
  'a domain literal': [
    '<victim@[127.0.0.1]>',
    '<relay-agent@[127.0.0.1]>',
    '<relay-agent@[IPv6:::1]>',
    '<relay-agent@127.0.0.1>',
  ],
  'a domain that looks like ours': [
    '<relay-agent@аgents.localhost>',
    '<relay-agent@xn--gents-3ve.localhost>',
    '<relay-agent@agents.1ocalhost>',
    '<relay-agent@agents.localhost.other.example>',
    '<relay-agent@notagents.localhost>',
    '<relay-agent@x.agents.localhost>',
  ],
  'a name that looks like one of ours': [
    '<relаy-agent@agents.localhost>',
    '<relay-agent @agents.localhost>',
    '<relay-agent+x@agents.localhost>',
    '<relay‑agent@agents.localhost>',
  ],
  'a trailing or a leading dot': [
    `<${MINE}.>`,
    '<relay-agent.@agents.localhost>',
    '<.relay-agent@agents.localhost>',
    '<victim@other.example.>',
    '<relay-agent@.agents.localhost>',
    '<relay-agent@agents..localhost>',
  ],
  'nothing and less': [
    '<>',
    '<@>',
    '<victim>',
    '<@agents.localhost>',
    'victim@other.example',
    '<victim@other.example',
    `<victim@other.example>,<${MINE}>`,
  ],
};

const SENDERS = ['eve@out.example', '', MINE, 'nobody@agents.localhost'];

async function open(t: TestApp, from: string): Promise<Dialogue> {
  const client = await Dialogue.open(t.app.smtpPort as number);
  assert.equal(await client.say('EHLO client.example'), 250);
  assert.equal(await client.say(`MAIL FROM:<${from}> SMTPUTF8`), 250);
  return client;
}

onEngines('any', 'the inbound SMTP server does not relay', {}, (suite) => {
  it('setup: an agent with an address', async () => {
    const { api } = await suite.t.createAccount();
    assert.equal((await api.post('/v1/email/claim', { address: MINE })).status, 201);
  });

  for (const [what, paths] of Object.entries(PATHS))
    it(`refuses at RCPT from every sender: ${what}`, async () => {
      for (const from of SENDERS) {
        const client = await open(suite.t, from);
        for (const path of paths) {
          const code = await client.say(`RCPT TO:${path}`);
          assert.ok([501, 550, 553].includes(code), `${code} to ${path} from <${from}>`);
        }
        assert.equal(await client.say('DATA'), 503);
        client.close();
      }
    });

  it('accepts our own address in capitals between refused recipients', async () => {
    const { t } = suite;
    const client = await open(t, 'eve@out.example');
    assert.equal(await client.say('RCPT TO:<victim@other.example>'), 550);
    assert.equal(await client.say('RCPT TO:<RELAY-Agent@AGENTS.LocalHost>'), 250);
    assert.equal(await client.say('RCPT TO:<victim%other.example@agents.localhost>'), 550);
    assert.equal(await client.say('DATA'), 354);
    client.send('Subject: mine alone\r\n\r\nx\r\n.\r\n');
    assert.equal((await client.reply()).code, 250);
    client.close();
    await t.app.provided.intake.idle();
    const messages = await t.sql('select address, subject from messages where address = ?', MINE);
    assert.deepEqual(
      messages.map(({ subject }) => subject),
      ['mine alone'],
    );
    assert.deepEqual(await t.sql('select id from outbox'), [], 'nothing waits to leave');
    assert.deepEqual(await t.outboxMails(), []);
  });
});
