import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/kernel/endpoint.ts';
import { confirmOperator } from '../support/agents.ts';
import { onEngines, type TestAccount, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { makePod, type TestPod } from '../support/pods.ts';
import { send, type WireReply } from './contract-client.ts';
import { type Snapshot, settle, withSnapshots } from './contract-snapshot.ts';
import { nameOf, requireSuccess, type Sample, sampleOf, sendSample, wireOf } from './sample-requests.ts';

/**
 * Sends the owner's request with the credentials of others, for every endpoint that needs one. Each call must be refused
 * with the right error or concern only the caller's own state: no reply contains data of the owner, and no row of the
 * owner changes.
 */

interface Owner {
  account: TestAccount;
  /** The callers nearest to the owner, who may know of it. */
  callers: Caller[];
}

interface Caller {
  name: string;
  key: string;
  accountId: string;
  /** Ids of the owner that this caller may see. */
  mayKnow: string[];
}

/** What a pod’s call changes for its platform by design: the shared budget and the shared count of domains. */
const SHARED: Record<string, RegExp> = {
  charge: /^(budgets|ledger_totals): /,
  createStack: /^stack_counts: /,
  // Anybody may delegate to an account. It is told, and lists what it holds.
  createDelegation: /^(event_heads|events|delegations|delegation_parties): /,
};

/** What the body proves is bound to an account, and no valid input by another (RFC 8693 2.2.2). */
const BOUND = new Set(['exchangeToken', 'registerSigningKey']);

/** Public by design: the reputation of an account. */
const PUBLIC = new Set(['getTrust']);

const RESOURCE = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** Every row as text, after the name of its table, with the ids in it. */
const lines = (snapshot: Snapshot): { line: string; ids: string[] }[] =>
  Object.entries(snapshot).flatMap(([table, rows]) =>
    rows.map((row) => ({ line: `${table}: ${row}`, ids: row.match(RESOURCE) ?? [] })),
  );

/** The rows of the owner, and every id in them. A caller's rows are its own, even if they name its platform. */
function holdings(snapshot: Snapshot, { account, callers }: Owner): { rows: Set<string>; ids: Set<string> } {
  const others = new Set(callers.map(({ accountId }) => accountId));
  const strange = lines(snapshot).filter(({ ids }) => !ids.some((id) => others.has(id)));
  const owned = strange.filter(({ ids }) => ids.includes(account.accountId));
  const ids = new Set(owned.flatMap((row) => row.ids));
  // One step further: what a row of the owner refers to, such as the content of a message, belongs to the owner.
  const rows = strange.filter((row) => row.ids.some((id) => ids.has(id)));
  return { rows: new Set(rows.map(({ line }) => line)), ids };
}

/** Sends the owner's request as another caller. */
function asCaller(endpoint: Endpoint, sample: Sample, key: string) {
  const { authorization: _, ...headers } = sample.headers ?? {};
  return wireOf(endpoint, { ...sample, key, headers });
}

function requireApart(endpoint: Endpoint, caller: Caller, reply: WireReply, ids: ReadonlySet<string>): void {
  const place = `${nameOf(endpoint)} by the ${caller.name}`;
  if (reply.status >= 400) {
    const refusals = BOUND.has(endpoint.operation) ? [400] : [401, 403, 404];
    assert.ok(refusals.includes(reply.status), `${place}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return;
  }
  const text = JSON.stringify(reply.body) ?? '';
  const leaked = (text.match(RESOURCE) ?? []).filter((id) => ids.has(id) && !caller.mayKnow.includes(id));
  // What the caller itself named is no news to it.
  const isNamed = endpoint.operation === 'createDelegation';
  if (!PUBLIC.has(endpoint.operation) && !isNamed) assert.deepEqual(leaked, [], `${place} gets ${text}`);
}

/** `t`, which records the last account it made: the owner of what a sample prepares. */
function recording(t: TestApp, make: (fields?: Record<string, unknown>) => Promise<TestAccount>) {
  let last: TestAccount | undefined;
  const createAccount = async (fields?: Record<string, unknown>): Promise<TestAccount> => {
    last = await make(fields);
    return last;
  };
  return {
    t: { ...t, createAccount },
    last: (): TestAccount => {
      if (!last) throw new Error('the sample made no account');
      return last;
    },
  };
}

const callerOf = (name: string, { key, accountId }: TestAccount, mayKnow: string[] = []): Caller => ({
  name,
  key,
  accountId,
  mayKnow,
});

/** @returns whether any caller was refused. The owner must then succeed, or the refusals prove nothing */
async function holdApart(
  t: TestApp,
  endpoint: Endpoint,
  take: () => Promise<Snapshot>,
  { owner, sample }: { owner: Owner; sample: Sample },
): Promise<boolean> {
  await settle(t);
  let [refusals, taken] = [0, 0];
  const before = holdings(await take(), owner);
  for (const caller of owner.callers) {
    const reply = await send(t.baseUrl, asCaller(endpoint, sample, caller.key));
    // An earlier caller may have taken a free resource, such as an address.
    if (reply.status === 409 && taken > 0) continue;
    requireApart(endpoint, caller, reply, before.ids);
    if (reply.status < 400) taken += 1;
    else refusals += 1;
  }
  await t.app.provided.intake.idle();
  const after = await take();
  const [there, own] = [new Set(lines(after).map(({ line }) => line)), holdings(after, owner).rows];
  const lost = [...before.rows].filter((row) => !there.has(row));
  const gained = [...own].filter((row) => !before.rows.has(row));
  const changed = [...lost, ...gained].filter((row) => !SHARED[endpoint.operation]?.test(row));
  assert.deepEqual(changed, [], `${nameOf(endpoint)}: rows of the owner that others changed`);
  return refusals > 0 && taken === 0;
}

async function expectRefusal(t: TestApp, endpoint: Endpoint, sample: Sample, key: string, refusal: string) {
  const { status, body } = await send(t.baseUrl, asCaller(endpoint, sample, key));
  const expected = refusal === 'unauthorized' ? 401 : 403;
  assert.deepEqual([status, body.error], [expected, refusal], nameOf(endpoint));
}

const ROOMY = { addresses: 10_000, stacks: 10_000, pods: 10_000, emails_per_day: 10_000, emails_per_hour: 10_000 };

onEngines('any', 'what is one account’s, for', { ...NAMED_HOST, limits: { free: ROOMY } }, (suite) => {
  /** Every endpoint on SQLite. On PostgreSQL only those with an id in the path, because the statements are the same. */
  const needKey = (): Endpoint[] =>
    suite.t.app.endpoints.filter(
      ({ auth, path, operation }) =>
        auth !== 'none' &&
        (suite.t.engine === 'sqlite' || path.includes('{')) &&
        // An account that is going to be deleted makes no pod.
        operation !== 'cancelAccountDeletion',
    );

  it('its pods, other platforms and their pods read and change nothing of it; revoked keys and suspended pods are refused', async () => {
    const { t } = suite;
    await withSnapshots(t, async (take) => {
      for (const endpoint of needKey()) {
        const made = recording(t, t.createAccount);
        const sample = await sampleOf(endpoint, made.t);
        const account = made.last();
        const [pod, gone] = [await makePod(t, account), await makePod(t, account)];
        await account.api.delete(`/v1/pods/${gone.podId}`);
        const foreign = await t.createAccount();
        const callers = [
          callerOf('pod', pod, [account.accountId, pod.podId, pod.accountId]),
          callerOf('foreign platform', foreign),
          callerOf('foreign pod', await makePod(t, foreign)),
        ];
        await expectRefusal(t, endpoint, sample, gone.key, 'pod_suspended');
        const isGuarded = await holdApart(t, endpoint, take, { owner: { account, callers }, sample });
        if (isGuarded) requireSuccess(endpoint, await sendSample(t, endpoint, sample));
        // If the call itself has replaced the key, this is one more refused key.
        await account.api.post('/v1/auth/keys/rotate');
        await expectRefusal(t, endpoint, sample, account.key, 'unauthorized');
      }
    });
  });

  it('of a pod: its platform, its siblings and other platforms read and change nothing of it; suspended, it is refused itself', async () => {
    const { t } = suite;
    await withSnapshots(t, async (take) => {
      for (const endpoint of needKey().filter(({ auth }) => auth !== 'platform' && auth !== 'person')) {
        let platform: TestAccount | undefined;
        const made = recording(t, async (fields) => {
          platform = await t.createAccount();
          await confirmOperator(t, platform, 'operator@example.com');
          const pod = await makePod(t, platform);
          if (fields?.email) await pod.api.post('/v1/account/recovery-email', fields);
          return pod;
        });
        if (PLATFORMS_ONLY.has(endpoint.operation)) continue;
        const sample = await sampleOf(endpoint, made.t);
        const account = made.last() as TestPod;
        const parent = platform as unknown as TestAccount;
        const callers = [
          callerOf('platform', parent, [account.accountId, account.podId]),
          callerOf('sibling', await makePod(t, parent), [parent.accountId]),
          callerOf('foreign platform', await t.createAccount()),
        ];
        const path = `/v1/pods/${account.podId}`;
        await parent.api.delete(path);
        await expectRefusal(t, endpoint, sample, account.key, 'pod_suspended');
        await parent.api.patch(path, { status: 'active' });
        const isGuarded = await holdApart(t, endpoint, take, { owner: { account, callers }, sample });
        if (isGuarded) requireSuccess(endpoint, await sendSample(t, endpoint, sample));
      }
    });
  });
});

/** Samples with state that only a platform can create. */
const PLATFORMS_ONLY = new Set([
  ...['getPod', 'getPodUsage'],
  // It has the name, which the platform of a pod chooses.
  'updateProfile',
  'listCredentialRequests',
  'pollCredential',
  'listOperatorAgents',
  'suspendAgent',
  'resumeAgent',
  'removeOperator',
  ...['listReviews', 'getReview', 'approveReview', 'rejectReview', 'viewReview', 'decideReview'],
  ...['getReviewAttachment', 'viewReviewAttachment', 'listCredentialRequests', 'streamOperatorEvents'],
]);
