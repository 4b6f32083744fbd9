import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp, type TestMail } from '../../../../../test/support/harness.ts';

async function receive(t: TestApp, to: TestAgent, mail: Partial<TestMail>): Promise<void> {
  t.clock.advance(1000);
  await t.sendSmtp({ subject: 'none', text: 'none', ...mail, to: to.address });
}

const search = ({ api, address }: TestAgent, q: string, more = '') =>
  api.get(`/v1/email/inbox?address=${address}&q=${encodeURIComponent(q)}${more}`);

async function subjects(of: TestAgent, q: string, more = ''): Promise<string[]> {
  const { status, body, text } = await search(of, q, more);
  assert.equal(status, 200, `${q}: ${text}`);
  return body.messages.map(({ subject }: { subject: string }) => subject);
}

/** What a mailbox holds for the table of queries below, oldest first. */
const MAILS: Partial<TestMail>[] = [
  { subject: 'Invoice 42', text: 'The quick brown fox pays on Friday.', from: '"Grace Hopper" <grace@navy.example>' },
  { subject: 'Crème brûlée', text: 'Ein Gruß aus Łódź: Straße und CAFÉ.', from: 'joao@example.com' },
  { subject: '東京の天気', text: '明日は晴れです。スーパーへ行く。', from: 'yuki@example.jp' },
  { subject: 'Plain fox', text: 'A fox that is brown and quick, in another order.', from: 'fox@example.com' },
  { subject: 'File', text: 'See attached.', attachments: [{ filename: 'quarterly-report.pdf', content: 'x' }] },
];

/** A query and the subjects it finds, newest first. */
const FINDS: [string, string[]][] = [
  ['fox', ['Plain fox', 'Invoice 42']],
  ['FOX quick', ['Plain fox', 'Invoice 42']],
  ['"quick brown fox"', ['Invoice 42']],
  ['"brown and"', ['Plain fox']],
  ['fox friday', ['Invoice 42']],
  ['fri*', ['Invoice 42']],
  ['fri', []],
  ['"quick bro"*', ['Invoice 42']],
  ['creme', ['Crème brûlée']],
  ['BRÛLÉE cafe', ['Crème brûlée']],
  ['lodz strasse gruss', ['Crème brûlée']],
  ['cafe\u0301', ['Crème brûlée']],
  ['天気', ['東京の天気']],
  ['気天', []],
  ['スーパー', ['東京の天気']],
  ['from:grace', ['Invoice 42']],
  ['from:grace@navy.example', ['Invoice 42']],
  ['from:"hopper"', ['Invoice 42']],
  ['from: hop*', ['Invoice 42']],
  ['subject:fox', ['Plain fox']],
  ['subject:invoice 42', ['Invoice 42']],
  ['subject:friday', []],
  ['from:fox fox', ['Plain fox']],
  ['report.pdf', ['File']],
  ['"42 the"', []],
  ['fox OR invoice', []],
  ['fox NOT quick', []],
  ['fox NEAR quick', []],
];

onEngines('both', 'GET /v1/email/inbox?q=', {}, (suite) => {
  it('finds words, phrases, prefixes, fields, accents and scripts without spaces, the same on both databases', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (const mail of MAILS) await receive(t, ada, mail);
    for (const [q, found] of FINDS) assert.deepEqual([q, await subjects(ada, q)], [q, found]);
    assert.deepEqual((await subjects(ada, `to:${ada.address}`)).length, MAILS.length);
    const alias = await ada.api.get(`/v1/inbox/${ada.address}?q=friday`);
    assert.deepEqual([alias.body.messages.length, alias.body.messages[0].subject], [1, 'Invoice 42']);
  });

  it('combines with unread, archived and label, and shows each message once over all pages', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (let n = 0; n < 7; n++) await receive(t, ada, { subject: String(n), text: 'needle in the hay' });
    const { messages } = (await search(ada, 'needle')).body;
    const patch = (subject: string, change: object) => {
      const { message_id } = messages.find((message: { subject: string }) => message.subject === subject);
      return ada.api.patch(`/v1/email/messages/${message_id}?address=${ada.address}`, change);
    };
    await patch('0', { read: true });
    await patch('1', { archived: true, labels: ['work'] });
    await patch('2', { labels: ['work', 'urgent'] });
    assert.deepEqual(await subjects(ada, 'needle', '&unread=true'), ['6', '5', '4', '3', '2']);
    assert.deepEqual(await subjects(ada, 'needle', '&unread=false'), ['0']);
    assert.deepEqual(await subjects(ada, 'needle', '&archived=true'), ['1']);
    assert.deepEqual(await subjects(ada, 'needle', '&label=work'), ['2']);
    assert.deepEqual(await subjects(ada, 'needle', '&label=work&archived=true'), ['1']);
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null && page < 9; page++) {
      const { body } = await search(ada, 'needle', `&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.messages.map(({ subject }: { subject: string }) => subject));
      cursor = body.next_cursor;
      if (page === 0) await receive(t, ada, { subject: 'late', text: 'needle' });
    }
    assert.deepEqual(seen, ['6', '5', '4', '3', '2', '0']);
    const listCursor = (await ada.api.get(`/v1/email/inbox?address=${ada.address}&limit=1`)).body.next_cursor;
    assert.equal((await search(ada, 'needle', `&cursor=${listCursor}`)).body.error, 'invalid_cursor');
  });

  it('finds all mails of one millisecond, page by page', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (let n = 0; n < 5; n++)
      await ada.api.post('/v1/email/send', {
        from: ada.address,
        to: ada.address,
        subject: `s${n}`,
        text: 'same moment',
      });
    const first = await search(ada, 'moment', '&limit=3');
    const second = await search(ada, 'moment', `&limit=3&cursor=${first.body.next_cursor}`);
    const ids = [...first.body.messages, ...second.body.messages].map(({ message_id }) => message_id);
    assert.equal(new Set(ids).size, 5);
  });

  it('never finds text of another account, not even in a copy of the same mail', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await t.sendSmtp({ to: [ada.address, bob.address], subject: 'shared', text: 'zebra' });
    await receive(t, bob, { subject: 'his', text: 'zebra giraffe' });
    assert.deepEqual(await subjects(ada, 'zebra'), ['shared']);
    assert.deepEqual(await subjects(ada, 'giraffe'), []);
    assert.deepEqual(await subjects(ada, 'gir*'), []);
    assert.deepEqual(await subjects(bob, 'zebra'), ['his', 'shared']);
  });

  it('does not find a deleted mail and keeps no row of it in the index', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const rows = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return Number((await t.sql('select count(*) as n from message_words'))[0]?.n);
    };
    const before = await rows();
    await receive(t, ada, { subject: 'gone', text: 'ephemeral' });
    const [message] = (await search(ada, 'ephemeral')).body.messages;
    assert.equal(await rows(), before + 1);
    await ada.api.delete(`/v1/email/messages/${message.message_id}?address=${ada.address}&permanent=true`);
    assert.deepEqual(await subjects(ada, 'ephemeral'), []);
    assert.equal(await rows(), before);
  });

  it('does not find sealed mail and keeps no word of it in the index', async () => {
    const { t } = suite;
    const key = Buffer.alloc(32, 9).toString('base64url');
    const eve = await createAgent(t, { public_key: key });
    const ada = await createAgent(t);
    await receive(t, eve, { subject: 'sealed', text: 'xylophone over smtp' });
    const mail = { from: ada.address, to: eve.address, subject: 'sealed', text: 'xylophone inside' };
    const sent = await ada.api.post('/v1/email/send', mail);
    assert.deepEqual(await subjects(eve, 'xylophone'), []);
    assert.deepEqual(await subjects(eve, 'sealed'), []);
    const thread = await ada.api.get(`/v1/email/threads/${sent.body.thread_id}`);
    assert.deepEqual([thread.body.snippet, thread.body.messages[0].text], ['', null]);
    if (t.engine === 'postgres') {
      const rows = await t.sql('select words::text as words from message_words');
      assert.ok(rows.every(({ words }) => !String(words).includes('xylophone')));
      return;
    }
    const files = readdirSync(t.config.dataDir).filter((name) => name.startsWith('signet.db'));
    for (const name of files) assert.ok(!readFileSync(`${t.config.dataDir}/${name}`).includes('xylophone'), name);
  });

  it('finds mail that shared a commit, short and long', async () => {
    const ada = await createAgent(suite.t);
    const mail = { from: ada.address, to: ada.address, subject: 'short', text: 'paleontology' };
    // Enough words to be written at once, in the middle of the others.
    const long = { ...mail, subject: 'long', text: `paleontology ${'word '.repeat(1200)}` };
    const mails = [mail, mail, long, mail, mail];
    const sent = await Promise.all(mails.map((each) => ada.api.post('/v1/email/send', each)));
    assert.deepEqual(
      sent.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    );
    assert.deepEqual((await subjects(ada, 'paleontology')).sort(), ['long', 'short', 'short', 'short', 'short']);
    assert.deepEqual(await subjects(ada, `from:${ada.address} word`), ['long']);
  });

  it('indexes older mail after a start, in the right order', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (let n = 0; n < 3; n++)
      await receive(t, ada, {
        subject: `old ${n}`,
        text: 'archaeology',
        attachments: [{ filename: 'vase.png', content: 'x' }],
      });
    await subjects(ada, 'archaeology');
    await t.sql('update messages set search_doc = null where address = ?', ada.address);
    await t.sql(t.engine === 'sqlite' ? 'delete from message_words where rowid > 0' : 'delete from message_words');
    await receive(t, ada, { subject: 'new', text: 'archaeology' });
    assert.deepEqual(await subjects(ada, 'archaeology'), ['new']);
    const { reindex } = await import('./reindex-job.ts');
    await Promise.all([reindex(t.app.database, () => false), reindex(t.app.database, () => false)]);
    assert.deepEqual(await subjects(ada, 'archaeology'), ['new', 'old 2', 'old 1', 'old 0']);
    assert.deepEqual(await subjects(ada, 'vase'), ['old 2', 'old 1', 'old 0']);
  });
});
