import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { createTestDns, publish } from '../../../../test/support/dns.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';

const dns = createTestDns();
let domains = 0;

/** An account with a verified domain. */
async function domainOwner(t: TestApp) {
  const account = await t.createAccount();
  const domain = `mail-${t.engine}-${domains++}.example`;
  const stack = (await account.api.post('/v1/stack', { domain })).body;
  publish(dns, stack);
  assert.equal((await account.api.post(`/v1/stack/${stack.id}/verify`)).body.status, 'active');
  return { ...account, domain, stack };
}

onEngines('any', 'mail of a verified domain', { resolveDns: dns.resolve, limits: { free: { stacks: 5 } } }, (suite) => {
  it('its account can claim any name there, even reserved ones; other accounts and unverified domains get 400 invalid_address', async () => {
    const { t } = suite;
    const owner = await domainOwner(t);
    const claim = (api: typeof owner.api, address: string) => api.post('/v1/email/claim', { address });
    for (const name of ['hello', 'Postmaster']) {
      const { status, body } = await claim(owner.api, `${name}@${owner.domain.toUpperCase()}`);
      assert.deepEqual([status, body.address], [201, `${name.toLowerCase()}@${owner.domain}`]);
    }
    const stranger = await t.createAccount();
    for (const [api, address] of [
      [stranger.api, `mine@${owner.domain}`],
      [owner.api, 'hello@never-set-up.example'],
      [owner.api, `not a name@${owner.domain}`],
    ] as const) {
      const { status, body } = await claim(api, address);
      assert.deepEqual([status, body.error], [400, 'invalid_address'], address);
    }
    assert.equal((await t.api().post('/v1/register', { address: `reg@${owner.domain}` })).status, 400);
  });

  it('arrives over SMTP only for claimed names and stops when the domain is deleted; received messages stay readable', async () => {
    const { t } = suite;
    const { api, domain, stack } = await domainOwner(t);
    const address = `hello@${domain}`;
    await assert.rejects(t.sendSmtp({ to: address, text: 'Too early' }), /550/);
    await api.post('/v1/email/claim', { address });
    await t.sendSmtp({ to: `Hello@${domain}`, subject: 'In', text: 'Welcome' });
    const inbox = () => api.get(`/v1/email/inbox?address=${address}`);
    assert.deepEqual(
      (await inbox()).body.messages.map(({ subject }: { subject: string }) => subject),
      ['In'],
    );
    await assert.rejects(t.sendSmtp({ to: `nobody@${domain}`, text: 'No' }), /550/);
    assert.equal((await api.delete(`/v1/stack/${stack.id}`)).status, 200);
    await assert.rejects(t.sendSmtp({ to: address, text: 'Too late' }), /550/);
    const mail = { from: address, to: 'ada@example.com', subject: 'Out', text: 'Late' };
    assert.equal((await api.post('/v1/email/send', mail)).body.error, 'sender_not_owned');
    assert.equal((await inbox()).body.count, 1);
  });

  it('is sent with a DKIM signature of that domain, which its published key verifies', async () => {
    const { t } = suite;
    const { api, domain } = await domainOwner(t);
    const address = `sales@${domain}`;
    await api.post('/v1/email/claim', { address });
    const mail = { from: address, to: 'ada@example.com', subject: `From ${domain}`, text: 'Hello' };
    assert.equal((await api.post('/v1/email/send', mail)).status, 201);
    const sent = (await t.outboxMails()).find((text) => text.includes(`Subject: From ${domain}`)) ?? '';
    assert.match(sent, new RegExp(`From: ${address}`));
    const resolver = (name: string, type: string) => dns.resolve(name, type as 'TXT') as Promise<string[][]>;
    const { results } = await dkimVerify(Buffer.from(sent), { resolver });
    assert.deepEqual(
      results.map(({ signingDomain, status }) => [signingDomain, status.result]),
      [[domain, 'pass']],
    );
  });

  it('is delivered internally between accounts of this service, to and from the domain', async () => {
    const { t } = suite;
    const { api, domain } = await domainOwner(t);
    const address = `team@${domain}`;
    await api.post('/v1/email/claim', { address });
    const agent = await t.createAccount();
    const from = (await agent.api.post('/v1/email/claim', { address: `agent-${domain.split('.')[0]}` })).body.address;
    const mail = { from, to: [`Team@${domain}`, `nobody@${domain}`], subject: 'Inside', text: 'Hello' };
    const { body } = await agent.api.post('/v1/email/send', mail);
    assert.deepEqual(
      body.internal_recipients.map((one: { address: string; delivered: boolean }) => [one.address, one.delivered]),
      [
        [address, true],
        [`nobody@${domain}`, false],
      ],
    );
    const back = await api.post('/v1/email/send', { from: address, to: from, subject: 'Back', text: 'Hi' });
    assert.equal(back.body.provider, 'internal');
  });

  it('after the domain moves to another account, an address of the former one gets no mail', async () => {
    const { t } = suite;
    const { api, domain, stack } = await domainOwner(t);
    const address = `old@${domain}`;
    await api.post('/v1/email/claim', { address });
    const buyer = await t.createAccount();
    const bought = (await buyer.api.post('/v1/stack', { domain })).body;
    for (const { type, name } of stack.records) dns.clear(type, name);
    publish(dns, bought);
    assert.equal((await buyer.api.post(`/v1/stack/${bought.id}/verify`)).body.status, 'active');
    await assert.rejects(t.sendSmtp({ to: address, text: 'For the buyer' }), /550/);
    const sent = await buyer.api.post('/v1/email/claim', { address: `new@${domain}` });
    assert.equal(sent.status, 201);
    await t.sendSmtp({ to: `new@${domain}`, text: 'Here' });
  });
});
