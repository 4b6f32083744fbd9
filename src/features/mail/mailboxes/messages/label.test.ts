import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestAccount, type TestApp } from '../../../../../test/support/harness.ts';

type Agent = TestAccount & { address: string; ids: string[] };
let names = 0;

/** An agent with messages called 0, 1, 2 …; `ids` in that order. */
async function agent(t: TestApp, mails: number): Promise<Agent> {
  const account = await t.createAccount();
  const { address } = (await account.api.post('/v1/email/claim', { address: `label-${names++}` })).body;
  for (let n = 0; n < mails; n++) {
    t.clock.advance(1000);
    await account.api.post('/v1/email/send', { from: address, to: address, subject: String(n), text: 'x' });
  }
  const { messages } = (await account.api.get(`/v1/email/inbox?address=${address}`)).body;
  return { ...account, address, ids: messages.map(({ message_id }: { message_id: string }) => message_id).reverse() };
}

const patch = ({ api, address, ids }: Agent, n: number, change: object) =>
  api.patch(`/v1/email/messages/${ids[n]}?address=${address}`, change);
const list = async ({ api, address }: Agent, query = '') =>
  (await api.get(`/v1/email/inbox?address=${address}${query}`)).body;
const subjects = async (of: Agent, query: string): Promise<string[]> =>
  (await list(of, query)).messages.map(({ subject }: { subject: string }) => subject);

onEngines('any', 'labels on messages', {}, (suite) => {
  it('are replaced, added and removed, shown in list, message and reply; a repeated change does nothing', async () => {
    const ada = await agent(suite.t, 1);
    const labels = async (change: object) => (await patch(ada, 0, change)).body.labels;
    assert.deepEqual(await labels({ labels: ['work', 'Été 2026', 'work'] }), ['work', 'Été 2026']);
    assert.deepEqual(await labels({ add_labels: ['a/b:c.d-e_f', 'work'] }), ['work', 'Été 2026', 'a/b:c.d-e_f']);
    assert.deepEqual(await labels({ remove_labels: ['Été 2026', 'never there'] }), ['work', 'a/b:c.d-e_f']);
    assert.deepEqual(await labels({ labels: ['one'], add_labels: ['two'], remove_labels: ['one'] }), ['two']);
    assert.deepEqual(await labels({}), ['two']);
    assert.deepEqual((await list(ada)).messages[0].labels, ['two']);
    const full = await ada.api.get(`/v1/email/messages/${ada.ids[0]}?address=${ada.address}`);
    assert.deepEqual([full.body.labels, full.body.read], [['two'], true]);
    assert.deepEqual(await labels({ labels: [] }), []);
    assert.deepEqual(await subjects(ada, '&label=two'), []);
  });

  it('refuses more than 20 labels, and labels that are too long or have other characters', async () => {
    const ada = await agent(suite.t, 1);
    const many = Array.from({ length: 20 }, (_, i) => `label ${i}`);
    assert.equal((await patch(ada, 0, { labels: many })).body.labels.length, 20);
    const refusal = (await patch(ada, 0, { add_labels: ['one more'] })).body;
    assert.deepEqual(
      [refusal.error, refusal.details[0].path, refusal.details[0].code],
      [...['invalid_request', '/body/add_labels', 'too_many']],
    );
    const wrong = ['', ' a', 'a ', 'x'.repeat(65), 'a,b', 'a"b', 'a\nb', '%', 'a\u202eb', '.'];
    for (const label of wrong) {
      assert.equal((await patch(ada, 0, { labels: [label] })).status, 400, JSON.stringify(label));
      const query = `/v1/email/inbox?address=${ada.address}&label=${encodeURIComponent(label)}`;
      assert.equal((await ada.api.get(query)).status, 400, JSON.stringify(label));
    }
    for (const labels of ['work', [1], null, [...many, 'x']])
      assert.equal((await patch(ada, 0, { labels })).status, 400);
    assert.deepEqual((await list(ada)).messages[0].labels, many);
  });
});

onEngines('both', 'labels on messages', {}, (suite) => {
  it('label filters together with unread and archived, on every page and on /v1/inbox', async () => {
    const ada = await agent(suite.t, 5);
    for (const n of [0, 1, 3, 4]) await patch(ada, n, { add_labels: ['work'] });
    await patch(ada, 2, { labels: ['Work'] });
    await patch(ada, 3, { read: true });
    await patch(ada, 4, { archived: true });
    assert.deepEqual(await subjects(ada, '&label=work'), ['3', '1', '0']);
    assert.deepEqual(await subjects(ada, '&label=Work'), ['2']);
    assert.deepEqual(await subjects(ada, '&label=work&unread=true'), ['1', '0']);
    assert.deepEqual(await subjects(ada, '&label=work&archived=true'), ['4']);
    assert.deepEqual(await subjects(ada, '&label=nothing'), []);
    const page = await list(ada, '&label=work&limit=2');
    assert.equal(page.has_more, true);
    assert.deepEqual(await subjects(ada, `&label=work&limit=2&cursor=${page.next_cursor}`), ['0']);
    assert.equal((await ada.api.get(`/v1/inbox/${ada.address}?label=work`)).body.messages.length, 3);
    await ada.api.delete(`/v1/email/messages/${ada.ids[3]}?address=${ada.address}&permanent=true`);
    assert.deepEqual(await subjects(ada, '&label=work'), ['1', '0']);
    const orphans = await suite.t.sql('select term from message_terms where item = ?', ada.ids[3]);
    assert.deepEqual(orphans, []);
  });

  it('keeps all of 20 concurrent changes', async () => {
    const ada = await agent(suite.t, 1);
    const many = Array.from({ length: 20 }, (_, i) => `l${i}`);
    await Promise.all(many.map((label) => patch(ada, 0, { add_labels: [label] })));
    assert.deepEqual((await list(ada)).messages[0].labels.sort(), many.sort());
    const { threads } = (await ada.api.get(`/v1/email/threads?address=${ada.address}`)).body;
    assert.ok(threads.some(({ labels }: { labels: string[] }) => labels.join() === many.sort().join()));
  });
});
