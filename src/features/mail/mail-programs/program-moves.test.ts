import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertNothingHalfWritten } from '../../../../test/process/consistency.ts';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { mailBytes, markAll, numberedIn, programLogin } from '../../../../test/support/mail-program.ts';
import { openMailbox, programDeps } from '../../../../test/support/program-mailbox.ts';
import { REMOVALS_LISTED } from '../../../db/logs/folder-log.ts';
import { ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { MailFolder } from '../mailboxes/uids/folder-uids.ts';
import { ProgramMailbox } from './program-mailbox.ts';
import { copyMails, expungeMails, moveMails } from './program-moves.ts';

const PUBLIC_KEY = Buffer.alloc(32, 9).toString('base64url');

async function receive(t: TestApp, { address }: TestAgent, ...subjects: string[]): Promise<void> {
  for (const subject of subjects) {
    t.clock.advance(1000);
    await t.sendSmtp({ to: address, subject, text: `${subject} words` });
  }
}

const list = async ({ api, address }: TestAgent, query = '') =>
  (await api.get(`/v1/email/inbox?address=${address}${query}`)).body.messages as Record<string, unknown>[];
const subjects = async (agent: TestAgent, query = ''): Promise<unknown[]> =>
  (await list(agent, query)).map(({ subject }) => subject);
const actions = async ({ api }: TestAgent, action: string): Promise<unknown[]> =>
  (await api.get(`/v1/audit?action=${action}`)).body.entries.map(
    (entry: { resource_id: unknown; count?: number }) => entry.count ?? entry.resource_id,
  );
const uidsIn = async (t: TestApp, { address }: TestAgent, folder: MailFolder): Promise<number[]> =>
  (await numberedIn(t, address, folder)).map(({ uid }) => uid);
const threadsOf = async ({ api, address }: TestAgent): Promise<unknown[][]> =>
  (await api.get(`/v1/email/threads?address=${address}`)).body.threads.map((thread: Record<string, unknown>) => [
    thread.message_count,
    thread.unread_count,
    thread.snippet,
  ]);
const refused = (code: string) => (err: unknown) => err instanceof ImapRefusal && err.code === code;

onEngines('both', 'mail programs: MOVE, COPY, EXPUNGE', {}, (suite) => {
  it('MOVE keeps the id of a mail, which has a new UID, and comes back from the trash', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = [programDeps(t), await programLogin(t, ada)];
    await receive(t, ada, 'one', 'two', 'three');
    const [, two] = await list(ada);
    const uids = await uidsIn(t, ada, 'inbox');
    assert.deepEqual(uids, [1, 2, 3]);
    const moved = await moveMails(deps, login, 'INBOX', [9, 2, 1], 'Archive');
    assert.deepEqual(
      [moved.from, moved.to],
      [
        [1, 2],
        [1, 2],
      ],
    );
    assert.deepEqual([await subjects(ada), await subjects(ada, '&archived=true')], [['three'], ['two', 'one']]);
    assert.deepEqual(await uidsIn(t, ada, 'inbox'), [3]);
    assert.deepEqual((await moveMails(deps, login, 'Archive', [2], 'Trash')).to, [1]);
    assert.equal((await list(ada, '&folder=trash'))[0]?.message_id, two?.message_id);
    assert.deepEqual((await moveMails(deps, login, 'Trash', [1], 'Junk')).to, [1]);
    assert.deepEqual((await moveMails(deps, login, 'Junk', [1], 'INBOX')).to, [4]);
    assert.equal((await list(ada))[1]?.message_id, two?.message_id);
    assert.deepEqual(await actions(ada, 'message.trashed'), [two?.message_id]);
    assert.deepEqual(await actions(ada, 'message.updated'), [two?.message_id, two?.message_id, 2]);
    // It is there already.
    assert.deepEqual((await moveMails(deps, login, 'INBOX', [4], 'INBOX')).to, [5]);
    assert.deepEqual(await uidsIn(t, ada, 'inbox'), [3, 5]);
    // The trash forgets what came back.
    t.clock.advance(31 * 86_400_000);
    await t.app.worker.runDue();
    assert.equal((await list(ada)).length, 2);
    await mailBytes(t, ada);
  });

  it('COPY makes a second message with the content of the first, its flags and labels; nobody is told', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = [programDeps(t), await programLogin(t, ada)];
    await receive(t, ada, 'one', 'two');
    const [two] = await list(ada);
    await ada.api.patch(`/v1/email/messages/${two?.message_id}?address=${ada.address}`, {
      starred: true,
      read: true,
      add_labels: ['kept'],
    });
    const before = await mailBytes(t, ada);
    const events = (await ada.api.get('/v1/events')).body.events.length;
    await numberedIn(t, ada.address, 'inbox');
    t.clock.advance(1000);
    assert.deepEqual((await copyMails(deps, login, 'INBOX', [1, 2], 'Archive')).to, [1, 2]);
    assert.deepEqual(await mailBytes(t, ada), before * 2);
    const copies = await list(ada, '&archived=true');
    assert.deepEqual(
      copies.map(({ subject, starred, read, labels, received_at: at }) => [subject, starred, read, labels, at]),
      [
        ['two', true, true, ['kept'], two?.received_at],
        ['one', false, false, [], (await list(ada))[1]?.received_at],
      ],
    );
    assert.notEqual(copies[0]?.message_id, two?.message_id);
    assert.equal((await ada.api.get('/v1/events')).body.events.length, events);
    assert.deepEqual(await threadsOf(ada), [
      [2, 0, 'two words'],
      [2, 2, 'one words'],
    ]);
    assert.deepEqual(await subjects(ada, '&archived=true&q=words'), ['two', 'one']);
    assert.deepEqual((await copyMails(deps, login, 'INBOX', [2], 'INBOX')).to, [3]);
    const [row] = await t.sql(
      'select count(distinct content_id) as contents, count(*) as messages from messages where address = ?',
      ada.address,
    );
    assert.deepEqual([Number(row?.contents), Number(row?.messages)], [2, 5]);
    // What is left reads as before.
    await ada.api.delete(`/v1/email/messages/${two?.message_id}?address=${ada.address}&permanent=true`);
    const copy = await ada.api.get(`/v1/email/messages/${copies[0]?.message_id}?address=${ada.address}`);
    assert.equal(copy.body.text, 'two words\n');
    // A copy in the trash goes with time.
    assert.deepEqual((await copyMails(deps, login, 'Archive', [1], 'Trash')).to, [1]);
    t.clock.advance(31 * 86_400_000);
    await t.app.worker.runDue();
    assert.deepEqual(await subjects(ada, '&folder=trash'), []);
    await mailBytes(t, ada);
    assert.deepEqual(
      (await actions(ada, 'message.copied')).map((what) => typeof what),
      ['string', 'string', 'number'],
    );
  });

  it('refuses what it cannot do, and changes nothing', async () => {
    const { t } = suite;
    const [ada, eve] = [await createAgent(t), await createAgent(t)];
    const sealed = await createAgent(t, { public_key: PUBLIC_KEY });
    const deps = programDeps(t);
    await receive(t, ada, 'one');
    await receive(t, sealed, 'secret');
    const login = await programLogin(t, ada);
    await numberedIn(t, ada.address, 'inbox');
    for (const [from, to] of [
      ['INBOX', 'Sent'],
      ['Sent', 'INBOX'],
      ['Drafts', 'Trash'],
      ['INBOX', 'Drafts'],
    ] as const) {
      await assert.rejects(copyMails(deps, login, from, [1], to), refused('CANNOT'));
      await assert.rejects(moveMails(deps, login, from, [1], to), refused('CANNOT'));
    }
    // A COPY is one transaction.
    const many = (last: number) => Array.from({ length: last }, (_, n) => n + 2);
    await assert.rejects(copyMails(deps, login, 'INBOX', many(501), 'Archive'), refused('LIMIT'));
    assert.deepEqual((await copyMails(deps, login, 'INBOX', many(200), 'Archive')).to, []);
    const own = await programLogin(t, sealed);
    await numberedIn(t, sealed.address, 'inbox');
    await assert.rejects(copyMails(deps, own, 'INBOX', [1], 'Archive'), refused('CANNOT'));
    assert.deepEqual((await moveMails(deps, own, 'INBOX', [1], 'Archive')).to, [1]);
    const { api_key: reader } = (await ada.api.post('/v1/account/keys', { name: 'reads', scopes: ['mail:read'] })).body;
    const reads = await programLogin(t, ada, reader);
    const readsAlone = new ProgramMailbox(deps, reads);
    await assert.rejects(readsAlone.copy('INBOX', [1], 'Archive'), refused('NOPERM'));
    await assert.rejects(readsAlone.move('INBOX', [1], 'Archive'), refused('NOPERM'));
    await assert.rejects(readsAlone.expunge('INBOX', [1]), refused('NOPERM'));
    // Another's address is like one that is not claimed.
    const stranger = { ...(await programLogin(t, eve)), address: ada.address };
    await assert.rejects(moveMails(deps, stranger, 'INBOX', [1], 'Archive'), refused('NONEXISTENT'));
    const { api_key: writer, id } = (
      await ada.api.post('/v1/account/keys', { name: 'writes', scopes: ['mail:read', 'mail:manage'] })
    ).body;
    const writes = await programLogin(t, ada, writer);
    await ada.api.delete(`/v1/account/keys/${id}`);
    await assert.rejects(moveMails(deps, writes, 'INBOX', [1], 'Archive'), refused('NOPERM'));
    assert.deepEqual([await subjects(ada), await uidsIn(t, ada, 'inbox')], [['one'], [1]]);
  });

  it('EXPUNGE moves what is marked to the trash, and out of it for good; sent mail leaves its folder alone', async () => {
    const { t } = suite;
    const [ada, ben] = [await createAgent(t), await createAgent(t)];
    const [deps, login] = [programDeps(t), await programLogin(t, ada)];
    await receive(t, ada, 'one', 'two');
    const [first, second] = await markAll(t, ada.address, 'inbox');
    await receive(t, ada, 'three');
    await numberedIn(t, ada.address, 'trash');
    await expungeMails(deps, login, 'INBOX', [second as number, 3]);
    assert.deepEqual([await subjects(ada), await subjects(ada, '&folder=trash')], [['three', 'one'], ['two']]);
    await expungeMails(deps, login, 'INBOX', [first as number]);
    // What comes to the trash is not marked there.
    await expungeMails(deps, login, 'Trash', [1, 2]);
    assert.deepEqual(await subjects(ada, '&folder=trash'), ['one', 'two'].toSorted().reverse());
    await expungeMails(deps, login, 'Trash', await markAll(t, ada.address, 'trash'));
    assert.deepEqual(await subjects(ada, '&folder=trash'), []);
    assert.equal((await actions(ada, 'message.deleted')).filter((id) => typeof id === 'string').length, 2);
    const send = { from: ada.address, to: ben.address, subject: 'sent', text: 'hello' };
    assert.equal((await ada.api.post('/v1/email/send', send)).status, 201);
    await expungeMails(deps, login, 'Sent', await markAll(t, ada.address, 'sent'));
    assert.deepEqual(await uidsIn(t, ada, 'sent'), []);
    assert.equal((await ada.api.get('/v1/email/outbox')).body.messages.length, 1);
    // Nor does it come back when the folder is numbered anew.
    await t.sql('delete from mailbox_folders where address = ?', ada.address);
    assert.deepEqual(await uidsIn(t, ada, 'sent'), []);
    const at = new Date(t.clock.now() + 60_000).toISOString();
    const draft = { from: ada.address, to: 'x@out.example', subject: 'later', text: 'hi', send_at: at };
    assert.equal((await ada.api.post('/v1/email/drafts', draft)).status, 201);
    await expungeMails(deps, login, 'Drafts', await markAll(t, ada.address, 'drafts'));
    assert.deepEqual((await ada.api.get('/v1/email/drafts')).body.drafts, []);
    t.clock.advance(120_000);
    await t.app.worker.runDue();
    assert.equal((await ada.api.get('/v1/email/outbox')).body.messages.length, 1);
    await mailBytes(t, ada);
  });

  it('lists the removals among the last changes of a folder alone, and tells what is absent for older ones', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [mailbox, removals] = [await openMailbox(t, ada), async () => (await listed()).length];
    const listed = () => t.sql('select uid from mailbox_vanished where address = ? order by uid', ada.address);
    await receive(t, ada, 'one', 'two', 'three', 'four');
    const { state } = await mailbox.open('INBOX');
    await mailbox.move('INBOX', [1, 2], 'INBOX');
    assert.equal(await removals(), 2);
    const { highestModSeq: then } = await mailbox.changesSince('INBOX', state.highestModSeq);
    // As if so many flags had changed since.
    await t.sql('update mailbox_folders set modseq = modseq + ? where address = ?', REMOVALS_LISTED - 4, ada.address);
    await mailbox.move('INBOX', [3], 'INBOX');
    assert.deepEqual(
      (await listed()).map(({ uid }) => Number(uid)),
      [2, 3],
    );
    assert.equal((await mailbox.changesSince('INBOX', state.highestModSeq)).vanished, null);
    assert.deepEqual((await mailbox.changesSince('INBOX', then)).vanished, [3]);
    for (let n = 4; n < 12; n += 1) {
      await mailbox.move('INBOX', [n], 'INBOX');
      assert.equal(await removals(), n === 4 ? 2 : n - 2);
    }
    assert.equal((await mailbox.changesSince('INBOX', then)).vanished, null);
    assert.deepEqual([...(await mailbox.open('INBOX')).uids], [12, 13, 14, 15]);
  });

  it('402 becomes OVERQUOTA: what a full account copies out of its trash is not cleared for it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await receive(t, ada, 'one');
    await numberedIn(t, ada.address, 'inbox');
    const [deps, login] = [programDeps(t), await programLogin(t, ada)];
    await moveMails(deps, login, 'INBOX', [1], 'Trash');
    const full = {
      ...login,
      principal: {
        ...login.principal,
        limits: { ...login.principal.limits, storage_bytes: 2 * (await mailBytes(t, ada)) - 1 },
      },
    };
    await assert.rejects(copyMails(deps, full, 'Trash', [1], 'INBOX'), refused('OVERQUOTA'));
    assert.deepEqual([await subjects(ada), await subjects(ada, '&folder=trash')], [[], ['one']]);
    assert.deepEqual(await uidsIn(t, ada, 'trash'), [1]);
  });

  it('loses nothing and doubles nothing beside calls and deliveries', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = [programDeps(t), await programLogin(t, ada)];
    const names = Array.from({ length: 12 }, (_, n) => `mail ${n}`);
    await receive(t, ada, ...names);
    const uids = await uidsIn(t, ada, 'inbox');
    const messages = await list(ada);
    const path = ({ message_id: id }: Record<string, unknown>) => `/v1/email/messages/${id}?address=${ada.address}`;
    const work: Promise<unknown>[] = [
      moveMails(deps, login, 'INBOX', uids, 'Archive'),
      moveMails(deps, login, 'INBOX', uids, 'Junk'),
      copyMails(deps, login, 'INBOX', uids, 'Archive'),
      ...messages.slice(0, 6).map((message) => ada.api.patch(path(message), { read: true, add_labels: ['seen'] })),
      ...messages.slice(4, 8).map((message) => ada.api.delete(path(message))),
      ...['late', 'later'].map((subject) => t.sendSmtp({ to: ada.address, subject, text: subject })),
    ];
    await Promise.all(work);
    // Each mail is in one place, beside its copy.
    const rows = await t.sql('select subject, sender_key from messages where address = ? and visible = 1', ada.address);
    const came = rows.filter(({ sender_key: sender }) => sender !== null).map(({ subject }) => subject);
    assert.deepEqual(came.toSorted(), [...names, 'late', 'later'].toSorted());
    const numbered = await Promise.all(
      (['inbox', 'archive', 'junk', 'trash'] as const).map((folder) => numberedIn(t, ada.address, folder)),
    );
    assert.equal(new Set(numbered.flat().map(({ itemId }) => itemId)).size, rows.length);
    assert.equal(numbered.flat().length, rows.length);
    await mailBytes(t, ada);
    await assertNothingHalfWritten(t.config);
  });
});
