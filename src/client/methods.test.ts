import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../test/support/harness.ts';
import { twoAgents } from '../../test/support/operators.ts';
import { OPERATIONS } from './generated/operations.ts';
import { SignetClient } from './signet-client.ts';
import { randomSeed, writeSeed } from './vault-seed.ts';

describe('the methods of SignetClient by group', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  const agent = async (name: string): Promise<{ client: SignetClient; address: string; key: string }> => {
    const seed = writeSeed(randomSeed());
    const { client, account } = await SignetClient.register({ baseUrl: t.baseUrl, seed }, { name });
    return { client, address: account.email, key: account.api_key };
  };

  it('have every operation once, under a name of its own', () => {
    const client = new SignetClient({ baseUrl: t.baseUrl, seed: randomSeed() });
    const named = Object.values(OPERATIONS).map(({ group, name }) => [group, name] as const);
    assert.equal(new Set(named.map((each) => each.join('.'))).size, named.length);
    for (const [group, name] of named) assert.ok(name in client[group], `${group}.${name}`);
  });

  it('send, list and read mail with the only address of the account', async () => {
    const { client, address } = await agent('grouped');
    await client.email.send({ to: address, subject: 'Hello', text: 'Hello, me.' });
    const { messages } = await client.email.inbox();
    assert.deepEqual([messages[0]?.subject, messages[0]?.from], ['Hello', address]);
    assert.equal((await client.email.read({ id: messages[0]?.message_id ?? '' })).body.trim(), 'Hello, me.');
  });

  it('refuse to guess an address when the account has none or several', async () => {
    const { client } = await agent('several');
    await client.email.claim({ address: 'several-two' });
    await assert.rejects(client.email.inbox(), /2 addresses: pass address/);
    await assert.rejects(client.email.send({ to: 'a@example.com', subject: 'x', text: 'x' }), /pass from/);
    assert.deepEqual((await client.email.inbox({ address: 'several-two' })).messages, []);
    const { client: bare } = await SignetClient.createKey({ baseUrl: t.baseUrl });
    await assert.rejects(bare.email.inbox(), /no address/);
  });

  it('wait for a code that came after a given time, and answer null when none came', async () => {
    const { client, address } = await agent('coder');
    assert.equal(await client.email.waitForCode({ seconds: 1 }), null);
    t.clock.advance(1000);
    await t.sendSmtp({ to: address, subject: 'Sign in', text: 'Your verification code is 482913.' });
    const found = await client.email.waitForCode({ seconds: 5, after: '2020-01-01T00:00:00Z', from: 'example.com' });
    const subject = found && 'subject' in found.message ? found.message.subject : null;
    assert.deepEqual([found?.code, found?.sender.domain, subject], ['482913', 'example.com', 'Sign in']);
    assert.deepEqual(found?.links, []);
  });

  it('seal and open the vault with the seed of the client', async () => {
    const { client, key } = await agent('vaulter');
    await client.vault.put('db-password', 'correct horse');
    assert.equal(await client.vault.getText('db-password'), 'correct horse');
    assert.doesNotMatch((await client.vaultEntries.get({ key: 'db-password' })).ciphertext, /correct/);
    await assert.rejects(new SignetClient({ baseUrl: t.baseUrl, key }).vault.getText('db-password'), /no seed/);
  });

  it('tell the events apart by type, in the log and in the stream', async () => {
    const { client, address } = await agent('watcher');
    await client.email.send({ to: address, subject: 'Seen', text: 'x' });
    const { events } = await client.events.list({ type: 'email.received' });
    const [event] = events;
    assert.equal(event?.type === 'email.received' ? event.data.address : '', address);
    for await (const streamed of client.events({ after: 'ev_00000000000000000000000000' })) {
      if (streamed.type === 'email.received') {
        assert.deepEqual(streamed.data.link_kinds, []);
        break;
      }
    }
  });

  it('act for another account of a person with Signet-Account', async () => {
    const { agents, token } = await twoAgents(t);
    const person = new SignetClient({ baseUrl: t.baseUrl, key: token, account: agents[1].accountId });
    assert.equal((await person.accounts.get()).id, agents[1].accountId);
    assert.equal((await person.forAccount(agents[0].accountId).getAccount()).id, agents[0].accountId);
    await assert.rejects(person.forAccount('acc_00000000000000000000000000').getAccount(), { status: 404 });
  });
});
