import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Config, readConfig } from '../../src/config/service-config.ts';
import { IS_FULL_RUN, itInAll } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { assertNothingHalfWritten, untilNothingHidden } from './consistency.ts';
import { createRandom, outliveLeases, seed } from './kill.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';

const SESSIONS = 32;
/** The service allows 20 connections per client. */
const CLIENTS = 4;
const MAILS = process.env.SIGNET_LONG ? 1000 : 320;
const MAILS_PER_SESSION = Math.ceil(MAILS / SESSIONS);
/** The most turns of this process between the chosen mail and the kill. */
const JITTER_TURNS = 40;
/** The mail of each session that is too large to be read before it is stored, and its size. */
const LARGE = { index: 5, bytes: 270_000 };
/** PostgreSQL commits each mail separately, so fewer rounds take the same time. */
const ROUNDS = process.env.SIGNET_LONG ? { sqlite: 100, postgres: 20 } : { sqlite: IS_FULL_RUN ? 3 : 1, postgres: 1 };

const LONG_TEXT = '\r\nMany words.'.repeat(LARGE.bytes / 13);

interface Inbox {
  address: string;
  key: string;
}

/** What the senders know of all rounds: copies as `address subject`. */
interface Promised {
  acknowledged: Set<string>;
  attempted: Set<string>;
  surprises: string[];
}

interface Round {
  service: Service;
  promised: Promised;
  inboxes: readonly Inbox[];
  name: string;
  /** Called for each 250. */
  answered(): void;
  isOver(): boolean;
}

/** Sends the mails of one session, every fourth to two inboxes, until the process ends. */
async function deliverAll(round: Round, n: number): Promise<void> {
  const { service, promised, inboxes, name } = round;
  const smtp = await openSmtpSession(service.smtpPort, `127.0.0.${1 + (n % CLIENTS)}`).catch(() => null);
  for (let i = 0; smtp && i < MAILS_PER_SESSION; i++) {
    const [own, next] = [inboxes[n % inboxes.length], inboxes[(n + 1) % inboxes.length]] as [Inbox, Inbox];
    const to = (i % 4 === 0 ? [own, next] : [own]).map(({ address }) => address);
    const subject = `${name}-${n}-${i}`;
    const copies = to.map((address) => `${address} ${subject}`);
    for (const copy of copies) promised.attempted.add(copy);
    const mail = mailOf(subject, to.join(', '));
    const code = await smtp.deliver(to, i === LARGE.index ? mail + LONG_TEXT : mail);
    if (code === 250) {
      for (const copy of copies) promised.acknowledged.add(copy);
      round.answered();
    } else if (code !== 0 || !round.isOver()) promised.surprises.push(`${code} to ${subject}`);
    if (code === 0) break;
  }
  smtp?.close();
}

/** Sends the mails and kills the process a moment after the given number of replies. */
async function killAmidst(
  service: Service,
  round: Omit<Round, 'answered' | 'isOver' | 'service'>,
  at: number,
  jitter: number,
) {
  const reached = Promise.withResolvers<void>();
  const state = { answers: 0, isOver: false };
  const load = Array.from({ length: SESSIONS }, (_, n) =>
    deliverAll(
      {
        ...round,
        service,
        isOver: () => state.isOver,
        answered: () => {
          state.answers += 1;
          if (state.answers === at) reached.resolve();
        },
      },
      n,
    ),
  );
  await Promise.race([reached.promise, Promise.all(load)]);
  for (let turns = 0; turns < jitter; turns++) await nextTurn();
  state.isOver = true;
  assert.equal((await service.kill('SIGKILL')).signal, 'SIGKILL');
  await Promise.all(load);
}

async function createInboxes(service: Service): Promise<Inbox[]> {
  return Promise.all(
    Array.from({ length: SESSIONS }, async (_, n) => {
      const { api_key: key } = (await service.api().post('/v1/auth/keys')).body;
      const claim = await service.api(key).post('/v1/email/claim', { address: `inbox-${n}` });
      assert.equal(claim.status, 201, claim.text);
      return { address: claim.body.address as string, key };
    }),
  );
}

/** Checks that promised mails exist exactly once, cut-off mails at most once, and no others. */
function assertKept(kept: readonly string[], { acknowledged, attempted, surprises }: Promised): void {
  assert.deepEqual(surprises, []);
  const once = new Set(kept);
  assert.equal(once.size, kept.length, 'no mail is there twice');
  assert.deepEqual(
    [...acknowledged].filter((copy) => !once.has(copy)),
    [],
    'every 250 is in its inbox',
  );
  assert.deepEqual(
    kept.filter((copy) => !attempted.has(copy)),
    [],
    'no inbox has a mail that was never sent',
  );
}

async function storedCopies(config: Config): Promise<string[]> {
  const rows = await runSql(config, 'select address, subject from messages where visible = 1', []);
  return rows.map(({ address, subject }) => `${address} ${subject}`);
}

/** The same check, as the receivers see it. */
async function listedCopies(service: Service, { address, key }: Inbox): Promise<string[]> {
  const copies: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await service.api(key).get(`/v1/inbox/${address}?limit=100${cursor}`);
    assert.equal(page.status, 200, page.text);
    for (const { subject } of page.body.messages) copies.push(`${address} ${subject}`);
    if (page.body.next_cursor === null) {
      assert.equal(page.body.total, copies.length, 'the counter says what the list holds');
      cursor = null;
    } else cursor = `&cursor=${encodeURIComponent(page.body.next_cursor)}`;
  }
  return copies;
}

describe('kill -9 while mail comes in', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const itHere = engine === 'sqlite' ? it : itInAll;
    itHere(
      `${MAILS} mails by ${SESSIONS} sessions on ${engine}, ${ROUNDS[engine]} rounds: every mail with a 250 is in its inbox exactly once`,
      async (t) => {
        const random = createRandom(seed);
        const { env, drop } = await freshDatabase(engine);
        const settings = { ...env, LIMITS: ROOMY_LIMITS };
        const config = readConfig(settings);
        const promised: Promised = { acknowledged: new Set(), attempted: new Set(), surprises: [] };
        let service = await startService(settings);
        let waitedMs = 0;
        try {
          const inboxes = await createInboxes(service);
          for (let n = 0; n < ROUNDS[engine]; n++) {
            const at = 1 + Math.floor(random() * (MAILS - SESSIONS));
            await killAmidst(service, { promised, inboxes, name: `r${n}` }, at, random() * JITTER_TURNS);
            if (engine === 'postgres') await outliveLeases(config);
            service = await service.restart();
            waitedMs = Math.max(waitedMs, await untilNothingHidden(config));
            assertKept(await storedCopies(config), promised);
          }
          await assertNothingHalfWritten(config);
          const listed = await Promise.all(inboxes.map((inbox) => listedCopies(service, inbox)));
          assertKept(listed.flat(), promised);
          const { acknowledged, attempted } = promised;
          t.diagnostic(
            `seed ${seed}; ${acknowledged.size} copies promised of ${attempted.size} tried, ${listed.flat().length} kept; after a start mail was hidden for ${waitedMs} ms at most`,
          );
        } catch (err) {
          t.diagnostic(
            `seed ${seed}: CRASH_SEED=${seed} repeats the moments of the kills; the service wrote:\n${service.stdout()}${service.stderr()}`,
          );
          throw err;
        } finally {
          await service.kill('SIGKILL');
          await drop();
        }
      },
    );
  }
});
