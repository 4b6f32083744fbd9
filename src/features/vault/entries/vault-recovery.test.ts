import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTier, suspend } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines } from '../../../../test/support/harness.ts';
import { ask, freshEmail, leave, linkTo, mailsTo, verify } from '../../../../test/support/recovery.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

/** A reply without the headers that differ between any two replies. */
function wholeOf({ status, headers, text }: ApiReply) {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status, text, headers: kept };
}

onEngines('any', 'POST /v1/vault/recovery-email', {}, (suite) => {
  it('replaces the seed and the address; the previous address recovers nothing, even with a link it has', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const [before, now] = [freshEmail(), freshEmail()];
    await api.post('/v1/vault/recovery-email', { email: before, encrypted_seed: 'b25l' });
    const held = await linkTo(t, before);
    await api.post('/v1/vault/recovery-email', { email: now, encrypted_seed: 'dHdv' });
    assert.deepEqual((await verify(t, held)).body.account_entries, []);
    await ask(t, before);
    assert.equal((await mailsTo(t, before)).length, 1);
    assert.equal((await verify(t, await linkTo(t, now))).body.account_entries[0].encrypted_seed, 'dHdv');
  });

  it('does not share addresses with login', async () => {
    const { t } = suite;
    const email = freshEmail();
    const { api } = await t.createAccount({ email });
    await api.post('/v1/account/recovery-email', { email });
    await ask(t, email);
    const recoveryMails = (await mailsTo(t, email)).filter((mail) => mail.includes('/recover#'));
    assert.deepEqual(recoveryMails, []);
    const vaults = freshEmail();
    await api.post('/v1/vault/recovery-email', { email: vaults, encrypted_seed: 'c2VlZA' });
    await t.api().post('/v1/auth/login', { email: vaults });
    assert.deepEqual(await mailsTo(t, vaults), []);
  });

  it('400 without an address, without a seed, and for a seed over 100 KB', async () => {
    const { api } = await suite.t.createAccount();
    const register = (body: object) => api.post('/v1/vault/recovery-email', body);
    const email = freshEmail();
    assert.equal((await register({ email, encrypted_seed: 'a'.repeat(102_400) })).status, 200);
    const large = await register({ email, encrypted_seed: 'a'.repeat(102_401) });
    assert.deepEqual([large.status, large.body.error, large.body.limit_bytes], [400, 'payload_too_large', 102_400]);
    for (const body of [
      { email },
      { encrypted_seed: 'a' },
      { email: 'no', encrypted_seed: 'a' },
      { email, encrypted_seed: '' },
    ])
      assert.equal((await register(body)).status, 400, JSON.stringify(body));
    assert.equal((await suite.t.api().post('/v1/vault/recovery-email', { email, encrypted_seed: 'a' })).status, 401);
  });
});

onEngines('any', 'POST /v1/vault/store', {}, (suite) => {
  it('200 with an id; the seeds of an address come back in the order they were stored', async () => {
    const { t } = suite;
    const email = freshEmail();
    const stored: { vault_id: string; encrypted_seed: string; created_at: string }[] = [];
    for (const encrypted_seed of ['b25l', 'dHdv']) {
      const { status, body } = await leave(t, email, encrypted_seed);
      assert.equal(status, 200);
      assert.match(body.vault_id, /^vlt_[0-9a-hjkmnp-tv-z]{26}$/);
      stored.push({ vault_id: body.vault_id, encrypted_seed, created_at: body.stored_at });
      t.clock.advance(1000);
    }
    const { body } = await verify(t, await linkTo(t, email));
    assert.deepEqual([body.recovered, body.legacy_entries, body.entries, body.account_entries], [true, stored, [], []]);
  });

  it('429 rate_limited for the sixth seed of an address in 24 hours, in any case of letters; the next day allows more', async () => {
    const { t } = suite;
    const email = freshEmail();
    for (let n = 0; n < 5; n++) assert.equal((await leave(t, n % 2 ? email : email.toUpperCase())).status, 200);
    const refused = await leave(t, email);
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.equal(refused.headers.get('retry-after'), String(DAY_MS / 1000));
    assert.equal((await leave(t, freshEmail())).status, 200);
    t.clock.advance(DAY_MS);
    assert.equal((await leave(t, email)).status, 200);
  });

  it('400 payload_too_large for a seed over 50 KB', async () => {
    const { t } = suite;
    assert.equal((await leave(t, freshEmail(), 'a'.repeat(51_200))).status, 200);
    const refused = await leave(t, freshEmail(), 'a'.repeat(51_201));
    assert.deepEqual([refused.status, refused.body.error], [400, 'payload_too_large']);
  });
});

onEngines('both', 'POST /v1/vault/store', {}, (suite) => {
  it('of 20 parallel seeds for one address five are stored', async () => {
    const { t } = suite;
    const email = freshEmail();
    const replies = await Promise.all(Array.from({ length: 20 }, () => leave(t, email)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
    assert.equal((await t.sql('select 1 from vault_seeds where email = ?', email)).length, 5);
  });
});

onEngines('any', 'POST /v1/vault/recover', {}, (suite) => {
  it('answers known and unknown addresses with the same bytes, and mails the known one only', async () => {
    const { t } = suite;
    const [known, unknown] = [freshEmail(), freshEmail()];
    await leave(t, known);
    const replies = [await ask(t, known), await ask(t, unknown)];
    assert.equal(replies[0]?.body.sent, true);
    assert.deepEqual(wholeOf(replies[0] as ApiReply), wholeOf(replies[1] as ApiReply));
    assert.equal((await mailsTo(t, known)).length, 1);
    assert.equal((await mailsTo(t, unknown)).length, 0);
  });

  it('429 rate_limited for the fourth request in an hour and the sixth in 24 hours, for known and unknown addresses', async () => {
    const { t } = suite;
    const [known, unknown] = [freshEmail(), freshEmail()];
    await leave(t, known);
    for (const email of [known, unknown]) {
      for (let n = 0; n < 3; n++) assert.equal((await ask(t, email)).status, 200);
      assert.equal((await ask(t, email)).headers.get('retry-after'), '3600');
    }
    t.clock.advance(HOUR_MS);
    for (const email of [known, unknown]) {
      for (let n = 0; n < 2; n++) assert.equal((await ask(t, email)).status, 200);
      const refused = await ask(t, email);
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, String((DAY_MS - HOUR_MS) / 1000)]);
    }
    t.clock.advance(DAY_MS - HOUR_MS);
    assert.equal((await ask(t, known)).status, 200);
  });

  it('stores no token and no seed with the queued mail', async () => {
    const { t } = suite;
    const email = freshEmail();
    await leave(t, email, 'U0VFRFRFWFQ');
    const token = await linkTo(t, email);
    for (const table of ['jobs', 'mailed_links', 'audit_entries', 'events']) {
      const rows = JSON.stringify(await t.sql(`select * from ${table}`));
      assert.ok(!rows.includes(token) && !rows.includes('U0VFRFRFWFQ'), table);
    }
  });
});

onEngines('any', 'GET /v1/vault/recover/verify', {}, (suite) => {
  it('400 invalid_token for a used, expired, unknown or missing token', async () => {
    const { t } = suite;
    const email = freshEmail();
    await leave(t, email);
    const used = await linkTo(t, email);
    assert.equal((await verify(t, used)).status, 200);
    const old = await linkTo(t, email);
    t.clock.advance(15 * 60_000);
    for (const token of [used, old, 'a'.repeat(32), 'x', '']) {
      const refused = await verify(t, token);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_token'], token);
    }
    const queries = ['', '?token=%00', '?token=a%00', '?token=%ED%A0%80', '?token=%', '?token=a&token=b', '?token[]=a'];
    for (const query of [...queries, `?token=${'a'.repeat(300)}`, '?token=%F0%9F%92%A9', '?other=1']) {
      const refused = await t.api().get(`/v1/vault/recover/verify${query}`);
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_token'], query);
    }
  });
});

onEngines('both', 'GET /v1/vault/recover/verify', {}, (suite) => {
  it('of 20 parallel requests with one link one succeeds; HEAD does not use the link', async () => {
    const { t } = suite;
    const email = freshEmail();
    await leave(t, email);
    const token = await linkTo(t, email);
    assert.equal((await t.api()('HEAD', `/v1/vault/recover/verify?token=${token}`)).status, 405);
    const replies = await Promise.all(Array.from({ length: 20 }, () => verify(t, token)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status, body }) => status === 400 && body.error === 'invalid_token').length, 19);
  });

  it('recovers a large vault completely over several tokens, each usable once', async () => {
    const { t } = suite;
    const email = freshEmail();
    const { api, accountId } = await t.createAccount();
    await setTier(t, accountId, 'paid');
    await api.post('/v1/vault/recovery-email', { email, encrypted_seed: 'c2VlZA' });
    const names = Array.from({ length: 230 }, (_, n) => `k${String(n).padStart(3, '0')}`);
    // A busy service refuses some of so many at once.
    for (let n = 0; n < names.length; n += 23)
      for (const { status } of await Promise.all(
        names.slice(n, n + 23).map((name) => api.put(`/v1/vault/${name}`, { ciphertext: name })),
      ))
        assert.equal(status, 201);
    await leave(t, email);
    const seen: string[] = [];
    const seeds: number[] = [];
    let token: string | null = await linkTo(t, email);
    while (token !== null) {
      const { body, status } = await verify(t, token);
      assert.equal(status, 200);
      assert.equal((await verify(t, token)).status, 400);
      seen.push(...body.entries.map(({ ciphertext }: { ciphertext: string }) => ciphertext));
      seeds.push(body.account_entries.length + body.legacy_entries.length);
      token = body.next_token;
    }
    assert.deepEqual(seen, names);
    assert.deepEqual(seeds, [2, 0, 0]);
  });

  it('recovers more accounts than fit one reply, each once, without suspended ones', async () => {
    const { t } = suite;
    const email = freshEmail();
    const ids: string[] = [];
    for (let n = 0; n < 23; n++) {
      const { api, accountId } = await t.createAccount();
      await api.post('/v1/vault/recovery-email', { email, encrypted_seed: 'c2VlZA' });
      if (n % 2 === 0) await api.put('/v1/vault/k', { ciphertext: accountId });
      ids.push(accountId);
      t.clock.advance(1);
    }
    await suspend(t, ids[5] as string);
    const wanted = ids.filter((_, n) => n !== 5);
    const accounts: string[] = [];
    const entries: string[] = [];
    let token: string | null = await linkTo(t, email);
    while (token !== null) {
      const { body } = await verify(t, token);
      accounts.push(...body.account_entries.map(({ account_id }: { account_id: string }) => account_id));
      entries.push(...body.entries.map(({ ciphertext }: { ciphertext: string }) => ciphertext));
      token = body.next_token;
    }
    assert.deepEqual(accounts, wanted);
    assert.deepEqual(
      entries,
      ids.filter((_, n) => n % 2 === 0),
    );
  });
});

onEngines('both', 'the space of all anonymous seeds', { limits: { legacy_vault_bytes: 250 } }, (suite) => {
  it('429 beyond it, whoever asks; of parallel calls those that fit succeed', async () => {
    const { t } = suite;
    const seed = () => leave(t, freshEmail(), 'a'.repeat(100));
    const replies = await Promise.all(Array.from({ length: 4 }, seed));
    assert.deepEqual(replies.map(({ status }) => status < 300).sort(), [false, false, true, true]);
    const refused = replies.find(({ status }) => status === 429) as ApiReply;
    assert.deepEqual(refused.body.limit, { name: 'legacy_vault_bytes', used: 200, max: 250 });
    const [row] = await t.sql('select count(*) as n from vault_seeds');
    assert.equal(Number(row?.n), 2);
  });
});

onEngines('any', 'anonymous seeds of a network', { limits: { legacy_vault_entries_per_ip_per_hour: 2 } }, (suite) => {
  it('429 with Retry-After beyond the hour’s; what is stored never expires', async () => {
    const { t } = suite;
    const first = freshEmail();
    for (const email of [first, freshEmail()]) assert.ok((await leave(t, email, 'seed')).status < 300);
    const refused = await leave(t, freshEmail(), 'seed');
    assert.deepEqual([refused.status, refused.body.limit.name], [429, 'legacy_vault_entries_per_ip_per_hour']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    t.clock.advance(10 * 366 * DAY_MS);
    await t.app.worker.runDue();
    const { body } = await verify(t, await linkTo(t, first));
    assert.deepEqual(
      body.legacy_entries.map(({ encrypted_seed }: { encrypted_seed: string }) => encrypted_seed),
      ['seed'],
    );
  });
});

const CROWD = { limits: { legacy_vault_bytes: 20_000 }, env: { TRUST_PROXY: '1' } };

onEngines('both', 'N8: the room of anonymous seeds, when it is almost full', CROWD, (suite) => {
  const from = (network: string, email = freshEmail(), bytes = 100) =>
    suite.t
      .api()
      .post(
        '/v1/vault/store',
        { recovery_email: email, encrypted_seed: 'a'.repeat(bytes) },
        { 'x-forwarded-for': network },
      );

  it('N8: a /48 with more than 1 % of it is refused new seeds, then others are not; nothing that is stored goes by age', async () => {
    const { t } = suite;
    const kept = freshEmail();
    assert.equal((await from('192.0.2.1', kept)).status, 200);
    // A thief with all of a /48 fills four fifths, each from another /64.
    for (let n = 0; n < 16; n++) assert.equal((await from(`2001:db8:1:${n}::1`, freshEmail(), 1000)).status, 200);
    const refused = await from('2001:db8:1:ffff::1');
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.limit],
      [429, 'rate_limited', { name: 'legacy_vault_bytes', used: 16_100, max: 20_000 }],
    );
    const others = await Promise.all(Array.from({ length: 12 }, (_, n) => from(`2001:db8:${n + 2}::1`)));
    assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]));
    assert.equal((await from('192.0.2.1')).status, 200, 'with half a percent');
    t.clock.advance(10 * 366 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal((await verify(t, await linkTo(t, kept))).body.legacy_entries.length, 1);
    assert.equal((await from('2001:db8:1:ffff::1')).status, 429);
  });

  it('N8: so is an address with more than 1 %, from whichever network; what was refused takes no room', async () => {
    const { t } = suite;
    const email = freshEmail();
    for (let n = 0; n < 3; n++) assert.equal((await from(`198.51.100.${n}`, email)).status, 200);
    const room = () => t.sql('select used from vault_seed_bytes');
    const before = await room();
    assert.equal((await from('198.51.100.9', email)).status, 429);
    assert.deepEqual(await room(), before);
    assert.equal((await from('198.51.100.9')).status, 200);
  });
});
