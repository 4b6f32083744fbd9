import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, suspend, type TestAgent } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { removeUntouched } from './draft.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const later = (t: TestApp, ms = HOUR): string => new Date(t.clock.now() + ms).toISOString();

const draft = ({ api }: Pick<TestAgent, 'api'>, fields: object = {}) =>
  api.post('/v1/email/drafts', { to: 'bob@example.com', subject: 'Later', text: 'Words', ...fields });

const statusOf = async ({ api }: TestAgent, id: string) => (await api.get(`/v1/email/drafts/${id}`)).body;

const outboxOf = async ({ api }: TestAgent) => (await api.get('/v1/email/outbox')).body.messages;

/** Runs what is due at a time. */
async function runAt(t: TestApp, ms: number): Promise<void> {
  t.clock.advance(ms);
  await t.app.worker.runDue();
}

/** What a refusal says, without the page that it links to, which depends on the call. */
const said = ({ status, body }: ApiReply) => [status, { ...body, docs_url: null }];

const OPTIONS = { limits: { free: { requests_per_day: 1_000_000, drafts: 4 } } };

onEngines('any', '/v1/email/drafts', OPTIONS, (suite) => {
  it('a change of time moves it, null and DELETE cancel it, and a change of the text is in it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [moved, cancelled, deleted] = [
      (await draft(ada, { subject: 'moved', send_at: later(t) })).body.draft_id,
      (await draft(ada, { send_at: later(t) })).body.draft_id,
      (await draft(ada, { send_at: later(t) })).body.draft_id,
    ];
    const at = later(t, 2 * HOUR);
    assert.equal((await ada.api.patch(`/v1/email/drafts/${moved}`, { send_at: at, text: 'New.' })).body.send_at, at);
    const off = (await ada.api.patch(`/v1/email/drafts/${cancelled}`, { send_at: null })).body;
    assert.deepEqual([off.status, off.send_at], ['draft', null]);
    await ada.api.delete(`/v1/email/drafts/${deleted}`);
    await runAt(t, HOUR);
    assert.deepEqual(await outboxOf(ada), []);
    await runAt(t, HOUR);
    assert.deepEqual(
      (await outboxOf(ada)).map(({ subject }: { subject: string }) => subject),
      ['moved'],
    );
    assert.ok((await t.outboxMails()).some((mail) => mail.includes('New.') && mail.includes(ada.address)));
  });

  it('policy, suspension, the end of the key that scheduled it, and the end of its scope stop it: failed, with a reason and an event', async () => {
    const { t } = suite;
    const reasons: string[] = [];
    const ending: ((agent: TestAgent, keyId: string) => Promise<unknown>)[] = [
      (agent) => agent.api.put('/v1/email/policy', { outbound: { to: 'list', allow: [] } }),
      (agent, keyId) => agent.api.delete(`/v1/account/keys/${keyId}`),
      (agent, keyId) => agent.api.patch(`/v1/account/keys/${keyId}`, { scopes: ['mail:read', 'mail:codes'] }),
      (agent, keyId) => agent.api.patch(`/v1/account/keys/${keyId}`, { scopes: ['mail:send'] }),
      (agent) => suspend(t, agent.accountId),
    ];
    for (const end of ending) {
      const agent = await createAgent(t);
      const key = await agent.api.post('/v1/account/keys', { name: 'k', scopes: ['mail:send', 'mail:codes'] });
      const { body } = await draft({ api: t.api(key.body.api_key) }, { text: 'Code 481923', send_at: later(t) });
      await end(agent, key.body.id);
      await runAt(t, HOUR);
      const [row] = await t.sql('select status, error from mail_drafts where id = ?', body.draft_id);
      assert.equal(row?.status, 'failed');
      reasons.push(String(row?.error).split(':')[0] as string);
      const events = await t.sql(
        ...["select data from events where account_id = ? and type = 'email.failed'", agent.accountId],
      );
      assert.equal(events.length, 1);
      assert.ok(String(events[0]?.data).includes(body.draft_id));
    }
    const isKey = Array(3).fill('insufficient_scope');
    assert.deepEqual(reasons, ['recipient_not_allowed', ...isKey, 'account_suspended']);
  });

  it('a named key that changes what the account scheduled answers for it: the mail ends with the key', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { draft_id: id } = (await draft(ada, { send_at: later(t) })).body;
    const key = (await ada.api.post('/v1/account/keys', { name: 'k', scopes: ['mail:send', 'mail:read'] })).body;
    const changed = await t.api(key.api_key).patch(`/v1/email/drafts/${id}`, { text: 'Planted.' });
    assert.deepEqual([changed.status, changed.body.send_at], [200, later(t)]);
    await ada.api.delete(`/v1/account/keys/${key.id}`);
    await runAt(t, HOUR);
    assert.deepEqual([(await statusOf(ada, id)).status, await outboxOf(ada)], ['failed', []]);
  });

  it('POST /v1/account/secure cancels what is scheduled and names it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { draft_id } = (await draft(ada, { send_at: later(t) })).body;
    const secured = (await ada.api.post('/v1/account/secure', {})).body;
    const found = secured.recent_changes.filter(({ what }: { what: string }) => what === 'scheduled_mail_cancelled');
    assert.deepEqual(
      found.map(({ detail }: { detail: string }) => detail),
      [draft_id],
    );
    await runAt(t, 2 * HOUR);
    const owner = { ...ada, api: t.api(secured.api_key) };
    assert.deepEqual([(await statusOf(owner, draft_id)).status, await outboxOf(owner)], ['draft', []]);
  });

  it('a display name is in From, and cannot pass for an address', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const path = `/v1/email/addresses/${ada.address}`;
    const changed = await ada.api.patch(path, { display_name: 'Ada’s agent' });
    assert.deepEqual(changed.body, { address: ada.address, display_name: 'Ada’s agent', retention_days: null });
    assert.deepEqual((await ada.api.get('/v1/email/addresses')).body.settings, [changed.body]);
    const mail = { from: ada.address, to: [bob.address, 'x@example.com'], subject: 'Hi', text: 'Hi.' };
    const { rfc_message_id } = (await ada.api.post('/v1/email/send', mail)).body;
    const [entry] = (await bob.api.get(`/v1/email/inbox?address=${bob.address}`)).body.messages;
    assert.deepEqual([entry.from, entry.from_name], [ada.address, 'Ada’s agent']);
    const eml = (await t.outboxMails()).find((text) => text.includes(rfc_message_id)) ?? '';
    assert.match(eml, new RegExp(`^From: =\\?UTF-8\\?.*<${ada.address}>\\r$`, 'm'));
    for (const name of ['ceo@bank.example', 'a\r\nBcc: x', 'x\u202e', '<b>'])
      assert.equal((await ada.api.patch(path, { display_name: name })).status, 400, JSON.stringify(name));
    assert.equal((await bob.api.patch(path, { display_name: 'Mine' })).status, 404);
    assert.equal((await ada.api.patch(path, { display_name: null })).body.display_name, null);
  });
});

onEngines('both', '/v1/email/drafts: what the database decides', OPTIONS, (suite) => {
  it('keep what is written, change it, and are sent as it stands, once', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const attachments = [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }];
    const made = await ada.api.post('/v1/email/drafts', { subject: 'Plan', attachments });
    assert.deepEqual([made.status, made.body.status, made.body.from, made.body.to], [201, 'draft', ada.address, []]);
    const path = `/v1/email/drafts/${made.body.draft_id}`;
    assert.equal((await ada.api.post(`${path}/send`)).body.error, 'invalid_request');
    const changed = await ada.api.patch(path, { to: bob.address, cc: ['c@example.com'], text: 'Come at noon.' });
    assert.deepEqual([changed.status, changed.body.subject, changed.body.text], [200, 'Plan', 'Come at noon.']);
    assert.deepEqual((await ada.api.get(path)).body, changed.body);
    assert.deepEqual(
      (await ada.api.get('/v1/email/drafts')).body.drafts.map((entry: { draft_id: string }) => entry.draft_id),
      [made.body.draft_id],
    );
    const replies = await Promise.all([1, 2, 3].map(() => ada.api.post(`${path}/send`)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409]);
    const sent = replies.find(({ status }) => status === 201)?.body;
    for (const { body } of replies.filter(({ status }) => status === 409))
      assert.deepEqual([body.error, body.email_id], ['already_sent', sent.id]);
    const [entry] = (await bob.api.get(`/v1/email/inbox?address=${bob.address}`)).body.messages;
    assert.deepEqual([entry.subject, entry.snippet, entry.has_attachments], ['Plan', 'Come at noon.', true]);
    const after = (await ada.api.get(path)).body;
    assert.deepEqual([after.status, after.email_id, after.text, after.attachments], ['sent', sent.id, null, []]);
    assert.deepEqual((await ada.api.get('/v1/email/drafts')).body.drafts, []);
    const late = (await ada.api.patch(path, { text: 'x' })).body;
    assert.deepEqual([late.error, late.email_id], ['already_sent', sent.id]);
    assert.equal((await outboxOf(ada)).length, 1);
    assert.deepEqual((await ada.api.delete(path)).body, { deleted: true, draft_id: made.body.draft_id });
    assert.equal((await ada.api.get(path)).status, 404);
  });

  it('a scheduled mail leaves once, at its time, whatever number of workers look at it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { body } = await draft(ada, { send_at: later(t) });
    assert.deepEqual([body.status, body.send_at], ['scheduled', later(t)]);
    await runAt(t, HOUR - 1000);
    assert.deepEqual(await outboxOf(ada), []);
    // As if a worker had died after it took the job: the job is there twice. Before its time: then the service takes it.
    const [job] = await t.sql("select * from jobs where kind = 'draft.send' and payload like ?", `%${body.draft_id}%`);
    const columns = Object.keys(job as object);
    await t.sql(
      `insert into jobs (${columns.join()}) values (${columns.map(() => '?').join()})`,
      ...Object.values({ ...job, id: `${job?.id}x` }),
    );
    t.clock.advance(1000);
    await Promise.all([t.app.worker.runDue(), t.app.worker.runDue()]);
    const [entry, ...others] = await outboxOf(ada);
    assert.deepEqual([entry.subject, entry.to, others], ['Later', ['bob@example.com'], []]);
    const after = await statusOf(ada, body.draft_id);
    assert.deepEqual([after.status, after.email_id], ['sent', entry.id]);
  });

  it('D: what leaves in ten seconds is taken back until it leaves, never both, and then 409 already_sent', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { draft_id: id } = (await draft(ada, { send_at: later(t, 10_000) })).body;
    const path = `/v1/email/drafts/${id}`;
    assert.equal((await ada.api.patch(path, { send_at: null })).body.status, 'draft');
    await runAt(t, 10_000);
    assert.deepEqual(await outboxOf(ada), []);
    await ada.api.patch(path, { send_at: later(t, 10_000) });
    t.clock.advance(10_000);
    const [undone] = await Promise.all([ada.api.patch(path, { send_at: null }), t.app.worker.runDue()]);
    const isSent = (await outboxOf(ada)).length === 1;
    assert.deepEqual([undone.status, undone.body.error], isSent ? [409, 'already_sent'] : [200, null]);
    await ada.api.patch(path, { send_at: later(t, 10_000) });
    await runAt(t, 10_000);
    const [entry, ...others] = await outboxOf(ada);
    const tooLate = await ada.api.patch(path, { send_at: null });
    assert.deepEqual(
      [tooLate.status, tooLate.body.error, tooLate.body.email_id, others],
      [409, 'already_sent', entry.id, []],
    );
  });

  it('D: a draft that an editor saved goes 7 days after its last change, with its files and its place; no other does', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const attachments = [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }];
    const made = async (fields: object) => (await draft(ada, fields)).body.draft_id;
    const [untouched, touched] = [
      await made({ autosaved: true, attachments }),
      await made({ autosaved: true, text: 'I go on.' }),
    ];
    const kept = await made({ autosaved: true });
    const scheduled = await made({ autosaved: true, send_at: later(t, 30 * DAY) });
    assert.equal((await statusOf(ada, untouched)).autosaved, true);
    const said = await ada.api.patch(`/v1/email/drafts/${kept}`, { autosaved: false });
    assert.equal(said.body.autosaved, false);
    t.clock.advance(6 * DAY);
    await ada.api.patch(`/v1/email/drafts/${touched}`, { text: 'Still.' });
    t.clock.advance(DAY + 1);
    const sweep = () =>
      t.app.database.transaction((tx) =>
        removeUntouched(tx, t.app.provided.jobEffects, t.clock.now() - 7 * DAY, t.clock.now()),
      );
    await Promise.all([sweep(), sweep()]);
    const left = (await ada.api.get('/v1/email/drafts')).body.drafts;
    assert.deepEqual(
      left.map(({ draft_id: id }: { draft_id: string }) => id).sort(),
      [scheduled, kept, touched].sort(),
    );
    assert.deepEqual(await t.sql('select n from draft_attachments where draft_id = ?', untouched), []);
    const [last] = await t.sql(
      ...["select count(*) as n from audit_entries where account_id = ? and action = 'draft.expired'", ada.accountId],
    );
    assert.equal(Number(last?.n), 1);
    const more = await Promise.all([1, 2].map(() => draft(ada)));
    assert.deepEqual(more.map(({ status }) => status).sort(), [201, 403], 'its place is free, once');
  });

  it('refuse a time that is past, what cannot be sent then, one too many, and another account', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (const [fields, error] of [
      [{ send_at: later(t, -1) }, 'invalid_request'],
      [{ send_at: later(t, 400 * 24 * HOUR) }, 'invalid_request'],
      [{ send_at: later(t), to: 'nonsense@' }, 'invalid_recipient'],
      [{ send_at: later(t), to: [] }, 'invalid_request'],
      [{ send_at: later(t), subject: 'a\r\nBcc: x@example.com' }, 'invalid_request'],
      [{ from: 'postmaster' }, 'sender_not_owned'],
    ] as const)
      assert.equal((await draft(ada, fields)).body.error, error, JSON.stringify(fields));
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map(() => draft(ada)));
    assert.deepEqual(results.map(({ status }) => status).sort(), [201, 201, 201, 201, 403, 403]);
    const refused = results.find(({ status }) => status === 403)?.body;
    assert.deepEqual([refused.error, refused.limit], ['limit_reached', { name: 'drafts', used: 4, max: 4 }]);
    const id = results.find(({ status }) => status === 201)?.body.draft_id;
    const stranger = await createAgent(t);
    const missing = await stranger.api.get('/v1/email/drafts/drf_00000000000000000000000000');
    for (const reply of [
      await stranger.api.get(`/v1/email/drafts/${id}`),
      await stranger.api.patch(`/v1/email/drafts/${id}`, { text: 'x' }),
      await stranger.api.delete(`/v1/email/drafts/${id}`),
      await stranger.api.post(`/v1/email/drafts/${id}/send`),
    ])
      assert.deepEqual(said(reply), said(missing));
    await createAgent(t, {}, ada);
    assert.equal((await draft(ada)).body.details[0].path, '/body/from');
  });
});
