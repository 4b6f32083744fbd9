import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ImapFlow } from 'imapflow';
import { createAgent } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { openMailbox } from '../../../../test/support/program-mailbox.ts';
import { startImapListener } from '../../../mail/imap/imap-listener.ts';

onEngines('both', 'a mailbox over IMAP', {}, (suite) => {
  it('imapflow reads, marks, moves, searches and hears of what the API does', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address, subject: 'Over IMAP', text: 'Some words' });
    const mailbox = await openMailbox(t, ada);
    await mailbox.open('INBOX');
    const listener = await startImapListener({
      host: '127.0.0.1',
      port: 0,
      tls: null,
      implicitTls: false,
      hostname: 'localhost',
      service: { admits: async () => true, mayLogIn: () => true, login: async () => mailbox },
      log: { info: () => {}, warn: () => {}, error: () => {} } as never,
      now: t.clock.now,
    });
    const auth = { user: ada.address, pass: 'x' };
    const client = new ImapFlow({ host: '127.0.0.1', port: listener.port, secure: false, auth, logger: false });
    try {
      await client.connect();
      const lock = await client.getMailboxLock('INBOX');
      let exists = 0;
      client.on('exists', ({ count }: { count: number }) => {
        exists = count;
      });
      const mail = await client.fetchOne('1', { envelope: true, source: true, flags: true, uid: true }, { uid: true });
      assert.ok(mail);
      assert.equal(mail.envelope?.subject, 'Over IMAP');
      assert.match(String(mail.source), /Some words/);
      await client.messageFlagsAdd('1', ['\\Flagged', 'Work'], { uid: true });
      const listed = async () => (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages;
      const [first] = await listed();
      assert.deepEqual([first.starred, first.labels], [true, ['Work']]);
      assert.deepEqual(await client.search({ body: 'words', keyword: 'work' }, { uid: true }), [1]);
      await t.sendSmtp({ to: ada.address, subject: 'Second', text: 'x' });
      await eventually(() => client.noop().then(() => exists === 2));
      await client.messageMove('1', 'Archive', { uid: true });
      assert.deepEqual(
        (await listed()).map(({ subject }: { subject: string }) => subject),
        ['Second'],
      );
      const archived = (await ada.api.get(`/v1/email/inbox?address=${ada.address}&archived=true`)).body.messages;
      assert.deepEqual([archived.length, archived[0].starred], [1, true]);
      lock.release();
      await client.logout();
    } finally {
      client.close();
      await listener.close(0);
    }
  });
});
