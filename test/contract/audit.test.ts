import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { genesisHash, verifyChain } from '../../src/features/record/audit/audit-log.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import type { WireReply } from './contract-client.ts';
import { changes, type Snapshot, settle, withSnapshots } from './contract-snapshot.ts';
import {
  nameOf,
  namesOf,
  type Prepared,
  requireSuccess,
  type Sample,
  sampleBatches,
  sendSample,
} from './sample-requests.ts';

/** The chain of anonymous calls. */
const SERVICE_CHAIN = 'acc_service';

/** Makes every insert into the audit log fail. @returns the function that undoes it */
async function breakAudit(t: TestApp): Promise<() => Promise<void>> {
  if (t.engine === 'sqlite') {
    await t.sql(
      `create trigger break_audit before insert on audit_entries begin select raise(abort, 'no audit today'); end`,
    );
    return async () => void (await t.sql('drop trigger break_audit'));
  }
  await t.sql(
    `create or replace function break_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit today'; end $$`,
  );
  await t.sql('create trigger break_audit before insert on audit_entries for each row execute function break_audit()');
  return async () => void (await t.sql('drop trigger break_audit on audit_entries'));
}

interface Entry {
  account_id: string;
  seq: number | string;
  entry: string;
  action: string;
}

/** Every entry of every chain, as `account seq` to its JSON. */
async function readTrail(t: TestApp): Promise<Map<string, Entry>> {
  const rows = (await t.sql('select account_id, seq, entry, action from audit_entries')) as unknown as Entry[];
  return new Map(rows.map((row) => [`${row.account_id} ${row.seq}`, row]));
}

/** Sends the samples, and reads the audit entries that were appended meanwhile. */
async function appendedBy(
  t: TestApp,
  batch: readonly Prepared[],
): Promise<{ replies: (Prepared & { reply: WireReply })[]; entries: Entry[] }> {
  await settle(t);
  const old = await readTrail(t);
  const replies = [];
  for (const each of batch) replies.push({ ...each, reply: await sendSample(t, each.endpoint, each.sample) });
  const now = await readTrail(t);
  for (const [at, { entry }] of old) assert.equal(now.get(at)?.entry, entry, 'what is on record stays as it is');
  return { replies, entries: [...now].filter(([at]) => !old.has(at)).map(([, entry]) => entry) };
}

/** Calls without a credential in which a link, a passkey or a code proves a person. */
const PROVEN = new Set([
  ...['confirmPerson', 'decideApproval', 'decideReview', 'viewCredentialRequest', 'approveCredential'],
  ...['verifyLogin', 'logInWithPasskey', 'logInWithRecoveryCode', 'verifyVaultRecovery'],
]);

/** The kind of who acts, and the public name of the credential: the prefix of its kind and four characters. */
function actorOf({ operation }: Endpoint, { key }: Sample): [kind: RegExp, prefix: string | undefined] {
  const prefix = /^signet_[a-z]+_.{4}/.exec(key ?? '')?.[0];
  if (prefix !== undefined) return [/^(key|delegate|client)$/, prefix];
  return [key !== null || PROVEN.has(operation) ? /^person$/ : /^anonymous$/, undefined];
}

const chainOf = (sample: Sample, reply: WireReply): string =>
  sample.accountId ?? reply.body?.account_id ?? SERVICE_CHAIN;

/** A read that is on record: its entry comes within a second, at any moment. */
const isNoted = ({ effect, action }: Endpoint): boolean => effect === 'none' && action !== undefined;

const changing = (t: TestApp): Endpoint[] => t.app.endpoints.filter(({ effect }) => effect !== 'none');

/** Checks endpoints while their audit entries cannot be written. */
async function refuseWithoutAudit(
  t: TestApp,
  batch: readonly Prepared[],
  take: () => Promise<Snapshot>,
): Promise<void> {
  await settle(t);
  const restore = await breakAudit(t);
  const start = await take();
  for (const { endpoint, sample } of batch) {
    const refused = await sendSample(t, endpoint, sample);
    assert.equal(refused.status, 503, `${nameOf(endpoint)}: ${JSON.stringify(refused.body)}`);
    assert.equal(refused.body.error, 'storage_unavailable', nameOf(endpoint));
    assert.doesNotMatch(JSON.stringify(refused.body), /audit/, nameOf(endpoint));
  }
  const end = await take();
  await restore();
  assert.deepEqual(changes(start, end), [], namesOf(batch));
  for (const { endpoint, sample } of batch) requireSuccess(endpoint, await sendSample(t, endpoint, sample));
}

/** That a transaction leaves nothing is the engine's part: some calls show it. */
const breaking = (t: TestApp): Endpoint[] =>
  changing(t).filter((_, i) => IS_FULL_RUN || i % (t.engine === 'sqlite' ? 3 : 10) === 0);

onEngines('both', 'every call that changes something', NAMED_HOST, (suite) => {
  it('503 storage_unavailable without any effect if its audit entry cannot be written; later it works', async () => {
    const { t } = suite;
    assert.ok(breaking(t).length > 10);
    await withSnapshots(t, async (take) => {
      for await (const batch of sampleBatches(t, breaking(t))) await refuseWithoutAudit(t, batch, take);
    });
  });
});

onEngines('any', 'what every call appends', NAMED_HOST, (suite) => {
  it('appends one entry with actor, action and result to the chain of the account', async () => {
    const { t } = suite;
    const appended: (Prepared & { reply: WireReply; own: Entry[] })[] = [];
    for await (const batch of sampleBatches(t, changing(t))) {
      const { replies, entries } = await appendedBy(t, batch);
      const of = ({ headers }: WireReply): Entry[] =>
        entries.filter(({ entry }) => JSON.parse(entry).request_id === headers['x-request-id']);
      for (const each of replies) appended.push({ ...each, own: of(each.reply) });
      assert.equal(entries.length, batch.length, namesOf(batch));
    }
    for (const { endpoint, sample, reply, own } of appended) {
      requireSuccess(endpoint, reply);
      assert.equal(own.length, 1, nameOf(endpoint));
      const [{ account_id, seq, action, entry }] = own as [Entry];
      // What it says of each thing is for the tests of that.
      const { summary, before: _, after: __, ...said } = JSON.parse(entry);
      assert.match(summary, /^[A-Z]/, nameOf(endpoint));
      assert.equal(action, endpoint.action, nameOf(endpoint));
      assert.deepEqual(
        { ...said, actor: 0, at: 0, ip: 0, prev_hash: 0, resource_id: 0 },
        {
          account_id: chainOf(sample, reply),
          action: endpoint.action,
          actor: 0,
          at: 0,
          category: endpoint.action?.split('.')[0],
          ip: 0,
          prev_hash: 0,
          request_id: reply.headers['x-request-id'],
          resource_id: 0,
          result: 'success',
          seq: Number(seq),
          status: reply.status,
        },
        nameOf(endpoint),
      );
      const [kind, prefix] = actorOf(endpoint, sample);
      assert.match(said.actor.kind, kind, nameOf(endpoint));
      assert.equal(said.actor.prefix, prefix, nameOf(endpoint));
      assert.doesNotMatch(JSON.stringify(said.actor), /@/, nameOf(endpoint));
      assert.equal(account_id, said.account_id, nameOf(endpoint));
      assert.ok(Date.parse(said.at) <= t.clock.now() && said.at.endsWith('Z'), nameOf(endpoint));
      assert.match(said.ip, /^[0-9a-f]{32}$/, `${nameOf(endpoint)}: the address itself is not kept`);
      const secrets = [sample.key, reply.body?.api_key, reply.body?.key, reply.body?.backup_key].filter((text) =>
        /^(signet|session)_/.test(text ?? ''),
      );
      for (const secret of secrets) assert.ok(!entry.includes(secret), nameOf(endpoint));
    }
  });

  it('a read appends nothing, and neither does a second read where only the first one changes something', async () => {
    const { t } = suite;
    await withSnapshots(t, async (take) => {
      const reads = t.app.endpoints.filter((one) => one.effect !== 'write' && !isNoted(one));
      for await (const batch of sampleBatches(t, reads)) {
        const sendAll = async (some: readonly Prepared[]): Promise<void> => {
          for (const { endpoint, sample } of some) requireSuccess(endpoint, await sendSample(t, endpoint, sample));
        };
        await sendAll(batch.filter(({ endpoint }) => endpoint.effect === 'lazy'));
        await settle(t);
        const start = await take();
        await sendAll(batch);
        assert.deepEqual(changes(start, await take()), [], namesOf(batch));
      }
    });
  });

  it('a refused call appends nothing', async () => {
    const { t } = suite;
    // An endpoint that takes any body ignores what it does not know.
    const takeBodies = changing(t).filter(({ method, anyBody }) => method !== 'GET' && !anyBody);
    for await (const batch of sampleBatches(t, takeBodies)) {
      const spoilt = batch.map(({ endpoint, sample }) => ({
        endpoint,
        sample: { ...sample, body: { ...(sample.body as object), 'no such field': 1 } },
      }));
      const { replies, entries } = await appendedBy(t, spoilt);
      for (const { endpoint, reply } of replies) assert.equal(reply.status, 400, nameOf(endpoint));
      assert.deepEqual(entries, [], namesOf(batch));
    }
  });

  it('leaves valid chains', async () => {
    const { t } = suite;
    const chains = await t.sql('select account_id, last_seq from audit_chains');
    assert.ok(chains.length > 20);
    for (const { account_id, last_seq } of chains) {
      const { entries, fault } = await verifyChain(t.app.database, String(account_id));
      assert.deepEqual({ entries, fault }, { entries: Number(last_seq), fault: null }, String(account_id));
    }
  });
});

/** An account with a chain of five entries: its creation and four claimed addresses. */
async function chainOfFive(t: TestApp): Promise<string> {
  const { api, accountId } = await t.createAccount();
  for (let i = 0; i < 4; i++) await api.post('/v1/inbox');
  const { entries, fault } = await verifyChain(t.app.database, accountId);
  assert.deepEqual({ entries, fault }, { entries: 5, fault: null });
  return accountId;
}

onEngines('any', 'verifyChain', {}, (suite) => {
  const set = (accountId: string, seq: number, column: string, value: string | number) =>
    suite.t.sql(`update audit_entries set ${column} = ? where account_id = ? and seq = ?`, value, accountId, seq);
  const fault = async (accountId: string) => {
    // Reads in one iteration of the event loop see the same state. The next iteration sees changes from outside.
    await setImmediate();
    return (await verifyChain(suite.t.app.database, accountId)).fault;
  };
  const rowOf = async (accountId: string, seq: number) => {
    const [row] = await suite.t.sql('select * from audit_entries where account_id = ? and seq = ?', accountId, seq);
    return row as Record<'entry' | 'prev_hash' | 'hash' | 'action', string>;
  };
  const insert = (accountId: string, seq: number, row: Record<string, string>) =>
    suite.t.sql(
      'insert into audit_entries (account_id, seq, entry, action, created_at, prev_hash, hash) values (?, ?, ?, ?, 0, ?, ?)',
      ...[accountId, seq, row.entry, row.action, row.prev_hash, row.hash],
    );

  it('names an altered entry at the start, in the middle or at the end', async () => {
    for (const seq of [1, 3, 5]) {
      const accountId = await chainOfFive(suite.t);
      const { entry } = await rowOf(accountId, seq);
      await set(accountId, seq, 'entry', entry.replace('"success"', '"refused"'));
      assert.deepEqual(await fault(accountId), { seq, problem: 'altered' });
    }
  });

  it('names an altered entry with a recomputed hash, because the next entry does not follow it', async () => {
    const accountId = await chainOfFive(suite.t);
    const { entry } = await rowOf(accountId, 3);
    const altered = entry.replace('"success"', '"refused"');
    await set(accountId, 3, 'entry', altered);
    await set(accountId, 3, 'hash', hash('sha256', altered, 'hex'));
    assert.deepEqual(await fault(accountId), { seq: 4, problem: 'unlinked' });
  });

  it('names a removed entry at the start or in the middle', async () => {
    for (const seq of [1, 3, 4]) {
      const accountId = await chainOfFive(suite.t);
      await suite.t.sql('delete from audit_entries where account_id = ? and seq = ?', accountId, seq);
      assert.deepEqual(await fault(accountId), { seq, problem: 'missing' });
    }
  });

  it('names a removed entry if later entries were renumbered to close the gap', async () => {
    const accountId = await chainOfFive(suite.t);
    await suite.t.sql('delete from audit_entries where account_id = ? and seq = 3', accountId);
    await set(accountId, 4, 'seq', 3);
    await set(accountId, 5, 'seq', 4);
    assert.deepEqual(await fault(accountId), { seq: 3, problem: 'unlinked' });
  });

  it('names the last entry if it was removed', async () => {
    const accountId = await chainOfFive(suite.t);
    await suite.t.sql('delete from audit_entries where account_id = ? and seq = 5', accountId);
    assert.deepEqual(await fault(accountId), { seq: 5, problem: 'missing' });
  });

  it('names an inserted entry, copied from the same chain or from another', async () => {
    for (const from of ['own', 'other'] as const) {
      const accountId = await chainOfFive(suite.t);
      const source = from === 'own' ? accountId : await chainOfFive(suite.t);
      const row = await rowOf(source, 3);
      await set(accountId, 5, 'seq', 6);
      await set(accountId, 4, 'seq', 5);
      await insert(accountId, 4, row);
      assert.deepEqual(await fault(accountId), { seq: 4, problem: 'unlinked' });
    }
  });

  it('names the first of two exchanged entries', async () => {
    const accountId = await chainOfFive(suite.t);
    await set(accountId, 2, 'seq', 0);
    await set(accountId, 3, 'seq', 2);
    await set(accountId, 0, 'seq', 3);
    assert.deepEqual(await fault(accountId), { seq: 2, problem: 'unlinked' });
  });

  it('names the first entry of a chain that replaced that of another account', async () => {
    const [mine, other] = [await chainOfFive(suite.t), await chainOfFive(suite.t)];
    await suite.t.sql('delete from audit_entries where account_id = ?', mine);
    await suite.t.sql('update audit_entries set account_id = ? where account_id = ?', mine, other);
    assert.notEqual(genesisHash(mine), genesisHash(other));
    assert.deepEqual(await fault(mine), { seq: 1, problem: 'unlinked' });
  });
});
