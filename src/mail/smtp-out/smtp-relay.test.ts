import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Dialogue, startTestListener } from '../../../test/support/smtp-dialogue.ts';
import { pathRefusal, toEnvelopeFrom, toRecipient } from '../smtp-in/smtp-address.ts';

const listener = await startTestListener();
after(() => listener.close(0));

/** What testers of open relays try, RCPT path and the code that answers it. */
const RELAY_ATTEMPTS: readonly (readonly [string, number])[] = [
  ['<victim@other.example>', 550],
  ['<victim%other.example@agents.example>', 550],
  ['<agent%agents.example@agents.example>', 550],
  ['<victim@other.example@agents.example>', 550],
  ['<agent@agents.example@other.example>', 550],
  ['<"victim@other.example"@agents.example>', 553],
  ['<"victim%other.example"@agents.example>', 553],
  ['<"agent"@agents.example>', 553],
  ['<""@agents.example>', 553],
  ['<"a>b"@agents.example>', 553],
  ['<@agents.example:victim@other.example>', 553],
  ['<@agents.example:agent@agents.example>', 553],
  ['<@a.example,@b.example:victim@other.example>', 553],
  ['<other.example!victim@agents.example>', 550],
  ['<other.example!victim>', 501],
  ['<victim@[127.0.0.1]>', 550],
  ['<victim@other.example:25>', 501],
  ['<victim@agents.example.other.example>', 550],
  ['<victim@other.example.>', 501],
  ['<victim@>', 501],
  ['<@agents.example>', 553],
  ['<victim>', 501],
  ['<>', 501],
  ['victim@other.example', 501],
  ['<agent@agents.example> <victim@other.example>', 250],
  ['<victim@other.example>,<agent@agents.example>', 501],
  ['<agent@agents.example\u0000>', 501],
  ['<nobody@agents.example>', 550],
];

describe('smtp listener: never a relay', () => {
  for (const [path, expected] of RELAY_ATTEMPTS) {
    it(`${expected} for RCPT TO:${JSON.stringify(path)}`, async () => {
      const client = await Dialogue.open(listener.port);
      await client.say('EHLO client.example');
      await client.say('MAIL FROM:<spammer@out.example>');
      assert.equal(await client.say(`RCPT TO:${path}`), expected);
      assert.equal(await client.say('DATA'), expected === 250 ? 354 : 503);
      client.close();
    });
  }

  it('does not look up an address with a source route', () => {
    for (const address of listener.asked) assert.match(address, /^[a-z]+@[a-z.[\]0-9]+$/);
  });

  it('refuses RCPT before MAIL, and a message without a recipient', async () => {
    const client = await Dialogue.open(listener.port);
    assert.equal(await client.say('MAIL FROM:<a@out.example>'), 503);
    await client.say('EHLO client.example');
    assert.equal(await client.say('RCPT TO:<@a:b@c.example>'), 503);
    await client.say('MAIL FROM:<a@out.example>');
    assert.equal(await client.say('DATA'), 503);
    client.close();
  });
});

describe('smtp addresses', () => {
  it('normalizes our addresses and leaves the sender unchanged', () => {
    assert.deepEqual(toRecipient('Agent.X@AGENTS.Example'), {
      local: 'agent.x',
      domain: 'agents.example',
      raw: 'Agent.X@AGENTS.Example',
    });
    assert.equal(toRecipient('a@bücher.example')?.domain, 'xn--bcher-kva.example');
    assert.equal(toRecipient('a@1.2.3')?.domain, '1.2.3', 'not the short form of an IPv4 address');
    assert.equal(toRecipient('a@\u3002'), null);
    assert.equal(toEnvelopeFrom('Eve.X@OUT.example'), 'Eve.X@out.example');
    assert.equal(toEnvelopeFrom(''), '');
  });

  it('passes malformed addresses on to the parser', () => {
    assert.equal(pathRefusal('RCPT TO'), null);
    assert.equal(pathRefusal('RCPT TO:a%b@c'), null);
    assert.equal(pathRefusal('RCPT TO:<agent@agents.example> ORCPT=rfc822;a@b'), null);
  });
});
