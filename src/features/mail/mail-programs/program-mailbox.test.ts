import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, suspend, type TestAgent, unsuspend } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { fetched, openMailbox } from '../../../../test/support/program-mailbox.ts';
import { type ImapFolder, ImapRefusal, type SearchKey } from '../../../mail/imap/imap-store.ts';
import { forgetVanished } from '../mailboxes/uids/folder-uids.ts';
import type { ProgramMailbox } from './program-mailbox.ts';

/** Mail from outside, as the inbox lists it. */
async function receive(t: TestApp, { api, address }: TestAgent, subject: string, more: object = {}): Promise<string> {
  t.clock.advance(1000);
  await t.sendSmtp({ to: address, subject, text: `${subject} words`, ...more });
  return (await api.get(`/v1/email/inbox?address=${address}`)).body.messages[0].message_id;
}

const pathOf = ({ address }: TestAgent, id: string, query = ''): string =>
  `/v1/email/messages/${id}?address=${address}${query}`;

const change = (does: 'add' | 'remove' | 'replace', ...flags: string[]) => ({ does, flags, unchangedSince: null });

/** The flags of every mail of a folder, by UID. */
async function flagsIn(mailbox: ProgramMailbox, folder: ImapFolder): Promise<Record<number, string[]>> {
  const { uids } = await mailbox.open(folder);
  const found = await mailbox.flags(folder, [...uids]);
  return Object.fromEntries(found.map(({ uid, flags }) => [uid, [...flags].sort()]));
}

const refusedAs =
  (code: string) =>
  (err: unknown): boolean =>
    err instanceof ImapRefusal && err.code === code;

onEngines('both', 'the mailbox of mail programs', {}, (suite) => {
  it('flags and labels by one door are there for the other at once', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const id = await receive(t, ada, 'first');
    const mailbox = await openMailbox(t, ada);
    assert.deepEqual(await flagsIn(mailbox, 'INBOX'), { 1: [] });
    await ada.api.patch(pathOf(ada, id), {
      read: true,
      starred: true,
      add_labels: ['To do', 'imap:Forwarded', 'Ärger'],
    });
    assert.deepEqual(await flagsIn(mailbox, 'INBOX'), {
      1: ['$Forwarded', '=C3=84rger', 'To=20do', '\\Flagged', '\\Seen'],
    });
    const { changed } = await mailbox.store('INBOX', [1, 7], change('remove', '\\Seen', '$FORWARDED', 'to=20DO'));
    assert.deepEqual(
      changed.map(({ uid, flags }) => [uid, [...flags].sort()]),
      [[1, ['=C3=84rger', '\\Flagged']]],
    );
    await mailbox.store('INBOX', [1], change('add', '\\answered', '\\Deleted', 'Old', '=c3=a4RGER', '\\Draft'));
    const { body } = await ada.api.get(`/v1/email/inbox?address=${ada.address}`);
    const [{ read, starred, answered, labels }] = body.messages;
    assert.deepEqual([read, starred, answered, labels], [false, true, true, ['Ärger', 'Old']]);
    await mailbox.store('INBOX', [1], change('replace', '\\Seen', 'NonJunk'));
    assert.deepEqual(await flagsIn(mailbox, 'INBOX'), { 1: ['NonJunk', '\\Seen'] });
    const counted = (await ada.api.get(`/v1/inbox/${ada.address}?unread=true`)).body.total;
    assert.equal(counted, 0);
    const { state } = await mailbox.open('INBOX');
    const again = await mailbox.store('INBOX', [1], change('add', '\\Seen', 'nonjunk'));
    assert.deepEqual((await mailbox.open('INBOX')).state, state, 'what changes nothing has no mod-sequence');
    assert.equal(again.changed.length, 1);
  });

  it('NO [LIMIT]: a keyword that fits no label, and one too many, change nothing', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await receive(t, ada, 'first');
    const mailbox = await openMailbox(t, ada);
    const before = await mailbox.open('INBOX');
    for (const keyword of ['_x', 'a+b', '=FF', `x${'y'.repeat(64)}`, '$', 'a='])
      await assert.rejects(mailbox.store('INBOX', [1], change('add', '\\Seen', keyword)), refusedAs('LIMIT'), keyword);
    const many = Array.from({ length: 21 }, (_, n) => `k${n}`);
    await assert.rejects(mailbox.store('INBOX', [1], change('add', ...many)), refusedAs('LIMIT'));
    await mailbox.store('INBOX', [1], change('add', ...many.slice(1)));
    await assert.rejects(mailbox.store('INBOX', [1], change('add', '\\Seen', 'k0')), refusedAs('LIMIT'));
    assert.deepEqual((await mailbox.open('INBOX')).state.highestModSeq, before.state.highestModSeq + 1);
  });

  it('with mail:read alone nothing can be changed; Drafts need mail:send; a named key is asked anew at each command', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const id = await receive(t, ada, 'first');
    const reader = await openMailbox(t, ada, ['mail:read', 'mail:codes']);
    const manager = await openMailbox(t, ada, ['mail:read', 'mail:manage']);
    const sender = await openMailbox(t, ada, ['mail:read', 'mail:send']);
    const may = (mailbox: ProgramMailbox) => [mailbox.mayChange('INBOX'), mailbox.mayChange('Drafts')];
    assert.deepEqual([reader, manager, sender].map(may), [
      [false, false],
      [true, false],
      [false, true],
    ]);
    for (const mailbox of [reader, sender])
      await assert.rejects(mailbox.store('INBOX', [1], change('add', '\\Seen')), refusedAs('NOPERM'));
    await assert.rejects(manager.store('Drafts', [1], change('add', '\\Seen')), refusedAs('NOPERM'));
    const { keys } = (await ada.api.get('/v1/account/keys')).body;
    const open = await openMailbox(t, ada);
    await open.open('INBOX');
    const mine = (await ada.api.get('/v1/account/keys')).body.keys.find(
      (key: { id: string }) => !keys.some((other: { id: string }) => other.id === key.id),
    );
    assert.equal((await ada.api.delete(`/v1/account/keys/${mine.id}`)).status, 200);
    await assert.rejects(open.store('INBOX', [1], change('add', '\\Seen')), refusedAs('NOPERM'));
    await assert.rejects(open.open('INBOX'), refusedAs('NOPERM'));
    await suspend(t, ada.accountId);
    await assert.rejects(manager.store('INBOX', [1], change('add', '\\Seen')), refusedAs('NOPERM'));
    await assert.rejects(manager.open('INBOX'), refusedAs('NOPERM'));
    await unsuspend(t, ada.accountId);
    assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages[0].read, false);
    assert.ok(id);
  });

  it('an address shows its own mail alone: not that of another of the account, nor of another account', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const other = await createAgent(t, {}, ada);
    const stranger = await createAgent(t);
    await receive(t, ada, 'mine');
    await receive(t, other, 'other');
    await receive(t, stranger, 'foreign');
    const subjects = async (mailbox: ProgramMailbox) => {
      const { uids } = await mailbox.open('INBOX');
      const mails = await fetched(mailbox, 'INBOX', [...uids], { outline: true });
      return mails.map(({ outline }) => outline?.envelope.subject);
    };
    for (const [agent, subject] of [
      [ada, 'mine'],
      [other, 'other'],
      [stranger, 'foreign'],
    ] as const)
      assert.deepEqual(await subjects(await openMailbox(t, agent)), [subject]);
    const limited = await openMailbox(t, ada, ['mail:read'], [other.address]);
    await assert.rejects(limited.open('INBOX'), refusedAs('NONEXISTENT'));
    const taken = await openMailbox(t, { ...ada, address: stranger.address });
    const fail = refusedAs('NONEXISTENT');
    await assert.rejects(taken.open('INBOX'), fail);
    await assert.rejects(taken.flags('INBOX', [1]), fail);
    await assert.rejects(fetched(taken, 'INBOX', [1], { bytes: true }), fail);
    await assert.rejects(taken.store('INBOX', [1], change('add', '\\Seen')), fail);
    await assert.rejects(taken.search('INBOX', { key: 'all' }), fail);
    await assert.rejects(taken.changesSince('INBOX', 0), fail);
    await assert.rejects(taken.status('INBOX'), fail);
  });

  it('unchangedSince leaves alone what changed since, by whatever door', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const ids = [await receive(t, ada, 'a'), await receive(t, ada, 'b'), await receive(t, ada, 'c')];
    const mailbox = await openMailbox(t, ada);
    const { state } = await mailbox.open('INBOX');
    await ada.api.patch(pathOf(ada, ids[1] as string), { starred: true });
    const outcome = await mailbox.store('INBOX', [1, 2, 3], {
      does: 'add',
      flags: ['\\Seen'],
      unchangedSince: state.highestModSeq,
    });
    assert.deepEqual([outcome.changed.map(({ uid }) => uid), outcome.modified], [[1, 3], [2]]);
    assert.deepEqual(await flagsIn(mailbox, 'INBOX'), { 1: ['\\Seen'], 2: ['\\Flagged'], 3: ['\\Seen'] });
  });

  it('of many that store by one mod-sequence, one wins', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await receive(t, ada, 'a');
    const mailbox = await openMailbox(t, ada);
    const { state } = await mailbox.open('INBOX');
    const stores = Array.from({ length: 8 }, (_, n) =>
      mailbox.store('INBOX', [1], { does: 'add', flags: [`by${n}`], unchangedSince: state.highestModSeq }),
    );
    const won = (await Promise.all(stores)).filter(({ modified }) => modified.length === 0);
    assert.equal(won.length, 1);
    assert.equal((await flagsIn(mailbox, 'INBOX'))[1]?.length, 1);
  });

  it('counts, and follows moves, deletions and new mail', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const ids = [await receive(t, ada, 'a'), await receive(t, ada, 'b'), await receive(t, ada, 'c')] as const;
    const mailbox = await openMailbox(t, ada);
    const start = await mailbox.status('INBOX');
    assert.deepEqual([start.messages, start.unseen, start.deleted, start.uidNext], [3, 3, 0, 4]);
    const mails = await fetched(mailbox, 'INBOX', [1, 2, 3], { bytes: true });
    assert.equal(
      start.size,
      mails.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0),
    );
    const dates = await fetched(mailbox, 'INBOX', [1, 2, 3], { dates: true });
    assert.deepEqual(
      dates.map(({ size }) => size),
      mails.map(({ bytes }) => bytes?.length),
    );
    await mailbox.open('Archive');
    let news = 0;
    const stop = mailbox.watch(() => {
      news += 1;
    });
    await ada.api.patch(pathOf(ada, ids[0]), { archived: true });
    await eventually(() => news > 0);
    stop();
    await ada.api.get(pathOf(ada, ids[1]));
    await mailbox.store('INBOX', [3], change('add', '\\Deleted'));
    await receive(t, ada, 'd');
    const changes = await mailbox.changesSince('INBOX', start.highestModSeq);
    assert.deepEqual(
      changes.changed.map(({ uid, flags }) => [uid, flags]),
      [
        [2, ['\\Seen']],
        [3, ['\\Deleted']],
        [4, []],
      ],
    );
    assert.deepEqual([changes.vanished, changes.uidNext], [[1], 5]);
    const { messages, unseen, deleted } = await mailbox.status('INBOX');
    assert.deepEqual([messages, unseen, deleted], [3, 2, 1]);
    assert.equal((await mailbox.status('Archive')).messages, 1);
    assert.deepEqual(await mailbox.changesSince('INBOX', changes.highestModSeq), {
      ...changes,
      changed: [],
      vanished: [],
    });
    const forget = (before: number) => t.app.database.transaction((tx) => forgetVanished(tx, before, t.clock.now()));
    await forget(0);
    await forget(t.clock.now() + 1);
    assert.equal((await mailbox.changesSince('INBOX', start.highestModSeq)).vanished, null);
  });

  it('sent mail is seen and drafts are drafts; their other flags are kept', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const mail = { from: ada.address, to: 'x@example.com', subject: 'Out', text: 'sent words' };
    await ada.api.post('/v1/email/send', mail);
    await ada.api.post('/v1/email/drafts', { ...mail, subject: 'Draft' });
    const mailbox = await openMailbox(t, ada);
    assert.deepEqual(
      [await flagsIn(mailbox, 'Sent'), await flagsIn(mailbox, 'Drafts')],
      [{ 1: ['\\Seen'] }, { 1: ['\\Draft'] }],
    );
    for (const folder of ['Sent', 'Drafts'] as const) {
      await mailbox.store(folder, [1], change('replace', '\\Flagged', 'Work', '\\Deleted'));
      await mailbox.store(folder, [1], change('remove', '\\Draft', '\\Seen', '\\Deleted'));
    }
    assert.deepEqual(
      [await flagsIn(mailbox, 'Sent'), await flagsIn(mailbox, 'Drafts')],
      [{ 1: ['Work', '\\Flagged', '\\Seen'] }, { 1: ['Work', '\\Draft', '\\Flagged'] }],
    );
    const [sent, drafts] = [await mailbox.status('Sent'), await mailbox.status('Drafts')];
    assert.deepEqual([sent.unseen, drafts.unseen, sent.messages, drafts.messages], [0, 1, 1, 1]);
    const [one] = await fetched(mailbox, 'Sent', [1], { bytes: true });
    const [dated] = await fetched(mailbox, 'Sent', [1], { dates: true });
    assert.deepEqual([sent.size, dated?.size], [one?.bytes?.length, one?.bytes?.length]);
    assert.match(Buffer.from(one?.bytes ?? '').toString(), /^DKIM-Signature|^Message-ID|^From|^Date/im);
    const found = await mailbox.search('Sent', { key: 'body', text: 'SENT WORDS' });
    assert.deepEqual(found.uids, [1]);
  });

  it('searches by flags, dates, headers and words', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const start = t.clock.now();
    await receive(t, ada, 'Invoice of May', { from: 'Bob Builder <bob@example.com>', headers: { 'X-Kind': 'bill' } });
    await receive(t, ada, 'Holiday', { text: 'The beach was sunny', headers: { 'Message-ID': '<h1@example.com>' } });
    await receive(t, ada, 'Other', { text: 'sunny beach' });
    const mailbox = await openMailbox(t, ada);
    await mailbox.open('INBOX');
    await mailbox.store('INBOX', [2], change('add', '\\Flagged', 'Trip'));
    const uids = async (key: SearchKey) => (await mailbox.search('INBOX', key)).uids;
    const cases: [SearchKey, number[]][] = [
      [{ key: 'all' }, [1, 2, 3]],
      [{ key: 'flag', flag: '\\Flagged' }, [2]],
      [{ key: 'not', of: { key: 'flag', flag: 'trip' } }, [1, 3]],
      [{ key: 'from', text: 'builder' }, [1]],
      [{ key: 'to', text: ada.address.slice(0, 8) }, [1, 2, 3]],
      [{ key: 'subject', text: 'VOICE' }, [1]],
      [{ key: 'body', text: 'beach' }, [2, 3]],
      [{ key: 'body', text: 'sunny beach' }, [3]],
      [{ key: 'body', text: 'beac' }, []],
      [{ key: 'body', text: 'holiday' }, []],
      [{ key: 'text', text: 'holiday' }, [2]],
      [
        {
          key: 'or',
          of: [
            { key: 'subject', text: 'invoice' },
            { key: 'body', text: 'beach' },
          ],
        },
        [1, 2, 3],
      ],
      [{ key: 'header', name: 'X-Kind', text: 'bill' }, [1]],
      [{ key: 'header', name: 'message-id', text: 'h1@' }, [2]],
      [{ key: 'internalDate', from: start + 2000, before: start + 3000 }, [2]],
      [{ key: 'larger', bytes: 1 }, [1, 2, 3]],
      [{ key: 'smaller', bytes: 1 }, []],
      [
        {
          key: 'and',
          of: [
            { key: 'uids', ranges: [[2, 9]] },
            { key: 'text', text: 'other' },
          ],
        },
        [3],
      ],
    ];
    for (const [key, found] of cases) assert.deepEqual(await uids(key), found, JSON.stringify(key));
    await assert.rejects(mailbox.search('INBOX', { key: 'body', text: '--' }), refusedAs('CANNOT'));
  });

  it('without mail:codes nothing that hides a code is fetched or found', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await receive(t, ada, 'Your code is 482913', { text: 'Your verification code is 482913. It expires soon.' });
    const [whole, masked] = [await openMailbox(t, ada), await openMailbox(t, ada, ['mail:read'])];
    await whole.open('INBOX');
    const wants = { outline: true, header: true, bytes: true, preview: true };
    const texts = async (mailbox: ProgramMailbox) => {
      const mails = [
        ...(await fetched(mailbox, 'INBOX', [1], wants)),
        ...(await fetched(mailbox, 'INBOX', [1], { ...wants, bytes: false })),
      ];
      return mails.flatMap((mail) => [
        Buffer.from(mail.bytes ?? '').toString(),
        Buffer.from(mail.header ?? '').toString(),
        JSON.stringify([mail.outline, mail.preview]),
      ]);
    };
    assert.ok((await texts(whole)).every((text) => text === '' || text.includes('482913')));
    assert.ok((await texts(masked)).every((text) => !text.includes('482913')));
    for (const key of ['body', 'text', 'subject'] as const) {
      assert.deepEqual(
        (await whole.search('INBOX', { key, text: '482913' })).uids,
        key === 'subject' || key === 'text' || key === 'body' ? [1] : [],
      );
      assert.deepEqual((await masked.search('INBOX', { key, text: '482913' })).uids, [], key);
    }
    assert.deepEqual((await masked.search('INBOX', { key: 'body', text: 'verification' })).uids, [1]);
    const [mail] = await fetched(masked, 'INBOX', [1], { bytes: true });
    const [dated] = await fetched(masked, 'INBOX', [1], { dates: true });
    assert.equal(dated?.size, mail?.bytes?.length);
    assert.ok((await masked.status('INBOX')).size >= (dated?.size ?? 0));
  });
});
