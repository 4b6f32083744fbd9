import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { confirmOperator } from '../support/agents.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { onEngines, type TestAccount, type TestApp } from '../support/harness.ts';
import { newPerson } from '../support/operators.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { makePod, type TestPod } from '../support/pods.ts';
import { send, type WireReply } from './contract-client.ts';
import { type Snapshot, settle, withSnapshots } from './contract-snapshot.ts';
import {
  inBatches,
  nameOf,
  type Prepared,
  requireSuccess,
  type Sample,
  sampleOf,
  sendSample,
  wireOf,
} from './sample-requests.ts';

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
  createStack: /^account_counts: .*\bstacks\b/,
  // Anybody may delegate to an account. It is told, and lists what it holds.
  createDelegation: /^(event_heads|events|delegations|delegation_parties): /,
};

/** What the body proves is bound to an account, and no valid input by another (RFC 8693 2.2.2). */
const BOUND = new Set(['exchangeToken', 'registerSigningKey']);

/** Public by design: the reputation of an account. */
const PUBLIC = new Set(['getTrust']);

const RESOURCE = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g;

interface Line {
  line: string;
  ids: string[];
}

/** Every row as text, after the name of its table, with the ids in it. */
const linesOf = (snapshot: Snapshot): Line[] =>
  Object.entries(snapshot).flatMap(([table, rows]) =>
    rows.map((row) => ({ line: `${table}: ${row}`, ids: row.match(RESOURCE) ?? [] })),
  );

type Index = ReadonlyMap<string, readonly Line[]>;

/** The lines that name each id. */
const byId = (lines: readonly Line[]): Index => {
  const index = new Map<string, Line[]>();
  for (const each of lines)
    for (const id of each.ids) {
      const known = index.get(id);
      if (known) known.push(each);
      else index.set(id, [each]);
    }
  return index;
};

/** The rows of the owner, and every id in them. A caller's rows are its own, even if they name its platform. */
function holdings(index: Index, { account, callers }: Owner): { rows: Set<string>; ids: Set<string> } {
  const others = new Set(callers.map(({ accountId }) => accountId));
  const strange = (id: string): Line[] =>
    (index.get(id) ?? []).filter(({ ids }) => !ids.some((each) => others.has(each)));
  const ids = new Set(strange(account.accountId).flatMap((row) => row.ids));
  // One step further: what a row of the owner refers to, such as the content of a message, belongs to the owner.
  const rows = [...ids].flatMap(strange);
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

/** An endpoint with the owner's request. */
interface Held extends Prepared {
  owner: Owner;
}

/** @returns whether any caller was refused. The owner must then succeed, or the refusals prove nothing */
async function refuseCallers(t: TestApp, { endpoint, owner, sample }: Held, ids: ReadonlySet<string>) {
  let [refusals, taken] = [0, 0];
  for (const caller of owner.callers) {
    const reply = await send(t.baseUrl, asCaller(endpoint, sample, caller.key));
    // An earlier caller may have taken a free resource, such as an address.
    if (reply.status === 409 && taken > 0) continue;
    requireApart(endpoint, caller, reply, ids);
    if (reply.status < 400) taken += 1;
    else refusals += 1;
  }
  return refusals > 0 && taken === 0;
}

/** Tries a few endpoints. @returns those that refused every caller */
async function holdApart(t: TestApp, batch: readonly Held[], take: () => Promise<Snapshot>): Promise<Held[]> {
  await settle(t);
  const old = byId(linesOf(await take()));
  const guarded: Held[] = [];
  const before = batch.map(({ owner }) => holdings(old, owner));
  for (const [i, held] of batch.entries())
    if (await refuseCallers(t, held, before[i]?.ids ?? new Set())) guarded.push(held);
  await t.app.provided.intake.idle();
  const lines = linesOf(await take());
  const [there, index] = [new Set(lines.map(({ line }) => line)), byId(lines)];
  for (const [i, { endpoint, owner }] of batch.entries()) {
    const rows = before[i]?.rows ?? new Set();
    const lost = [...rows].filter((row) => !there.has(row));
    const gained = [...holdings(index, owner).rows].filter((row) => !rows.has(row));
    const changed = [...lost, ...gained].filter((row) => !SHARED[endpoint.operation]?.test(row));
    assert.deepEqual(changed, [], `${nameOf(endpoint)}: rows of the owner that others changed`);
  }
  return guarded;
}

async function expectRefusal(t: TestApp, endpoint: Endpoint, sample: Sample, key: string, refusal: string) {
  const { status, body } = await send(t.baseUrl, asCaller(endpoint, sample, key));
  const expected = refusal === 'unauthorized' ? 401 : 403;
  assert.deepEqual([status, body.error], [expected, refusal], nameOf(endpoint));
}

const ROOMY = { addresses: 10_000, stacks: 10_000, pods: 10_000, emails_per_day: 10_000, emails_per_hour: 10_000 };

onEngines('any', 'what is one account’s, for', { ...NAMED_HOST, limits: { free: ROOMY } }, (suite) => {
  const needKey = (): Endpoint[] =>
    suite.t.app.endpoints.filter(
      // An account that is going to be deleted makes no pod.
      ({ auth, operation }) => auth !== 'none' && operation !== 'cancelAccountDeletion',
    );

  /** Those that a pod may call. */
  const forPods = (): Endpoint[] =>
    needKey().filter(
      ({ auth, operation }) => auth !== 'platform' && auth !== 'person' && !PLATFORMS_ONLY.has(operation),
    );
  /** `npm test` tries each endpoint from one side. */
  const isInside = (_: Endpoint, i: number): boolean => IS_FULL_RUN || i % 2 === 0;

  it('its pods, other platforms and their pods read and change nothing of it; revoked keys and suspended pods are refused', async () => {
    const { t } = suite;
    const prepare = async (endpoint: Endpoint): Promise<Held> => {
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
      return { endpoint, sample, owner: { account, callers } };
    };
    const ofPods = forPods().filter(isInside);
    const fromOutside = needKey().filter((endpoint) => IS_FULL_RUN || !ofPods.includes(endpoint));
    await withSnapshots(t, async (take) => {
      for await (const batch of inBatches(t, fromOutside, prepare)) {
        for (const { endpoint, sample } of await holdApart(t, batch, take))
          requireSuccess(endpoint, await sendSample(t, endpoint, sample));
        for (const { endpoint, sample, owner } of batch) {
          // If the call itself has replaced the key, this is one more refused key.
          await owner.account.api.post('/v1/auth/keys/rotate');
          await expectRefusal(t, endpoint, sample, owner.account.key, 'unauthorized');
        }
      }
    });
  });

  it('of a pod: its platform, its siblings and other platforms read and change nothing of it; suspended, it is refused itself', async () => {
    const { t } = suite;
    const prepare = async (endpoint: Endpoint): Promise<Held> => {
      let platform: TestAccount | undefined;
      const made = recording(t, async (fields) => {
        platform = await t.createAccount();
        await confirmOperator(t, platform, newPerson(t));
        const pod = await makePod(t, platform);
        if (fields?.email) await pod.api.post('/v1/account/recovery-email', fields);
        return pod;
      });
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
      return { endpoint, sample, owner: { account, callers } };
    };
    await withSnapshots(t, async (take) => {
      for await (const batch of inBatches(t, forPods().filter(isInside), prepare))
        for (const { endpoint, sample } of await holdApart(t, batch, take))
          requireSuccess(endpoint, await sendSample(t, endpoint, sample));
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
  'listOperatorWaiting',
  'listOperatorDecisions',
  'searchAgents',
  'suspendAgent',
  'resumeAgent',
  'removeOperator',
  ...['listReviews', 'getReview', 'approveReview', 'rejectReview', 'withdrawReview'],
  ...['viewReview', 'decideReview'],
  ...['getReviewAttachment', 'viewReviewAttachment', 'listCredentialRequests', 'streamOperatorEvents'],
]);
