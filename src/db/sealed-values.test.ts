import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { asked } from '../../test/contract/samples/credentials.ts';
import { createAgent } from '../../test/support/agents.ts';
import { onEngines, type TestApp, tokenIn } from '../../test/support/harness.ts';
import { makePod } from '../../test/support/pods.ts';

/** Everything that the database holds, as text: the file and its log, or each row of each table. */
async function contentOf({ engine, config, sql }: TestApp): Promise<string> {
  if (engine === 'sqlite') {
    const files = ['signet.db', 'signet.db-wal']
      .map((name) => join(config.dataDir, name))
      .filter((path) => existsSync(path));
    return files.map((path) => readFileSync(path, 'latin1')).join('\n');
  }
  const tables = await sql(`select tablename from pg_tables where schemaname = 'public'`);
  assert.ok(tables.length > 40);
  const contents = await Promise.all(
    tables.map(({ tablename }) =>
      sql(`select coalesce(string_agg(t::text, ' '), '') as content from "${tablename}" t`),
    ),
  );
  return contents.map(([row]) => String(row?.content)).join('\n');
}

/** Makes a secret of every kind. @returns them by kind */
async function secretsOf(t: TestApp): Promise<Record<string, string>> {
  const ok = async (call: Promise<{ status: number; text: string; body: Record<string, string> }>) => {
    const { status, text, body } = await call;
    assert.ok(status < 300, text);
    return body;
  };
  const email = `owner-${t.engine}@example.com`;
  const agent = await createAgent(t, {}, await t.createAccount({ email }));
  const { api, key, address } = agent;
  const secret = 'whsec_bm9ib2R5IG1heSByZWFkIHRoaXM=';
  const hook = { address, url: 'http://127.0.0.1:9/hook', secret };
  await ok(api.post('/v1/email/webhooks', hook, { 'idempotency-key': 'one' }));
  await ok(api.post('/v1/stack', { domain: `${t.engine}.example` }));
  const backup = await ok(api.post('/v1/auth/keys/generate-backup'));
  const feed = await ok(api.get('/v1/calendar/feed') as never);
  const rotatedFeed = await ok(api.post('/v1/calendar/feed/rotate'));
  const ticket = await ok(api.post('/v1/ws/tickets'));
  const aat = await ok(api.post('/v1/tokens/issue', { audience: 'https://api.example.com', scopes: ['a'] }));
  const program = await ok(api.post('/v1/programs', { name: 'Bounty', audience: 'https://bounty.example.com' }));
  const pod = await makePod(t, agent, { daily: 100 });
  await ok(t.api().post('/v1/auth/login', { email }));
  const login = tokenIn((await t.outboxMails()).findLast((mail) => mail.includes('/login#')) ?? '');
  const opened = await t.api().get(`/v1/auth/verify?token=${login}`);
  const { request, proof } = await asked(t);
  const credential = `sk_live_${t.engine}_operators_value`;
  await ok(t.api().post('/v1/credentials/approve', { ...proof, decision: 'approve', credential_value: credential }));
  return {
    key,
    secret,
    login,
    credential,
    ticket: ticket.ticket ?? '',
    aat: aat.token ?? '',
    backup: backup.api_key ?? backup.backup_key ?? '',
    pod: pod.key,
    program: program.api_key ?? '',
    session: opened.headers.get('location')?.split('#session=')[1] ?? '',
    feed: feed.cal_token ?? '',
    rotatedFeed: rotatedFeed.cal_token ?? '',
    device: request.device_code,
    userCode: request.user_code,
    credentialLink: proof.token,
    serviceKey: t.app.provided.secrets.serviceKey,
  };
}

onEngines(
  'both',
  'H6, M13: a thief with a copy of the database',
  { limits: { free: { stacks: 5, pods: 5 } } },
  (suite) => {
    it('reads no secret of any kind', async () => {
      const { t } = suite;
      const secrets = await secretsOf(t);
      const content = await contentOf(t);
      assert.ok(content.includes('signet-sealed.1.'), 'the search sees sealed values');
      assert.ok(content.includes(`owner-${t.engine}@example.com`), 'the search sees plain values');
      for (const [kind, secret] of Object.entries(secrets)) {
        assert.ok(secret.length >= 8, `${kind} was made`);
        assert.ok(!content.includes(secret), `${kind} is readable`);
        const encoded = [
          Buffer.from(secret).toString('hex'),
          Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        ];
        for (const form of encoded) assert.ok(!content.includes(form), `${kind} is readable, encoded`);
      }
      assert.doesNotMatch(content, /PRIVATE KEY/);
    });
  },
);
