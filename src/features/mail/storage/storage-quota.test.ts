import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { deletionsIn } from '../../../../test/support/job-effects.ts';
import { DAY_MS } from '../../../base/period.ts';

const MAX = 400_000;
const limits = { free: { storage_bytes: MAX, vault_keys: 1000 }, mails_per_sender_per_hour: 6 };

/** What the rows of an account take, added up. */
const RECOUNT = `select coalesce(sum(size), 0) as size from (
  select size_bytes as size from messages where account_id = ?
  union all select octet_length(ciphertext) + coalesce(octet_length(metadata), 0) from vault_versions where account_id = ?
  union all select octet_length(content) + coalesce(octet_length(text_body), 0) + coalesce(octet_length(html_body), 0)
    from mail_drafts where account_id = ?
  union all select octet_length(content) from draft_attachments where account_id = ?
  union all select c.size_bytes from mail_drafts d join mail_contents c on c.id = d.content_id where d.account_id = ?
  union all select c.size_bytes from outbox o join mail_contents c on c.id = o.content_id where o.account_id = ?
  union all select c.size_bytes from sent_contents s join mail_contents c on c.id = s.content_id where s.account_id = ?) as sizes`;

async function used(t: TestApp, { api, accountId }: TestAgent): Promise<number> {
  const [row] = await t.sql(RECOUNT, ...Array.from({ length: 7 }, () => accountId));
  const { storage } = (await api.get('/v1/usage')).body;
  assert.deepEqual(storage, { used: Number(row?.size), limit: MAX });
  assert.equal((await api.get('/v1/account/me')).body.storage_used, storage.used);
  return storage.used;
}

const fill = (agent: TestAgent, name: string, bytes: number) =>
  agent.api.put(`/v1/vault/${name}`, { ciphertext: 'a'.repeat(bytes) });

let fillers = 0;
/** Fills the account up to `bytes`, with vault entries. */
async function fillTo(t: TestApp, agent: TestAgent, bytes: number): Promise<void> {
  for (let now = await used(t, agent); now < bytes; ) {
    const size = Math.min(16_000, bytes - now);
    assert.equal((await fill(agent, `filler-${fillers++}`, size)).status, 201);
    now += size;
  }
}

const mail = (subject: string, bytes = 1000) => ({
  subject,
  text: `${'x'.repeat(70)}\n`.repeat(Math.ceil(bytes / 71)),
});

const subjects = async ({ api, address }: TestAgent, folder = 'inbox'): Promise<string[]> =>
  (await api.get(`/v1/email/inbox?address=${address}&folder=${folder}`)).body.messages
    .map(({ subject }: { subject: string }) => subject)
    .sort();

const events = async ({ api }: TestAgent) =>
  (await api.get('/v1/events?type=storage.filling')).body.events.map(({ data }: { data: object }) => data);

/** Mail to other services waits for a DNS that never answers, until it is given up. */
const noAnswer = async (): Promise<never> => {
  throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
};
const options = { limits, env: { DELIVERY: 'direct' }, resolveDns: noAnswer };

onEngines('both', 'storage of an account', options, (suite) => {
  it('counts mail, drafts, sent mail that waits and vault versions, to the byte; what is deleted counts no more', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const { api, address } = agent;
    assert.equal(await used(t, agent), 0);
    await t.sendSmtp({ to: address, ...mail('ä') });
    await api.put('/v1/vault/one', { ciphertext: 'abcd', metadata: { é: 1 } });
    // More than the versions that are kept: the last ones take the places of the first, with less, more and the same.
    for (const text of ['abc', 'de', 'f', 'a longer one', 'g', 'h'])
      await api.put('/v1/vault/one', { ciphertext: `${text}d`, metadata: { n: text.length } });
    await used(t, agent);
    const file = { filename: 'a.bin', content: Buffer.alloc(3000).toString('base64') };
    const draft = (await api.post('/v1/email/drafts', { to: 'x@out.example', text: 'é', attachments: [file] })).body;
    assert.ok((await used(t, agent)) > 4000);
    await api.patch(`/v1/email/drafts/${draft.draft_id}`, { text: 'longer than before', attachments: [] });
    const withDraft = await used(t, agent);
    assert.ok(withDraft < 3000);
    await api.post('/v1/email/send', { from: address, to: 'y@out.example', subject: 'waits', text: 'hello' });
    await t.app.worker.runDue();
    assert.ok((await used(t, agent)) > withDraft);
    for (let n = 0; n < 6; n++) {
      t.clock.advance(DAY_MS);
      await t.app.worker.runDue();
    }
    // It stays as it was made, though nobody took it.
    const sent = (await used(t, agent)) - withDraft;
    assert.ok(sent > 0);
    await api.delete(`/v1/email/drafts/${draft.draft_id}`);
    await api.delete('/v1/vault/one');
    const { messages } = (await api.get(`/v1/email/inbox?address=${address}`)).body;
    await api.delete(`/v1/email/messages/${messages[0].message_id}?address=${address}&permanent=true`);
    assert.equal(await used(t, agent), sent);
    const rows = await t.sql('select used from storage_shares where account_id = ?', agent.accountId);
    assert.deepEqual(rows, []);
  });

  it('counts every sent mail once, from when it is handed in; without room what is kept of older ones goes first; it goes with its address', async () => {
    const { t } = suite;
    const [agent, other] = [await createAgent(t), await createAgent(t)];
    const { api, address } = agent;
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(3000).toString('base64') }];
    const send = (to: string, fields: object = { attachments }) =>
      api.post('/v1/email/send', { from: address, to, subject: 'File', text: 'See below.', ...fields });
    assert.equal((await send(other.address)).status, 201);
    const one = await used(t, agent);
    assert.ok(one > 4000 && one < 8000, `${one}`);
    assert.equal((await send('x@out.example')).status, 201);
    const kept = await used(t, agent);
    assert.ok(kept < 2 * one + 100, `${kept}`);
    for (let n = 0; n < 7; n++) {
      t.clock.advance(DAY_MS);
      await t.app.worker.runDue();
    }
    assert.equal(await used(t, agent), kept);
    assert.equal((await send(other.address, {})).status, 201);
    const all = await used(t, agent);
    assert.ok(all > kept);
    await fillTo(t, agent, MAX - 100);
    const keptOf = () =>
      t.sql('select outbox_id, content_id from sent_contents where account_id = ? order by outbox_id', agent.accountId);
    const [oldest] = await keptOf();
    assert.equal((await send(other.address)).status, 201);
    const rows = await keptOf();
    assert.ok(rows.length > 0 && !rows.some(({ outbox_id: id }) => id === oldest?.outbox_id));
    const read = await api.get(`/v1/email/outbox/${oldest?.outbox_id}`);
    assert.deepEqual([read.status, read.body.text], [200, 'See below.']);
    await fillTo(t, agent, MAX - 100);
    for (let n = 0; n < 3; n++) await send(other.address);
    const now = await used(t, agent);
    assert.ok(now <= MAX);
    for (const each of [agent, other]) await each.api.delete(`/v1/email/addresses/${each.address}`);
    t.clock.advance(31 * DAY_MS);
    for (let n = 0; n < 3; n++) await t.app.worker.runDue();
    assert.ok((await used(t, agent)) < now);
    for (const { content_id: id } of rows)
      assert.deepEqual(await t.sql('select id from mail_contents where id = ?', id), []);
  });

  it('402 storage_full says what is used, and nothing is stored; of parallel calls only those that fit succeed', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    await fillTo(t, agent, MAX - 2000);
    const before = await used(t, agent);
    const refused = await fill(agent, 'too-much', 2001);
    assert.equal(refused.status, 402);
    assert.equal(refused.body.error, 'storage_full');
    assert.deepEqual(refused.body.limit, { name: 'storage_bytes', used: before, max: MAX });
    assert.equal((await agent.api.get('/v1/vault/too-much')).status, 404);
    const draft = await agent.api.post('/v1/email/drafts', { to: 'x@out.example', text: 'x'.repeat(3000) });
    assert.deepEqual([draft.status, draft.body.error], [402, 'storage_full']);
    const send = { from: agent.address, to: 'x@out.example', subject: 'big', text: 'x'.repeat(3000) };
    const sent = await agent.api.post('/v1/email/send', send);
    assert.deepEqual([sent.status, sent.body.error], [402, 'storage_full']);
    const race = await Promise.all(['a', 'b', 'c', 'd'].map((name) => fill(agent, name, 900)));
    assert.deepEqual(race.map(({ status }) => status).sort(), [201, 201, 402, 402]);
    assert.equal(await used(t, agent), before + 1800);
    const { keys } = (await agent.api.get('/v1/vault?limit=100')).body;
    const filler = keys.find(({ key }: { key: string }) => key.startsWith('filler'));
    assert.equal((await agent.api.delete(`/v1/vault/${filler.key}`)).status, 200);
    assert.equal((await fill(agent, 'now-it-fits', 2001)).status, 201);
  });

  it('trash and spam make room for new mail, much at once; then SMTP answers 452 and the owner is told', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const { api, address } = agent;
    for (const subject of ['trash-1', 'trash-2', 'spam-1', 'kept']) {
      await t.sendSmtp({ to: address, ...mail(subject) });
      t.clock.advance(1000);
    }
    const { messages } = (await api.get(`/v1/email/inbox?address=${address}`)).body;
    const idOf = (subject: string): string =>
      messages.find((message: { subject: string }) => message.subject === subject).message_id;
    const path = (subject: string) => `/v1/email/messages/${idOf(subject)}?address=${address}`;
    for (const subject of ['trash-2', 'trash-1']) await api.delete(path(subject));
    await api.patch(path('spam-1'), { folder: 'spam' });
    await fillTo(t, agent, MAX - 100);
    await t.sendSmtp({ to: address, ...mail('new', 500) });
    assert.deepEqual(await subjects(agent), ['kept', 'new']);
    // At once, so that strangers cannot make an audit entry with each mail.
    assert.deepEqual([...(await subjects(agent, 'trash')), ...(await subjects(agent, 'spam'))], []);
    assert.deepEqual(
      (await deletionsIn(agent, 'storage.cleared')).map(([, count]) => Number(count)),
      [3],
    );
    await assert.rejects(t.sendSmtp({ to: address, ...mail('too big', 20_000) }), /452.*4\.2\.2/);
    assert.deepEqual(await subjects(agent), ['kept', 'new']);
    const told = await events(agent);
    assert.deepEqual(
      told.map(({ percent, max }: { percent: number; max: number }) => [percent, max]),
      [
        [80, MAX],
        [100, MAX],
      ],
    );
    await fillTo(t, agent, MAX - 100);
    // Refused as a recipient, so that others of the same mail get it.
    await assert.rejects(t.sendSmtp({ to: address, ...mail('no room') }), /452/);
    assert.equal((await events(agent)).length, 2);
  });

  it('mail that arrives at once for several mailboxes of a full account is taken as long as any of them has trash', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const { api, address } = agent;
    const other = (await api.post('/v1/email/claim', { address: `${address.split('@')[0]}-b` })).body.address;
    const boxes = [address, other];
    for (const to of boxes) for (let n = 0; n < 2; n++) await t.sendSmtp({ to, ...mail(`trash-${n}`, 4000) });
    for (const box of boxes)
      for (const { message_id: id } of (await api.get(`/v1/email/inbox?address=${box}`)).body.messages)
        await api.delete(`/v1/email/messages/${id}?address=${box}`);
    await fillTo(t, agent, MAX - 100);
    await Promise.all(boxes.map((to) => t.sendSmtp({ to, ...mail('new') })));
    for (const box of boxes) assert.deepEqual(await subjects({ ...agent, address: box }), ['new']);
  });

  it("one sender's mail fills at most a quarter, and mail between agents tells who was full", async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    for (let n = 0; n < 3; n++) await t.sendSmtp({ to: agent.address, ...mail(`part ${n}`, 28_000) });
    await assert.rejects(t.sendSmtp({ to: agent.address, ...mail('over', 28_000) }), /452.*sender/);
    assert.deepEqual(await subjects(agent), ['part 0', 'part 1', 'part 2']);
    const friend = await createAgent(t);
    const sent = await friend.api.post('/v1/email/send', {
      from: friend.address,
      to: agent.address,
      subject: 'from a friend',
      text: 'hi',
    });
    assert.equal(sent.body.status, 'sent', sent.text);
    await fillTo(t, agent, MAX - 100);
    const late = await friend.api.post('/v1/email/send', {
      from: friend.address,
      to: agent.address,
      subject: 'late',
      text: 'hi',
    });
    assert.deepEqual([late.status, late.body.status], [201, 'failed']);
    assert.match(late.body.internal_recipients[0].error ?? late.text, /full/);
  });

  it('451 for more mail of one network in an hour than the limit; the next hour counts anew', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    for (let n = 0; n < 6; n++) await t.sendSmtp({ to: agent.address, ...mail(`n${n}`) });
    await assert.rejects(t.sendSmtp({ to: agent.address, ...mail('seventh') }), /451.*4\.7\.1/);
    t.clock.advance(3_600_000);
    await t.sendSmtp({ to: agent.address, ...mail('later') });
    assert.equal((await subjects(agent)).length, 7);
  });
});
