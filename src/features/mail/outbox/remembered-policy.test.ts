import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createAgent } from '../../../../test/support/agents.ts';
import { createTestDns } from '../../../../test/support/dns.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { systemClock } from '../../../base/clock.ts';
import { DAY_MS } from '../../../base/period.ts';

const dns = createTestDns();
const taken: string[] = [];
/** A mail host whose certificate nobody trusts. */
const host = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH'],
  onData: (stream, { envelope }, callback) => {
    void buffer(stream).then(() => {
      taken.push(...envelope.rcptTo.map(({ address }) => address));
      callback(null, 'Ok');
    });
  },
});
host.on('error', () => {});
await new Promise<void>((resolve) => void host.listen(0, '127.0.0.1', resolve));
after(() => new Promise<void>((done) => void host.close(done)));
for (const name of ['kept.example', 'expired.example']) {
  dns.set('MX', name, `0 mx.${name}`);
  dns.set('A', `mx.${name}`, '127.0.0.1');
}

/** A policy that another instance, or this one before a restart, has fetched. */
async function remember(t: TestApp, domain: string, endsAt: number): Promise<void> {
  const expires = new Date(endsAt).toISOString();
  const policy = { id: 'one', version: 'STSv1', mode: 'enforce', mx: [`mx.${domain}`], maxAge: 86_400, expires };
  const row = [domain, JSON.stringify(policy), systemClock.now(), endsAt];
  await t.sql('insert into mta_sts_policies (domain, policy, fetched_at, expires_at) values (?, ?, ?, ?)', ...row);
}

const options = {
  env: { DELIVERY: 'direct' },
  resolveDns: dns.resolve,
  mailPort: (host.server.address() as AddressInfo).port,
};

onEngines('any', 'a remembered MTA-STS policy', options, (suite) => {
  it('is enforced until it expires, although the domain shows none now', async () => {
    const { t } = suite;
    taken.length = 0;
    await remember(t, 'kept.example', systemClock.now() + DAY_MS);
    await remember(t, 'expired.example', systemClock.now() - 1);
    const { api, address } = await createAgent(t);
    const to = ['a@kept.example', 'a@expired.example'];
    const { body } = await api.post('/v1/email/send', { from: address, to, subject: 'out', text: 'hello' });
    await t.app.worker.runDue();
    assert.deepEqual(taken, ['a@expired.example']);
    const { recipients } = (await api.get(`/v1/email/outbox/${body.id}`)).body;
    assert.deepEqual(
      recipients.map(({ status }: { status: string }) => status),
      ['pending', 'sent'],
    );
  });
});
