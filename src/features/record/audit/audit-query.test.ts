import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { it } from 'node:test';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { HOUR_MS } from '../../../base/period.ts';

interface Entry {
  account_id: string;
  action: string;
  at: string;
  category: string;
  hash: string;
  id: string;
  network?: string | null;
  prev_hash: string;
  resource_id: string | null;
  seq: number;
  target: object | null;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An account that set its recovery email twice, claimed an address and rotated its key. */
async function busy(t: TestApp) {
  const { api, accountId } = await t.createAccount();
  for (const name of ['one', 'two']) {
    t.clock.advance(HOUR_MS);
    await api.post('/v1/account/recovery-email', { email: `${name}@example.com` });
  }
  t.clock.advance(HOUR_MS);
  await api.post('/v1/email/claim', { address: `query-${accountId.slice(-8)}` });
  const key = (await api.post('/v1/auth/keys/rotate')).body.api_key as string;
  return { api: t.api(key), accountId };
}

const list = async (api: Awaited<ReturnType<typeof busy>>['api'], query = '') => {
  const { status, body, text } = await api.get(`/v1/audit${query}`);
  assert.equal(status, 200, text);
  return body as { entries: Entry[]; count: number; next_cursor: string | null };
};

onEngines('any', 'GET /v1/audit', {}, (suite) => {
  it('lists entries newest first, as a hash chain that anyone can verify', async () => {
    const { api, accountId } = await busy(suite.t);
    const { entries, count, next_cursor } = await list(api);
    assert.deepEqual(
      entries.map(({ action, seq }) => [seq, action]),
      [
        [5, 'key.rotated'],
        [4, 'address.claimed'],
        [3, 'account.recovery_email_set'],
        [2, 'account.recovery_email_set'],
        [1, 'account.created'],
      ],
    );
    assert.deepEqual([count, next_cursor], [5, null]);
    let previous = sha256(`signet:audit:v1:${accountId}`);
    for (const { hash, id: _, target: __, network: ___, ...entry } of entries.toReversed()) {
      assert.equal(entry.prev_hash, previous);
      const sorted = Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
      assert.equal(sha256(JSON.stringify(sorted)), hash);
      previous = hash;
    }
  });

  it('shows an account only its own chain; 400 for a window that ends before it begins, and for an invalid cursor', async () => {
    const { t } = suite;
    const { accountId } = await busy(t);
    const stranger = (await t.createAccount()).api;
    const { entries } = await list(stranger);
    assert.ok(entries.every((entry) => entry.account_id !== accountId));
    for (const wrong of [
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'cursor=x',
      'cursor=WzFlMzAwXQ',
      'limit=201',
    ])
      assert.equal((await stranger.get(`/v1/audit?${wrong}`)).status, 400, wrong);
  });
});

onEngines('both', 'GET /v1/audit: what the database decides', {}, (suite) => {
  it('filters by time, category, action, resource and result; pages do not overlap or leave gaps', async () => {
    const { api } = await busy(suite.t);
    const { entries } = await list(api);
    const [, claimed, second, first] = entries as [Entry, Entry, Entry, Entry, Entry];
    const seqs = async (query: string) => (await list(api, `?${query}`)).entries.map(({ seq }) => seq);
    assert.deepEqual(await seqs('category=account'), [3, 2, 1]);
    assert.deepEqual(await seqs('action=account.recovery_email_set'), [3, 2]);
    assert.deepEqual(await seqs(`resource_id=${claimed.resource_id}`), [4]);
    assert.deepEqual(await seqs('result=refused'), []);
    assert.deepEqual(await seqs(`from=${second.at}`), [5, 4, 3]);
    assert.deepEqual(await seqs(`to=${second.at}`), [2, 1]);
    assert.deepEqual(await seqs(`from=${first.at}&to=${claimed.at}&category=account`), [3, 2]);
    assert.deepEqual(await seqs('from=2100-01-01T00:00:00Z'), []);
    assert.deepEqual(await seqs('to=0001-01-01T00:00:00Z'), []);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(api, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.entries.map(({ seq }) => seq));
      cursor = page.next_cursor;
    } while (cursor);
    assert.deepEqual(seen, [5, 4, 3, 2, 1]);
  });

  it('a filter with few matches ends pages early, and the following pages reach every match', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const row = `select '${accountId}', i, replace((select entry from audit_entries where account_id = '${accountId}' and seq = 1), '"seq":1', '"seq":' || i), 'x', 1, '', '' from n`;
    await t.sql(
      `insert into audit_entries (account_id, seq, entry, action, created_at, prev_hash, hash) with recursive n(i) as (select 2 union all select i + 1 from n where i < 5600) ${row.replace("'account.created'", "'x'")}`,
    );
    await new Promise(setImmediate);
    const first = await list(api, '?action=key.rotated');
    assert.deepEqual([first.count, first.entries], [0, []]);
    assert.notEqual(first.next_cursor, null);
    const rest = await list(api, `?action=key.rotated&cursor=${first.next_cursor}`);
    assert.deepEqual([rest.count, rest.next_cursor], [0, null]);
  });
});

onEngines('any', 'GET /v1/audit/seals', {}, (suite) => {
  it('signs the newest entry of the chain with a flush; the published keys verify the signature', async () => {
    const { t } = suite;
    const { api, accountId } = await busy(t);
    await t.app.provided.audit.flush();
    await api.post('/v1/account/recovery-email', { email: 'three@example.com' });
    await t.app.provided.audit.flush();
    const { seals, keys } = (await api.get('/v1/audit/seals')).body;
    const { entries } = (await api.get('/v1/audit')).body as { entries: Entry[] };
    assert.equal(seals.at(-1).seq, 6);
    for (const seal of seals) {
      assert.equal(seal.hash, entries.find(({ seq }) => seq === seal.seq)?.hash);
      const { kty, crv, x } = keys.find(({ kid }: { kid: string }) => kid === seal.kid);
      const message = Buffer.from(`signet:audit-seal:v1:${accountId}:${seal.seq}:${seal.hash}`);
      const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
      assert.ok(verify(null, message, key, Buffer.from(seal.signature, 'base64url')));
    }
    const page = (await api.get('/v1/audit/seals?limit=1')).body;
    assert.notEqual(page.next_cursor, null, 'a chain that grew twice has two checkpoints');
    assert.deepEqual(page.seals, seals.slice(0, 1));
  });
});

onEngines('any', 'an audit log without signatures', { env: { SIGNING: 'off' } }, (suite) => {
  it('SIGNING=off: the chain grows without checkpoints', async () => {
    const { t } = suite;
    const { api } = await busy(t);
    await t.app.provided.audit.flush();
    assert.deepEqual((await api.get('/v1/audit/seals')).body.seals, []);
    assert.equal((await api.get('/v1/audit')).body.count, 5);
  });
});
