import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertNothingHalfWritten } from '../../../../test/process/consistency.ts';
import { createAgent, suspend, type TestAgent, unsuspend } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { mailBytes, numberedIn } from '../../../../test/support/mail-program.ts';
import { openMailbox } from '../../../../test/support/program-mailbox.ts';
import type { Scope } from '../../../api/scopes.ts';
import { type AppendedMail, IMAP_FOLDERS, type ImapFolder, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { ProgramMailbox } from './program-mailbox.ts';

/** A mail with a file of so many bytes. */
const made = (size: number): AppendedMail => {
  const head = ['From: Eve <eve@out.example>', 'Subject: made', 'Content-Type: application/octet-stream'].join('\r\n');
  const bytes = Buffer.from(`${head}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(Math.ceil(size / 72))}`);
  return { bytes, flags: [], internalDate: null };
};

/** Each way in which a mail program changes a folder. */
const changes = (mailbox: ProgramMailbox, folder: ImapFolder): [string, () => Promise<unknown>][] => [
  ['store', () => mailbox.store(folder, [1], { does: 'add', flags: ['\\Seen'], unchangedSince: null })],
  ['delete', () => mailbox.store(folder, [1], { does: 'add', flags: ['\\Deleted'], unchangedSince: null })],
  ['expunge', () => mailbox.expunge(folder, [1])],
  ['append', () => mailbox.append(folder, [made(10)])],
  ['copy', () => mailbox.copy('INBOX', [1], folder)],
  ['move', () => mailbox.move('INBOX', [1], folder)],
  ['move out', () => mailbox.move(folder, [1], 'Archive')],
];

/** What is stored of a mailbox, whatever changed. */
const stateOf = async (t: TestApp, { address }: TestAgent): Promise<unknown> => [
  await t.sql(
    'select id, folder, is_archived, is_read, is_starred from messages where address = ? order by id',
    address,
  ),
  await t.sql('select folder, uid, modseq, flags from mailbox_uids where address = ? order by folder, uid', address),
  await t.sql('select id from mail_drafts where address = ? order by id', address),
  await t.sql('select id, is_expunged from outbox where address = ? order by id', address),
  await t.sql('select uid from mailbox_vanished where address = ?', address),
];

async function filled(t: TestApp): Promise<TestAgent> {
  const ada = await createAgent(t);
  await t.sendSmtp({ to: ada.address, subject: 'one', text: 'x' });
  const mail = { from: ada.address, to: 'x@out.example', subject: 'out', text: 'x' };
  await ada.api.post('/v1/email/send', mail);
  await ada.api.post('/v1/email/drafts', mail);
  // Sent mail and what was received are there.
  await t.app.worker.runDue();
  assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages.length, 1);
  for (const folder of ['inbox', 'archive', 'junk', 'trash', 'sent', 'drafts'] as const)
    await numberedIn(t, ada.address, folder);
  return ada;
}

/** All are refused with one of the codes, and nothing changes. */
async function refusesAll(
  t: TestApp,
  ada: TestAgent,
  mailbox: ProgramMailbox,
  { codes, folders = IMAP_FOLDERS }: { codes: readonly string[]; folders?: readonly ImapFolder[] },
) {
  const before = await stateOf(t, ada);
  for (const folder of folders)
    for (const [name, change] of changes(mailbox, folder)) {
      const said = await change().then(
        () => 'done',
        (err: unknown) => (err instanceof ImapRefusal ? err.code : String(err)),
      );
      // Whether they could be copied at all does not depend on who asks.
      const isNever = (folder === 'Sent' || folder === 'Drafts') && /copy|move/.test(name) && said === 'CANNOT';
      assert.ok(codes.includes(said) || isNever, `${name} ${folder}: ${said}`);
    }
  assert.deepEqual(await stateOf(t, ada), before);
}

onEngines('both', 'mail programs: what a login may change', {}, (suite) => {
  it('nothing without the scope of the folder', async () => {
    const { t } = suite;
    const ada = await filled(t);
    const open = (...scopes: Scope[]) => openMailbox(t, ada, scopes);
    const codes = ['NOPERM'];
    await refusesAll(t, ada, await open('mail:read'), { codes });
    await refusesAll(t, ada, await open('mail:read', 'mail:codes'), { codes });
    const manages = await open('mail:read', 'mail:manage');
    await refusesAll(t, ada, manages, { codes, folders: ['Drafts'] });
    const sends = await open('mail:read', 'mail:send');
    await refusesAll(t, ada, sends, { codes, folders: IMAP_FOLDERS.filter((folder) => folder !== 'Drafts') });
    assert.equal((await manages.append('Sent', [made(10)])).uids.length, 1);
    assert.equal((await sends.append('Drafts', [made(10)])).uids.length, 1);
    await mailBytes(t, ada);
  });

  it('nothing at an address that is not its own, or no longer', async () => {
    const { t } = suite;
    const [ada, eve] = [await filled(t), await createAgent(t)];
    const other = (await ada.api.post('/v1/email/claim', { address: `second-${t.clock.now()}` })).body.address;
    const foreign = await openMailbox(t, { ...eve, address: ada.address });
    await refusesAll(t, ada, foreign, { codes: ['NONEXISTENT', 'NOPERM'] });
    const limited = await openMailbox(t, ada, undefined, [other]);
    await refusesAll(t, ada, limited, { codes: ['NONEXISTENT', 'NOPERM'] });
    const own = await openMailbox(t, ada);
    await ada.api.delete(`/v1/email/addresses/${ada.address}`);
    await refusesAll(t, ada, own, { codes: ['NONEXISTENT', 'NOPERM'] });
  });

  it('nothing once the key, the account or its time has ended', async () => {
    const { t } = suite;
    const ada = await filled(t);
    const mailbox = await openMailbox(t, ada);
    await suspend(t, ada.accountId);
    await refusesAll(t, ada, mailbox, { codes: ['NOPERM'] });
    await unsuspend(t, ada.accountId);
    assert.equal((await mailbox.append('Trash', [made(10)])).uids.length, 1);
    const { keys } = (await ada.api.get('/v1/account/keys')).body;
    await ada.api.delete(
      `/v1/account/keys/${keys.find(({ name }: { name: string | null }) => name?.startsWith('program'))?.id}`,
    );
    await refusesAll(t, ada, mailbox, { codes: ['NOPERM'] });
    const last = await openMailbox(t, ada);
    assert.equal((await ada.api.delete('/v1/account')).status, 202);
    await refusesAll(t, ada, last, { codes: ['NOPERM'] });
  });
});

const LIMIT = 3_000_000;
onEngines(
  'both',
  'mail programs: a full account',
  { isolated: true, limits: { free: { storage_bytes: LIMIT } } },
  (suite) => {
    it('what does not fit leaves no byte; of parallel ones those that fit stay', async () => {
      const { t } = suite;
      const ada = await createAgent(t);
      const mailbox = await openMailbox(t, ada);
      const overquota = (err: unknown) => err instanceof ImapRefusal && err.code === 'OVERQUOTA';
      const rows = async (table: string) => Number((await t.sql(`select count(*) as n from ${table}`))[0]?.n);
      for (const folder of ['INBOX', 'Trash', 'Sent', 'Drafts'] as const)
        await assert.rejects(mailbox.append(folder, [made(10), made(LIMIT)]), overquota);
      for (const table of ['mail_contents', 'messages', 'outbox', 'mail_drafts', 'threads', 'mailbox_uids'])
        assert.equal(await rows(table), 0, table);
      await eventually(async () => (await rows('mail_blob_pieces')) === 0, 'no piece is left');
      assert.equal(await mailBytes(t, ada), 0);
      const all = await Promise.allSettled(
        (['INBOX', 'Sent', 'Drafts', 'Archive', 'INBOX', 'Sent'] as const).map((folder) =>
          mailbox.append(folder, [made(LIMIT / 4)]),
        ),
      );
      for (const one of all) assert.ok(one.status === 'fulfilled' || overquota(one.reason), String(one));
      const stored = all.filter(({ status }) => status === 'fulfilled').length;
      assert.ok(stored >= 2 && stored < 4, `${stored} of ${all.length}`);
      assert.ok((await mailBytes(t, ada)) <= LIMIT);
      assert.equal((await rows('messages')) + (await rows('outbox')) + (await rows('mail_drafts')), stored);
      await assertNothingHalfWritten(t.config);
    });

    it('copies share their bytes, count for each, and race for what is left', async () => {
      const { t } = suite;
      const ada = await createAgent(t);
      const mailbox = await openMailbox(t, ada);
      await mailbox.append('INBOX', [made(LIMIT / 4)]);
      const copies = await Promise.allSettled(
        (['Archive', 'Junk', 'INBOX', 'Archive', 'INBOX'] as const).map((folder) => mailbox.copy('INBOX', [1], folder)),
      );
      const given = copies.flatMap((one) => (one.status === 'fulfilled' ? one.value.to : []));
      assert.equal(given.length, 2);
      const bytes = await mailBytes(t, ada);
      assert.ok(bytes <= LIMIT && bytes > LIMIT / 2);
      const [contents] = await t.sql(
        'select count(distinct content_id) as n from messages where account_id = ?',
        ada.accountId,
      );
      assert.equal(Number(contents?.n), 1);
      await assertNothingHalfWritten(t.config);
    });
  },
);
