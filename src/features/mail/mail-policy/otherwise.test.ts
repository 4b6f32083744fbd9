import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession } from '../../../../test/support/agents.ts';
import { confirmAt } from '../../../../test/support/confirmed.ts';
import { type ApiReply, onEngines } from '../../../../test/support/harness.ts';
import { approveMail, createHeldAgent, REVIEWS, sendTo } from '../../../../test/support/held-mail.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';

const POLICY = '/v1/email/policy';
const REVIEW = { otherwise: 'review' };
const said = ({ status, body }: ApiReply) => [status, body.error, body.recipient, body.limit_set_by];

onEngines('any', 'outbound.otherwise', {}, (suite) => {
  it('B: one domain free, the rest to review: several to review are one review', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, { to: 'list', allow: ['friend.example'], ...REVIEW });
    assert.equal((await ada.api.get(POLICY)).body.outbound.otherwise, 'review');
    assert.equal((await sendTo(ada, 'a@friend.example')).status, 201);
    const sent = await sendTo(ada, ['a@friend.example', 'b@other.example', 'c@third.example']);
    assert.deepEqual([sent.status, sent.body.reason], [202, 'not_listed'], sent.text);
    const { reviews } = (await ada.operator.get(REVIEWS)).body;
    assert.deepEqual(
      reviews.map(({ review_id: id, to }: { review_id: string; to: string[] }) => [id, to.length]),
      [[sent.body.review_id, 3]],
    );
    assert.match((await ada.operator.get(`${REVIEWS}/${sent.body.review_id}`)).body.why, /not on the list/);
    assert.equal((await approveMail(ada, sent.body.review_id)).error, null);
    await t.app.worker.runDue();
    const { recipients } = (await ada.api.get(`/v1/email/outbox/${sent.body.id}`)).body;
    assert.deepEqual(
      recipients.map(({ status, error }: { status: string; error: string | null }) => [status, error]),
      [
        ['sent', null],
        ['sent', null],
        ['sent', null],
      ],
    );
  });

  it('`refuse` is the default; `block` refuses always, and one refused recipient refuses the mail', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, { to: 'known' });
    const barred = [403, 'recipient_not_allowed', 'b@other.example', undefined];
    assert.deepEqual(said(await sendTo(ada, 'b@other.example')), barred);
    await ada.operator.put(POLICY, { outbound: { ...REVIEW, block: ['b@other.example'] } });
    assert.deepEqual(said(await sendTo(ada, 'b@other.example')), barred);
    assert.deepEqual(said(await sendTo(ada, ['c@third.example', 'b@other.example'])), barred);
    assert.equal((await ada.api.get(REVIEWS)).body.count, 0);
    assert.equal((await sendTo(ada, 'c@third.example')).status, 202);
    await ada.operator.put(POLICY, { outbound: { otherwise: 'refuse' } });
    assert.equal((await sendTo(ada, 'c@third.example')).status, 403);
  });

  it('counts under `list` and `known` alone: under `open` nothing waits', async () => {
    const ada = await createHeldAgent(suite.t, { to: 'open', ...REVIEW });
    assert.equal((await sendTo(ada, 'b@other.example')).status, 201);
  });

  it('409 operator_email_required without a confirmed operator; a key cannot set it where the operator decides', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const put = () => ada.api.put(POLICY, { outbound: { to: 'list', ...REVIEW } });
    const alone = await put();
    assert.deepEqual([alone.status, alone.body.error], [409, 'operator_email_required']);
    assert.deepEqual((await ada.api.get(POLICY)).body.outbound.to, 'open');
    await confirmOperator(t, ada, newPerson(t), 'operator');
    assert.equal((await put()).body.error, 'operator_required');
  });

  it('is not for pods: a pod cannot set it, and what its platform would review is refused', async () => {
    const { t } = suite;
    const platform = await createHeldAgent(t, {});
    const pod = await createAgent(t, {}, await makePod(t, platform));
    const listed = await platform.api.put(POLICY, { outbound: { to: 'list', allow: ['friend.example'], ...REVIEW } });
    assert.equal(listed.status, 200, listed.text);
    const email = newPerson(t);
    await confirmAt(t, pod.accountId, email, t.clock.now(), 'operator');
    const podOperator = await openSession(t, email);
    const refused = await podOperator.put(POLICY, { outbound: { to: 'list', ...REVIEW } });
    assert.deepEqual([refused.status, refused.body.details?.[0].path], [400, '/body/outbound/otherwise']);
    assert.equal((await sendTo(pod, 'a@friend.example')).status, 201);
    const barred = [403, 'recipient_not_allowed', 'b@other.example', 'platform'];
    assert.deepEqual(said(await sendTo(pod, ['a@friend.example', 'b@other.example'])), barred);
    assert.equal((await sendTo(platform, 'b@other.example')).status, 202);
  });
});
