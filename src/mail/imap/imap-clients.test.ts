import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import tls from 'node:tls';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import testCertificate from 'smtp-server/lib/tls-options.js';
import { eventually } from '../../../test/support/eventually.ts';
import { ImapDialogue, startTestImap, type TestImap } from '../../../test/support/imap-dialogue.ts';
import type { ImapListenerOptions } from './imap-listener.ts';

const open: TestImap[] = [];
const start = async (options?: Partial<ImapListenerOptions>): Promise<TestImap> => {
  const listener = await startTestImap(options);
  open.push(listener);
  return listener;
};
after(() => Promise.all(open.map((listener) => listener.close(0))));

const certificate = { context: () => tls.createSecureContext(testCertificate()) };
const mail = (subject: string): string =>
  `From: Eve <eve@out.example>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@out.example>\r\n\r\nhello\r\n`;

async function flow(port: number, options: Partial<ImapFlowOptions> = {}): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    tls: { rejectUnauthorized: false },
    auth: { user: 'agent@agents.example', pass: 'secret' },
    logger: false,
    ...options,
  });
  await client.connect();
  return client;
}

describe('imapflow', () => {
  it('lists, reads, marks, searches, moves, copies, deletes and adds mails', async () => {
    const listener = await start();
    const { mailbox } = listener.service;
    for (let n = 1; n <= 3; n += 1) mailbox.add('INBOX', mail(`m${n}`));
    const client = await flow(listener.port);
    const folders = await client.list({ statusQuery: { messages: true, unseen: true, uidNext: true } });
    assert.deepEqual(folders.map(({ path, specialUse }) => [path, specialUse]).sort(), [
      ['Archive', '\\Archive'],
      ['Drafts', '\\Drafts'],
      ['INBOX', '\\Inbox'],
      ['Junk', '\\Junk'],
      ['Sent', '\\Sent'],
      ['Trash', '\\Trash'],
    ]);
    assert.equal(folders.find(({ path }) => path === 'INBOX')?.status?.messages, 3);
    const box = await client.mailboxOpen('INBOX');
    assert.equal(box.exists, 3);
    assert.equal(box.highestModseq, 4n);
    const all = await client.fetchAll('1:*', {
      envelope: true,
      bodyStructure: true,
      flags: true,
      internalDate: true,
      size: true,
      source: true,
    });
    assert.deepEqual(
      all.map(({ envelope }) => envelope?.subject),
      ['m1', 'm2', 'm3'],
    );
    assert.equal(all[0]?.source?.toString(), mail('m1'));
    assert.equal(all[0]?.bodyStructure?.type, 'text/plain');
    assert.equal(all[0]?.emailId, 'e1');
    assert.ok(await client.messageFlagsAdd('1', ['\\Seen', '$Label']));
    assert.deepEqual(await client.search({ seen: false }), [2, 3]);
    assert.deepEqual(await client.search({ or: [{ subject: 'm1' }, { subject: 'm3' }] }, { uid: true }), [1, 3]);
    const moved = await client.messageMove('1', 'Archive');
    assert.deepEqual(moved && [...(moved.uidMap ?? [])], [[1, 1]]);
    const copied = await client.messageCopy('1', 'Junk');
    assert.deepEqual(copied && [...(copied.uidMap ?? [])], [[2, 1]]);
    assert.ok(await client.messageDelete('1'));
    assert.deepEqual(await client.search({ all: true }), [1]);
    const added = await client.append('INBOX', `${mail('big')}${'x'.repeat(100_000)}`, ['\\Seen'], new Date(0));
    assert.ok(added);
    assert.equal(added.uid, 4);
    assert.equal(mailbox.folder('INBOX').mails.at(-1)?.bytes.length, mail('big').length + 100_000);
    assert.deepEqual(
      (await client.fetchAll('1:*', { uid: true })).map(({ uid }) => uid),
      [3, 4],
    );
    await client.logout();
    assert.deepEqual(listener.complaints, []);
  });

  it('hears of mails, flags and removals while it waits, with QRESYNC too', async () => {
    for (const qresync of [false, true]) {
      const listener = await start();
      const { mailbox } = listener.service;
      mailbox.add('INBOX', mail('m1'));
      mailbox.add('INBOX', mail('m2'));
      const client = await flow(listener.port, { qresync });
      await client.mailboxOpen('INBOX');
      const heard: string[] = [];
      client.on('exists', ({ count }) => heard.push(`exists ${count}`));
      client.on('expunge', ({ seq, uid }) => heard.push(`gone ${qresync ? uid : seq}`));
      client.on('flags', ({ seq, flags }) => heard.push(`flags ${seq} ${[...flags]}`));
      client.idle().catch(() => {});
      mailbox.add('INBOX', mail('m3'));
      await eventually(() => heard.includes('exists 3'));
      mailbox.drop('INBOX', 1);
      await eventually(() => heard.includes('gone 1'));
      await mailbox.store('INBOX', [3], { does: 'add', flags: ['\\Seen'], unchangedSince: null });
      await eventually(() => heard.includes('flags 2 \\Seen'));
      await client.logout();
    }
  });

  it('encrypts by STARTTLS, and from the first byte; logs in by a token', async () => {
    const listener = await start({ tls: certificate });
    listener.service.clearLogins = false;
    const client = await flow(listener.port, { doSTARTTLS: true });
    assert.equal(client.secureConnection, true);
    assert.equal(listener.sessions(), 1);
    await client.logout();
    await eventually(() => listener.sessions() === 0);
    const direct = await start({ tls: certificate, implicitTls: true });
    const other = await flow(direct.port, {
      secure: true,
      auth: { user: 'agent@agents.example', accessToken: 'secret' },
    });
    const status = await other.status('INBOX', { messages: true });
    assert.ok(status);
    assert.equal(status.messages, 0);
    await other.logout();
    assert.equal(direct.service.logins[0]?.kind, 'token');
  });

  it('reads nothing that came in clear behind STARTTLS', async () => {
    const listener = await start({ tls: certificate });
    const client = await ImapDialogue.open(listener.port);
    client.send('a STARTTLS\r\nb LOGIN agent@agents.example secret\r\n');
    await client.until(/a OK Begin\r\n/);
    client.socket.removeAllListeners('data');
    const secure = new ImapDialogue(tls.connect({ socket: client.socket, rejectUnauthorized: false }));
    const capability = await secure.say('CAPABILITY');
    assert.match(capability[0] ?? '', /^\* CAPABILITY .*AUTH=PLAIN/);
    assert.doesNotMatch(capability[0] ?? '', /STARTTLS/);
    assert.match((await secure.say('STARTTLS')).join(), /^BAD/);
    assert.deepEqual(listener.service.logins, []);
    secure.close();
  });

  it('says nothing more in clear behind STARTTLS, also when the session ends', async () => {
    const listener = await start({ tls: certificate, limits: { loginMs: 100 } });
    const client = await ImapDialogue.open(listener.port);
    client.send('a STARTTLS\r\n');
    assert.equal(await client.rest(), 'a OK Begin\r\n');
    await eventually(() => listener.sessions() === 0);
  });
});
