import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTier } from '../support/agents.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { nameOf, sampleBatches, sampleOf, sendSample } from './sample-requests.ts';

/** How many mails each account has sent. */
const sentByEach = async (t: TestApp): Promise<Map<unknown, number>> =>
  new Map(
    (await t.sql('select account_id, count(*) as n from outbox group by account_id')).map(({ account_id, n }) => [
      account_id,
      Number(n),
    ]),
  );

const sentBy = async (t: TestApp, accountId: string): Promise<number> => (await sentByEach(t)).get(accountId) ?? 0;

/** Allows no recipient at all, as the authority of the account would. */
async function allowNobody(t: TestApp, accountId: string): Promise<void> {
  await t.sql('delete from mail_policies where account_id = ?', accountId);
  await t.sql(
    "insert into mail_policies (account_id, address, inbound, outbound, updated_at) values (?, '', '{}', ?, 1)",
    ...[accountId, JSON.stringify({ to: 'list', allow: [] })],
  );
}

/** Makes an account a pod of another one that allows no recipient at all. */
async function makePodOfStrict(t: TestApp, accountId: string): Promise<void> {
  const platform = await t.createAccount();
  await allowNobody(t, platform.accountId);
  await t.sql('update accounts set parent_id = ? where id = ?', platform.accountId, accountId);
  // So that no instance goes on with what it read of the account.
  await setTier(t, platform.accountId, 'paid');
}

onEngines('any', 'the endpoints that send mail', NAMED_HOST, (suite) => {
  it('are those that say so: no other one makes an outgoing mail', async () => {
    const { t } = suite;
    const found: string[] = [];
    const writes = t.app.endpoints.filter(({ method }) => method !== 'GET');
    for await (const batch of sampleBatches(t, writes)) {
      const before = await sentByEach(t);
      for (const { endpoint, sample } of batch) await sendSample(t, endpoint, sample);
      const after = await sentByEach(t);
      for (const { endpoint, sample } of batch)
        if (sample.accountId !== null && after.get(sample.accountId) !== before.get(sample.accountId))
          found.push(endpoint.operation);
    }
    const declared = t.app.endpoints.filter(({ leaves }) => leaves?.includes('mail')).map(({ operation }) => operation);
    const undeclared = found.filter((operation) => !declared.includes(operation));
    assert.deepEqual(undeclared, [], 'these endpoints send mail and name no way out `mail`');
    assert.ok(found.includes('sendEmail') && found.includes('sendFromInbox'));
  });

  for (const [name, bar] of [
    ['send to nobody whom the mail policy does not allow', allowNobody],
    ['G1: send to nobody whom the mail policy of a pod’s platform does not allow', makePodOfStrict],
  ] as const)
    it(name, async () => {
      const { t } = suite;
      for (const endpoint of t.app.endpoints.filter(({ leaves }) => leaves?.includes('mail'))) {
        const sample = await sampleOf(endpoint, t);
        const accountId = sample.accountId as string;
        await bar(t, accountId);
        const before = await sentBy(t, accountId);
        const reply = await sendSample(t, endpoint, sample);
        assert.equal(await sentBy(t, accountId), before, `${nameOf(endpoint)} sent a mail`);
        if (reply.status >= 400)
          assert.equal(JSON.stringify(reply.body).includes('recipient_not_allowed'), true, nameOf(endpoint));
      }
    });
});
