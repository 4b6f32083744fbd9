import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase, runSql, tokenIn } from '../support/harness.ts';
import { readableMail } from '../support/readable-mail.ts';
import { type Service, startService } from './service.ts';

const BOSS = 'boss@example.org';
const OUTSIDER = 'olga@example.com';

/** The mails that left, as a service without a relay writes them. */
const mailsIn = (dataDir: string): string[] => {
  const dir = join(dataDir, 'outbox');
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.eml')) : [];
  return names.map((name) => readFileSync(join(dir, name), 'utf8'));
};

/** The readable text of the mail to an address that names a page. */
async function mailTo(dataDir: string, address: string, page: string): Promise<string> {
  const found = () =>
    mailsIn(dataDir).find((mail) => mail.includes(`To: ${address}`) && readableMail(mail).includes(page));
  return readableMail(await eventually(found));
}

/** An agent whose mail an operator sees first, and the key of a session of the operator. */
async function prepare({ api }: Service, dataDir: string) {
  const { api_key: key } = (await api().post('/v1/auth/keys', {})).body;
  const agent = api(key);
  const from = (await agent.post('/v1/email/claim', { address: 'ada' })).body.address;
  await agent.post('/v1/account/operator-email', { email: BOSS });
  const asked = await mailTo(dataDir, BOSS, '/confirm#');
  const token = /\/confirm#token=([0-9A-Za-z]{32})/.exec(asked)?.[1];
  assert.equal((await api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
  await api().post('/v1/auth/login', { email: BOSS });
  const opened = await api().get(`/v1/auth/verify?token=${tokenIn(await mailTo(dataDir, BOSS, '/login#'))}`);
  const session = opened.headers.get('location')?.split('#session=')[1] as string;
  const put = await api(session).put('/v1/email/policy', { outbound: { hold: 'always' } });
  assert.equal(put.status, 200, put.text);
  return { key, session, from };
}

// On PostgreSQL the jobs of a process that died wait for its leases; the transactions are the same.
it('kill -9 before the decision, in its middle and before the mail is sent: it goes out exactly once', async () => {
  const { env, drop } = await freshDatabase('sqlite');
  const { dataDir } = readConfig(env);
  let service = await startService(env);
  const crash = async (): Promise<void> => {
    await service.kill('SIGKILL');
    service = await service.restart();
  };
  /** News of the agent that waits for one mail, which is made while the process is killed: all of it is in one mail. */
  const bundledOnce = async (session: string): Promise<void> => {
    const operator = service.api(session);
    assert.equal((await operator.patch('/v1/operator/settings', { mails: 'hourly' })).status, 200);
    for (const cap of ['1.00', '2.00']) {
      await operator.put('/v1/budget', { daily: cap, on_limit: 'reject' });
      assert.equal((await operator.post('/v1/charge', { amount: '1.00' })).status, 200);
    }
    const config = readConfig(env);
    const waiting = () => runSql(config, 'select id from bundled_news', []);
    await eventually(async () => (await waiting()).length === 2);
    await runSql(config, 'update bundled_news set due_at = 0', []);
    await runSql(config, `update jobs set run_at = 0 where kind = 'mail.bundle'`, []);
    await crash();
    await crash();
    await eventually(async () => (await waiting()).length === 0);
    const news = mailsIn(dataDir).filter((text) => text.includes('Subject: News of your agents'));
    assert.equal(new Set(news.map((text) => /^Message-ID: (\S+)/im.exec(text)?.[1])).size, 1);
    for (const text of news) assert.equal(readableMail(text).split('has used up its daily cap').length - 1, 2);
  };
  try {
    const { key, session, from } = await prepare(service, dataDir);
    const mail = { from, to: [OUTSIDER, from], text: 'Dear Olga' };
    const ids: string[] = [];
    for (const subject of ['first', 'second']) {
      const sent = await service.api(key).post('/v1/email/send', { ...mail, subject });
      assert.equal(sent.status, 202, sent.text);
      ids.push(sent.body.review_id);
    }
    await crash();
    const approve = (id: string) => service.api(session).post(`/v1/email/reviews/${id}/approve`, {});
    const [first, second] = ids as [string, string];
    // The process ends while it decides: the reply may be lost, the decision is whole or not there.
    const lost = approve(first).catch(() => null);
    service.signal('SIGKILL');
    await lost;
    await crash();
    const again = await approve(first);
    assert.ok([200, 409].includes(again.status), again.text);
    // The process ends as soon as the decision is made, before or while the mail is handed over.
    assert.equal((await approve(second)).status, 200);
    await crash();
    const api = service.api(key);
    const outbox = async () => (await api.get('/v1/email/outbox')).body.messages as { status: string }[];
    await eventually(async () => (await outbox()).every(({ status }) => status === 'sent'));
    const { messages } = (await api.get(`/v1/inbox/${from}`)).body;
    const subjects = (list: { subject: string }[]) => list.map(({ subject }) => subject).sort();
    assert.deepEqual(subjects(messages), ['first', 'second']);
    const left = mailsIn(dataDir).filter((text) => text.includes('Dear Olga'));
    assert.deepEqual(left.map((text) => /^Subject: (\w+)/m.exec(text)?.[1]).sort(), ['first', 'second']);
    assert.equal((await approve(second)).status, 409);
    await bundledOnce(session);
  } finally {
    await service.kill('SIGKILL');
    await drop();
  }
});
