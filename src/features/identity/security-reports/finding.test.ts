import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

const AUDIENCE = 'https://bounty.example.com';
const FINDING = {
  title: 'Reflected XSS',
  severity: 'HIGH',
  target: 'https://shop.example.com/search',
  evidence_hash: `sha256:${'9f'.repeat(32)}`,
  cwe: 'CWE-79',
  evidence_url: 'https://evidence.example.com/1',
  tools_used: ['burp'],
  time_to_find_ms: 12_000,
  audience: AUDIENCE,
};

const submit = ({ api, accountId }: TestAccount, finding: Record<string, unknown> = FINDING) =>
  api.post(`/v1/agents/${accountId}/findings`, finding);

async function programOf(t: TestApp, account?: TestAccount, audience = AUDIENCE) {
  const { api } = account ?? (await t.createAccount());
  const { body } = await api.post('/v1/programs', { name: 'Bounty', audience });
  return { api: t.api(body.api_key), id: body.program_id as string, key: body.api_key as string, owner: api };
}

onEngines('any', 'POST /v1/agents/{agentId}/findings', {}, (suite) => {
  it('201: the finding is stored and signed; anyone with the jti can verify it with jose and the JWKS alone', async () => {
    const { t } = suite;
    const agent = await t.createAccount();
    const made = await submit(agent);
    assert.equal(made.status, 201);
    assert.match(made.body.jti, /^fnd_/);
    const seen = await t.api().get(`/v1/findings/${made.body.jti}`);
    assert.equal(seen.status, 200);
    for (const { token } of [made.body, seen.body]) {
      assert.equal(decodeProtectedHeader(token).typ, 'finding+jwt');
      const keys = createRemoteJWKSet(new URL(`${t.baseUrl}/.well-known/jwks.json`));
      const expected = { issuer: t.baseUrl, audience: AUDIENCE, subject: agent.accountId, typ: 'finding+jwt' };
      const { payload } = await jwtVerify(token, keys, { ...expected, currentDate: new Date(t.clock.now()) });
      const { audience: _, ...said } = FINDING;
      assert.deepEqual(payload.finding, said);
      assert.equal(payload.jti, made.body.jti);
      assert.equal(payload.iat, t.clock.now() / 1000);
    }
    const { token: _, ...entry } = seen.body;
    assert.deepEqual((await agent.api.get(`/v1/agents/${agent.accountId}/findings`)).body.findings, [entry]);
  });

  it('a finding is not an agent token: introspection returns inactive', async () => {
    const { t } = suite;
    const { token } = (await submit(await t.createAccount())).body;
    assert.deepEqual((await t.api().post('/v1/tokens/introspect', { token })).body, { active: false });
  });

  it('the same 404 for another agent’s id and for an unknown one; 400 invalid_agent_id', async () => {
    const { t } = suite;
    const [mine, other] = [await t.createAccount(), await t.createAccount()];
    for (const call of [mine.api.get, (path: string) => mine.api.post(path, FINDING)]) {
      const replies = await Promise.all(
        [other.accountId, `acc_${'0'.repeat(26)}`].map((id) => call(`/v1/agents/${id}/findings`)),
      );
      assert.deepEqual(
        replies.map(({ status }) => status),
        [404, 404],
      );
      assert.equal(replies[0]?.text, replies[1]?.text);
      const refused = await call('/v1/agents/nobody/findings');
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_agent_id']);
    }
  });

  it('400 for an invalid field', async () => {
    const agent = await suite.t.createAccount();
    const wrong = {
      severity: 'high',
      evidence_hash: 'sha256:short',
      cwe: '79',
      evidence_url: 'evidence',
      time_to_find_ms: -1,
      audience: 'bounty',
      title: 'two\nlines',
    };
    for (const [name, value] of Object.entries(wrong)) {
      const refused = await submit(agent, { ...FINDING, [name]: value });
      assert.deepEqual([refused.status, refused.body.details[0].path], [400, `/body/${name}`]);
    }
  });
});

onEngines('both', 'POST /v1/agents/{agentId}/findings: what the database decides', {}, (suite) => {
  it('lists each finding once, newest first, across pages', async () => {
    const { t } = suite;
    const agent = await t.createAccount();
    for (let i = 0; i < 5; i++) {
      await submit(agent, { ...FINDING, title: `no ${i}` });
      t.clock.advance(1);
    }
    const titles: string[] = [];
    const path = `/v1/agents/${agent.accountId}/findings?limit=2`;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await agent.api.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
      titles.push(...body.findings.map(({ title }: { title: string }) => title));
      cursor = body.next_cursor;
    }
    assert.deepEqual(titles, ['no 4', 'no 3', 'no 2', 'no 1', 'no 0']);
    assert.equal((await agent.api.get(`${path}&cursor=x`)).body.error, 'invalid_cursor');
  });
});

onEngines('any', 'a finding where signing is off', { env: { SIGNING: 'off' } }, (suite) => {
  it('503 signing_unavailable, and nothing is stored', async () => {
    const agent = await suite.t.createAccount();
    const refused = await submit(agent);
    assert.deepEqual([refused.status, refused.body.error], [503, 'signing_unavailable']);
    assert.deepEqual((await agent.api.get(`/v1/agents/${agent.accountId}/findings`)).body.findings, []);
  });
});

onEngines('any', 'POST /v1/findings/{jti}/outcome', {}, (suite) => {
  it('403 for a finding with another audience, without one, or from the program’s own account', async () => {
    const { t } = suite;
    const agent = await t.createAccount();
    const program = await programOf(t);
    const elsewhere = (await submit(agent, { ...FINDING, audience: `${AUDIENCE}/` })).body.jti;
    const nowhere = (await submit(agent, { ...FINDING, audience: null })).body.jti;
    const mine = (await submit(agent)).body.jti;
    const own = await programOf(t, agent);
    for (const [by, jti, error] of [
      [program, elsewhere, 'audience_mismatch'],
      [program, nowhere, 'audience_mismatch'],
      [own, mine, 'own_finding'],
    ] as const) {
      const refused = await by.api.post(`/v1/findings/${jti}/outcome`, { outcome: 'accepted' });
      assert.deepEqual([refused.status, refused.body.error], [403, error]);
    }
    assert.equal((await t.api().get(`/v1/agents/${agent.accountId}/track-record`)).body.accepted, 0);
  });

  it('401 for no key, an account’s key, a mistyped key and an ended program’s key; 404 for an unknown finding', async () => {
    const { t } = suite;
    const agent = await t.createAccount();
    const { jti } = (await submit(agent)).body;
    const program = await programOf(t);
    const mistyped = program.key.slice(0, -1) + (program.key.endsWith('a') ? 'b' : 'a');
    for (const api of [t.api(), agent.api, t.api(mistyped)]) {
      const refused = await api.post(`/v1/findings/${jti}/outcome`, { outcome: 'accepted' });
      assert.equal(refused.status, 401);
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
    assert.equal((await program.api.post('/v1/findings/fnd_none/outcome', { outcome: 'accepted' })).status, 404);
    await program.owner.delete(`/v1/programs/${program.id}`);
    assert.equal((await program.api.post(`/v1/findings/${jti}/outcome`, { outcome: 'accepted' })).status, 401);
  });
});

onEngines('both', 'POST /v1/findings/{jti}/outcome: what the database decides', {}, (suite) => {
  it('one of 20 parallel judgements by a program counts; another program has its own; the track record is exact', async () => {
    const { t } = suite;
    const agent = await t.createAccount();
    const { jti } = (await submit(agent)).body;
    await submit(agent, { ...FINDING, severity: 'LOW' });
    const [first, second] = [await programOf(t), await programOf(t)];
    const path = `/v1/findings/${jti}/outcome`;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => first.api.post(path, { outcome: i % 2 ? 'accepted' : 'rejected' })),
    );
    const [winner, ...more] = replies.filter(({ status }) => status === 200);
    assert.equal(more.length, 0);
    assert.equal(replies.filter(({ body }) => body.error === 'outcome_exists').length, 19);
    const other = await second.api.post(path, { outcome: 'accepted', note: 'Fixed.' });
    const accepted = winner?.body.outcome === 'accepted' ? 2 : 1;
    const judged = { accepted, rejected: 2 - accepted };
    const none = { submitted: 0, accepted: 0, rejected: 0 };
    const record = {
      agent_id: agent.accountId,
      submitted: 2,
      ...judged,
      by_severity: {
        CRITICAL: none,
        HIGH: { submitted: 1, ...judged },
        MEDIUM: none,
        LOW: { ...none, submitted: 1 },
        INFO: none,
      },
    };
    assert.deepEqual(other.body.track_record, record);
    assert.deepEqual((await t.api().get(`/v1/agents/${agent.accountId}/track-record`)).body, record);
    assert.deepEqual((await t.api().get(`/v1/findings/${jti}`)).body.outcomes, judged);
    const events = (await agent.api.get('/v1/events?type=finding.judged')).body.events;
    assert.deepEqual(
      events.map(({ data }: { data: { program_id: string } }) => data.program_id),
      [first.id, second.id],
    );
  });
});

onEngines('any', '/v1/programs', {}, (suite) => {
  it('the key is shown once, stored as a hash, and works for nothing else', async () => {
    const { t } = suite;
    const { key, id, owner } = await programOf(t);
    assert.match(key, /^signet_prog_[0-9A-Za-z]{38}$/);
    const { programs } = (await owner.get('/v1/programs')).body;
    assert.deepEqual([programs[0].program_id, programs[0].key_prefix], [id, key.slice(0, 16)]);
    assert.ok(!JSON.stringify([programs, await t.sql('select * from programs')]).includes(key));
    for (const endpoint of t.app.endpoints.filter(({ auth }) => auth !== 'none')) {
      // Other ids below /v1/audit are those of tokens, which are public.
      const path = endpoint.path.replace('/audit/{id}', '/audit/aud_x').replace(/\{\w+\}/g, 'x');
      const body = endpoint.method === 'GET' ? undefined : {};
      assert.equal((await t.api(key)(endpoint.method, path, body)).status, 401, `${endpoint.method} ${endpoint.path}`);
    }
  });
});

onEngines('both', '/v1/programs: what the database decides', {}, (suite) => {
  it('403 program_limit: 20 of 25 parallel calls succeed; ending one frees a slot; another account’s program is 404', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const make = () => api.post('/v1/programs', { name: 'Bounty', audience: AUDIENCE });
    const replies = await Promise.all(Array.from({ length: 25 }, make));
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 20);
    assert.equal(replies.filter(({ body }) => body.error === 'program_limit').length, 5);
    const path = `/v1/programs/${made[0]?.body.program_id}`;
    assert.equal((await (await t.createAccount()).api.delete(path)).status, 404);
    assert.equal((await api.delete(path)).status, 200);
    assert.equal((await api.delete(path)).status, 404);
    assert.equal((await make()).status, 201);
    assert.equal((await make()).status, 403);
  });
});
