import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ImapDialogue, startTestImap, type TestImap } from '../../../test/support/imap-dialogue.ts';
import type { ImapListenerOptions } from './imap-listener.ts';
import { ImapRefusal } from './imap-store.ts';

const open: TestImap[] = [];
const start = async (options?: Partial<ImapListenerOptions>): Promise<TestImap> => {
  const listener = await startTestImap(options);
  open.push(listener);
  return listener;
};
after(() => Promise.all(open.map((listener) => listener.close(0))));

const mail = (subject: string, body = 'hello\r\n'): string =>
  `From: Eve <eve@out.example>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@out.example>\r\n\r\n${body}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A client that has logged in and selected INBOX with so many mails. */
async function selected(mails: number, options?: Partial<ImapListenerOptions>) {
  const listener = await start(options);
  const { mailbox } = listener.service;
  for (let n = 1; n <= mails; n += 1) mailbox.add('INBOX', mail(`m${n}`));
  const client = await ImapDialogue.loggedIn(listener.port);
  await client.say('SELECT INBOX');
  return { listener, mailbox, client };
}

describe('imap session: login', () => {
  it('greets with what it can, and takes LOGIN with strings, atoms and literals', async () => {
    const listener = await start();
    const client = await ImapDialogue.open(listener.port);
    const [capability] = await client.say('CAPABILITY');
    assert.match(
      capability ?? '',
      /^\* CAPABILITY IMAP4rev1 IMAP4rev2 .*AUTH=PLAIN AUTH=OAUTHBEARER AUTH=XOAUTH2 SASL-IR/,
    );
    assert.doesNotMatch(capability ?? '', /STARTTLS|LOGINDISABLED/);
    client.send('a LOGIN {20}\r\n');
    await client.until(/\+ OK\r\n/);
    client.send('agent@agents.example {6+}\r\nsecret\r\n');
    assert.match((await client.answer('a')).join(), /^OK \[CAPABILITY .*\] Logged in$/);
    assert.deepEqual(listener.service.logins, [{ kind: 'password', user: 'agent@agents.example', secret: 'secret' }]);
    assert.match((await client.say('LOGIN "agent@agents.example" "secret"')).join(), /^BAD/);
    client.close();
  });

  it('takes AUTHENTICATE by every mechanism, with and without an initial response', async () => {
    const listener = await start();
    const token = base64('n,a=agent@agents.example,\u0001host=x\u0001auth=Bearer secret\u0001\u0001');
    const answers: [mechanism: string, ...responses: string[]][] = [
      ['PLAIN', base64('\0agent@agents.example\0secret')],
      ['LOGIN', base64('agent@agents.example'), base64('secret')],
      ['OAUTHBEARER', token],
      ['XOAUTH2', base64('user=agent@agents.example\u0001auth=Bearer secret\u0001\u0001')],
    ];
    for (const [mechanism, ...responses] of answers) {
      const client = await ImapDialogue.open(listener.port);
      client.send(`a AUTHENTICATE ${mechanism}\r\n`);
      for (const response of responses) {
        await client.until(/\+ .*\r\n/);
        client.send(`${response}\r\n`);
      }
      assert.match((await client.answer('a')).join(), /^OK/, mechanism);
      const direct = await ImapDialogue.open(listener.port);
      direct.send(`a AUTHENTICATE ${mechanism} ${responses.join('\r\n')}\r\n`);
      assert.match((await direct.answer('a')).at(-1) ?? '', /^OK/, mechanism);
      client.close();
      direct.close();
    }
  });

  it('tells why a token is refused before it refuses, lets a client cancel, and ends at the fifth failure', async () => {
    const listener = await start();
    const client = await ImapDialogue.open(listener.port);
    client.send(`a AUTHENTICATE OAUTHBEARER ${base64('n,,\u0001auth=Bearer wrong\u0001\u0001')}\r\n`);
    const challenge = await client.until(/\+ (.*)\r\n/);
    assert.deepEqual(JSON.parse(Buffer.from(challenge.slice(2), 'base64').toString()), { status: 'invalid_token' });
    client.send('AQ==\r\n');
    assert.match((await client.answer('a')).join(), /^NO \[AUTHENTICATIONFAILED\] Wrong address or key/);
    client.send('b AUTHENTICATE PLAIN\r\n*\r\n');
    assert.match((await client.answer('b')).join(), /BAD Cancelled/);
    for (let n = 2; n <= 4; n += 1)
      assert.match((await client.say('LOGIN x y')).join(), /^NO \[AUTHENTICATIONFAILED\]/);
    client.send('c LOGIN x y\r\n');
    assert.match(await client.rest(), /^c NO .*\r\n\* BYE Too many failed logins\r\n$/);
  });

  it('announces LOGINDISABLED and refuses where the service takes no login in clear', async () => {
    const listener = await start();
    listener.service.clearLogins = false;
    const client = await ImapDialogue.open(listener.port);
    assert.match((await client.say('CAPABILITY')).join(), /LOGINDISABLED/);
    assert.match((await client.say('LOGIN agent@agents.example secret')).join(), /^NO \[PRIVACYREQUIRED\]/);
    assert.match((await client.say('AUTHENTICATE PLAIN')).join(), /^NO \[PRIVACYREQUIRED\]/);
    assert.deepEqual(listener.service.logins, []);
    client.close();
  });

  it('needs a login and a folder for what concerns them', async () => {
    const listener = await start();
    const client = await ImapDialogue.open(listener.port);
    for (const command of ['SELECT INBOX', 'LIST "" *', 'FETCH 1 FLAGS', 'IDLE']) {
      assert.match((await client.say(command)).join(), /^BAD Log in first/, command);
    }
    await client.say('LOGIN agent@agents.example secret');
    for (const command of ['FETCH 1 FLAGS', 'CLOSE', 'UID EXPUNGE 1', 'SEARCH ALL']) {
      assert.match((await client.say(command)).join(), /^BAD Select a folder first/, command);
    }
    assert.match((await client.say('NONSENSE')).join(), /^BAD Unknown command/);
    client.send('a LOGOUT\r\n');
    assert.equal(await client.rest(), '* BYE Goodbye\r\na OK LOGOUT completed\r\n');
  });

  it('ends when the login ends, and closes the mailbox once', async () => {
    const { listener, client, mailbox } = await selected(1);
    listener.service.ends[0]?.(new ImapRefusal('EXPIRED', 'The key has expired'));
    assert.equal(await client.rest(), '* BYE [EXPIRED] The key has expired\r\n');
    await listener.close(1000);
    assert.equal(mailbox.closed, 1);
    assert.deepEqual(listener.complaints, []);
  });
});

describe('imap session: folders', () => {
  it('lists the six folders with their uses, by pattern and with STATUS', async () => {
    const listener = await start();
    listener.service.mailbox.add('INBOX', mail('a'));
    const client = await ImapDialogue.loggedIn(listener.port);
    const all = await client.say('LIST "" "*"');
    assert.equal(all[0], '* LIST (\\HasNoChildren) "/" INBOX');
    assert.ok(all.includes('* LIST (\\HasNoChildren \\Sent) "/" Sent'));
    assert.equal(all.length, 7);
    assert.deepEqual((await client.say('LIST "" inb%')).length, 2);
    assert.deepEqual(await client.say('LIST "" ""'), ['* LIST (\\Noselect) "/" ""', 'OK LIST completed']);
    assert.deepEqual((await client.say('LIST "" sent')).length, 1);
    const status = await client.say('LIST (SUBSCRIBED) "" (INBOX Trash) RETURN (SPECIAL-USE STATUS (MESSAGES SIZE))');
    assert.equal(status[0], '* LIST (\\HasNoChildren \\Subscribed) "/" INBOX');
    assert.equal(status[1], `* STATUS INBOX (MESSAGES 1 SIZE ${mail('a').length})`);
    assert.equal((await client.say('LIST (SPECIAL-USE) "" *')).length, 6);
    assert.equal((await client.say('LSUB "" *')).length, 7);
    client.close();
  });

  it('SELECT says what a client needs, EXAMINE and a login that may not change open to read', async () => {
    const listener = await start();
    const { mailbox } = listener.service;
    mailbox.add('INBOX', mail('a'));
    const client = await ImapDialogue.loggedIn(listener.port);
    assert.deepEqual(await client.say('SELECT inbox'), [
      '* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)',
      '* OK [PERMANENTFLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft \\*)] Flags that stay',
      '* 1 EXISTS',
      '* 0 RECENT',
      '* OK [UIDVALIDITY 7] UIDs are valid',
      '* OK [UIDNEXT 2] Next UID',
      '* OK [HIGHESTMODSEQ 2] Highest',
      '* OK [MAILBOXID (inbox)] Id',
      'OK [READ-WRITE] SELECT completed',
    ]);
    assert.match((await client.say('EXAMINE INBOX')).at(-1) ?? '', /^OK \[READ-ONLY\]/);
    assert.match((await client.say('STORE 1 +FLAGS \\Seen')).join(), /^NO \[READ-ONLY\]/);
    mailbox.readOnly = true;
    const answer = await client.say('SELECT INBOX');
    assert.ok(answer.includes('* OK [PERMANENTFLAGS ()] Flags that stay'));
    assert.match(answer.at(-1) ?? '', /^OK \[READ-ONLY\]/);
    assert.match((await client.say('STORE 1 +FLAGS \\Seen')).join(), /^NO \[NOPERM\]/);
    assert.match((await client.say('EXPUNGE')).join(), /^NO \[NOPERM\]/);
    await client.say('FETCH 1 BODY[]');
    assert.deepEqual(mailbox.folder('INBOX').mails[0]?.flags, []);
    client.close();
  });

  it('refuses folders that are not there, also in UTF-7, and to change the folders', async () => {
    const { client } = await selected(1);
    for (const name of ['Other', '"&Jjo-"', '{3+}\r\n\xff\xfe\x80', '"INBOX/x"']) {
      assert.match((await client.say(`STATUS ${name} (MESSAGES)`)).join(), /^NO \[NONEXISTENT\]/, name);
    }
    assert.match((await client.say('COPY 1 Other')).join(), /^NO \[TRYCREATE\]/);
    assert.match((await client.say('APPEND Other {1+}\r\nx')).join(), /^NO \[TRYCREATE\]/);
    for (const command of ['CREATE Other', 'DELETE Trash', 'RENAME Trash Bin']) {
      assert.match((await client.say(command)).join(), /^NO \[CANNOT\]/, command);
    }
    assert.match((await client.say('SELECT Other')).join(), /^NO \[NONEXISTENT\]/);
    assert.match((await client.say('FETCH 1 FLAGS')).join(), /^BAD Select a folder first/);
    client.close();
  });
});

describe('imap session: mails', () => {
  it('FETCH answers every item', async () => {
    const { client, mailbox } = await selected(1);
    const [line] = await client.say(
      'FETCH 1 (FLAGS INTERNALDATE RFC822.SIZE ENVELOPE BODY BODYSTRUCTURE UID EMAILID THREADID)',
    );
    assert.equal(
      line,
      `* 1 FETCH (FLAGS () INTERNALDATE "31-Jan-2026 12:00:00 +0000" RFC822.SIZE ${mail('m1').length} ` +
        'ENVELOPE (NIL "m1" (("Eve" NIL "eve" "out.example")) (("Eve" NIL "eve" "out.example")) ' +
        '(("Eve" NIL "eve" "out.example")) NIL NIL NIL NIL "<m1@out.example>") ' +
        'BODY ("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 7 1) ' +
        'BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 7 1 NIL NIL NIL NIL) ' +
        'UID 1 EMAILID (e1) THREADID NIL)',
    );
    assert.deepEqual(await client.say('FETCH 1 (BODY.PEEK[HEADER.FIELDS (subject)] PREVIEW (LAZY))'), [
      '* 1 FETCH (BODY[HEADER.FIELDS (subject)] {15}',
      'Subject: m1',
      '',
      ' PREVIEW {7}',
      'hello',
      ')',
      'OK FETCH completed',
    ]);
    assert.deepEqual(await client.say('UID FETCH 1 BODY.PEEK[TEXT]<1.3>'), [
      '* 1 FETCH (UID 1 BODY[TEXT]<1> {3}',
      'ell)',
      'OK FETCH completed',
    ]);
    assert.deepEqual(mailbox.folder('INBOX').mails[0]?.flags, []);
    const read = await client.say('FETCH 1 BODY[TEXT]');
    assert.equal(read.at(-2), ' FLAGS (\\Seen))');
    assert.deepEqual(mailbox.folder('INBOX').mails[0]?.flags, ['\\Seen']);
    assert.equal((await client.say('FETCH 1 RFC822.TEXT')).at(-2), ')');
    assert.match((await client.say('FETCH 2 FLAGS')).join(), /^BAD No such message/);
    assert.deepEqual(await client.say('UID FETCH 9:12 FLAGS'), ['OK FETCH completed']);
    assert.deepEqual(await client.say('UID FETCH 9:* UID'), ['* 1 FETCH (UID 1)', 'OK FETCH completed']);
    client.close();
  });

  it('writes texts that are not ASCII as RFC 2047 words, and as UTF-8 after ENABLE IMAP4rev2', async () => {
    const { client, mailbox } = await selected(0);
    mailbox.add('INBOX', mail('Grüße, "Welt"'));
    await client.say('NOOP');
    assert.match((await client.say('FETCH 1 ENVELOPE')).join(), /\(NIL "=\?utf-8\?B\?R3LDvMOfZSwgIldlbHQi\?=" /);
    assert.deepEqual(await client.say('ENABLE IMAP4rev2'), ['* ENABLED IMAP4rev2', 'OK ENABLE completed']);
    const line = Buffer.from((await client.say('FETCH 1 ENVELOPE')).join(), 'latin1').toString();
    assert.match(line, /\(NIL "Grüße, \\"Welt\\"" /);
    client.close();
  });

  it('STORE changes flags, says so unless it is silent, and refuses flags that do not exist', async () => {
    const { client, mailbox } = await selected(3);
    assert.deepEqual(await client.say('STORE 1,3 +FLAGS (\\seen $Label)'), [
      '* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft $Label)',
      '* 1 FETCH (FLAGS (\\Seen $Label))',
      '* 3 FETCH (FLAGS (\\Seen $Label))',
      'OK STORE completed',
    ]);
    assert.deepEqual(await client.say('UID STORE 3 -FLAGS $Label'), [
      '* 3 FETCH (UID 3 FLAGS (\\Seen))',
      'OK STORE completed',
    ]);
    assert.deepEqual(await client.say('STORE 2 FLAGS.SILENT (\\Flagged)'), ['OK STORE completed']);
    assert.deepEqual(await client.say('NOOP'), ['OK NOOP completed']);
    assert.deepEqual(mailbox.folder('INBOX').mails[1]?.flags, ['\\Flagged']);
    assert.match((await client.say('STORE 2 FLAGS (\\Recent)')).join(), /^BAD/);
    client.close();
  });

  it('SEARCH takes keys, sets, dates and charsets, and returns what is asked', async () => {
    const { client, mailbox } = await selected(4);
    mailbox.drop('INBOX', 2);
    await client.say('NOOP');
    await client.say('STORE 2 +FLAGS.SILENT \\Flagged');
    const search = async (keys: string): Promise<string> => (await client.say(`SEARCH ${keys}`)).join('|');
    assert.equal(await search('ALL'), '* SEARCH 1 2 3|OK SEARCH completed');
    assert.equal(await search('UID 3:*'), '* SEARCH 2 3|OK SEARCH completed');
    assert.equal(await search('2:* UNFLAGGED'), '* SEARCH 3|OK SEARCH completed');
    assert.equal(await search('OR FLAGGED (SUBJECT m1 UNSEEN)'), '* SEARCH 1 2|OK SEARCH completed');
    assert.equal(await search('NOT NEW NOT BEFORE 31-Jan-2026 ON 31-Jan-2026'), '* SEARCH 1 2 3|OK SEARCH completed');
    assert.equal(await search('SINCE 1-Feb-2026'), '* SEARCH|OK SEARCH completed');
    assert.equal(await search('charset utf-8 SUBJECT {2+}\r\nm4'), '* SEARCH 3|OK SEARCH completed');
    assert.match(await search('CHARSET KOI8-R SUBJECT x'), /^NO \[BADCHARSET \(UTF-8\)\]/);
    assert.match(await search('BODY x'), /^NO \[CANNOT\]/);
    assert.match(await search('NONSENSE'), /^BAD/);
    assert.deepEqual(await client.say('UID SEARCH RETURN (MIN MAX COUNT ALL) ALL'), [
      '* ESEARCH (TAG "t15") UID MIN 1 MAX 4 ALL 1,3:4 COUNT 3',
      'OK SEARCH completed',
    ]);
    assert.deepEqual(await client.say('SEARCH RETURN (SAVE) UNFLAGGED'), ['OK SEARCH completed']);
    assert.deepEqual(await client.say('FETCH $ UID'), ['* 1 FETCH (UID 1)', '* 3 FETCH (UID 4)', 'OK FETCH completed']);
    assert.match(await search('RETURN (SAVE) BODY x'), /^NO/);
    assert.deepEqual(await client.say('FETCH $ UID'), ['OK FETCH completed']);
    client.close();
  });

  it('COPY, MOVE, EXPUNGE and APPEND say the UIDs, and the numbers stay in step', async () => {
    const { client, mailbox } = await selected(5);
    mailbox.add('Archive', mail('old'));
    assert.deepEqual(await client.say('COPY 1:2 Archive'), ['OK [COPYUID 7 1:2 2:3] COPY completed']);
    assert.deepEqual(await client.say('MOVE 2:3 Trash'), [
      '* OK [COPYUID 7 2:3 1:2] Moved',
      '* 3 EXPUNGE',
      '* 2 EXPUNGE',
      'OK MOVE completed',
    ]);
    await client.say('STORE 1:* +FLAGS.SILENT \\Deleted');
    assert.deepEqual(await client.say('UID EXPUNGE 4'), ['* 2 EXPUNGE', 'OK EXPUNGE completed']);
    // This one the client has not heard of: it stays.
    mailbox.add('INBOX', mail('new'), ['\\Deleted']);
    assert.deepEqual(await client.say('EXPUNGE'), ['* 2 EXPUNGE', '* 1 EXPUNGE', '* 1 EXISTS', 'OK EXPUNGE completed']);
    client.send('a APPEND INBOX (\\Seen) " 1-Feb-2026 10:00:00 +0100" {3}\r\n');
    await client.until(/\+ OK\r\n/);
    client.send('x\r\n\r\n');
    assert.deepEqual(await client.answer('a'), ['* 2 EXISTS', 'OK [APPENDUID 7 7] APPEND completed']);
    assert.equal(mailbox.folder('INBOX').mails[1]?.internalDate, Date.UTC(2026, 1, 1, 9));
    assert.deepEqual(await client.say('CLOSE'), ['OK CLOSE completed']);
    assert.equal(mailbox.folder('INBOX').mails.length, 1);
    client.close();
  });

  it('keeps sequence numbers during FETCH, STORE and SEARCH, and tells what went at the next command', async () => {
    const { client, mailbox } = await selected(3);
    mailbox.drop('INBOX', 1);
    mailbox.add('INBOX', mail('m4'));
    assert.deepEqual(await client.say('FETCH 2 UID'), ['* 4 EXISTS', '* 2 FETCH (UID 2)', 'OK FETCH completed']);
    assert.deepEqual(await client.say('STORE 2 +FLAGS \\Seen'), ['* 2 FETCH (FLAGS (\\Seen))', 'OK STORE completed']);
    assert.deepEqual(await client.say('SEARCH ALL'), ['* SEARCH 2 3 4', 'OK SEARCH completed']);
    assert.deepEqual(await client.say('NOOP'), ['* 1 EXPUNGE', 'OK NOOP completed']);
    assert.deepEqual(await client.say('FETCH 1:* UID'), [
      '* 1 FETCH (UID 2)',
      '* 2 FETCH (UID 3)',
      '* 3 FETCH (UID 4)',
      'OK FETCH completed',
    ]);
    client.close();
  });

  it('IDLE tells of mails, flags and removals as they happen', async () => {
    const { client, mailbox } = await selected(2);
    client.send('a IDLE\r\n');
    await client.until(/\+ idling\r\n/);
    mailbox.add('INBOX', mail('m3'));
    assert.equal(await client.until(/\r\n/), '* 3 EXISTS\r\n');
    mailbox.drop('INBOX', 1);
    assert.equal(await client.until(/\r\n/), '* 1 EXPUNGE\r\n');
    await mailbox.store('INBOX', [3], { does: 'add', flags: ['\\Seen'], unchangedSince: null });
    assert.equal(await client.until(/\r\n/), '* 2 FETCH (FLAGS (\\Seen))\r\n');
    client.send('done\r\n');
    assert.deepEqual(await client.answer('a'), ['OK IDLE completed']);
    client.close();
  });

  it('UID SEARCH keeps the numbers that its sets may have, and tells afterwards what went', async () => {
    const { client, mailbox } = await selected(3);
    mailbox.drop('INBOX', 1);
    assert.deepEqual(await client.say('UID SEARCH 2:3'), ['* SEARCH 2 3', '* 1 EXPUNGE', 'OK SEARCH completed']);
    client.close();
  });

  it('IDLE without a folder waits for DONE, whatever happens elsewhere', async () => {
    const listener = await start();
    const client = await ImapDialogue.loggedIn(listener.port);
    client.send('a IDLE\r\n');
    await client.until(/\+ idling\r\n/);
    listener.service.mailbox.add('INBOX', mail('m1'));
    client.send('DONE\r\n');
    assert.deepEqual(await client.answer('a'), ['OK IDLE completed']);
    client.send('b IDLE\r\nNOOP\r\n');
    assert.match((await client.answer('b')).join(), /BAD Expected DONE$/);
    client.close();
  });

  it('a mail that is read in pieces is whole, with the flags of the moment', async () => {
    const { client, mailbox } = await selected(0);
    const text = mail('pieces', 'abc\r\n'.repeat(50));
    mailbox.add('INBOX', text);
    mailbox.add('INBOX', mail('other'));
    await client.say('NOOP');
    let read = '';
    for (let at = 0; at < text.length; at += 64) {
      const lines = await client.say(`UID FETCH 1 (BODY.PEEK[]<${at}.64> FLAGS)`);
      const [, size, rest] = /\{(\d+)\}\r\n(.*)$/s.exec(lines.join('\r\n')) ?? [];
      read += rest?.slice(0, Number(size));
      assert.match(rest ?? '', at === 128 ? /FLAGS \(\\Seen\)/ : / FLAGS \(/);
      if (at === 64) await mailbox.store('INBOX', [1], { does: 'add', flags: ['\\Seen'], unchangedSince: null });
    }
    assert.equal(read, text);
    assert.equal((await client.say('UID FETCH 2 BODY.PEEK[HEADER.FIELDS (SUBJECT)]<9.5>'))[1], 'other)');
    client.close();
  });

  it('ends with BYE when the bytes of the day are used up', async () => {
    const { client, mailbox } = await selected(0);
    for (let n = 0; n < 20; n += 1) mailbox.add('INBOX', mail('big', 'x'.repeat(20_000)));
    await client.say('NOOP');
    mailbox.spendMax = 100_000;
    client.send('a FETCH 1:* BODY.PEEK[]\r\n');
    assert.match(await client.rest(), /\* BYE \[LIMIT\] The bytes of the day are used up\r\n$/);
    assert.ok(mailbox.spent < 250_000);
  });

  it('serves no session after they are used up, not even a short one', async () => {
    const { client, mailbox, listener } = await selected(1);
    client.close();
    mailbox.spendMax = 0;
    const next = await ImapDialogue.open(listener.port);
    next.send('a LOGIN agent@agents.example secret\r\nb SELECT INBOX\r\nc FETCH 1 BODY.PEEK[]\r\n');
    const said = await next.rest();
    assert.match(said, /^a OK .*\r\n\* BYE \[LIMIT\] The bytes of the day are used up\r\n$/);
  });
});
