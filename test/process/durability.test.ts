import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freshDatabase } from '../harness.ts';
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

const strace = spawnSync('strace', ['-D', '-f', '--seccomp-bpf', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
const skip =
  strace.status === 0
    ? false
    : `SKIPPED: nothing shows here that replies wait for fsync, because strace cannot run (${strace.error?.message ?? strace.stderr.trim()})`;

const CLIENTS = 16;
const CALLS_EACH = 6;
const SESSIONS = 3;
const MAILS_EACH = 6;

/** State-changing calls of several kinds by many clients at once. @returns how many were acknowledged */
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

/** Mails over several SMTP sessions at once. @returns a text in each mail, by the client's port, in order */
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

/** strace ends, and has written everything, a moment after the service. */
async function readWhole(path: string): Promise<string> {
  for (;;) {
    const trace = readFileSync(path, 'utf8');
    const first = /^\d+/.exec(trace)?.[0];
    if (first && trace.includes(`\n${first} +++ exited with`)) return trace;
    await sleep(20);
  }
}

interface Traced {
  events: TraceEvent[];
  replies: Acknowledgement[];
  /** Acknowledgements the clients got. */
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

describe('a reply is a promise that a power cut cannot break', { skip }, () => {
  it('no 2xx to a change and no 250 to DATA leaves before the fsync of the log that covers its commit', async () => {
    const { events, replies, acknowledged } = await traceUnderLoad(ENTRY.service);
    assert.equal(replies.length, acknowledged, 'the trace shows every acknowledgement the clients got');
    assert.deepEqual(unsyncedReplies(events, replies), []);
    assert.ok(largestGroup(events, replies) > 1, 'the load was meant to put several commits behind one fsync');
  });

  it('with PRAGMA synchronous lowered to NORMAL, the same look at the same load finds replies that left too early', async () => {
    const { events, replies, acknowledged } = await traceUnderLoad(ENTRY.lowered);
    assert.equal(replies.length, acknowledged);
    assert.ok(unsyncedReplies(events, replies).length > 0);
  });
});
