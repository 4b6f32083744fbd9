import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { ImapDialogue } from '../support/imap-dialogue.ts';
import { assertNothingHalfWritten } from './consistency.ts';
import { createRandom, outliveLeases, seed } from './kill.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const ROUNDS = process.env.SIGNET_LONG ? 30 : 3;
/** Mails that are copied, and others that are moved, by one command. */
const MAILS = 20;
/** Commands that are answered before a kill, at the most. */
const ANSWERS = 60;

/** Says a command. @returns null when the service died, else the answer, which must be OK */
async function ask(program: ImapDialogue, command: string): Promise<string | null> {
  const answer = (await program.say(command)).at(-1) ?? '';
  if (!/^(OK|NO|BAD) /.test(answer)) return null;
  assert.match(answer, /^OK /, command);
  return answer;
}

const literal = (name: string): string => {
  const mail = `From: a@out.example\r\nTo: b@out.example\r\nSubject: ${name}\r\nMessage-ID: <${name}@x>\r\n\r\n${'x '.repeat(500)}\r\n`;
  return `{${mail.length}+}\r\n${mail}`;
};

/** The commands of one program, one after the other until the service dies. */
const PROGRAMS: readonly ((say: (command: string) => Promise<string | null>, n: number) => Promise<unknown>)[] = [
  async (say) => (await say('SELECT INBOX')) && say('UID COPY 1:* Junk'),
  async (say, n) => {
    const [from, to] = n % 2 === 0 ? ['Archive', 'Trash'] : ['Trash', 'Archive'];
    return (await say(`SELECT ${from}`)) && say(`UID MOVE 1:* ${to}`);
  },
  (say, n) => say(`APPEND Sent ${literal(`sent-${n}-${Math.random()}`)}`),
  async (say, n) =>
    (await say(`APPEND Drafts (\\Deleted) ${literal(`draft-${n}-${Math.random()}`)}`)) &&
    (n % 3 > 0 || ((await say('SELECT Drafts')) && say('EXPUNGE'))),
  async (say) =>
    (await say('SELECT INBOX')) && (await say('STORE 1:* +FLAGS (work)')) && say('STORE 1:* -FLAGS (work)'),
];

interface Login {
  address: string;
  key: string;
}

async function open(service: Service, { address, key }: Login): Promise<ImapDialogue> {
  const program = await ImapDialogue.open(service.imapPort);
  assert.match((await program.say(`LOGIN ${address} ${key}`)).at(-1) ?? '', /^OK /);
  return program;
}

/** Programs work until so many commands were answered; then the service is killed. @returns the UIDs that they were told of Sent */
async function killAmidst(service: Service, login: Login, at: number, turns: number): Promise<string[]> {
  const answers: { command: string; answer: string }[] = [];
  const programs = await Promise.all(PROGRAMS.map(async (run) => ({ run, program: await open(service, login) })));
  const load = programs.map(async ({ run, program }) => {
    let isAlive = true;
    const say = async (command: string): Promise<string | null> => {
      const answer = await ask(program, command);
      if (answer === null) isAlive = false;
      else answers.push({ command, answer });
      return answer;
    };
    for (let n = 0; isAlive; n++) await run(say, n);
    program.close();
  });
  await Promise.race([eventually(() => answers.length >= at), Promise.all(load)]);
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  await service.kill('SIGKILL');
  await Promise.all(load);
  return answers
    .filter(({ command }) => command.startsWith('APPEND Sent'))
    .flatMap(({ answer }) => /\[APPENDUID (\d+ \d+)\]/.exec(answer)?.[1] ?? []);
}

describe('kill -9 while programs change a mailbox', () => {
  for (const engine of ['sqlite', 'postgres'] as const)
    (engine === 'sqlite' ? it : itInAll)(
      `on ${engine}: each command is whole or did nothing, what was answered is there, and no UID is given twice`,
      async (t) => {
        const random = createRandom(seed);
        const { env, drop } = await freshDatabase(engine);
        const settings = { ...env, LIMITS: ROOMY_LIMITS };
        const config = readConfig(settings);
        const rows = (query: string) => runSql(config, query, []);
        let service = await startService(settings);
        try {
          const { api_key: primary } = (await service.api().post('/v1/auth/keys', {})).body;
          const api = service.api(primary);
          const { address } = (await api.post('/v1/email/claim', { address: 'ada' })).body;
          const scopes = ['mail:read', 'mail:send', 'mail:manage'];
          const { api_key: key } = (await api.post('/v1/account/keys', { name: 'program', scopes })).body;
          const login = { address, key };
          const first = await open(service, login);
          for (const folder of ['INBOX', 'Archive', 'Junk', 'Trash', 'Sent', 'Drafts'])
            await ask(first, `SELECT ${folder}`);
          for (let n = 0; n < MAILS; n++)
            for (const folder of ['INBOX', 'Archive'])
              await ask(first, `APPEND ${folder} ${literal(`${folder}-${n}`)}`);
          first.close();
          /** What each UID stood for. */
          const given = new Map<string, unknown>();
          let answered = 0;
          for (let round = 0; round < ROUNDS; round++) {
            const told = await killAmidst(service, login, 1 + Math.floor(random() * ANSWERS), random() * 40);
            answered += told.length;
            if (engine === 'postgres') await outliveLeases(config);
            service = await service.restart();
            const numbered = await rows(
              'select f.uid_validity, u.folder, u.uid, u.item_id from mailbox_uids u join mailbox_folders f on f.folder = u.folder',
            );
            for (const { uid_validity: validity, folder, uid, item_id: item } of numbered) {
              const name = `${validity} ${folder} ${uid}`;
              assert.equal(given.get(name) ?? item, item, name);
              given.set(name, item);
            }
            const count = (folder: string): number => numbered.filter((row) => row.folder === folder).length;
            assert.equal(count('junk') % MAILS, 0, 'a COPY is whole');
            assert.deepEqual([count('archive'), count('trash')].sort(), [0, MAILS].sort(), 'a MOVE is whole');
            assert.equal(count('inbox'), MAILS);
            const places = numbered.map(({ item_id: item }) => String(item)).sort();
            const there = await rows(`select id from messages union all select id from outbox
              union all select id from mail_drafts where is_sent = 0`);
            assert.deepEqual(places, there.map(({ id }) => String(id)).sort());
            const sent = numbered
              .filter(({ folder }) => folder === 'sent')
              .map((row) => `${row.uid_validity} ${row.uid}`);
            for (const one of told) assert.ok(sent.includes(one), `${one} was answered`);
            await assertNothingHalfWritten(config);
          }
          t.diagnostic(`seed ${seed}; ${answered} APPENDs to Sent answered, ${given.size} UIDs`);
        } catch (err) {
          t.diagnostic(
            `CRASH_SEED=${seed} repeats the kills; the service wrote:\n${service.stdout()}${service.stderr()}`,
          );
          throw err;
        } finally {
          await service.kill('SIGKILL');
          await drop();
        }
      },
    );
});
