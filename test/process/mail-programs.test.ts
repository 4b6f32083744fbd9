/** Mail programs of other makes against the service as its users run it: what each reads, changes and sends. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ImapFlow } from 'imapflow';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import type { Api } from '../support/harness.ts';
import { blockOf } from './guide.ts';
import { type MaildirFile, Mbsync } from './mbsync.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';
const missing = (command: string, about: string) =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
    ? false
    : `SKIPPED: there is no ${command}, so nothing is shown about ${about}`;

/** An address with the key that its programs use. */
interface Mailbox {
  api: Api;
  address: string;
  key: string;
}

describe('mail programs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-programs-'));
  let service: Service;
  let imap: number;
  let submission: number;
  before(async () => {
    service = await startService({
      DATA_DIR: join(folder, 'data'),
      LIMITS: ROOMY_LIMITS,
    });
    ({ imapPort: imap, submissionPort: submission } = service);
  });
  after(async () => {
    await service?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  let made = 0;
  async function makeMailbox(scopes = ['mail:read', 'mail:codes', 'mail:send', 'mail:manage']): Promise<Mailbox> {
    const { api_key: primary } = (await service.api().post('/v1/auth/keys')).body;
    const api = service.api(primary);
    const { address } = (await api.post('/v1/email/claim', { address: `program-${made++}` })).body;
    const created = await api.post('/v1/account/keys', { name: 'program', scopes, addresses: [address] });
    assert.equal(created.status, 201, created.text);
    return { api, address, key: created.body.api_key };
  }

  async function receive(to: string, subjects: readonly string[]): Promise<void> {
    const session = await openSmtpSession(service.smtpPort);
    for (const subject of subjects) assert.equal(await session.deliver([to], mailOf(subject, to)), 250);
    session.close();
  }

  const inbox = async ({ api, address }: Mailbox, query = '') =>
    (await api.get(`/v1/email/inbox?address=${encodeURIComponent(address)}&limit=100${query}`)).body.messages as {
      message_id: string;
      subject: string;
      read: boolean;
      starred: boolean;
      labels: string[];
    }[];
  const subjectsIn = async (mailbox: Mailbox, query = '') =>
    (await inbox(mailbox, query)).map(({ subject }) => subject).sort();

  async function withImapFlow<T>({ address, key }: Mailbox, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: imap,
      secure: false,
      auth: { user: address, pass: key },
      logger: false,
    });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  }

  it('imapflow lists the folders, reads, marks, moves, deletes, and hears of new mail while it waits', async () => {
    const mailbox = await makeMailbox();
    await receive(mailbox.address, ['first', 'second', 'third']);
    await withImapFlow(mailbox, async (client) => {
      const folders = await client.list();
      assert.deepEqual(folders.map(({ path, specialUse }) => [path, specialUse ?? null]).sort(), [
        ['Archive', '\\Archive'],
        ['Drafts', '\\Drafts'],
        ['INBOX', '\\Inbox'],
        ['Junk', '\\Junk'],
        ['Sent', '\\Sent'],
        ['Trash', '\\Trash'],
      ]);
      const lock = await client.getMailboxLock('INBOX');
      try {
        const mails = await client.fetchAll('1:*', {
          envelope: true,
          flags: true,
          bodyStructure: true,
          source: true,
          size: true,
        });
        assert.deepEqual(
          mails.map(({ envelope }) => envelope?.subject),
          ['first', 'second', 'third'],
        );
        for (const { source, size } of mails) assert.equal(source?.length, size);
        await client.messageFlagsAdd({ seq: '1' }, ['\\Seen', '\\Flagged', 'urgent']);
        await client.messageMove({ seq: '2' }, 'Archive');
        await client.messageDelete({ seq: '2' });
        assert.deepEqual(
          (await client.fetchAll('1:*', { flags: true })).map(({ flags }) => [...(flags ?? [])].sort()),
          [['\\Flagged', '\\Seen', 'urgent']],
        );
        const came = new Promise<number>((resolve) => client.once('exists', ({ count }) => resolve(count)));
        const idle = client.idle();
        await receive(mailbox.address, ['fourth']);
        assert.equal(await came, 2);
        await client.noop();
        await idle;
      } finally {
        lock.release();
      }
    });
    const [fourth, first] = await inbox(mailbox);
    assert.equal(fourth?.subject, 'fourth');
    assert.deepEqual([first?.read, first?.starred, first?.labels], [true, true, ['urgent']]);
    assert.deepEqual(await subjectsIn(mailbox, '&archived=true'), ['second']);
    assert.deepEqual(await subjectsIn(mailbox, '&folder=trash'), ['third']);
  });

  it('imaplib copies, marks and expunges by sequence number, and loses nothing', async () => {
    const mailbox = await makeMailbox();
    const script = `
import imaplib, sys, time
port, user, key = int(sys.argv[1]), sys.argv[2], sys.argv[3]
m = imaplib.IMAP4('127.0.0.1', port)
m.login(user, key)
for n in range(1, 7):
    raw = f'From: ada@example.com\\r\\nTo: {user}\\r\\nSubject: mail {n}\\r\\nMessage-ID: <{n}@x>\\r\\n\\r\\nText {n}.\\r\\n'.encode()
    assert m.append('INBOX', r'(\\Seen)', imaplib.Time2Internaldate(time.time() - 3600), raw)[0] == 'OK'
assert m.select('INBOX') == ('OK', [b'6'])
assert m.copy('2,4', 'Archive')[0] == 'OK'
for n in ('2', '4'):
    assert m.store(n, '+FLAGS', r'(\\Deleted)')[0] == 'OK'
gone = m.expunge()[1]
assert gone in ([b'2', b'3'], [b'4', b'2']), gone
left = m.search(None, 'ALL')[1][0].split()
assert left == [b'1', b'2', b'3', b'4'], left
subjects = [m.fetch(n, '(BODY.PEEK[HEADER.FIELDS (SUBJECT)])')[1][0][1].strip() for n in left]
assert subjects == [b'Subject: mail 1', b'Subject: mail 3', b'Subject: mail 5', b'Subject: mail 6'], subjects
uids = m.uid('search', None, 'SUBJECT', '"mail 5"')[1][0].split()
assert len(uids) == 1
assert m.uid('fetch', uids[0], '(RFC822)')[1][0][1].endswith(b'Text 5.\\r\\n')
m.close()
m.logout()
`;
    await run(PYTHON, ['-c', script, String(imap), mailbox.address, mailbox.key]);
    assert.deepEqual(await subjectsIn(mailbox), ['mail 1', 'mail 3', 'mail 5', 'mail 6']);
    assert.deepEqual(await subjectsIn(mailbox, '&archived=true'), ['mail 2', 'mail 4']);
    assert.deepEqual(await subjectsIn(mailbox, '&folder=trash'), ['mail 2', 'mail 4']);
  });

  it('smtplib sends a mail as it was written, to an agent here', async () => {
    const [from, to] = [await makeMailbox(), await makeMailbox()];
    const script = `
import smtplib, sys
port, user, key, to = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
s = smtplib.SMTP('127.0.0.1', port)
s.login(user, key)
s.sendmail(user, [to], f'From: Ada <{user}>\\r\\nTo: {to}\\r\\nSubject: by hand\\r\\nX-Own: kept\\r\\n\\r\\nHello.\\r\\n')
s.quit()
`;
    await run(PYTHON, ['-c', script, String(submission), from.address, from.key, to.address]);
    const [mail] = await eventually(async () => {
      const found = await inbox(to);
      return found.length > 0 && found;
    });
    assert.equal(mail?.subject, 'by hand');
    const raw = await to.api.get(
      `/v1/email/messages/${mail?.message_id}/raw?address=${encodeURIComponent(to.address)}`,
    );
    assert.match(raw.text, /^X-Own: kept\r$/m);
    assert.match(raw.text, /\r\n\r\nHello\.\r\n$/);
  });

  it('curl reads a mail by its UID, and sends one', { skip: missing('curl', 'curl') }, async () => {
    const [from, to] = [await makeMailbox(), await makeMailbox()];
    await receive(from.address, ['for curl']);
    const login = ['-sS', '--user', `${from.address}:${from.key}`];
    const { stdout } = await run('curl', [...login, `imap://127.0.0.1:${imap}/INBOX;UID=1`]);
    assert.match(stdout, /^Subject: for curl\r$/m);
    const file = join(folder, 'curl.eml');
    writeFileSync(file, `From: ${from.address}\r\nTo: ${to.address}\r\nSubject: by curl\r\n\r\nHello.\r\n`);
    const envelope = ['--mail-from', from.address, '--mail-rcpt', to.address, '--upload-file', file];
    await run('curl', [...login, ...envelope, `smtp://127.0.0.1:${submission}`]);
    await eventually(async () => (await subjectsIn(to)).includes('by curl'));
  });

  itInAll(
    'mbsync keeps a Maildir and the mailbox the same, both ways',
    { skip: missing('mbsync', 'mbsync') },
    async () => {
      const mailbox = await makeMailbox();
      const mbsync = new Mbsync(join(folder, 'mbsync'), imap, mailbox);
      const files = (name: string) => mbsync.files(name);
      const far = async () =>
        (await inbox(mailbox)).map(({ subject, read, starred }) => [
          subject,
          `${starred ? 'F' : ''}${read ? 'S' : ''}`,
        ]);
      const same = async () =>
        assert.deepEqual(
          files('INBOX')
            .map(({ subject, flags }) => [subject, flags])
            .sort(),
          (await far()).sort(),
        );

      await receive(mailbox.address, ['one', 'two', 'three', 'four', 'five']);
      await mbsync.sync();
      assert.equal(files('INBOX').length, 5);
      await same();
      // Each side marks, deletes and adds.
      const [one, two] = ['one', 'two'].map((name) => files('INBOX').find(({ subject }) => subject === name));
      mbsync.flag(one as MaildirFile, 'FS');
      mbsync.remove(two as MaildirFile);
      mbsync.add('INBOX', [{ name: 'own', raw: mailOf('six', mailbox.address) }]);
      const path = '/v1/email/messages';
      const of = `?address=${encodeURIComponent(mailbox.address)}`;
      const idOf = async (name: string) => (await inbox(mailbox)).find(({ subject }) => subject === name)?.message_id;
      await mailbox.api.patch(`${path}/${await idOf('three')}${of}`, { read: true });
      await mailbox.api.delete(`${path}/${await idOf('four')}${of}`);
      await receive(mailbox.address, ['seven']);
      await mbsync.sync();
      assert.deepEqual(await subjectsIn(mailbox), ['five', 'one', 'seven', 'six', 'three']);
      await same();
      // Nothing is left to do.
      const before = files('INBOX')
        .map((each) => each.path)
        .sort();
      await mbsync.sync();
      assert.deepEqual(
        files('INBOX')
          .map((each) => each.path)
          .sort(),
        before,
      );
      await same();
      assert.deepEqual(
        files('Trash')
          .map(({ subject }) => subject)
          .sort(),
        ['four', 'two'],
      );
    },
  );

  itInAll(
    'neomutt reads, deletes and sends, and keeps what it sent once',
    { skip: missing('neomutt', 'neomutt') },
    async () => {
      const [own, to] = [await makeMailbox(), await makeMailbox()];
      await receive(own.address, ['to read', 'to delete']);
      const settings = join(folder, 'neomuttrc');
      const seen = join(folder, 'seen');
      const user = own.address.replace('@', '%40');
      writeFileSync(
        settings,
        `${blockOf('mail-programs.md', 'neomuttrc')
          .replace('imaps://mx.agents.example.com', `imap://127.0.0.1:${imap}`)
          .replace('smtps://ada%40agents.example.com@mx.agents.example.com', `smtp://${user}@127.0.0.1:${submission}`)
          .replaceAll('ada@agents.example.com', own.address)
          .replaceAll('`cat ~/.signet-key`', own.key)}
set imap_authenticators="login"
set ssl_starttls=no
set ssl_force_tls=no
set quit=yes
set delete=yes
set sort=mailbox-order
set sleep_time=0
set abort_nosubject=no
set pipe_decode=no
set wait_key=no
`,
      );
      const keys = `<first-entry><pipe-message>cat>${seen}<enter><next-entry><delete-message><sync-mailbox><quit>`;
      await run('script', ['-qec', `neomutt -n -F ${settings} -e 'push "${keys}"'`, '/dev/null'], {
        env: { ...process.env, TERM: 'xterm', HOME: folder },
        timeout: 60_000,
      });
      assert.ok(existsSync(seen));
      assert.match(readFileSync(seen, 'utf8'), /^Subject: to read$/m);
      assert.deepEqual(await subjectsIn(own), ['to read']);
      const body = join(folder, 'body');
      writeFileSync(body, 'Hello from a terminal.\n');
      await run('sh', ['-c', `neomutt -n -F ${settings} -s 'by neomutt' -- ${to.address} <${body}`], {
        env: { ...process.env, TERM: 'xterm', HOME: folder },
        timeout: 60_000,
      });
      await eventually(async () => (await subjectsIn(to)).includes('by neomutt'));
      const sent = await withImapFlow(own, async (client) => {
        await client.mailboxOpen('Sent');
        return client.fetchAll('1:*', { envelope: true });
      });
      assert.deepEqual(
        sent.map(({ envelope }) => envelope?.subject),
        ['by neomutt'],
      );
    },
  );
});
