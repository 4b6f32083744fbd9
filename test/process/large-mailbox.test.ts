/** Mail programs of other makes with thousands of mails. Each test prints what it took. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { ImapFlow } from 'imapflow';
import { itInAll } from '../support/full-run.ts';
import { testFolder } from '../support/test-folder.ts';
import { blockOf } from './guide.ts';
import { type MaildirFile, Mbsync } from './mbsync.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';

const run = promisify(execFile);
const roomy = JSON.parse(ROOMY_LIMITS);
const LIMITS = JSON.stringify({
  ...roomy,
  mails_per_sender_per_hour: 1e9,
  free: { ...roomy.free, storage_bytes: 1e9, mail_program_bytes_per_day: 1e9 },
});
/** Mails on either side. */
const EACH = 2500;
/** Mails of one mailbox, and the sessions that bring them. */
const MANY = 10_000;
const SESSIONS = 8;
/** By how much the memory of the service may rise while a program lists all of them, bytes. */
const LISTED_BYTES_MAX = 100e6;

const missing = (command: string, about: string) =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
    ? false
    : `SKIPPED: there is no ${command}, so nothing is shown about ${about}`;

describe('a large mailbox', () => {
  const folder = mkdtempSync(join(testFolder(), 'signet-large-'));
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

  const memoryOf = (name: 'VmRSS' | 'VmHWM'): number => {
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  };
  /** In all threads, seconds. */
  const processorOf = (): number => {
    const text = readFileSync(`/proc/${service.pid}/stat`, 'utf8');
    const [user = 0, system = 0] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) / 100;
  };

  /** Prints how long some work takes, and what it costs the service. @returns by how much its memory rose at most, bytes */
  async function measured(t: TestContext, what: string, work: () => Promise<unknown>): Promise<number> {
    if (process.platform !== 'linux') return work().then(() => 0);
    // From here on the peak is that of this work.
    writeFileSync(`/proc/${service.pid}/clear_refs`, '5');
    const [began, spent, before] = [performance.now(), processorOf(), memoryOf('VmRSS')];
    await work();
    const more = memoryOf('VmHWM') - before;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const processor = (processorOf() - spent).toFixed(1);
    t.diagnostic(
      `${what}: ${seconds} s, of the service ${processor} processor seconds, ${(more / 1e6).toFixed(0)} MB more`,
    );
    return more;
  }

  itInAll(
    `mbsync keeps ${2 * EACH} mails the same on both sides, whatever each of them does`,
    { skip: missing('mbsync', 'mbsync with many mails') },
    async (t) => {
      const mailbox = await makeMailbox('many');
      const mbsync = new Mbsync(join(folder, 'mbsync'), service.imapPort, mailbox);
      const took = (what: string, work: () => Promise<unknown>) => measured(t, what, work);
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

  itInAll(
    `imapflow and neomutt list ${MANY} mails`,
    { skip: missing('neomutt', 'neomutt with many mails') },
    async (t) => {
      const mailbox = await makeMailbox('list');
      const numbers = Array.from({ length: MANY }, (_, n) => n);
      await measured(t, `${MANY} mails come`, () =>
        Promise.all(
          numbers.slice(0, SESSIONS).map(async (first) => {
            const session = await openSmtpSession(service.smtpPort);
            for (let n = first; n < MANY; n += SESSIONS)
              assert.equal(await session.deliver([mailbox.address], mailOf(`mail-${n}`, mailbox.address)), 250);
            session.close();
          }),
        ),
      );
      for (const what of ['first', 'second']) {
        const subjects = new Set<string | undefined>();
        const more = await measured(t, `imapflow lists them for the ${what} time`, () =>
          withImapFlow(mailbox, async (client) => {
            await client.mailboxOpen('INBOX');
            for await (const { envelope } of client.fetch('1:*', { envelope: true, flags: true, size: true }))
              subjects.add(envelope?.subject);
          }),
        );
        assert.equal(subjects.size, MANY);
        assert.ok(more < LISTED_BYTES_MAX, `${more} bytes`);
      }
      const settings = join(folder, 'neomuttrc');
      const door = blockOf('mail-programs.md', 'neomuttrc')
        .replace('imaps://mx.agents.example.com', `imap://127.0.0.1:${service.imapPort}`)
        .replaceAll('ada@agents.example.com', mailbox.address)
        .replaceAll('`cat ~/.signet-key`', mailbox.key);
      const unattended = [
        'ssl_starttls=no',
        'ssl_force_tls=no',
        'quit=yes',
        'sleep_time=0',
        'pipe_decode=no',
        'wait_key=no',
      ];
      const lines = ['imap_authenticators="login"', 'sort=mailbox-order', ...unattended].map((each) => `set ${each}\n`);
      writeFileSync(settings, door + lines.join(''));
      const seen = join(folder, 'seen');
      const keys = `<first-entry><pipe-message>cat>${seen}<enter><quit>`;
      const more = await measured(t, 'neomutt opens them, and reads one', () =>
        run('script', ['-qec', `neomutt -n -F ${settings} -e 'push "${keys}"'`, '/dev/null'], {
          env: { ...process.env, TERM: 'xterm', HOME: folder },
          maxBuffer: 1e8,
          timeout: 300_000,
        }),
      );
      assert.match(readFileSync(seen, 'utf8'), /^Subject: mail-\d+$/m);
      assert.ok(more < LISTED_BYTES_MAX, `${more} bytes`);
    },
  );
});
