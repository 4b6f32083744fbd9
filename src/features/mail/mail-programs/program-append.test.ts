import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOSTILE_MAILS } from '../../../../test/corpus/hostile-mails.ts';
import { assertNothingHalfWritten } from '../../../../test/process/consistency.ts';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { mailBytes, markAll, numberedIn, programLogin } from '../../../../test/support/mail-program.ts';
import { programDeps } from '../../../../test/support/program-mailbox.ts';
import { type AppendedMail, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import { appendMails } from './program-append.ts';
import { ProgramMailbox } from './program-mailbox.ts';
import { copyMails, expungeMails } from './program-moves.ts';

const PUBLIC_KEY = Buffer.alloc(32, 9).toString('base64url');
const DAY_MS = 86_400_000;

const made = (subject: string, headers: readonly string[] = [], text = `${subject} words`): Buffer =>
  Buffer.from(
    ['From: Eve <eve@out.example>', `Subject: ${subject}`, ...headers, '', text, '']
      .join('\r\n')
      .replaceAll('\n\n', '\n'),
  );
const appended = (bytes: Uint8Array, flags: string[] = [], internalDate: number | null = null): AppendedMail => ({
  bytes,
  flags,
  internalDate,
});
const list = async ({ api, address }: TestAgent, query = '') =>
  (await api.get(`/v1/email/inbox?address=${address}${query}`)).body.messages as Record<string, unknown>[];
const outbox = async ({ api }: TestAgent): Promise<Record<string, unknown>[]> =>
  (await api.get('/v1/email/outbox')).body.messages;
const refused = (code: string) => (err: unknown) => err instanceof ImapRefusal && err.code === code;
const program = async (t: TestApp, agent: TestAgent) => [programDeps(t), await programLogin(t, agent)] as const;
const sentRows = (t: TestApp, { address }: TestAgent) =>
  t.sql('select id, is_imported, rfc_message_id from outbox where address = ? order by id', address);

/** A draft with a file, as a mail program writes it. */
const plan = (to: TestAgent): Buffer =>
  Buffer.from(
    [
      `To: Ben <${to.address}>`,
      'Bcc: c@out.example',
      'Subject: plan',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'The plan.',
      '--b',
      'Content-Type: text/csv; name=a.csv',
      'Content-Disposition: attachment; filename=a.csv',
      '',
      '1,2',
      '--b--',
      '',
    ].join('\r\n'),
  );

onEngines('both', 'mail programs: APPEND', {}, (suite) => {
  it('is an import: flags and date as given, nothing proven, and no event, policy or first contact', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = await program(t, ada);
    await ada.api.put('/v1/email/policy', { inbound: { default: 'quarantine' } });
    const before = (await ada.api.get('/v1/events')).body.events.length;
    const old = t.clock.now() - 400 * DAY_MS;
    const got = await appendMails(deps, login, 'INBOX', [
      appended(made('old', ['Message-ID: <a@out.example>']), ['\\Seen', '\\Flagged', 'kept', '\\Deleted'], old),
      appended(made('ahead', ['In-Reply-To: <a@out.example>']), [], t.clock.now() + DAY_MS),
    ]);
    assert.deepEqual(got.uids, [1, 2]);
    const [ahead, first] = await list(ada);
    assert.deepEqual([ahead?.subject, first?.subject], ['ahead', 'old']);
    assert.equal(first?.received_at, new Date(old).toISOString());
    assert.equal(ahead?.received_at, new Date(t.clock.now()).toISOString());
    assert.deepEqual([first?.read, first?.starred, first?.labels], [true, true, ['kept']]);
    assert.deepEqual(first?.auth, { method: 'imported', spf: null, dkim: null, dmarc: null, verified_from: false });
    assert.equal(ahead?.thread_id, first?.thread_id);
    assert.deepEqual(
      (await numberedIn(t, ada.address, 'inbox')).map(({ flags }) => flags),
      [['\\Deleted'], []],
    );
    assert.equal((await ada.api.get('/v1/events')).body.events.length, before);
    assert.deepEqual((await ada.api.get('/v1/email/quarantine')).body.messages, []);
    assert.deepEqual(await t.sql('select * from mail_senders where account_id = ?', ada.accountId), []);
    const { threads } = (await ada.api.get(`/v1/email/threads?address=${ada.address}`)).body;
    assert.deepEqual([threads[0].message_count, threads[0].unread_count, threads[0].snippet], [2, 1, 'ahead words']);
    assert.deepEqual((await list(ada, '&q=words')).length, 2);
    assert.equal(
      await mailBytes(t, ada),
      made('old', ['Message-ID: <a@out.example>']).length + made('ahead', ['In-Reply-To: <a@out.example>']).length,
    );
    const raw = await ada.api.get(`/v1/email/messages/${first?.message_id}/raw?address=${ada.address}`);
    assert.equal(raw.text, made('old', ['Message-ID: <a@out.example>']).toString());
    await appendMails(deps, login, 'Trash', [appended(made('gone'))]);
    await appendMails(deps, login, 'Archive', [appended(made('filed'))]);
    await appendMails(deps, login, 'Junk', [appended(made('offer'))]);
    assert.deepEqual(
      [(await list(ada, '&archived=true'))[0]?.subject, (await list(ada, '&folder=spam'))[0]?.subject],
      ['filed', 'offer'],
    );
    t.clock.advance(31 * DAY_MS);
    await t.app.worker.runDue();
    assert.deepEqual(await list(ada, '&folder=trash'), []);
    const entries = (await ada.api.get('/v1/audit?action=message.imported')).body.entries;
    assert.deepEqual(
      entries.map(({ count }: { count?: number }) => count ?? 1),
      [1, 1, 1, 2],
    );
    await mailBytes(t, ada);
    await assertNothingHalfWritten(t.config);
  });

  it('all or none: one that is refused keeps the others out', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = await program(t, ada);
    const good = appended(made('good'));
    await assert.rejects(appendMails(deps, login, 'INBOX', [good, appended(made('x'), [], -1)]), refused('CANNOT'));
    await assert.rejects(appendMails(deps, login, 'INBOX', [good, appended(made('x'), ['*'])]), refused('LIMIT'));
    const never = { ...deps, parser: { parse: () => new Promise<never>(() => {}) } };
    await assert.rejects(appendMails(never, login, 'INBOX', [good], 1), refused('UNAVAILABLE'));
    const full = new ProgramMailbox({ ...deps, mayStore: () => false }, login);
    await assert.rejects(full.append('INBOX', [good]), refused('UNAVAILABLE'));
    const limits = { ...login.principal.limits, storage_bytes: made('good').length * 2 - 1 };
    const small = { ...login, principal: { ...login.principal, limits } };
    await assert.rejects(appendMails(deps, small, 'INBOX', [good, good]), refused('OVERQUOTA'));
    await assert.rejects(appendMails(deps, small, 'Sent', [good, good]), refused('OVERQUOTA'));
    const { api_key: key } = (await ada.api.post('/v1/account/keys', { name: 'k', scopes: ['mail:read', 'mail:send'] }))
      .body;
    const sends = await programLogin(t, ada, key);
    for (const folder of ['INBOX', 'Sent'] as const)
      await assert.rejects(new ProgramMailbox(deps, sends).append(folder, [good]), refused('NOPERM'));
    assert.deepEqual([await list(ada), await sentRows(t, ada), await mailBytes(t, ada)], [[], [], 0]);
    assert.deepEqual((await appendMails(deps, sends, 'Drafts', [good])).uids, [1]);
  });

  it('is sealed before it is written where the address has a key, large parts too', async () => {
    const { t } = suite;
    const ada = await createAgent(t, { public_key: PUBLIC_KEY });
    const [deps, login] = await program(t, ada);
    const words = 'readable '.repeat(60_000);
    await appendMails(deps, login, 'INBOX', [appended(made('a', [], words)), appended(made('b', [], 'readable'))]);
    const [b, a] = await list(ada);
    assert.ok(a?.e2e_encrypted && b?.e2e_encrypted);
    const rows = await t.sql(
      'select raw, text_body from mail_contents c join messages m on m.content_id = c.id where m.address = ?',
      ada.address,
    );
    const pieces = await t.sql('select bytes from mail_blob_pieces');
    for (const row of [...rows, ...pieces])
      for (const cell of Object.values(row))
        assert.ok(
          !Buffer.from(cell as Uint8Array)
            .toString('latin1')
            .includes('readable'),
        );
    await assert.rejects(appendMails(deps, login, 'Sent', [appended(made('c'))]), refused('CANNOT'));
  });

  it('Sent: what was handed in is there already; anything else is in the folder and in threads, never in the outbox', async () => {
    const { t } = suite;
    const [ada, ben] = [await createAgent(t), await createAgent(t)];
    const [deps, login] = await program(t, ada);
    const send = (to: string) =>
      ada.api.post('/v1/email/send', { from: ada.address, to, subject: 'mine', text: 'mine' });
    const inside = (await send(ben.address)).body;
    t.clock.advance(1000);
    const outside = (await send('x@out.example')).body;
    const again = ({ rfc_message_id: id }: { rfc_message_id: string }) =>
      appended(made('mine', [`Message-ID: ${id}`]), ['\\Seen', '$Sent']);
    const before = await mailBytes(t, ada);
    assert.deepEqual((await appendMails(deps, login, 'Sent', [again(inside), again(outside)])).uids, [1, 2]);
    assert.equal(await mailBytes(t, ada), before);
    assert.deepEqual(
      (await numberedIn(t, ada.address, 'sent')).map(({ flags }) => flags),
      [['$Sent'], ['$Sent']],
    );
    // Of another address it is nothing.
    const [, stranger] = await program(t, ben);
    assert.deepEqual((await appendMails(deps, stranger, 'Sent', [again(inside)])).uids, [1]);
    assert.deepEqual([(await outbox(ben)).length, (await sentRows(t, ben)).length], [0, 1]);
    await expungeMails(deps, login, 'Sent', await markAll(t, ada.address, 'sent'));
    assert.deepEqual((await appendMails(deps, login, 'Sent', [again(inside)])).uids, [3]);
    t.clock.advance(31 * DAY_MS);
    const parts = [`In-Reply-To: ${inside.rfc_message_id}`, 'Message-ID: <own@elsewhere.example>', 'To: c@out.example'];
    const at = t.clock.now() - 100 * DAY_MS;
    assert.deepEqual((await appendMails(deps, login, 'Sent', [appended(made('other', parts), [], at)])).uids, [4]);
    assert.deepEqual(
      (await outbox(ada)).map(({ subject }) => subject),
      ['mine', 'mine'],
    );
    const imported = (await sentRows(t, ada)).find(({ is_imported: is }) => Number(is) === 1);
    assert.equal((await ada.api.get(`/v1/email/outbox/${imported?.id}`)).status, 404);
    const { thread_id: thread } = (await ada.api.get(`/v1/email/outbox/${inside.id}`)).body;
    const { messages } = (await ada.api.get(`/v1/email/threads/${thread}`)).body;
    assert.deepEqual(
      messages.map(({ subject }: { subject: string }) => subject),
      ['mine', 'other'],
    );
    await assertNothingHalfWritten(t.config);
    await expungeMails(deps, login, 'Sent', await markAll(t, ada.address, 'sent'));
    assert.equal((await sentRows(t, ada)).length, 2);
    await mailBytes(t, ada);
    await assertNothingHalfWritten(t.config);
  });

  it('Drafts: the API shows and sends it; its bytes stay until something else changes it', async () => {
    const { t } = suite;
    const [ada, ben] = [await createAgent(t), await createAgent(t)];
    const [deps, login] = await program(t, ada);
    const bytes = plan(ben);
    const { uids } = await appendMails(deps, login, 'Drafts', [appended(bytes, ['\\Draft', '\\Seen'])]);
    const { drafts } = (await ada.api.get('/v1/email/drafts')).body;
    const path = `/v1/email/drafts/${drafts[0].draft_id}`;
    const { body: shown } = await ada.api.get(path);
    assert.deepEqual(
      [uids, shown.to, shown.bcc, shown.subject, shown.text.trim(), shown.html, shown.attachments],
      [
        [1],
        [ben.address],
        ['c@out.example'],
        'plan',
        'The plan.',
        null,
        [{ filename: 'a.csv', content_type: 'text/csv', size: 4 }],
      ],
    );
    const [row] = await t.sql('select content_id from mail_drafts where id = ?', drafts[0].draft_id);
    const [kept] = await t.sql('select raw from mail_contents where id = ?', row?.content_id);
    assert.deepEqual(Buffer.from(kept?.raw as Uint8Array), bytes);
    const full = await mailBytes(t, ada);
    assert.equal((await ada.api.patch(path, { subject: 'a plan' })).status, 200);
    assert.deepEqual(
      (await numberedIn(t, ada.address, 'drafts')).map(({ uid }) => uid),
      [2],
    );
    assert.deepEqual(await t.sql('select id from mail_contents where id = ?', row?.content_id), []);
    assert.ok((await mailBytes(t, ada)) <= full - bytes.length + 10);
    assert.equal((await ada.api.post(`${path}/send`)).status, 201);
    assert.equal((await list(ben))[0]?.subject, 'a plan');
    // The limit of drafts holds.
    const few = { ...login, principal: { ...login.principal, limits: { ...login.principal.limits, drafts: 1 } } };
    await appendMails(deps, few, 'Drafts', [appended(bytes)]);
    await assert.rejects(appendMails(deps, few, 'Drafts', [appended(bytes)]), refused('LIMIT'));
  });

  it('Drafts: the bytes go with a draft that is sent, deleted or expunged', async () => {
    const { t } = suite;
    const [ada, ben] = [await createAgent(t), await createAgent(t)];
    const [deps, login] = await program(t, ada);
    const bytes = plan(ben);
    for (let n = 0; n < 3; n++) await appendMails(deps, login, 'Drafts', [appended(bytes)]);
    const [one, two] = (await ada.api.get('/v1/email/drafts')).body.drafts;
    assert.equal((await ada.api.post(`/v1/email/drafts/${one.draft_id}/send`)).status, 201);
    assert.equal((await ada.api.delete(`/v1/email/drafts/${two.draft_id}`)).status, 200);
    await expungeMails(deps, login, 'Drafts', await markAll(t, ada.address, 'drafts'));
    assert.deepEqual((await ada.api.get('/v1/email/drafts')).body.drafts, []);
    await t.app.worker.runDue();
    await mailBytes(t, ada);
    await assertNothingHalfWritten(t.config);
  });

  it('of parallel imports only those that fit are stored, and none is lost beside deliveries', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = await program(t, ada);
    const mail = appended(made('import'));
    const limits = { ...login.principal.limits, storage_bytes: mail.bytes.length * 3 };
    const small = { ...login, principal: { ...login.principal, limits } };
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => appendMails(deps, small, 'INBOX', [mail])),
    );
    const uids = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.uids : []));
    assert.deepEqual(uids.toSorted(), [1, 2, 3]);
    const mixed = await Promise.all([
      ...Array.from({ length: 4 }, () => appendMails(deps, login, 'INBOX', [mail, mail])),
      ...[1, 2, 3].map((n) => t.sendSmtp({ to: ada.address, subject: `came ${n}`, text: 'words' }).then(() => null)),
    ]);
    const numbered = await numberedIn(t, ada.address, 'inbox');
    assert.equal(numbered.length, 3 + 8 + 3);
    const given = mixed.flatMap((one) => one?.uids ?? []);
    assert.equal(new Set([...given, ...uids]).size, 11);
    assert.ok(given.every((uid) => numbered.some((item) => item.uid === uid)));
    await mailBytes(t, ada);
    await assertNothingHalfWritten(t.config);
  });

  it('hostile mail is stored or refused, and what is stored can be read', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = await program(t, ada);
    const mails = HOSTILE_MAILS.map(({ raw }) => Buffer.from(raw(), 'latin1'));
    const all = mails.map((bytes) => appended(bytes));
    assert.equal((await appendMails(deps, login, 'INBOX', all)).uids.length, mails.length);
    const roomy = { ...login, principal: { ...login.principal, limits: { ...login.principal.limits, drafts: 1000 } } };
    // The large ones cost seconds, and are read as above.
    for (const bytes of mails.filter(({ length }) => length < 100_000)) {
      assert.equal((await appendMails(deps, login, 'Sent', [appended(bytes)])).uids.length, 1);
      const drafted = await appendMails(deps, roomy, 'Drafts', [appended(bytes)]).catch((err) => err);
      assert.ok('uids' in drafted || refused('CANNOT')(drafted), String(drafted));
    }
    const messages = await list(ada, '&limit=100');
    assert.equal(messages.length, mails.length);
    for (const { message_id: id } of messages)
      assert.equal((await ada.api.get(`/v1/email/messages/${id}?address=${ada.address}`)).status, 200);
    for (const { draft_id: id } of (await ada.api.get('/v1/email/drafts?limit=100')).body.drafts)
      assert.equal((await ada.api.get(`/v1/email/drafts/${id}`)).status, 200);
    await mailBytes(t, ada);
    await assertNothingHalfWritten(t.config);
  });

  it('an account that goes leaves none of its imports, drafts and sent mail', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = await program(t, ada);
    for (const folder of ['INBOX', 'Sent', 'Drafts'] as const)
      await appendMails(deps, login, folder, [appended(made('gone'))]);
    for (const folder of ['Archive', 'Trash'] as const) await copyMails(deps, login, 'INBOX', [1], folder);
    await ada.api.post('/v1/email/send', { from: ada.address, to: 'x@out.example', subject: 's', text: 't' });
    await t.app.worker.runDue();
    const query = `select content_id from messages where account_id = ? union select content_id from sent_contents where account_id = ?
      union select content_id from mail_drafts where account_id = ?`;
    const contents = await t.sql(query, ada.accountId, ada.accountId, ada.accountId);
    assert.equal(contents.length, 4);
    assert.equal((await ada.api.delete('/v1/account')).status, 202);
    t.clock.advance(40 * DAY_MS);
    await t.app.worker.runDue();
    // Both are written every second; a minute passes before anything is erased.
    await t.app.provided.audit.flush();
    await t.app.provided.meter.flush();
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    assert.deepEqual(await t.sql('select id from mail_drafts where account_id = ?', ada.accountId), []);
    for (const { content_id: id } of contents)
      assert.deepEqual(await t.sql('select id from mail_contents where id = ?', id), []);
  });
});

// What is deleted here has no event, which the look at the others would miss.
onEngines('both', 'mail programs: large APPEND', { isolated: true }, (suite) => {
  it('large mail keeps its bytes, and lets go of them with the last that has them', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const [deps, login] = await program(t, ada);
    const bytes = Buffer.from(
      plan(ada)
        .toString()
        .replace('1,2', `${'many words '.repeat(9)}\r\n`.repeat(16_000)),
    );
    for (const folder of ['INBOX', 'Sent', 'Drafts'] as const) {
      const { uids } = await appendMails(deps, login, folder, [appended(bytes)]);
      assert.equal(uids.length, 1);
    }
    const pieces = async (): Promise<number> => (await t.sql('select blob_id from mail_blob_pieces')).length;
    assert.ok((await pieces()) >= 3 * 7);
    assert.deepEqual((await copyMails(deps, login, 'INBOX', [1], 'Archive')).to, [1]);
    const [copy] = await list(ada, '&archived=true');
    await numberedIn(t, ada.address, 'inbox');
    for (const folder of ['sent', 'drafts'] as const)
      await expungeMails(deps, login, folder === 'sent' ? 'Sent' : 'Drafts', await markAll(t, ada.address, folder));
    const [first] = await list(ada);
    const path = (message?: Record<string, unknown>) => `/v1/email/messages/${message?.message_id}`;
    await ada.api.delete(`${path(first)}?address=${ada.address}&permanent=true`);
    assert.equal((await ada.api.get(`${path(copy)}/raw?address=${ada.address}`)).text, bytes.toString());
    await ada.api.delete(`${path(copy)}?address=${ada.address}&permanent=true`);
    await eventually(async () => (await pieces()) === 0, 'no piece is left');
    assert.equal(await mailBytes(t, ada), 0);
  });
});
