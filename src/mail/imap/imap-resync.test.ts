import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ImapDialogue, startTestImap, type TestImap } from '../../../test/support/imap-dialogue.ts';

const open: TestImap[] = [];
after(() => Promise.all(open.map((listener) => listener.close(0))));

const mail = (subject: string): string => `From: Eve <eve@out.example>\r\nSubject: ${subject}\r\n\r\nhello\r\n`;

/** A client that has logged in, over a mailbox with so many mails in INBOX. */
async function withMails(mails: number) {
  const listener = await startTestImap();
  open.push(listener);
  const { mailbox } = listener.service;
  for (let n = 1; n <= mails; n += 1) mailbox.add('INBOX', mail(`m${n}`));
  return { mailbox, client: await ImapDialogue.loggedIn(listener.port), port: listener.port };
}

describe('CONDSTORE (RFC 7162)', () => {
  it('FETCH, STATUS and SEARCH tell mod-sequences, and every FETCH of flags has one once they were asked for', async () => {
    const { client, mailbox } = await withMails(3);
    assert.deepEqual(await client.say('STATUS INBOX (HIGHESTMODSEQ UIDNEXT DELETED)'), [
      '* STATUS INBOX (HIGHESTMODSEQ 4 UIDNEXT 4 DELETED 0)',
      'OK STATUS completed',
    ]);
    await client.say('SELECT INBOX (CONDSTORE)');
    assert.equal((await client.say('FETCH 1 MODSEQ'))[0], '* 1 FETCH (MODSEQ (2))');
    await mailbox.store('INBOX', [2], { does: 'add', flags: ['\\Seen'], unchangedSince: null });
    assert.deepEqual(await client.say('NOOP'), ['* 2 FETCH (FLAGS (\\Seen) MODSEQ (5))', 'OK NOOP completed']);
    assert.deepEqual(await client.say('FETCH 1:* (FLAGS) (CHANGEDSINCE 4)'), [
      '* 2 FETCH (MODSEQ (5) FLAGS (\\Seen))',
      'OK FETCH completed',
    ]);
    assert.equal((await client.say('SEARCH MODSEQ 4'))[0], '* SEARCH 2 3 (MODSEQ 5)');
    assert.equal((await client.say('SEARCH MODSEQ "/flags/\\\\draft" all 5'))[0], '* SEARCH 2 (MODSEQ 5)');
    assert.match((await client.say('SEARCH RETURN (MAX) MODSEQ 1'))[0] ?? '', / MAX 3 MODSEQ 4$/);
    assert.match((await client.say('SEARCH RETURN (COUNT) MODSEQ 1'))[0] ?? '', / COUNT 3 MODSEQ 5$/);
    client.close();
  });

  it('STORE UNCHANGEDSINCE leaves what has changed since, and names it', async () => {
    const { client, mailbox } = await withMails(3);
    await client.say('SELECT INBOX');
    assert.deepEqual(await client.say('STORE 1:3 (UNCHANGEDSINCE 3) +FLAGS.SILENT (\\Seen)'), [
      '* 1 FETCH (MODSEQ (5))',
      '* 2 FETCH (MODSEQ (5))',
      'OK [MODIFIED 3] Some had changed since',
    ]);
    assert.deepEqual(
      mailbox.folder('INBOX').mails.map(({ flags }) => flags.length),
      [1, 1, 0],
    );
    mailbox.drop('INBOX', 1);
    await client.say('NOOP');
    assert.equal(
      (await client.say('UID STORE 3 (UNCHANGEDSINCE 1) FLAGS (\\Seen)')).at(-1),
      'OK [MODIFIED 3] Some had changed since',
    );
    assert.equal(
      (await client.say('STORE 2 (UNCHANGEDSINCE 1) FLAGS (\\Seen)')).at(-1),
      'OK [MODIFIED 2] Some had changed since',
    );
    client.close();
  });
});

describe('QRESYNC (RFC 7162)', () => {
  it('SELECT tells what went and changed since a mod-sequence, of the UIDs that the client names', async () => {
    const { client, mailbox } = await withMails(6);
    const before = mailbox.folder('INBOX').modSeq;
    mailbox.drop('INBOX', 2);
    mailbox.drop('INBOX', 5);
    await mailbox.store('INBOX', [3], { does: 'add', flags: ['\\Seen'], unchangedSince: null });
    assert.match((await client.say(`SELECT INBOX (QRESYNC (7 ${before}))`)).join(), /^BAD ENABLE QRESYNC first/);
    assert.equal((await client.say('ENABLE QRESYNC CONDSTORE X-OTHER'))[0], '* ENABLED QRESYNC CONDSTORE');
    const resync = async (parameters: string): Promise<string[]> =>
      (await client.say(`SELECT INBOX (QRESYNC (${parameters}))`)).filter((line) => /VANISHED|FETCH|CLOSED/.test(line));
    const changed = `* 2 FETCH (UID 3 FLAGS (\\Seen) MODSEQ (${before + 3}))`;
    assert.deepEqual(await resync(`7 ${before}`), ['* VANISHED (EARLIER) 2,5', changed]);
    assert.deepEqual(await resync(`7 ${before} 1:3`), ['* OK [CLOSED] Closed', '* VANISHED (EARLIER) 2', changed]);
    assert.deepEqual(await resync(`7 ${before} 1:6 (1,3 1,3)`), [
      '* OK [CLOSED] Closed',
      '* VANISHED (EARLIER) 2,5',
      changed,
    ]);
    assert.deepEqual(await resync(`8 ${before}`), ['* OK [CLOSED] Closed']);
    mailbox.folder('INBOX').forgotten = before + 1;
    assert.deepEqual(await resync(`7 ${before}`), ['* OK [CLOSED] Closed', '* VANISHED (EARLIER) 2,5', changed]);
    assert.deepEqual(await client.say(`UID FETCH 4:* (FLAGS) (CHANGEDSINCE ${before} VANISHED)`), [
      '* VANISHED (EARLIER) 5',
      'OK FETCH completed',
    ]);
    client.close();
  });

  it('VANISHED takes the place of EXPUNGE, and FETCH of news has the UID', async () => {
    const { client, mailbox } = await withMails(5);
    await client.say('ENABLE QRESYNC');
    await client.say('SELECT INBOX');
    mailbox.drop('INBOX', 2);
    mailbox.drop('INBOX', 3);
    await mailbox.store('INBOX', [5], { does: 'add', flags: ['\\Deleted'], unchangedSince: null });
    assert.deepEqual(await client.say('NOOP'), [
      '* VANISHED 2:3',
      '* 3 FETCH (UID 5 FLAGS (\\Deleted) MODSEQ (9))',
      'OK NOOP completed',
    ]);
    assert.deepEqual(await client.say('EXPUNGE'), ['* VANISHED 5', 'OK [HIGHESTMODSEQ 10] EXPUNGE completed']);
    assert.deepEqual(await client.say('UID MOVE 1 Trash'), [
      '* OK [COPYUID 7 1 1] Moved',
      '* VANISHED 1',
      'OK [HIGHESTMODSEQ 11] MOVE completed',
    ]);
    client.close();
  });

  it('knows what went when the mailbox has forgotten it', async () => {
    const { client, mailbox } = await withMails(4);
    await client.say('SELECT INBOX');
    mailbox.drop('INBOX', 2);
    mailbox.folder('INBOX').forgotten = 1000;
    assert.deepEqual(await client.say('NOOP'), ['* 2 EXPUNGE', 'OK NOOP completed']);
    assert.deepEqual(await client.say('NOOP'), ['OK NOOP completed']);
    client.close();
  });
});

describe('IMAP4rev2 (RFC 9051)', () => {
  it('SELECT has LIST and no RECENT, SEARCH answers ESEARCH, and BINARY gives the content', async () => {
    const { client, mailbox } = await withMails(2);
    await client.say('ENABLE IMAP4rev2');
    const answer = await client.say('SELECT INBOX');
    assert.ok(answer.includes('* LIST (\\HasNoChildren) "/" INBOX'));
    assert.ok(!answer.some((line) => line.includes('RECENT')));
    assert.equal((await client.say('UID SEARCH ALL'))[0], '* ESEARCH (TAG "t4") UID ALL 1:2');
    assert.equal((await client.say('FETCH 1 BINARY.SIZE[1]'))[0], '* 1 FETCH (BINARY.SIZE[1] 7)');
    assert.deepEqual(await client.say('FETCH 1 BINARY.PEEK[1]<1.2>'), [
      '* 1 FETCH (BINARY[1]<1> {2}',
      'el)',
      'OK FETCH completed',
    ]);
    mailbox.add('INBOX', `${mail('nul')}\0\0`);
    await client.say('NOOP');
    assert.equal((await client.say('FETCH 3 BINARY.PEEK[1]'))[0], '* 3 FETCH (BINARY[1] ~{9}');
    assert.match((await client.say('APPEND INBOX ~{3+}\r\nabc')).join(), /^NO \[UNKNOWN-CTE\]/);
    assert.match((await client.say('APPEND INBOX ~{3}')).join(), /^NO \[UNKNOWN-CTE\]/);
    client.close();
  });
});
