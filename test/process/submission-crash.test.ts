import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { Program } from '../support/submission.ts';
import { assertNothingHalfWritten } from './consistency.ts';
import { createRandom, outliveLeases, seed } from './kill.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const PROGRAMS = 6;
const MAILS = process.env.SIGNET_LONG ? 240 : 60;
const ROUNDS = process.env.SIGNET_LONG ? 30 : 3;

interface Agent {
  address: string;
  key: string;
  sendKey: string;
}

async function createAgent(service: Service, name: string): Promise<Agent> {
  const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
  const api = service.api(key);
  const { address } = (await api.post('/v1/email/claim', { address: name })).body;
  const made = await api.post('/v1/account/keys', { name: 'program', scopes: ['mail:send'] });
  return { address, key, sendKey: made.body.api_key };
}

const idOf = (n: number): string => `<mail-${n}@laptop>`;

/** Hands over one mail after the other, as long as the service answers. Each answer of a mail must be the same. */
async function handOver(service: Service, agent: Agent, left: number[], answers: Map<number, string>): Promise<void> {
  const program = await Program.open(service.submissionPort, agent, agent.sendKey).catch(() => null);
  for (let n = left[0]; program && n !== undefined; n = left[0]) {
    const raw = program.letter({ 'Message-ID': idOf(n), Subject: `mail ${n}` });
    const answer = await program.send([agent.address, 'bob@out.example'], raw);
    if (answer === '') break;
    assert.match(answer, /^250 2\.0\.0 Queued as out_/);
    assert.equal(answers.get(n) ?? answer, answer, `mail ${n}`);
    answers.set(n, answer);
    left.shift();
  }
  program?.close();
}

/** A round: all mails, those with an answer too, are handed over while the service is killed; then again until all are. */
async function killAmidst(
  service: Service,
  agent: Agent,
  answers: Map<number, string>,
  mails: number[],
  at: number,
  turns: number,
) {
  const known = answers.size;
  const lists = Array.from({ length: PROGRAMS }, (_, p) => mails.filter((n) => n % PROGRAMS === p));
  const load = lists.map((left) => handOver(service, agent, left, answers));
  await Promise.race([eventually(() => answers.size >= known + at), Promise.all(load)]);
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  await service.kill('SIGKILL');
  await Promise.all(load);
}

describe('kill -9 while programs hand over mail', () => {
  for (const engine of ['sqlite', 'postgres'] as const)
    (engine === 'sqlite' ? it : itInAll)(
      `on ${engine}: every mail with a 250 is there once, and a repeat gets the same answer`,
      async (t) => {
        const random = createRandom(seed);
        const { env, drop } = await freshDatabase(engine);
        const settings = { ...env, LIMITS: ROOMY_LIMITS };
        const config = readConfig(settings);
        let service = await startService(settings);
        try {
          const agent = await createAgent(service, 'ada');
          const answers = new Map<number, string>();
          for (let round = 0; round < ROUNDS; round++) {
            const mails = Array.from({ length: MAILS }, (_, i) => round * MAILS + i);
            const at = 1 + Math.floor(random() * (MAILS - PROGRAMS));
            await killAmidst(service, agent, answers, mails, at, random() * 40);
            if (engine === 'postgres') await outliveLeases(config);
            service = await service.restart();
            // All of the round once more, those that were answered too.
            await handOver(service, agent, [...mails], answers);
            assert.equal(answers.size, (round + 1) * MAILS);
          }
          const rows = await runSql(config, 'select id, rfc_message_id from outbox', []);
          assert.deepEqual(
            rows.map(({ id, rfc_message_id }) => `${rfc_message_id} 250 2.0.0 Queued as ${id}`).sort(),
            [...answers].map(([n, answer]) => `${idOf(n)} ${answer}`).sort(),
          );
          const inbox = await runSql(config, 'select subject from messages where visible = 1', []);
          assert.equal(inbox.length, answers.size);
          assert.equal(new Set(inbox.map(({ subject }) => subject)).size, answers.size);
          await assertNothingHalfWritten(config);
          t.diagnostic(`seed ${seed}; ${answers.size} mails`);
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
