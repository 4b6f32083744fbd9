import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../../test/support/agents.ts';
import { type Api, type ApiReply, onEngines } from '../../../../test/support/harness.ts';
import { approveMail, createHeldAgent, holdMail, REVIEWS, sendTo } from '../../../../test/support/held-mail.ts';
import { DAY_MS } from '../../../base/period.ts';

const withdraw = (api: Api, id: string): Promise<ApiReply> => api.post(`${REVIEWS}/${id}/withdraw`);
const OUTBOX = '/v1/email/outbox';

onEngines('any', 'held mail as its sender sees it', {}, (suite) => {
  it('B: does not look like queued mail: the outbox names its review until the decision', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const { body: sent } = await sendTo(ada, 'bob@other.example');
    const asked = new Date(t.clock.now()).toISOString();
    const entry = (await ada.api.get(`${OUTBOX}/${sent.id}`)).body;
    const { id, reason, asked_at: askedAt, expires_at: expiresAt } = entry.review;
    assert.deepEqual([entry.status, id, reason], ['pending', sent.review_id, 'always']);
    assert.deepEqual(
      [askedAt.slice(0, 10), Date.parse(expiresAt) - Date.parse(askedAt)],
      [asked.slice(0, 10), 7 * DAY_MS],
    );
    assert.deepEqual((await ada.api.get(OUTBOX)).body.messages[0].review, entry.review);
    await approveMail(ada, sent.review_id);
    assert.equal((await ada.api.get(`${OUTBOX}/${sent.id}`)).body.review, null);
    await ada.operator.put('/v1/email/policy', { outbound: { hold: 'never' } });
    const queued = (await sendTo(ada, 'bob@other.example')).body;
    assert.equal((await ada.api.get(`${OUTBOX}/${queued.id}`)).body.review, null);
  });

  it('lists its own reviews and no others, with every status, newest first', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    await holdMail(await createHeldAgent(t), 'bob@other.example');
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      // Ids of the same millisecond have no order.
      t.clock.advance(1000);
      ids.unshift(await holdMail(ada, `${name}@other.example`));
    }
    await withdraw(ada.api, ids[0] as string);
    await ada.operator.post(`${REVIEWS}/${ids[1]}/reject`, {});
    const { reviews } = (await ada.api.get(REVIEWS)).body;
    assert.deepEqual(
      reviews.map((one: Record<string, unknown>) => [one.review_id, one.to, one.subject, one.reason, one.status]),
      ['withdrawn', 'rejected', 'pending'].map((status, n) => [
        ids[n],
        [`${'cba'[n]}@other.example`],
        'Offer',
        'always',
        status,
      ]),
    );
    const page = (await ada.api.get(`${REVIEWS}?limit=2`)).body;
    const rest = (await ada.api.get(`${REVIEWS}?limit=2&cursor=${page.next_cursor}`)).body;
    assert.deepEqual([page.count, rest.count, rest.reviews[0].review_id], [2, 1, ids[2]]);
    assert.equal((await ada.api.get(`${REVIEWS}?status=withdrawn`)).body.count, 1);
  });

  it('a key that is limited to an address lists and withdraws what that address sends; the other is 404', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const second = (await ada.api.post('/v1/email/claim', { address: `second-of-${ada.accountId.slice(4)}` })).body
      .address;
    const others = await holdMail(ada, 'bob@other.example');
    const own = await holdMail({ ...ada, address: second }, 'bob@other.example');
    const scopes = ['mail:read', 'mail:send'];
    const named = await ada.api.post('/v1/account/keys', { name: 'helper', scopes, addresses: [second] });
    const helper = t.api(named.body.api_key);
    for (const query of ['', '?status=pending'])
      assert.deepEqual(
        (await helper.get(REVIEWS + query)).body.reviews.map((one: { review_id: string }) => one.review_id),
        [own],
      );
    const stolen = await withdraw(helper, others);
    const missing = await withdraw(helper, `rev_${'0'.repeat(26)}`);
    assert.deepEqual([stolen.status, stolen.text], [404, missing.text]);
    assert.equal((await withdraw(helper, own)).status, 200);
  });

  it('withdrawn mail is `failed`, its operators decide nothing, and its counts return', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, { hold: 'always', max_recipients_per_day: 2 });
    const bob = await createAgent(t);
    const { body: sent } = await sendTo(ada, [bob.address, 'bob@other.example']);
    assert.equal((await sendTo(ada, bob.address)).status, 429);
    const withdrawn = await withdraw(ada.api, sent.review_id);
    const { status, error, resolved_by: by } = withdrawn.body;
    assert.deepEqual([withdrawn.status, status, error, by], [200, 'withdrawn', 'withdrawn', 'api_key']);
    const entry = (await ada.api.get(`${OUTBOX}/${sent.id}`)).body;
    assert.deepEqual([entry.status, entry.error, entry.review], ['failed', 'withdrawn', null]);
    assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_used, 0);
    const approved = await ada.operator.post(`${REVIEWS}/${sent.review_id}/approve`, {});
    assert.deepEqual(
      [approved.status, approved.body.error, approved.body.status],
      [409, 'already_resolved', 'withdrawn'],
    );
    assert.equal((await ada.operator.get('/v1/operator/agents')).body.agents[0].open_reviews, 0);
    const events = (await ada.api.get('/v1/events?type=email.rejected')).body.events;
    assert.deepEqual(
      events.map(({ data }: { data: { reason: string; review_id: string } }) => [data.reason, data.review_id]),
      [['withdrawn', sent.review_id]],
    );
    assert.equal((await sendTo(ada, [bob.address, 'bob@other.example'])).status, 202);
    const inbox = await bob.api.get(`/v1/email/inbox?address=${bob.address}`);
    assert.deepEqual(inbox.body.messages, []);
  });

  it('409 already_resolved once it is decided or its time is over; 404 for another account', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const said = async (id: string) => {
      const { status, body } = await withdraw(ada.api, id);
      return [status, body.error, body.status];
    };
    const [first, second, third] = [
      await holdMail(ada, 'a@other.example'),
      await holdMail(ada, 'b@other.example'),
      await holdMail(ada, 'c@other.example'),
    ];
    const stranger = await withdraw((await createAgent(t)).api, first);
    assert.deepEqual([stranger.status, stranger.body.error], [404, 'not_found']);
    await approveMail(ada, first);
    await withdraw(ada.api, second);
    assert.deepEqual(await said(first), [409, 'already_resolved', 'approved']);
    assert.deepEqual(await said(second), [409, 'already_resolved', 'withdrawn']);
    t.clock.advance(7 * DAY_MS);
    assert.deepEqual(await said(third), [409, 'already_resolved', 'expired']);
  });
});

onEngines('both', 'withdrawing held mail', {}, (suite) => {
  it('exactly one of a withdrawal and an approval wins, and the mail is sent or its counts return', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const bob = await createAgent(t);
    let sent = 0;
    for (let round = 0; round < 6; round++) {
      const id = await holdMail(ada, bob.address);
      const approve = () => ada.operator.post(`${REVIEWS}/${id}/approve`, {});
      const calls = [approve, () => withdraw(ada.api, id), () => withdraw(ada.api, id)];
      const replies = await Promise.all((round % 2 ? calls : calls.reverse()).map((call) => call()));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409]);
      const [{ body: won }] = replies.filter(({ status }) => status === 200) as [ApiReply];
      for (const { status, body } of replies)
        if (status === 409) assert.deepEqual([body.error, body.status], ['already_resolved', won.status]);
      if (won.status === 'approved') sent += 1;
    }
    const inbox = await bob.api.get(`/v1/email/inbox?address=${bob.address}`);
    assert.equal(inbox.body.messages.length, sent);
    assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_used, sent);
  });
});
