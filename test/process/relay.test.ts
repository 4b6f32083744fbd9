import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { type Config, readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { startStallingRelay } from '../support/stalling-relay.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';

const relay = await startStallingRelay();
after(() => relay.close());
beforeEach(() => {
  relay.trouble = null;
  relay.mails.length = 0;
});

/** A service with one agent that sends through the relay. */
async function start(env: Record<string, string>) {
  const settings = { ...env, LIMITS: ROOMY_LIMITS, SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}` };
  const service = await startService(settings);
  const { api_key: key } = (await service.api().post('/v1/auth/keys')).body;
  await service.api(key).post('/v1/email/claim', { address: 'ada' });
  const mail = { from: 'ada', to: 'bob@out.example', subject: 'once', text: 'hello' };
  return {
    service,
    key: key as string,
    config: readConfig(settings),
    send: () => service.api(key).post('/v1/email/send', mail),
  };
}

const statusOf = async (service: Service, key: string): Promise<string> =>
  (await service.api(key).get('/v1/email/outbox')).body.messages[0].status;
const subjectsOf = async (service: Service, key: string): Promise<string[]> =>
  (await service.api(key).get('/v1/email/inbox?address=ada@agents.localhost')).body.messages.map(
    ({ subject }: { subject: string }) => subject,
  );
const idsOf = (): (string | undefined)[] => relay.mails.map(({ raw }) => /^Message-ID: (.+)\r$/im.exec(raw)?.[1]);

/** Makes the database lose the first result of reading a mail. */
const LOSES_RESULT = {
  sqlite: [
    'create table half_read (id text)',
    `create trigger half_read before update on mail_contents
      when new.state <> 'pending' and not exists (select 1 from half_read where id = new.id)
      begin insert into half_read values (new.id); select raise(ignore); end`,
  ],
  postgres: [
    'create table half_read (id text)',
    `create function half_read() returns trigger language plpgsql as $$ begin
      if exists (select 1 from half_read where id = new.id) then return new; end if;
      insert into half_read values (new.id); return null; end $$`,
    `create trigger half_read before update on mail_contents
      for each row when (new.state <> 'pending') execute function half_read()`,
  ],
};

/** Lets the service take a mail, too large to be read before its 250, that it still holds as one that it is reading. */
async function leaveHalfRead(service: Service, config: Config, engine: keyof typeof LOSES_RESULT): Promise<void> {
  for (const statement of LOSES_RESULT[engine]) await runSql(config, statement, []);
  const smtp = await openSmtpSession(service.smtpPort);
  const mail = mailOf('half read', 'ada@agents.localhost') + '\r\nMany words.'.repeat(21_000);
  assert.equal(await smtp.deliver(['ada@agents.localhost'], mail), 250);
  smtp.close();
  await eventually(async () => (await runSql(config, 'select id from half_read', [])).length === 1);
  // Only a take-over ends this lease.
  await runSql(config, 'update mail_contents set parse_lease_until = 4000000000000', []);
}

describe('kill -9 while a mail is handed over and another is read', () => {
  for (const [engine, stage, copies] of [
    ['sqlite', 'DATA', 1],
    ['sqlite', 'taken', 2],
    ['postgres', 'taken', 2],
  ] as const)
    (engine === 'sqlite' ? it : itInAll)(
      `${engine}, ${stage === 'DATA' ? 'before the relay has the mail: sent once' : 'after the relay has the mail, before its reply: sent again with the same Message-ID'}`,
      async (context) => {
        const { env, drop } = await freshDatabase(engine);
        const { service, key, config, send } = await start(env);
        await leaveHalfRead(service, config, engine);
        relay.trouble = { stage, how: 'hang' };
        assert.equal((await send()).body.status, 'pending');
        if (stage === 'taken') await eventually(() => relay.mails.length === 1);
        else await eventually(() => relay.stalled() > 0);
        await service.kill('SIGKILL');
        relay.trouble = null;
        // It goes on by itself: at once on SQLite, and on PostgreSQL when the instance is known to be gone, 12.5 s later.
        const again = await service.restart();
        const restarted = performance.now();
        try {
          await eventually(async () => (await subjectsOf(again, key)).length > 0);
          await eventually(async () => (await statusOf(again, key)) === 'sent');
          context.diagnostic(`went on after ${Math.round(performance.now() - restarted)} ms`);
          assert.deepEqual(await subjectsOf(again, key), ['half read']);
          assert.equal(relay.mails.length, copies);
          assert.equal(new Set(idsOf()).size, 1);
        } finally {
          await again.kill('SIGKILL');
          await drop();
        }
      },
    );
});

describe('an instance that is stopped for a while', () => {
  itInAll(
    'postgres: the other one sends and reads its mail, makes no reader wait, and it does nothing twice when it goes on',
    async (context) => {
      const { env, drop } = await freshDatabase('postgres');
      const { service, key, config, send } = await start(env);
      const other = await startService({
        ...env,
        LIMITS: ROOMY_LIMITS,
        SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
      });
      try {
        await leaveHalfRead(service, config, 'postgres');
        service.signal('SIGSTOP');
        // As if it had leased the mail right before it was stopped.
        const [stopped] = await runSql(config, 'select parse_leased_by as id from mail_contents', []);
        const mail = { from: 'ada', to: 'bob@out.example', subject: 'once', text: 'hello' };
        await runSql(
          config,
          `create rule leased as on insert to jobs do also
        update jobs set lease_until = 4000000000000, leased_by = '${stopped?.id}', attempts = 1 where id = new.id`,
          [],
        );
        assert.equal((await other.api(key).post('/v1/email/send', mail)).body.status, 'pending');
        await runSql(config, 'drop rule leased on jobs', []);
        let reads = 0;
        await eventually(async () => {
          reads += 1;
          return (await subjectsOf(other, key)).length > 0;
        });
        context.diagnostic(`${reads} reads were answered meanwhile`);
        // Only three would be if each waited 5 s for the mail that the stopped instance was reading.
        assert.ok(reads > 4, `${reads} reads were answered`);
        await eventually(async () => (await statusOf(other, key)) === 'sent');
        service.signal('SIGCONT');
        await eventually(async () => (await statusOf(service, key)) === 'sent');
        assert.equal((await send()).body.status, 'pending');
        await eventually(() => relay.mails.length === 2);
        assert.equal(new Set(idsOf()).size, 2);
        assert.deepEqual(await subjectsOf(service, key), ['half read']);
      } finally {
        await Promise.all([service.kill('SIGKILL'), other.kill('SIGKILL')]);
        await drop();
      }
    },
  );
});

describe('SIGTERM while a relay hangs', () => {
  it('ends within 10 s with exit code 0, and the next start sends the mail', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const { service, key, config, send } = await start(env);
    relay.trouble = { stage: 'RCPT', how: 'hang' };
    await send();
    await eventually(() => relay.stalled() > 0);
    assert.deepEqual(await service.kill('SIGTERM'), { code: 0, signal: null });
    relay.trouble = null;
    // The second attempt is due a minute later.
    const [job] = await runSql(config, 'select run_at, lease_until from jobs', []);
    assert.equal(Number(job?.lease_until), 0);
    await runSql(config, 'update jobs set run_at = 0', []);
    const again = await service.restart();
    try {
      await eventually(async () => (await statusOf(again, key)) === 'sent');
      assert.equal(relay.mails.length, 1);
    } finally {
      await again.kill('SIGKILL');
      await drop();
    }
  });
});
