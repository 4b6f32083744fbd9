import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { approvalLinkIn } from '../../../../test/contract/samples/budgets.ts';
import { confirmationFor, confirmOperator, openSession } from '../../../../test/support/agents.ts';
import { confirmAt } from '../../../../test/support/confirmed.ts';
import { delegate, exchange } from '../../../../test/support/delegations.ts';
import { type Api, onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { mcpClient } from '../../../../test/support/mcp.ts';
import { allow, askFor, clientTokens, registerClient } from '../../../../test/support/oauth-client.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { NAMED_HOST, operated, operatedWithPasskey } from '../../../../test/support/passkeys.ts';
import { DAY_MS } from '../../../base/period.ts';
import { type AuditEntry, verifyAuditChain } from '../../../client/audit-chain.ts';
import { SignetClient } from '../../../client/signet-client.ts';
import { verifyChain } from './audit-log.ts';

const ofAction = async (api: Api, action: string): Promise<AuditEntry[]> =>
  (await api.get(`/v1/audit?action=${action}`)).body.entries;
const actorOf = async (api: Api, action: string) => (await ofAction(api, action))[0]?.actor;

/** A charge that waits for an operator. @returns the id of its approval */
async function ask({ api }: TestAccount): Promise<string> {
  const asked = await api.post('/v1/charge', { amount: 1_500_000, category: 'ads', description: 'x' });
  assert.equal(asked.status, 202, asked.text);
  return asked.body.approval_id;
}

/** Reads the whole log with a credential, and verifies it offline. */
async function verified(t: TestApp, accountId: string, key: string): Promise<AuditEntry[]> {
  const client = new SignetClient({ baseUrl: t.baseUrl, key });
  await t.app.provided.audit.flush();
  const { seals, keys } = await client.listAuditSeals();
  const entries: AuditEntry[] = [];
  for await (const entry of client.paginate('listAuditEntries', { limit: 200 })) entries.push(entry);
  assert.equal((await verifyAuditChain({ accountId, entries, seals, keys })).entries, entries.length);
  return entries;
}

onEngines('both', 'a person’s decision is recorded as that person’s', NAMED_HOST, (suite) => {
  it('B decided_by, D anonymous: an approval by session, passkey or mailed link, a consent and a login name the operator', async () => {
    const { t } = suite;
    const { account, email, session, strong } = await operatedWithPasskey(t);
    const { api, accountId, key } = account;
    await session.put('/v1/budget', { single_tx_limit_cents: 1, on_limit: 'approve' });
    const approve = async (by: Api) => (await by.post(`/v1/approvals/${await ask(account)}/approve`, {})).status;
    assert.deepEqual([await approve(session), await approve(strong)], [200, 200]);
    const asked = await ask(account);
    const mails = (await t.outboxMails()).filter((mail) => mail.includes('/approve#'));
    const link = mails.map(approvalLinkIn).find(({ id }) => id === asked);
    assert.ok(link);
    assert.equal(
      (await t.api().post(`/v1/approvals/${link.id}/decide`, { token: link.token, decision: 'reject' })).status,
      200,
    );
    await allow(session, askFor(await registerClient(t), { scope: 'audit:read' }));

    const person = await actorOf(api, 'person.confirmed');
    assert.ok(typeof person === 'object');
    assert.match(person.id ?? '', /^per_[0-9a-z]{26}$/);
    assert.deepEqual(person, { id: person.id, kind: 'person', role: 'operator' });
    for (const action of ['approval.decided', 'approval.approved', 'grant.created', 'login.session_opened'])
      for (const entry of await ofAction(api, action)) assert.deepEqual([entry.actor, entry.address], [person, email]);
    assert.equal((await ofAction(api, 'approval.approved')).length, 2);

    const entries = await verified(t, accountId, key);
    assert.ok(entries.some(({ address }) => address === email));
    const stored = await t.sql('select entry from audit_entries where account_id = ?', accountId);
    assert.doesNotMatch(JSON.stringify(stored), new RegExp(email), 'the chain has no address');
  });

  it('the address is for the primary key and operator sessions alone; each view proves itself offline', async () => {
    const { t } = suite;
    const { account, email, token } = await operated(t);
    const { api, accountId, key } = account;
    const later = newPerson(t);
    await confirmAt(t, accountId, later, t.clock.now());
    const scopes = ['audit:read'];
    const named = (await api.post('/v1/account/keys', { name: 'ci', scopes })).body.api_key;
    const other = await t.createAccount();
    const { id } = await delegate(t, api, other, { scopes });
    const delegated = (await exchange(t, other.key, id)).body.access_token;
    for (const seen of [key, token])
      assert.ok((await verified(t, accountId, seen)).some(({ address }) => address === email));
    const plain = await openSession(t, later);
    for (const hidden of [t.api(named), t.api(delegated), plain]) {
      const { status, text } = await hidden.get('/v1/audit?limit=200');
      assert.deepEqual([status, text.includes(email), text.includes('"kind":"person"')], [200, false, true]);
    }
    await verified(t, accountId, named);
  });

  it('the id is the same after the person left and came back, and another for another account', async () => {
    const { t } = suite;
    const { account, email, session } = await operated(t);
    const before = await actorOf(account.api, 'person.confirmed');
    assert.equal((await session.delete(`/v1/account/operators/${email}`)).status, 200);
    await confirmOperator(t, account, email);
    const [again, removal] = [
      await actorOf(account.api, 'person.confirmed'),
      await actorOf(account.api, 'account.operator_removed'),
    ];
    assert.deepEqual([again, removal], [before, before]);
    const other = await t.createAccount();
    await confirmOperator(t, other, email);
    assert.notDeepEqual(await actorOf(other.api, 'person.confirmed'), before);
  });

  it('one id is made when a person who has none yet, as before the upgrade, acts ten times at once', async () => {
    const { t } = suite;
    const { account, session } = await operated(t);
    await t.sql('delete from audit_people where account_id = ?', account.accountId);
    const put = (_: unknown, n: number) => session.put(`/v1/vault/k${n}`, { ciphertext: 'x' });
    const made = await Promise.all(Array.from({ length: 10 }, put));
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]));
    const entries = await ofAction(account.api, 'vault.stored');
    assert.deepEqual([entries.length, new Set(entries.map(({ actor }) => JSON.stringify(actor))).size], [10, 1]);
    assert.equal((await t.sql('select id from audit_people where account_id = ?', account.accountId)).length, 1);
    assert.equal((await verifyChain(t.app.database, account.accountId)).fault, null);
  });

  it('nor is an address in what was done to a person: not by a notice, nor by a key that was refused', async () => {
    const { t } = suite;
    const { account, email } = await operated(t);
    const { api } = account;
    const person = await actorOf(api, 'person.confirmed');
    assert.ok(typeof person === 'object');
    const named = t.api((await api.post('/v1/account/keys', { name: 'ci', scopes: ['account:manage'] })).body.api_key);
    for (const address of [email, 'stranger@example.org'])
      assert.equal((await named.delete(`/v1/account/operators/${address}`)).status, 403);
    assert.equal((await api.delete(`/v1/account/operators/${email}`)).body.status, 'scheduled');
    t.clock.advance(7 * DAY_MS);
    await t.app.worker.runDue();
    await t.app.provided.audit.flush();
    const whom = async (action: string) => (await ofAction(api, action)).map(({ resource_id: id }) => id);
    assert.deepEqual(await whom('notice.carried_out'), [person.id]);
    const removals = await whom('account.operator_removed');
    assert.deepEqual(removals.toSorted(), [account.accountId, null, person.id].toSorted());
    const stored = await t.sql('select entry from audit_entries where account_id = ?', account.accountId);
    assert.doesNotMatch(JSON.stringify(stored), /@/);
  });

  it('who refuses is recorded in the role that was refused', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const email = newPerson(t);
    await account.api.post('/v1/account/recovery-email', { email });
    const token = await confirmationFor(t, account.accountId, email);
    assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'refuse' })).status, 200);
    const actor = await actorOf(account.api, 'person.refused');
    assert.ok(typeof actor === 'object');
    assert.deepEqual([actor.kind, actor.role], ['person', 'recovery']);
  });
});

onEngines('any', 'what acts without a person', {}, (suite) => {
  it('a key writes its id and name, a delegate its chain, a client its grant', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const [helper, last] = [await t.createAccount(), await t.createAccount()];
    const made = (await owner.api.post('/v1/account/keys', { name: 'deploy', scopes: ['vault:write'] })).body;
    const keys = (await owner.api.get('/v1/account/keys')).body.keys;
    const [primary] = keys;
    await t.api(made.api_key).put('/v1/vault/a', { ciphertext: 'x' });
    const prefixOf = (key: string): string => /^signet_[a-z]+_.{4}/.exec(key)?.[0] ?? '';
    assert.deepEqual(
      [await actorOf(owner.api, 'vault.stored'), await actorOf(owner.api, 'key.named_created')],
      [
        { id: keys[1].id, kind: 'key', name: 'deploy', prefix: prefixOf(made.api_key) },
        { id: primary.id, kind: 'key', name: 'primary', prefix: prefixOf(owner.key) },
      ],
    );
    const first = await delegate(t, owner.api, helper, { scopes: ['calendar:write'], may_delegate: 1 });
    const held = (await exchange(t, helper.key, first.id)).body.access_token;
    const second = await delegate(t, t.api(held), last, { scopes: ['calendar:write'] });
    const token = (await exchange(t, last.key, second.id)).body.access_token;
    const event = { summary: 'x', start: '2026-09-01T10:00:00Z', end: '2026-09-01T11:00:00Z' };
    assert.equal((await t.api(token).post('/v1/calendar/events', event)).status, 201);
    const [entry] = await ofAction(owner.api, 'calendar.event_created');
    assert.deepEqual(
      [entry?.actor, entry?.act],
      [
        { chain: [first.id, second.id], id: last.accountId, kind: 'delegate', prefix: prefixOf(token) },
        [last.accountId, helper.accountId],
      ],
    );
    const { account, session } = await operated(t);
    const { access, asking } = await clientTokens(t, session, { scope: 'vault:write' });
    const ciphertext = '9f'.repeat(28);
    assert.equal((await mcpClient(t, access).tool('store_secret', { key: 'db', ciphertext })).isError, false);
    const [grant] = (await session.get('/v1/account/grants')).body.grants;
    const client = { id: grant.id, kind: 'client', name: asking.clientId, prefix: prefixOf(access) };
    assert.deepEqual(await actorOf(account.api, 'vault.stored'), client);
  });

  it('entries of before, with text for who acted, are listed and verified beside the new ones; a changed actor is found', async () => {
    const { t } = suite;
    const { api, accountId, key } = await t.createAccount();
    const [row] = await t.sql('select entry from audit_entries where account_id = ? and seq = 1', accountId);
    const { summary: _, ...former } = JSON.parse(String(row?.entry));
    const old = JSON.stringify({ ...former, actor: 'anonymous' });
    const hash = createHash('sha256').update(old).digest('hex');
    await t.sql('update audit_entries set entry = ?, hash = ? where account_id = ?', old, hash, accountId);
    await t.sql('update audit_chains set last_hash = ? where account_id = ?', hash, accountId);
    await t.sql('delete from audit_seals where account_id = ?', accountId);
    await api.put('/v1/vault/a', { ciphertext: 'x' });
    const entries = await verified(t, accountId, key);
    assert.deepEqual([entries.at(-1)?.actor, typeof entries[0]?.actor], ['anonymous', 'object']);
    const first = (await api.get(`/v1/audit/${entries.at(-1)?.id}`)).body;
    assert.deepEqual([first.summary, first.target.kind], [undefined, 'account']);
    assert.equal((await verifyChain(t.app.database, accountId)).fault, null);
    const forged = entries.with(0, { ...(entries[0] as AuditEntry), actor: { kind: 'service' } });
    await assert.rejects(verifyAuditChain({ accountId, entries: forged, seals: [], keys: [] }), /Entry 2 was altered/);
  });
});
