import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { IS_FULL_RUN } from '../../../../test/support/full-run.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { mailBytes } from '../../../../test/support/mail-program.ts';
import { openMailbox } from '../../../../test/support/program-mailbox.ts';
import { type CopiedUids, IMAP_FOLDERS, type ImapFolder, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { ProgramMailbox } from './program-mailbox.ts';

/** What a client that polls knows of a folder. */
class Reader {
  readonly #mailbox: ProgramMailbox;
  readonly #folder: ImapFolder;
  readonly #known = new Map<number, { flags: string; modSeq: number }>();
  readonly #gone = new Set<number>();
  #uidNext = 0;
  #modSeq = 0;

  constructor(mailbox: ProgramMailbox, folder: ImapFolder) {
    this.#mailbox = mailbox;
    this.#folder = folder;
  }

  async poll(): Promise<void> {
    const changes = await this.#mailbox.changesSince(this.#folder, this.#modSeq);
    assert.ok(changes.highestModSeq >= this.#modSeq, 'the mod-sequence of a folder never falls');
    assert.ok(changes.uidNext >= this.#uidNext, 'UIDNEXT never falls');
    for (const uid of changes.vanished ?? assert.fail('removals are known for 30 days')) {
      this.#known.delete(uid);
      this.#gone.add(uid);
    }
    for (const { uid, flags, modSeq } of changes.changed) {
      assert.ok(!this.#gone.has(uid), 'a UID is never used again');
      assert.ok(uid < changes.uidNext);
      const before = this.#known.get(uid);
      assert.ok(before !== undefined || uid >= this.#uidNext, 'a new mail has a UID after all that were told');
      if (before && before.flags !== [...flags].sort().join(' ')) assert.ok(modSeq > before.modSeq);
      this.#known.set(uid, { flags: [...flags].sort().join(' '), modSeq });
    }
    this.#uidNext = changes.uidNext;
    this.#modSeq = changes.highestModSeq;
  }

  /** What it knows is what is there. */
  async compare(): Promise<void> {
    // Mail that was accepted may still be read. Opening a folder waits for it.
    await this.#mailbox.open(this.#folder);
    await this.poll();
    const { state, uids } = await this.#mailbox.open(this.#folder);
    assert.deepEqual(
      [...this.#known.keys()].sort((a, b) => a - b),
      [...uids],
      this.#folder,
    );
    const flagged = await this.#mailbox.flags(this.#folder, [...uids]);
    assert.deepEqual(
      flagged.map(({ uid, flags, modSeq }) => [uid, [...flags].sort().join(' '), modSeq]),
      [...uids].map((uid) => [uid, this.#known.get(uid)?.flags, this.#known.get(uid)?.modSeq]),
      this.#folder,
    );
    assert.deepEqual([state.uidNext, state.highestModSeq], [this.#uidNext, this.#modSeq]);
    const status = await this.#mailbox.status(this.#folder);
    assert.equal(status.messages, uids.length);
    const without = (flag: string) => flagged.filter(({ flags }) => !flags.includes(flag)).length;
    assert.deepEqual([status.unseen, status.deleted], [without('\\Seen'), uids.length - without('\\Deleted')]);
  }
}

interface World {
  t: TestApp;
  ada: TestAgent;
  mailbox: ProgramMailbox;
  ids: string[];
  drafts: string[];
}

const ACTIONS = [
  'deliver',
  'read',
  'open',
  'archive',
  'spam',
  'inbox',
  'trash',
  'restore',
  'delete',
  'label',
  'store',
  'unstore',
  'replace',
  'send',
  'reply',
  'draft',
  'redraft',
  'undraft',
  'move',
  'copy',
  'expunge',
  'append',
] as const;
const step = fc.record({
  action: fc.constantFrom(...ACTIONS),
  pick: fc.nat(),
  folder: fc.constantFrom(...IMAP_FOLDERS),
  to: fc.constantFrom(...IMAP_FOLDERS),
  flag: fc.constantFrom('\\Seen', '\\Flagged', '\\Deleted', '\\Answered', 'work', '$Forwarded'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const ascending = (a: number, b: number): number => a - b;

/** Sent mail and drafts are neither copied nor moved. */
function orRefused(err: unknown): CopiedUids {
  assert.ok(err instanceof ImapRefusal && err.code === 'CANNOT', String(err));
  return { uidValidity: 0, from: [], to: [] };
}

/** What has a UID is what is there, once. */
const THERE = `select id from messages where address = ? and visible = 1
  union all select id from outbox where address = ? and is_expunged = 0
  union all select id from mail_drafts where address = ? and is_sent = 0`;
async function compareItems(t: TestApp, { address }: TestAgent): Promise<void> {
  const there = await t.sql(THERE, address, address, address);
  const numbered = await t.sql('select item_id as id from mailbox_uids where address = ?', address);
  const ids = (rows: Record<string, unknown>[]) => rows.map(({ id }) => String(id)).sort();
  assert.deepEqual(ids(numbered), ids(there));
}

/** One call by either door. It may be refused: another one may have been first. */
async function run({ t, ada, mailbox, ids, drafts }: World, { action, pick, folder, to, flag }: Step): Promise<void> {
  const { api, address } = ada;
  const id = ids[pick % Math.max(1, ids.length)] ?? 'msg_none';
  const path = (query = '') => `/v1/email/messages/${id}?address=${address}${query}`;
  const mail = { from: address, to: address, subject: `${action} ${pick}`, text: 'x' };
  const draft = drafts[pick % Math.max(1, drafts.length)] ?? 'drf_none';
  const some = async () => {
    const { uids, state } = await mailbox.open(folder);
    return { uids: [...uids].filter((uid) => (uid + pick) % 3 > 0), state };
  };
  const store = async (does: 'add' | 'remove' | 'replace') => {
    const { uids, state } = await some();
    const unchangedSince = pick % 2 === 0 ? null : state.highestModSeq;
    const { changed, modified } = await mailbox.store(folder, uids, { does, flags: [flag], unchangedSince });
    for (const { uid } of changed) assert.ok(!modified.includes(uid), 'a mail that was left alone has not changed');
    if (unchangedSince === null) assert.deepEqual(modified, []);
  };
  const carry = async (does: 'move' | 'copy') => {
    const { uids } = await some();
    const { from, to: given } = await mailbox[does](folder, uids, to).catch(orRefused);
    assert.deepEqual(from, [...new Set(from)].sort(ascending));
    assert.deepEqual([given.length, given], [from.length, [...new Set(given)].sort(ascending)]);
    for (const uid of from) assert.ok(uids.includes(uid));
  };
  const append = async () => {
    const headers = [
      `From: ${address}`,
      `To: x@out.example`,
      `Subject: ${pick}`,
      `Message-ID: <${pick % 7}@x.example>`,
    ];
    const bytes = Buffer.from([...headers, '', 'x', ''].join('\r\n'));
    await mailbox.append(folder, [{ flags: [flag], internalDate: null, bytes }]);
  };
  const calls: Record<(typeof ACTIONS)[number], () => Promise<unknown>> = {
    deliver: () => t.sendSmtp({ to: address, subject: `mail ${pick}`, text: 'x' }),
    read: () => api.patch(path(), { read: pick % 2 === 0 }),
    open: () => api.get(path()),
    archive: () => api.patch(path(), { archived: pick % 2 === 0 }),
    spam: () => api.patch(path(), { folder: 'spam' }),
    inbox: () => api.patch(path(), { folder: 'inbox' }),
    trash: () => api.delete(path()),
    restore: () => api.patch(path('&folder=trash'), { folder: 'inbox' }),
    delete: () => api.delete(path('&permanent=true')),
    label: () => api.patch(path(), pick % 2 === 0 ? { add_labels: ['work'] } : { remove_labels: ['work'] }),
    store: () => store('add'),
    unstore: () => store('remove'),
    replace: () => store('replace'),
    send: () => api.post('/v1/email/send', mail),
    reply: () => api.post('/v1/email/send', { ...mail, reply_to_message_id: id, to: undefined }),
    draft: async () => void drafts.push((await api.post('/v1/email/drafts', mail)).body.draft_id ?? 'drf_none'),
    redraft: () => api.patch(`/v1/email/drafts/${draft}`, { subject: `again ${pick}` }),
    undraft: () => api.delete(`/v1/email/drafts/${draft}`),
    move: () => carry('move'),
    copy: () => carry('copy'),
    expunge: async () => mailbox.expunge(folder, (await some()).uids),
    append,
  };
  t.clock.advance(1);
  await calls[action]();
}

onEngines(
  'both',
  'the history of folders',
  { limits: { free: { drafts: 1000, emails_per_day: 100_000, emails_per_hour: 100_000 } } },
  (suite) => {
    it('whoever polls misses nothing, whatever happens at once by both doors; UIDs ascend and are never used again', async () => {
      const { t } = suite;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 10 }),
          async (rounds) => {
            const ada = await createAgent(t);
            await t.sendSmtp({ to: ada.address, subject: 'before', text: 'x' });
            const mailbox = await openMailbox(t, ada);
            const readers = IMAP_FOLDERS.map((folder) => new Reader(mailbox, folder));
            const world: World = { t, ada, mailbox, ids: [], drafts: [] };
            for (const round of rounds) {
              // Polls meet changes in their middle.
              await Promise.all([
                ...round.map((one) => run(world, one)),
                ...readers.map((reader) => reader.poll()),
                ...readers.map((reader) => new Reader(mailbox, 'INBOX').poll().then(() => reader)),
              ]);
              const rows = await t.sql('select id from messages where address = ? order by id', ada.address);
              world.ids = rows.map(({ id }) => String(id));
            }
            for (const reader of readers) await reader.compare();
            for (const folder of IMAP_FOLDERS) await new Reader(mailbox, folder).compare();
            await compareItems(t, ada);
            await mailBytes(t, ada);
          },
        ),
        { numRuns: IS_FULL_RUN ? 60 : 8 },
      );
    });

    it('of changes that name one mod-sequence, a single one happens, by whatever session; a call beside them is kept', async () => {
      const { t } = suite;
      const ada = await createAgent(t);
      await t.sendSmtp({ to: ada.address, subject: 'one', text: 'x' });
      const mailboxes = await Promise.all(Array.from({ length: 5 }, () => openMailbox(t, ada)));
      const mailbox = mailboxes[0] ?? assert.fail();
      const { message_id: id } = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages[0];
      const path = `/v1/email/messages/${id}?address=${ada.address}`;
      for (let round = 0; round < 8; round += 1) {
        const { highestModSeq: unchangedSince } = (await mailbox.open('INBOX')).state;
        const isCalled = round % 2 === 0;
        const [call, ...stores] = await Promise.all([
          isCalled ? ada.api.patch(path, { starred: round % 4 === 0 }) : null,
          ...mailboxes.map((one, n) =>
            one.store('INBOX', [1], { does: 'add', flags: [`round-${round}-${n}`], unchangedSince }),
          ),
        ]);
        if (isCalled) assert.equal(call?.status, 200);
        const done = stores.filter(({ modified }) => modified.length === 0);
        assert.ok(done.length === 1 || (isCalled && done.length === 0), `${done.length} of ${stores.length}`);
        const [mail] = await mailbox.flags('INBOX', [1]);
        const added = mail?.flags.filter((flag) => flag.startsWith(`round-${round}`)) ?? [];
        assert.equal(added.length, done.length);
        if (isCalled) assert.equal(mail?.flags.includes('\\Flagged'), round % 4 === 0);
        await mailbox.store('INBOX', [1], { does: 'remove', flags: added, unchangedSince: null });
      }
    });
  },
);
