/** Mail programs of other makes with thousands of mails. Each test prints what it took. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { ImapFlow } from 'imapflow';
import { itInAll } from '../support/full-run.ts';
import { type MaildirFile, Mbsync } from './mbsync.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf } from './smtp-session.ts';

const roomy = JSON.parse(ROOMY_LIMITS);
const LIMITS = JSON.stringify({
  ...roomy,
  free: { ...roomy.free, storage_bytes: 1e9, mail_program_bytes_per_day: 1e9 },
});
/** Mails on either side. */
const EACH = 2500;

const missing = (command: string, about: string) =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
    ? false
    : `SKIPPED: there is no ${command}, so nothing is shown about ${about}`;

describe('a large mailbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-large-'));
  let service: Service;
  before(async () => {
    service = await startService({ DATA_DIR: join(folder, 'data'), LIMITS });
  });
  after(async () => {
    await service?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  async function makeMailbox(name: string): Promise<{ address: string; key: string }> {
    const api = service.api((await service.api().post('/v1/auth/keys')).body.api_key);
    const { address } = (await api.post('/v1/email/claim', { address: name })).body;
    const scopes = ['mail:read', 'mail:codes', 'mail:send', 'mail:manage'];
    const created = await api.post('/v1/account/keys', { name: 'program', scopes, addresses: [address] });
    return { address, key: created.body.api_key };
  }

  async function withImapFlow<T>(
    { address, key }: { address: string; key: string },
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<T> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: service.imapPort,
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

  itInAll(
    `mbsync keeps ${2 * EACH} mails the same on both sides, whatever each of them does`,
    { skip: missing('mbsync', 'mbsync with many mails') },
    async (t) => {
      const mailbox = await makeMailbox('many');
      const mbsync = new Mbsync(join(folder, 'mbsync'), service.imapPort, mailbox);
      const took = async (what: string, work: () => Promise<unknown>): Promise<void> => {
        const began = performance.now();
        await work();
        t.diagnostic(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
      };
      const far = (name: string) =>
        withImapFlow(mailbox, async (client) => {
          await client.mailboxOpen(name, { readOnly: true });
          const mails = await client.fetchAll('1:*', { envelope: true, flags: true });
          return mails.map(({ envelope, flags }) => {
            const letters = [flags?.has('\\Flagged') ? 'F' : '', flags?.has('\\Seen') ? 'S' : ''].join('');
            return `${envelope?.subject} ${letters}`;
          });
        });
      const near = (name: string) => mbsync.files(name).map(({ subject, flags }) => `${subject} ${flags}`);
      const same = async (counts: Record<string, number>) => {
        for (const [name, count] of Object.entries(counts)) {
          const there = near(name).sort();
          assert.equal(there.length, count, name);
          assert.deepEqual((await far(name)).sort(), there, name);
        }
      };
      const numbered = (side: string) => Array.from({ length: EACH }, (_, n) => `${side}-${n}`);

      mbsync.add(
        'INBOX',
        numbered('near').map((name) => ({ name, raw: mailOf(name, mailbox.address) })),
      );
      const other = new Mbsync(join(folder, 'other'), service.imapPort, mailbox);
      other.add(
        'INBOX',
        numbered('far').map((name) => ({ name, raw: mailOf(name, mailbox.address) })),
      );
      await took(`mbsync brings ${EACH} there from another machine`, () => other.sync());
      await took(`mbsync brings ${EACH} there, and ${EACH} back`, () => mbsync.sync());
      await same({ INBOX: 2 * EACH, Archive: 0, Trash: 0 });

      // Each side marks 500, moves 300 and deletes 200, and none of the same mails.
      const files = new Map(mbsync.files('INBOX').map((file) => [file.subject, file]));
      const some = (side: string, from: number, to: number) => numbered(side).slice(from, to);
      const file = (name: string) => files.get(name) as MaildirFile;
      for (const name of some('near', 0, 500)) mbsync.flag(file(name), 'FS');
      for (const name of some('near', 500, 800)) mbsync.move(file(name), 'Archive');
      for (const name of some('near', 800, 1000)) mbsync.remove(file(name));
      await withImapFlow(mailbox, async (client) => {
        await client.mailboxOpen('INBOX');
        const mails = await client.fetchAll('1:*', { envelope: true });
        const uids = new Map(mails.map(({ envelope, uid }) => [envelope?.subject, uid]));
        const setOf = (names: string[]) => names.map((name) => uids.get(name)).join(',');
        await client.messageFlagsAdd(setOf(some('far', 0, 500)), ['\\Flagged'], { uid: true });
        await client.messageMove(setOf(some('far', 500, 800)), 'Archive', { uid: true });
        await client.messageDelete(setOf(some('far', 800, 1000)), { uid: true });
      });
      await took('mbsync after 1,000 changes on each side', () => mbsync.sync());
      await same({ INBOX: 2 * EACH - 1000, Archive: 600, Trash: 700 });

      const ends = () =>
        withImapFlow(mailbox, (client) =>
          Promise.all(
            ['INBOX', 'Archive', 'Trash'].map((name) => client.status(name, { highestModseq: true, uidNext: true })),
          ),
        );
      const paths = () =>
        ['INBOX', 'Archive', 'Trash'].flatMap((name) => mbsync.files(name).map(({ path }) => path)).sort();
      const before = [await ends(), paths()];
      await took('mbsync with nothing to do', () => mbsync.sync());
      assert.deepEqual([await ends(), paths()], before, 'nothing was left to do');
    },
  );
});
