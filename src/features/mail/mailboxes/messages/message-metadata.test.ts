import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../../test/support/harness.ts';

const subjectsOf = ({ body }: { body: { messages: { subject: string }[] } }) =>
  body.messages.map(({ subject }) => subject).sort();

const inbox = ({ api, address }: TestAgent, query = '') => api.get(`/v1/email/inbox?address=${address}${query}`);

/** An agent with two messages, and a change of each. */
async function withMail(t: TestApp) {
  const ada = await createAgent(t);
  for (const subject of ['one', 'two']) await t.sendSmtp({ to: ada.address, subject, text: 'Hello' });
  const { messages } = (await inbox(ada)).body;
  const idOf = (subject: string): string =>
    messages.find((each: { subject: string }) => each.subject === subject).message_id;
  const note = (subject: string, metadata: unknown) =>
    ada.api.patch(`/v1/email/messages/${idOf(subject)}?address=${ada.address}`, { metadata });
  return { ada, idOf, note };
}

onEngines('any', 'metadata of mail', {}, (suite) => {
  it('refuses what is too large or misshapen, and changes nothing', async () => {
    const { ada, note } = await withMail(suite.t);
    await note('one', { ticket: '42' });
    const refused = async (metadata: unknown) => {
      const { status, body } = await note('one', metadata);
      return [status, body.error, body.limit?.name];
    };
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`n${i}`, i]));
    assert.deepEqual(await refused(many), [400, 'metadata_too_large', 'mail_metadata_names']);
    const long = { a: 'x'.repeat(500), b: 'x'.repeat(500), c: 'x'.repeat(500), d: 'x'.repeat(500), e: 'x'.repeat(50) };
    assert.deepEqual(await refused(long), [400, 'metadata_too_large', 'mail_metadata_bytes']);
    for (const bad of [
      { a: {} },
      { a: [1] },
      { 'a.b': '1' },
      { '': '1' },
      { ä: '1' },
      'text',
      [],
      { a: 'x'.repeat(501) },
    ])
      assert.deepEqual((await refused(bad)).slice(0, 2), [400, 'invalid_request'], JSON.stringify(bad).slice(0, 40));
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.ticket=42')), ['one']);
    for (const query of ['&metadata=1', '&metadata.a=1&metadata.a=2', '&metadata.=1', `&metadata.${'n'.repeat(41)}=1`])
      assert.equal((await inbox(ada, query)).status, 400, query);
  });
});

onEngines('both', 'metadata of mail', {}, (suite) => {
  it('notes what the owner writes, shows it everywhere and finds it', async () => {
    const { ada, idOf, note } = await withMail(suite.t);
    const changed = await note('one', { ticket: 42, urgent: true, who: 'Zoë & co', empty: '' });
    assert.deepEqual(
      [changed.status, changed.body.metadata],
      [200, { ticket: 42, urgent: true, who: 'Zoë & co', empty: '' }],
    );
    await note('two', { ticket: '43', urgent: true });
    const read = await ada.api.get(`/v1/email/messages/${idOf('one')}?address=${ada.address}`);
    assert.equal(read.body.metadata.ticket, 42);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.ticket=42')), ['one']);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.urgent=true')), ['one', 'two']);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.urgent=true&metadata.ticket=43')), ['two']);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.urgent=true&q=hello&from=ada@example.com')), [
      'one',
      'two',
    ]);
    assert.deepEqual(subjectsOf(await inbox(ada, `&metadata.who=${encodeURIComponent('Zoë & co')}`)), ['one']);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.empty=')), ['one']);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.ticket=4')), []);
    // Absent names stay, null removes one, and null instead of an object all.
    assert.deepEqual((await note('one', { urgent: null, ticket: 44 })).body.metadata, {
      ticket: 44,
      who: 'Zoë & co',
      empty: '',
    });
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.urgent=true')), ['two']);
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.ticket=42')), []);
    assert.deepEqual((await note('one', null)).body.metadata, {});
    assert.deepEqual(subjectsOf(await inbox(ada, '&metadata.ticket=44')), []);
  });

  it('leaves nothing of a deleted message', async () => {
    const { t } = suite;
    const { ada, idOf, note } = await withMail(suite.t);
    await note('one', { ticket: '42' });
    await ada.api.delete(`/v1/email/messages/${idOf('one')}?address=${ada.address}&permanent=true`);
    assert.deepEqual(await t.sql('select term from message_terms where item = ?', idOf('one')), []);
  });

  it('goes with sent mail, drafts and replies, and never to the recipient', async () => {
    const { t } = suite;
    const { ada, idOf } = await withMail(suite.t);
    const bob = await createAgent(t);
    const { api, address: from } = ada;
    const mail = { from, to: bob.address, text: 'Hi', metadata: { order: 7 } };
    assert.equal((await api.post('/v1/email/send', { ...mail, subject: 'sent' })).status, 201);
    await api.post('/v1/email/send', { ...mail, subject: 'other', metadata: { order: 8 } });
    const draft = (await api.post('/v1/email/drafts', { ...mail, subject: 'draft' })).body;
    assert.deepEqual(draft.metadata, { order: 7 });
    const patched = await api.patch(`/v1/email/drafts/${draft.draft_id}`, { metadata: { kind: 'late' } });
    assert.deepEqual(patched.body.metadata, { order: 7, kind: 'late' });
    assert.equal((await api.post(`/v1/email/drafts/${draft.draft_id}/send`)).status, 201);
    const reply = await api.post(`/v1/email/messages/${idOf('one')}/reply`, { text: 'Yes', metadata: { order: 7 } });
    assert.equal(reply.status, 201);
    assert.deepEqual(subjectsOf(await api.get('/v1/email/outbox?metadata.order=7')), ['Re: one', 'draft', 'sent']);
    const late = await api.get('/v1/email/outbox?metadata.order=7&metadata.kind=late');
    assert.deepEqual(late.body.messages[0].metadata, { order: 7, kind: 'late' });
    const pages = await api.get('/v1/email/outbox?metadata.order=7&limit=2');
    const next = await api.get(`/v1/email/outbox?metadata.order=7&limit=2&cursor=${pages.body.next_cursor}`);
    assert.deepEqual([...subjectsOf(pages), ...subjectsOf(next)].sort(), ['Re: one', 'draft', 'sent']);
    const thread = await api.get(`/v1/email/threads/${reply.body.thread_id}`);
    const [answer] = thread.body.messages.filter(({ direction }: { direction: string }) => direction === 'sent');
    assert.deepEqual(answer.metadata, { order: 7 });
    const received = (await inbox(bob)).body.messages as { metadata: object }[];
    assert.equal(received.length, 3);
    for (const { metadata } of received) assert.deepEqual(metadata, {});
    const tooMuch = { ...mail, subject: 'no', metadata: { a: 'x'.repeat(501) } };
    assert.equal((await api.post('/v1/email/send', tooMuch)).status, 400);
  });
});
