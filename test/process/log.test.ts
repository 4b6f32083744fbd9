import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { ANY_ENGINE } from '../support/full-run.ts';
import { freshDatabase, tokenIn } from '../support/harness.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';

/** Words that people write to each other, to search for. */
const WRITTEN = ['heliotrope', 'wintergreen', 'cornflower'] as const;

/** The login mail in the development outbox. */
const loginMail = (dir: string): Promise<string> =>
  eventually(() => {
    const files = readdirSync(dir).filter((name) => name.endsWith('.eml'));
    return files.map((file) => readFileSync(join(dir, file), 'utf8')).find((text) => text.includes('/login#'));
  });

/** Uses the service in every way that involves a secret. @returns the secrets */
async function useSecrets(service: Service, outbox: string): Promise<string[]> {
  const { api } = service;
  const email = 'grace@example.org';
  const signup = await api().post('/v1/auth/keys', { email, backup: true });
  const { api_key: first, backup_key: backup } = signup.body;
  const { api_key: key } = (await api(first).post('/v1/auth/keys/rotate')).body;
  await api().post('/v1/auth/login', { email });
  const token = tokenIn(await loginMail(outbox));
  const verified = await api().get(`/v1/auth/verify?token=${token}`);
  assert.equal(verified.status, 302);
  const session = verified.headers.get('location')?.split('#session=')[1] as string;
  assert.equal((await api(session).get('/v1/account/me')).status, 200);
  await api().get(`/v1/auth/verify?token=${token}`);

  const mine = api(key);
  await mine.post('/v1/email/claim', { address: 'grace' });
  const sent = { from: 'grace', to: 'grace@agents.localhost', subject: 'to myself', text: WRITTEN[0] };
  assert.equal((await mine.post('/v1/email/send', sent, { 'idempotency-key': 'once' })).status, 201);
  await mine.post('/v1/email/send', sent, { 'idempotency-key': 'once' });
  await mine.post('/v1/email/send', { ...sent, to: 'someone@example.net', text: WRITTEN[1] });
  const smtp = await openSmtpSession(service.smtpPort);
  const to = 'grace@agents.localhost';
  assert.equal(await smtp.deliver([to], `${mailOf('from outside', to)}\r\n${WRITTEN[2]}`), 250);
  assert.equal(await smtp.deliver(['nobody@agents.localhost'], WRITTEN[2]), 550);
  smtp.close();
  const { messages } = (await mine.get('/v1/email/inbox?address=grace')).body;
  for (const { message_id: id } of messages) await mine.get(`/v1/email/messages/${id}?address=grace`);

  const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  const wrong = [mistyped, `signet_live_${'Q'.repeat(38)}`, 'session_wrongwrongwrongwrongwrongwrong12'];
  for (const bad of [...wrong, first]) assert.equal((await api(bad).get('/v1/account/me')).status, 401);
  await api(backup).get('/v1/account/me');
  await mine.post('/v1/email/send', `{"text": "${WRITTEN[0]}"`, { 'content-type': 'application/json' });
  await mine.post('/v1/email/send', { from: key, to: session, subject: token, text: WRITTEN[1] });
  await api().get(`/v1/nowhere/${key}?token=${token}`);
  return [first, key, backup, session, token, ...wrong, ...WRITTEN, email];
}

describe('logs at LOG_LEVEL=trace', () => {
  for (const engine of ANY_ENGINE) {
    it(`on ${engine}: JSON lines that never contain a key, a token, a person's address or a word of a mail`, async () => {
      const { env, drop } = await freshDatabase(engine);
      const service = await startService({ ...env, LIMITS: ROOMY_LIMITS, LOG_LEVEL: 'trace' });
      try {
        const secrets = await useSecrets(service, join(env.DATA_DIR as string, 'outbox'));
        assert.equal((await service.kill('SIGTERM')).code, 0);
        const lines = service.stdout().trimEnd().split('\n');
        const entries = lines.map((line) => JSON.parse(line) as { route?: string });
        // This level logs every request, so a leak would show.
        for (const route of ['/v1/auth/verify', '/v1/email/send'])
          assert.ok(
            entries.some((entry) => entry.route === route),
            `${route} is logged`,
          );
        assert.equal(service.stderr(), '');
        for (const secret of secrets) assert.ok(!service.stdout().includes(secret), `${secret} is in the logs`);
      } finally {
        await service.kill('SIGKILL');
        await drop();
      }
    });
  }
});
