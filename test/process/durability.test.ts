import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import { freshDatabase } from '../support/harness.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';
import {
  type Acknowledgement,
  acknowledgements,
  largestGroup,
  readTrace,
  type TraceEvent,
  traceCommand,
  unsyncedReplies,
} from './trace.ts';

const ENTRY = {
  service: ['sh', 'bin/signet', 'serve'],
  lowered: ['sh', 'bin/node', fileURLToPath(new URL('./lowered-server.ts', import.meta.url))],
};

const strace = spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
const skip =
  strace.status === 0
    ? false
    : `SKIPPED: nothing shows here that replies wait for fsync, because strace cannot run (${strace.error?.message ?? strace.stderr.trim()})`;

const CLIENTS = 16;
const CALLS_EACH = 6;
const SESSIONS = 3;
const MAILS_EACH = 6;

/** Makes state-changing calls of several kinds with many clients. @returns how many were acknowledged */
async function callApi({ api }: Service): Promise<number> {
  const client = async (n: number): Promise<number> => {
    const signup = await api().post('/v1/auth/keys');
    assert.equal(signup.status, 201, signup.text);
    const mine = api(signup.body.api_key);
    const from = `client-${n}`;
    for (let i = 0; i < CALLS_EACH; i++) {
      const address = i === 0 ? from : `${from}-${i}`;
      const claim = await mine.post('/v1/email/claim', { address });
      assert.equal(claim.status, 201, claim.text);
      const mail = { from, to: `${from}@agents.localhost`, subject: `${from} ${i}`, text: 'hello' };
      const sent = await mine.post('/v1/email/send', mail);
      assert.equal(sent.status, 201, sent.text);
    }
    return 1 + 2 * CALLS_EACH;
  };
  const counts = await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Sends mails over several SMTP sessions. @returns a text from each mail, by the client's port, in order */
async function sendMails({ smtpPort }: Service, to: string): Promise<Map<number, string[]>> {
  const sent = new Map<number, string[]>();
  const session = async (n: number): Promise<void> => {
    const smtp = await openSmtpSession(smtpPort);
    const subjects = Array.from({ length: MAILS_EACH }, (_, i) => `traced-${n}-${i}-mail`);
    for (const subject of subjects) assert.equal(await smtp.deliver([to], mailOf(subject, to)), 250);
    sent.set(smtp.localPort, subjects);
    smtp.close();
  };
  await Promise.all(Array.from({ length: SESSIONS }, (_, n) => session(n)));
  return sent;
}

/** Waits for strace, which writes its last lines a moment after the service ends. */
const readWhole = (path: string): Promise<string> =>
  eventually(() => {
    const trace = readFileSync(path, 'utf8');
    const first = /^\d+/.exec(trace)?.[0];
    // strace pads process ids to five digits.
    return first && new RegExp(`\\n${first} +\\+\\+\\+ exited with`).test(trace) && trace;
  }, 'the trace has an end');

interface Traced {
  events: TraceEvent[];
  replies: Acknowledgement[];
  /** Acknowledgements that the clients got. */
  acknowledged: number;
}

async function traceUnderLoad(command: readonly string[]): Promise<Traced> {
  const { env, drop } = await freshDatabase('sqlite');
  try {
    const path = join(env.DATA_DIR as string, 'trace');
    const service = await startService({ ...env, LIMITS: ROOMY_LIMITS }, [...traceCommand(path), ...command]);
    const { api_key: key } = (await service.api().post('/v1/auth/keys')).body;
    const claim = await service.api(key).post('/v1/email/claim', { address: 'receiver' });
    assert.equal(claim.status, 201);
    const [calls, mails] = await Promise.all([callApi(service), sendMails(service, 'receiver@agents.localhost')]);
    assert.equal((await service.kill('SIGTERM')).code, 0);
    const events = readTrace(await readWhole(path));
    return { events, replies: acknowledgements(events, mails), acknowledged: 2 + calls + SESSIONS * MAILS_EACH };
  } finally {
    await drop();
  }
}

/** Lines of strace for a request whose id ends in `x`. */
const ID = 'req_01m7yy55y4jb9qf5ykva38s0rx';
const LINES = {
  write: `7 pwrite64(22</data/signet.db-wal>, "\\0\\17{\\"request_id\\":\\"${ID}\\"}\\0"..., 4096, 56) = 4096`,
  other: '7 pwrite64(22</data/signet.db-wal>, "\\0\\0\\0\\4", 24, 32) = 24',
  sync: '7 fsync(22</data/signet.db-wal>) = 0',
  syncOfOther: '7 fsync(21</data/signet.db>) = 0',
  syncBegins: '7 fdatasync(22</data/signet.db-wal> <unfinished ...>',
  syncEnds: '7 <... fdatasync resumed>) = 0',
  reply: `7 write(29<TCP:[127.0.0.1:1->127.0.0.1:2]>, "HTTP/1.1 201 Created\\r\\nx-request-id: ${ID}\\r\\n"..., 9) = 9`,
};

function tooEarly(...names: (keyof typeof LINES)[]): number {
  const events = readTrace(names.map((name) => LINES[name]).join('\n'));
  const replies = acknowledgements(events, new Map());
  assert.equal(replies.length, 1);
  return unsyncedReplies(events, replies).length;
}

describe('the check of a trace', () => {
  it('accepts a reply only after its write and a complete sync of the log', () => {
    assert.equal(tooEarly('write', 'sync', 'reply'), 0);
    assert.equal(tooEarly('write', 'syncBegins', 'syncEnds', 'reply'), 0);
    assert.equal(tooEarly('write', 'reply', 'sync'), 1, 'before the sync');
    assert.equal(tooEarly('reply', 'write', 'sync'), 1, 'before the write');
    assert.equal(tooEarly('other', 'sync', 'reply', 'write', 'sync'), 1, 'behind the sync of another commit');
    assert.equal(tooEarly('write', 'sync', 'other', 'reply'), 1, 'with a write behind the sync');
    assert.equal(tooEarly('write', 'syncOfOther', 'reply'), 1, 'behind the sync of another file');
    assert.equal(tooEarly('write', 'syncBegins', 'reply', 'syncEnds'), 1, 'while the sync runs');
  });
});

describe('an acknowledged change survives a power cut', { skip }, () => {
  it('sends no 2xx to a change and no 250 to DATA before the fsync of the log that covers its commit', async () => {
    const { events, replies, acknowledged } = await traceUnderLoad(ENTRY.service);
    assert.equal(replies.length, acknowledged, 'the trace shows every acknowledgement the clients got');
    assert.deepEqual(unsyncedReplies(events, replies), []);
    assert.ok(largestGroup(events, replies) > 1, 'the load must put several commits into one fsync');
  });

  itInAll('finds early replies with the same check and load when PRAGMA synchronous is lowered to NORMAL', async () => {
    const { events, replies, acknowledged } = await traceUnderLoad(ENTRY.lowered);
    assert.equal(replies.length, acknowledged);
    assert.ok(unsyncedReplies(events, replies).length > 0);
  });
});
