import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';

onEngines('any', 'H4: a thief of trust', { env: { RESERVED_ADDRESSES: 'ceo,press-office' } }, (suite) => {
  const names = ['administrator', 'sysadmin', 'noc', 'no_reply', 'signet', 'ceo', 'pressoffice', 'adm1n', 'c30'];

  it('gets no reserved name: not by claim, registration, a first look, an inbox or a pod', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const { api } = platform;
    const pod = await makePod(t, platform);
    for (const name of names) {
      for (const reply of [
        await api.post('/v1/email/claim', { address: name }),
        await api.get(`/v1/email/inbox?address=${name}`),
        await api.post('/v1/inbox', { name }),
        await pod.api.post('/v1/email/claim', { address: name }),
      ])
        assert.deepEqual([name, reply.status, reply.body.error], [name, 403, 'address_reserved']);
      const sent = await api.post('/v1/email/send', {
        from: `${name}@agents.localhost`,
        to: 'x@example.com',
        subject: 'x',
        text: 'x',
      });
      assert.deepEqual([name, sent.body.error], [name, 'sender_not_owned']);
      const registered = await t.api().post('/v1/register', { address: `${name}@agents.localhost` });
      assert.deepEqual([name, registered.status, registered.body.error], [name, 400, 'invalid_address']);
    }
    assert.deepEqual(await t.sql('select address from addresses'), []);
  });

  it('who registers by such a name gets it with four digits', async () => {
    for (const name of ['Administrator', 'CEO']) {
      const { status, body } = await suite.t.api().post('/v1/register', { name });
      assert.equal(status, 201);
      assert.match(body.address ?? body.email, new RegExp(`^${name.toLowerCase()}\\d{4}@agents\\.localhost$`));
    }
  });

  it('an address that was claimed before stays with its owner, who may claim it again, read it and send', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.post('/v1/email/claim', { address: 'early' });
    await t.sql("update addresses set address = 'billing@agents.localhost' where address = 'early@agents.localhost'");
    const again = await api.post('/v1/email/claim', { address: 'billing' });
    assert.deepEqual([again.status, again.body.already_owned], [201, true]);
    assert.equal((await api.get('/v1/email/inbox?address=billing')).status, 200);
    const sent = await api.post('/v1/email/send', {
      from: 'billing@agents.localhost',
      to: 'billing@agents.localhost',
      subject: 'x',
      text: 'x',
    });
    assert.equal(sent.status, 201, sent.text);
    const other = await t.createAccount();
    assert.equal((await other.api.post('/v1/email/claim', { address: 'billing' })).body.error, 'address_reserved');
  });
});
