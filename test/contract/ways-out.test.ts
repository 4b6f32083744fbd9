import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { SCOPE_NAMES } from '../../src/api/scopes.ts';
import { WAY_REFUSALS } from '../../src/api/way-out.ts';
import { setTier } from '../support/agents.ts';
import { delegate, tokenFor } from '../support/delegations.ts';
import { IS_FULL_RUN, itInAll } from '../support/full-run.ts';
import { onEngines, type TestAccount, type TestApp } from '../support/harness.ts';
import type { WireReply } from './contract-client.ts';
import { nameOf, type Sample, sampleOf, sendSample } from './sample-requests.ts';

/**
 * Every endpoint by which something leaves an account, with every kind of credential, under a policy that lets nothing out
 * and under an open one. What left is what the tables of all accounts hold, whatever a reply says.
 */

/** Why an account, with the credential that acts on it, may or may not let something out. */
interface Held {
  /** Makes the credential, while the account is open. */
  keyOf(t: TestApp, account: TestAccount): Promise<string>;
  /** The accounts whose policy then lets nothing out. */
  close(t: TestApp, account: TestAccount): Promise<void>;
}

/** Every scope that a named key can have. */
const SCOPES = SCOPE_NAMES.filter((scope) => scope !== 'account:manage');

const ownKey = async (_t: TestApp, { key }: TestAccount): Promise<string> => key;

async function namedKey(_t: TestApp, { api }: TestAccount): Promise<string> {
  const made = await api.post('/v1/account/keys', { name: 'helper', scopes: SCOPES });
  assert.equal(made.status, 201, made.text);
  return made.body.api_key;
}

/** Lets an account write to no recipient, and so lets nothing out by the other ways. */
async function close(t: TestApp, accountId: string): Promise<void> {
  await t.sql('delete from mail_policies where account_id = ?', accountId);
  await t.sql(
    "insert into mail_policies (account_id, address, inbound, outbound, updated_at) values (?, '', '{}', ?, 1)",
    ...[accountId, JSON.stringify({ to: 'list', allow: [] })],
  );
  // A mail policy leaves tokens as they are.
  const off =
    "insert into way_policies (account_id, way, is_platform, rule, allow, updated_at) values (?, 'token', 0, 'off', '[]', 1)";
  await t.sql(off, accountId);
}

const closeOwn = (t: TestApp, { accountId }: TestAccount): Promise<void> => close(t, accountId);

/** Makes the account a pod of a platform that lets nothing out. */
async function closePlatform(t: TestApp, { accountId }: TestAccount): Promise<void> {
  const platform = await t.createAccount();
  await close(t, platform.accountId);
  await t.sql('update accounts set parent_id = ? where id = ?', platform.accountId, accountId);
  // So that no instance goes on with what it read of the account.
  await setTier(t, platform.accountId, 'paid');
}

/** A delegate of the account, which stays open, while the account of the delegate lets nothing out. */
function strictDelegate(): Held {
  const delegates = new Map<string, string>();
  return {
    keyOf: async (t, { api, accountId }) => {
      const helper = await t.createAccount();
      delegates.set(accountId, helper.accountId);
      const { id } = await delegate(t, api, helper, { scopes: SCOPES, may_delegate: 1 });
      return (await tokenFor(t, helper.key, id)).access_token;
    },
    close: (t, { accountId }) => close(t, delegates.get(accountId) as string),
  };
}

async function delegateKey(t: TestApp, { api }: TestAccount): Promise<string> {
  const helper = await t.createAccount();
  const { id } = await delegate(t, api, helper, { scopes: SCOPES, may_delegate: 1 });
  return (await tokenFor(t, helper.key, id)).access_token;
}

/** Those that `npm test` tries. `npm run test:all` tries all, on both engines. */
const OFTEN = ['the key', 'a named key of a pod'];

const CREDENTIALS: Record<string, Held> = {
  'the key': { keyOf: ownKey, close: closeOwn },
  'a named key': { keyOf: namedKey, close: closeOwn },
  'a delegate': { keyOf: delegateKey, close: closeOwn },
  'a strict delegate of an open account': strictDelegate(),
  'the key of a pod': { keyOf: ownKey, close: closePlatform },
  'a named key of a pod': { keyOf: namedKey, close: closePlatform },
};

/** What has left all accounts, or stands ready to. */
async function outside(t: TestApp): Promise<string> {
  const parts = await Promise.all(
    [
      "select count(*) as n from outbox where status <> 'failed'",
      'select id, url, events from webhooks order by id',
      "select count(*) as n from webhook_deliveries where status = 'delivered'",
      'select feed_hash from calendars where feed_hash is not null order by account_id',
      'select count(*) as n from observations where shared = 1',
      'select count(*) as n from findings',
      'select count(*) as n from agent_keys',
      'select count(*) as n from programs',
      'select id, name, description, capabilities from accounts order by id',
      'select count(*) as n from delegations',
      'select count(*) as n from pods',
      'select count(*) as n from grants',
      'select count(*) as n from stacks',
      'select account_id, address from people order by id',
      'select count(*) as n from agent_tokens',
    ].map((sql) => t.sql(sql)),
  );
  return JSON.stringify(parts);
}

/**
 * For operators alone, of a delegate, and those in which only a platform has a say: the tests of ways out, reviews and
 * delegations try them.
 */
const OTHERS = ['approveReview', 'exchangeToken', 'setRecoveryEmail', 'setVaultRecovery'];

/** A call that lets nothing out unless it says so. */
const BODIES: Record<string, object> = {
  createObservation: { topic: 'a', content: 'b', shared: true },
  updatePod: { name: 'a secret', recovery_email: 'x@evil.example' },
};

async function tryWith(t: TestApp, endpoint: Endpoint, { keyOf, close: bar }: Held, isStrict: boolean) {
  const sample: Sample = await sampleOf(endpoint, t);
  const { key: own, accountId } = sample;
  assert.ok(own !== null && accountId !== null, nameOf(endpoint));
  const account = { key: own, accountId, api: t.api(own) };
  const key = await keyOf(t, account);
  if (isStrict) await bar(t, account);
  const before = await outside(t);
  const body = BODIES[endpoint.operation] ?? sample.body;
  const reply = await sendSample(t, endpoint, { ...sample, key, ...(body === undefined ? {} : { body }) });
  await t.app.worker.runDue();
  const what = `${nameOf(endpoint)}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 500)}`;
  return { reply, left: (await outside(t)) !== before, what };
}

/** Those of keys. `pay` has the budget, and asks no policy for ways out. */
const tried = (t: TestApp): Endpoint[] =>
  t.app.endpoints.filter(
    ({ operation, auth, leaves = [] }) =>
      leaves.some((way) => way !== 'pay') && auth !== 'none' && auth !== 'person' && !OTHERS.includes(operation),
  );

/** So that this test sees what leaves. */
const MUST_LEAVE = [
  ...['sendEmail', 'sendFromInbox', 'createEventWebhook', 'rotateCalendarFeed', 'createObservation', 'submitTelemetry'],
  ...['submitFinding', 'updateProfile', 'createProgram', 'createDelegation', 'createPod', 'issueToken'],
];

const codeOf = ({ body }: WireReply): unknown => (body as { code?: unknown } | null)?.code;
const REFUSALS: readonly unknown[] = [
  ...WAY_REFUSALS,
  'recipient_not_allowed',
  'insufficient_scope',
  'pod_auth_forbidden',
];
/** An invitation is refused beside its event, and a draft and a delivery when they are due. */
const REFUSED_LATER = /^(create|update|delete|respond).*(Event|Invitation|Draft)$|^(test|retry)/;

onEngines(IS_FULL_RUN ? 'both' : 'any', 'the ways out', {}, (suite) => {
  for (const [name, held] of Object.entries(CREDENTIALS)) {
    (OFTEN.includes(name) ? it : itInAll)(`G2: under a strict policy nothing leaves by ${name}`, async () => {
      const { t } = suite;
      for (const endpoint of tried(t)) {
        const { reply, left, what } = await tryWith(t, endpoint, held, true);
        assert.equal(left, false, what);
        if (reply.status < 400) assert.match(endpoint.operation, REFUSED_LATER, what);
        else assert.ok(REFUSALS.includes(codeOf(reply)), what);
      }
    });

    (name === 'the key' ? it : itInAll)(`G2: under an open policy nothing got narrower for ${name}`, async () => {
      const { t } = suite;
      for (const endpoint of tried(t)) {
        const { reply, left, what } = await tryWith(t, endpoint, held, false);
        assert.ok(reply.status < 400 || codeOf(reply) === 'insufficient_scope', what);
        if (name === 'the key') assert.ok(left || !MUST_LEAVE.includes(endpoint.operation), what);
      }
    });
  }
});
