import assert from 'node:assert/strict';
import { it } from 'node:test';
import { approvalLinkIn } from '../../../../test/contract/samples/budgets.ts';
import { type Api, onEngines } from '../../../../test/support/harness.ts';
import { operated } from '../../../../test/support/passkeys.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type AuditEntry, verifyAuditChain } from '../../../client/audit-chain.ts';
import { summaryOf, targetOf } from './audit-words.ts';

const latest = async (api: Api, action: string): Promise<AuditEntry> => {
  const { body, text } = await api.get(`/v1/audit?action=${action}&limit=1`);
  assert.equal(body.count, 1, text);
  return body.entries[0];
};

/** Reads the whole log, and verifies it offline. */
async function verified(api: Api, accountId: string): Promise<AuditEntry[]> {
  const { entries } = (await api.get('/v1/audit?limit=200')).body as { entries: AuditEntry[] };
  const { seals, keys } = (await api.get('/v1/audit/seals')).body;
  assert.equal((await verifyAuditChain({ accountId, entries, seals, keys })).entries, entries.length);
  return entries;
}

onEngines('both', 'GET /v1/audit/{id}', {}, (suite) => {
  it('D anonymous: who approved 5 USDC by session and by link, what a key charged and what an operator ended: who, what, which', async () => {
    const { t } = suite;
    const { account, email, session } = await operated(t);
    const { api, accountId } = account;
    await session.put('/v1/budget', { single_tx_limit_cents: 1_000_000, on_limit: 'approve' });
    const ask = async (): Promise<string> =>
      (await api.post('/v1/charge', { amount: 5_000_000, category: 'search' })).body.approval_id;
    const byConsole = await ask();
    assert.equal((await session.post(`/v1/approvals/${byConsole}/approve`)).status, 200);
    const byLink = await ask();
    const links = (await t.outboxMails()).filter((mail) => mail.includes('/approve#')).map(approvalLinkIn);
    const { token } = links.find(({ id }) => id === byLink) as { token: string };
    const decision = { token, decision: 'approve' };
    assert.equal((await t.api().post(`/v1/approvals/${byLink}/decide`, decision)).status, 200);
    const { body: charge } = await api.post('/v1/charge', { amount: 500_000, category: 'search' });
    const { body: key } = await api.post('/v1/account/keys', { name: 'deploy', scopes: ['vault:write'] });
    assert.equal((await session.delete(`/v1/account/keys/${key.id}`)).status, 200);

    const said = async (action: string) => {
      const listed = await latest(api, action);
      const { body: one } = await api.get(`/v1/audit/${listed.id}`);
      assert.deepEqual(one, listed, 'it is the same at its own address');
      const { kind, role, name } = one.actor as Exclude<AuditEntry['actor'], string>;
      return [kind, role ?? name, one.address, one.summary, one.target];
    };
    const approval = (id: string) => ({ kind: 'approval', id, href: `/v1/approvals/${id}` });
    const person = ['person', 'operator', email];
    assert.deepEqual(await said('approval.approved'), [
      ...person,
      'Approved 5.00 USDC for search',
      approval(byConsole),
    ]);
    assert.deepEqual(await said('approval.decided'), [...person, 'Approved 5.00 USDC for search', approval(byLink)]);
    const charged = { kind: 'charge', id: charge.charge_id, href: null };
    assert.deepEqual(await said('charge.made'), ['key', 'primary', undefined, 'Charged 0.50 USDC for search', charged]);
    const named = { kind: 'key', id: key.id, href: null };
    assert.deepEqual(await said('key.named_deleted'), [...person, 'Deleted a named key', named]);
    const { before, after, target } = await latest(api, 'approval.decided');
    assert.deepEqual([before, after], [{ status: 'pending' }, { status: 'approved' }]);
    assert.equal((await api.get(String(target?.href))).body.id, byLink);
    const budget = await latest(api, 'budget.changed');
    assert.deepEqual(budget.after, { 'settings.on_limit': 'approve', 'settings.single_tx_limit_cents': 1_000_000 });
    assert.equal((await latest(api, 'key.named_created')).summary, 'Created the key deploy');
    await t.app.provided.audit.flush();
    await verified(api, accountId);
  });

  it('no flood of refused calls of an agent hides a decision from its operator', async () => {
    const { t } = suite;
    const { account, session } = await operated(t);
    await session.post(`/v1/operator/agents/${account.accountId}/suspend`);
    await session.post(`/v1/operator/agents/${account.accountId}/resume`);
    const key = (await account.api.post('/v1/account/keys', { name: 'r', scopes: ['audit:read'] })).body.api_key;
    for (let i = 0; i < 21; i++)
      assert.equal((await t.api(key).post(`/v1/email/quarantine/msg_${i}/release`)).status, 403);
    await t.app.provided.audit.flush();
    assert.equal((await account.api.get('/v1/audit?action=quarantine.released&result=refused')).body.count, 21);
    const { decisions } = (await session.get('/v1/operator/decisions')).body;
    assert.deepEqual(decisions.map(({ action }: { action: string }) => action).slice(0, 2), [
      'account.resumed',
      'account.suspended',
    ]);
  });

  it('an entry of a pod, of another account and of none look alike; no key is 401', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { body: pod } = await api.post('/v1/pods', {});
    const { id } = await latest(api, 'pod.created');
    const stranger = await t.createAccount();
    const ofPod = (await latest(t.api(pod.api_key), 'account.created').catch(() => null))?.id;
    const ids = [id, id.replace(/\d+$/, '999'), 'aud_x', `${id}0000000000000000000000`];
    const replies = await Promise.all(ids.map((one) => stranger.api.get(`/v1/audit/${one}`)));
    const foreign = ofPod === undefined ? [] : [await api.get(`/v1/audit/${ofPod}`)];
    for (const { status, text } of [...replies, ...foreign]) assert.deepEqual([status, text], [404, replies[0]?.text]);
    assert.equal((await t.api(pod.api_key).get(`/v1/audit/${id}`)).status, 404);
    assert.equal((await t.api().get(`/v1/audit/${id}`)).status, 401);
    const reader = (await api.post('/v1/account/keys', { name: 'r', scopes: ['vault:read'] })).body.api_key;
    assert.equal((await t.api(reader).get(`/v1/audit/${id}`)).body.required_scope, 'audit:read');
  });

  it('every other id is a token, which everybody may look up, whatever the credential beside it', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { jti } = (await api.post('/v1/tokens/issue', { audience: 'https://a.example', scopes: ['x'] })).body;
    const reader = (await api.post('/v1/account/keys', { name: 'r', scopes: ['vault:read'] })).body.api_key;
    for (const caller of [t.api(), t.api('signet_live_wrong'), t.api(reader), api])
      assert.equal((await caller.get(`/v1/audit/${jti}`)).body.status, 'active');
    assert.equal((await t.api().get('/v1/audit/aat_00000000000000000000000000')).body.error, 'not_found');
  });

  it('the network is a /24, for the owner alone, outside of the hash, and gone after 30 days', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await api.put('/v1/vault/a', { ciphertext: 'x' });
    const { id, network } = await latest(api, 'vault.stored');
    assert.equal(network, '127.0.0.0/24');
    const reader = (await api.post('/v1/account/keys', { name: 'r', scopes: ['audit:read'] })).body.api_key;
    assert.equal('network' in (await t.api(reader).get(`/v1/audit/${id}`)).body, false);
    const stored = async () =>
      (await t.sql('select network, entry from audit_entries where account_id = ?', accountId)).map(
        (row) => row.network,
      );
    t.clock.advance(30 * DAY_MS - 1000);
    await t.app.provided.audit.forgetNetworks();
    assert.deepEqual(new Set(await stored()), new Set(['127.0.0.0/24']));
    t.clock.advance(1000);
    assert.equal((await latest(api, 'vault.stored')).network, null, 'before the next look, too');
    await t.app.provided.audit.forgetNetworks();
    assert.deepEqual(new Set(await stored()), new Set([null]));
    await t.app.provided.audit.flush();
    await verified(api, accountId);
  });
});

onEngines('any', 'what an entry keeps', {}, (suite) => {
  it('no secret, no list of people and no text of mail is in before, after or summary', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: `keeps-${accountId.slice(-8)}` })).body;
    const url = 'https://hooks.example/T0/SECRETPATH?sig=SECRETQUERY';
    const { body: hook } = await api.post('/v1/webhooks', { url, events: ['email.received'], secret: 'SECRETSIGN' });
    await api.patch(`/v1/webhooks/${hook.id}`, { url: 'https://other.example/SECRETPATH' });
    await api.put('/v1/email/policy', { outbound: { to: 'list', allow: ['secret@person.example'] } });
    await api.put('/v1/vault/db', { ciphertext: 'SECRETVALUE' });
    await api.post('/v1/email/send', {
      from: address,
      to: 'secret@person.example',
      subject: 'SECRET 482913',
      text: 'SECRET',
    });
    const rows = await t.sql('select entry from audit_entries where account_id = ?', accountId);
    assert.doesNotMatch(JSON.stringify(rows), /SECRET|482913|person\.example/);
    assert.deepEqual((await latest(api, 'webhook.updated')).after, { host: 'other.example' });
    const policy = await latest(api, 'mail_policy.changed');
    assert.deepEqual(policy.after, { 'outbound.allow.length': 1, 'outbound.to': 'list' });
    assert.equal((await latest(api, 'email.sent')).summary, 'Sent a mail to 1 recipient');
  });

  it('every action has words, and a thing that it was done to', () => {
    const actions = suite.t.app.endpoints.flatMap(({ action }) => action ?? []);
    assert.ok(actions.length > 100);
    for (const action of [
      ...actions,
      'notice.carried_out',
      'draft.sent',
      'storage.cleared',
      'account.closed',
      'message.purged',
    ]) {
      assert.match(summaryOf(action, 'x', undefined), /^[A-Z]/, action);
      assert.ok(targetOf(action, 'x'), action);
    }
  });

  it('what is refused or tried says so, and what a person’s console read is left out with console=false: no key hides', async () => {
    const { t } = suite;
    const { account, session } = await operated(t);
    const { api } = account;
    const named = t.api((await api.post('/v1/account/keys', { name: 'r', scopes: ['vault:read'] })).body.api_key);
    assert.equal((await named.put('/v1/vault/a', { ciphertext: 'x' })).status, 403);
    assert.equal((await api.put('/v1/vault/a?dry_run=true', { ciphertext: 'x' })).status, 201);
    await api.put('/v1/vault/a', { ciphertext: 'x' });
    const browser = t.api((await api.post('/v1/auth/session')).body.session);
    for (const reader of [session, browser]) assert.equal((await reader.get('/v1/vault/a')).status, 200);
    await t.app.provided.audit.flush();
    const listed = async (query: string): Promise<string[]> =>
      (await api.get(`/v1/audit?category=vault&${query}`)).body.entries.map((one: AuditEntry) => one.summary);
    assert.deepEqual((await listed('')).length, 5);
    assert.deepEqual(await listed('console=false&result=success'), ['Read the secret a', 'Stored the secret a']);
    assert.match((await listed('result=refused'))[0] ?? '', /^Refused: /);
    assert.match((await listed('result=dry_run'))[0] ?? '', /^Tried: /);
    assert.deepEqual((await listed('status=4xx')).length, 1);
    assert.deepEqual(await listed('key=r'), await listed('status=403'));
    assert.deepEqual(await listed('actor=person'), ['Read the secret a']);
    assert.equal((await api.get('/v1/audit?status=4x')).status, 400);
  });

  it('Accept: text/csv is a table, in which no cell is a formula', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const names = ['=1+1', '+x', '-x', '@x', '\u{3000}=x', 'a"b,c', 'a; =1+1', 'a;"=1'];
    for (const name of names) {
      const { body } = await api.post('/v1/account/keys', { name, scopes: ['vault:write'] });
      assert.equal((await t.api(body.api_key).put('/v1/vault/-x', { ciphertext: 'x' })).status < 300, true);
    }
    const table = async (path: string) => {
      const { status, text, headers } = await api.get(path, { accept: 'text/csv' });
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8']);
      return { lines: text.split('\r\n').slice(0, -1), next: headers.get('link') };
    };
    const { lines, next } = await table('/v1/audit?action=vault.stored');
    assert.deepEqual([lines.length, next], [9, null]);
    assert.match(lines[0] ?? '', /^"at","summary","action"/);
    for (const line of lines.slice(1)) assert.doesNotMatch(line, /(^|",)"[\s\u{3000}]*[=+\-@]/u);
    assert.match(lines.join('\n'), /"'=1\+1".*"'-x"/);
    for (const line of lines) assert.doesNotMatch(line, /;[\s"]*[=+\-@]/u, 'nor where a line is split at `;`');
    const first = await table('/v1/audit?action=vault.stored&limit=4');
    assert.equal(first.lines.length, 5);
    const following = /^<(.*)>; rel="next"$/.exec(first.next ?? '')?.[1] ?? '';
    assert.equal((await table(following)).lines.length, 5);
    assert.equal((await table('/v1/requests?path=/v1/account')).lines.length, 9);
    assert.equal((await api.get('/v1/audit')).headers.get('content-type'), 'application/json; charset=utf-8');
  });
});
