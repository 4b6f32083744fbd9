import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { HOUR_MS } from '../../src/base/period.ts';
import { Attempt } from '../../src/http/pipeline/dry-run.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { send, type WireReply } from './contract-client.ts';
import { effects, type Snapshot, settle, withSnapshots } from './contract-snapshot.ts';
import { nameOf, namesOf, type Prepared, requireSuccess, sampleBatches, sendSample } from './sample-requests.ts';

/**
 * Every write of the endpoint table is tried, and then made: nothing but the audit entry is in the database, no other service is
 * asked, and the real call answers what the dry run said.
 */

const HEADER = 'signet-dry-run';

/** The names that the service has looked up. */
const lookedUp: string[] = [];
const OPTIONS = {
  ...NAMED_HOST,
  resolveDns: async (name: string): Promise<never> => {
    lookedUp.push(name);
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  },
};

const canBeTried = (t: TestApp): Endpoint[] => t.app.endpoints.filter(({ dryRun }) => dryRun === true);
const cannotBeTried = (t: TestApp): Endpoint[] => t.app.endpoints.filter(({ dryRun }) => dryRun === false);

/** Under `/v1/auth`, with passkeys, and wherever else a secret of the request is checked. */
const BARRED = [
  ...['logout', 'rotateKey', 'generateBackupKey', 'activateBackupKey', 'deleteBackupKey', 'openConsoleSession'],
  ...['secureAccount', 'decideConsent', 'createPasskeyOptions', 'addPasskey', 'removePasskey', 'createRecoveryCodes'],
  ...['rotateEncryptionKey', 'pollCredential'],
];

/** What needs no credential, and what waits, or only reads. */
const isNoWrite = ({ method, auth, effect }: Endpoint): boolean =>
  method === 'GET' || effect === 'none' || auth === 'none' || auth === 'optional';

/** Those that `npm test` tries. `npm run test:all` tries all. */
const OFTEN = new Set([
  ...['sendEmail', 'charge', 'issueToken', 'requestCredential', 'putVaultEntry', 'createPod', 'suspendAgent'],
  ...['deleteAccount', 'verifyStack', 'submitFinding', 'revokeToken', 'updateCalendarEvent'],
]);

/** What differs between two calls: ids have a digit, names of inboxes stand before an @, and secrets are long, begin like ours, or are left out. */
const DRAWN = /(…|signet_\w+|[\w-]+(?=@)|[\w+/=-]*\d[\w+/=-]*|[\w+/=-]{30,})/;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function isAlike(tried: string, real: string): boolean {
  if (tried === real) return true;
  const parts = tried.split(DRAWN).map((part, n) => (n % 2 === 0 ? escaped(part) : part === '…' ? '.+' : '[\\w+/=-]+'));
  return new RegExp(`^${parts.join('')}$`, 's').test(real);
}

/** Keys, sessions, tokens, links that hold one, and what the service signed. */
const SECRET = /signet_[a-z]+_\w{16}|session_\w{16}|whsec_|#(?:code|token)=\w|ey[\w-]{9,}\.[\w-]+\.[\w-]{9}/;

interface Marked {
  type?: string;
  'x-secret'?: true;
  'x-signed'?: true;
  properties?: Record<string, Marked>;
  items?: Marked;
  anyOf?: Marked[];
}

/** How many secrets a schema has, wherever. */
const marksIn = (schema: object): number => JSON.stringify(schema).match(/"x-(?:secret|signed)":true/g)?.length ?? 0;

/** How many of them a dry run finds. Of an object with a mark it would not see every text. */
function marksSeen({ type, properties = {}, items, anyOf = [], ...marks }: Marked): number {
  const own = type !== 'object' && (marks['x-secret'] || marks['x-signed']) ? 1 : 0;
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf];
  return parts.reduce((sum, part) => sum + marksSeen(part), own);
}

/** What the records of a domain decide. */
const OF_DNS = /^\/(?:records\/\d\/status|checked_at):/;

/** What a dry run tells of other accounts is counted. */
const COUNTED = 'tried_recipients_per_hour';

/** The places where a reply is not what was said. */
function differences(tried: unknown, real: unknown, at = ''): string[] {
  if (typeof tried === 'string' && typeof real === 'string')
    return isAlike(tried, real) ? [] : [`${at}: ${tried}, then ${real}`];
  if (typeof tried !== 'object' || typeof real !== 'object' || tried === null || real === null)
    return tried === real ? [] : [`${at}: ${tried}, then ${real}`];
  const names = new Set([...Object.keys(tried), ...Object.keys(real)]);
  return [...names].flatMap((name) => differences((tried as never)[name], (real as never)[name], `${at}/${name}`));
}

/** Notes the connections of this process that lead to neither the service nor its database. */
async function withoutOthers(t: TestApp, work: () => Promise<void>): Promise<string[]> {
  const own = new Set([t.baseUrl, t.config.databaseUrl].map((url) => url && new URL(url).port));
  const others: string[] = [];
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [first] = args.flat() as [{ port?: unknown; host?: unknown; path?: unknown }];
    if (!own.has(String(first?.port))) others.push(JSON.stringify(first?.path ?? [first?.host, first?.port]));
    return Reflect.apply(connect, this, args);
  } as typeof connect;
  try {
    await work();
  } finally {
    Socket.prototype.connect = connect;
  }
  return others;
}

/** Asks for a dry run by the parameter, or by the header. */
function asTried({ endpoint, sample }: Prepared, byHeader: boolean): Prepared {
  if (byHeader) return { endpoint, sample: { ...sample, headers: { ...sample.headers, [HEADER]: 'true' } } };
  return {
    endpoint,
    sample: { ...sample, path: `${sample.path}${sample.path.includes('?') ? '&' : '?'}dry_run=true` },
  };
}

const entriesOf = ({ audit_entries: rows = [] }: Snapshot): number =>
  rows.filter((row) => /result\W+dry_run/.test(row)).length;

/** Tries each call of a batch, then makes it. */
async function tryAndMake(t: TestApp, batch: readonly Prepared[], take: () => Promise<Snapshot>): Promise<void> {
  await settle(t);
  const before = await take();
  const mails = (await t.outboxMails()).length;
  const tried = new Map<Endpoint, WireReply>();
  lookedUp.length = 0;
  const asked = await withoutOthers(t, async () => {
    for (const [n, each] of batch.entries()) {
      const { endpoint, sample } = asTried(each, n % 2 === 0);
      tried.set(endpoint, await sendSample(t, endpoint, sample));
    }
    await settle(t);
  });
  const after = await take();
  const names = namesOf(batch);
  const left = effects(before, after).filter((effect) => !effect.includes(COUNTED));
  assert.deepEqual(left, [], names);
  assert.equal(entriesOf(after) - entriesOf(before), batch.length, names);
  assert.deepEqual([...asked, ...lookedUp], [], names);
  assert.equal((await t.outboxMails()).length, mails, names);
  for (const { endpoint, sample } of batch) {
    const name = nameOf(endpoint);
    const { status, headers, body } = tried.get(endpoint) as WireReply;
    assert.equal(headers[HEADER], 'true', name);
    const real = await sendSample(t, endpoint, sample);
    requireSuccess(endpoint, real);
    assert.equal(real.headers[HEADER], undefined, name);
    assert.equal(status, real.status, `${name}: ${JSON.stringify(body)}`);
    const text = JSON.stringify(body);
    assert.doesNotMatch(text, SECRET, name);
    if (SECRET.test(JSON.stringify(real.body))) assert.match(text, /…/, name);
    const { depends_on: dependsOn = [], ...said } = body;
    const unknown = dependsOn.includes('dns') ? OF_DNS : /^$/;
    assert.deepEqual(
      differences(said, real.body).filter((place) => !unknown.test(place)),
      [],
      name,
    );
    assert.equal(headers['content-type'], real.headers['content-type'], name);
    assert.equal(headers.etag, real.headers.etag, name);
  }
}

onEngines('both', 'a dry run', OPTIONS, (suite) => {
  it('of every write says what the call then does, and leaves one audit entry and nothing else', async () => {
    const { t } = suite;
    const endpoints = canBeTried(t).filter(({ operation }) => IS_FULL_RUN || OFTEN.has(operation));
    assert.ok(endpoints.length >= OFTEN.size);
    await withSnapshots(t, async (take) => {
      for await (const batch of sampleBatches(t, endpoints)) await tryAndMake(t, batch, take);
    });
  });

  it('neither is committed with real charges at the same time nor takes any of them back', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const calls = Array.from({ length: 40 }, (_, n) =>
      api.post('/v1/charge', { amount: 1000 }, n % 2 === 0 ? {} : { [HEADER]: 'true' }),
    );
    for (const reply of await Promise.all(calls)) assert.equal(reply.status, 200, reply.text);
    const { body } = await api.get('/v1/budget/history?limit=100');
    assert.equal(body.summary.total_usdc, 20 * 1000);
    assert.equal((await api.get('/v1/audit?result=dry_run&limit=100')).body.count, 20);
    assert.equal((await api.get('/v1/audit?action=charge.made&result=success&limit=100')).body.count, 20);
  });
});

onEngines('any', 'a dry run', OPTIONS, (suite) => {
  it('is refused to everyone where a secret is checked, where no credential is needed, and of what waits', async () => {
    const { t } = suite;
    const writes = cannotBeTried(t).filter((endpoint) => !isNoWrite(endpoint));
    assert.deepEqual(writes.map(({ operation }) => operation).sort(), [...BARRED].sort());
    assert.deepEqual(canBeTried(t).filter(isNoWrite), []);
    await withSnapshots(t, async (take) => {
      await settle(t);
      const before = await take();
      for (const endpoint of cannotBeTried(t)) {
        const path = endpoint.path.replace(/\{\w+\}/g, 'x');
        const { status, body } = await send(t.baseUrl, { method: endpoint.method, path: `${path}?dry_run=true` });
        assert.deepEqual([status, body.code], [400, 'dry_run_unavailable'], nameOf(endpoint));
      }
      await settle(t);
      assert.deepEqual(effects(before, await take()), []);
    });
  });

  it('400: a name or value that nearly asks for one is refused on every write, before anything happens', async () => {
    const { t } = suite;
    const near = [
      ...['dryrun', 'dryRun', 'dry-run', 'Dry_Run', 'DRY_RUN', 'dry_runs', 'dry_ru', 'dryy_run', 'dri_run', '_dry_run'],
      // A7
      ...['signet_dry_run', 'signet-dry-run', 'dry_run[]', 'dry_run%5B%5D', 'dry_run[a]', 'is_dry_run', 'x-dry_ru'],
      ...['dry_run=false', 'dry_run=', 'dry_run=1', 'dry_run=True', 'dry_run=true&dry_run=true'],
    ].map((name) => ({ query: name.includes('=') ? name : `${name}=true`, headers: {} }));
    const headers = [
      ...[{ [HEADER]: 'false' }, { [HEADER]: '' }, { 'dry-run': 'true' }, { 'x-dry-run': 'true' }],
      ...[{ 'signet-dryrun': 'true' }, { signet_dry_run: 'true' }, { 'x-signet-dry-run': 'true' }],
    ].map((given) => ({ query: '', headers: given as unknown as Record<string, string> }));
    const asked = [...near, ...headers];
    const writes = [...canBeTried(t), ...cannotBeTried(t)];
    assert.ok(writes.length > asked.length);
    for (const [n, endpoint] of writes.entries()) {
      const { query, headers: given } = asked[n % asked.length] as (typeof asked)[number];
      const path = `${endpoint.path.replace(/\{\w+\}/g, 'x')}?${query}`;
      // Without a credential: that is looked at later.
      const { status, body } = await send(t.baseUrl, { method: endpoint.method, path, headers: given });
      const what = `${endpoint.method} ${path} ${JSON.stringify(given)}: ${JSON.stringify(body)}`;
      assert.deepEqual([status, body.code, body.details?.[0]?.code], [400, 'invalid_request', 'not_allowed'], what);
    }
  });

  it('400: is not asked for with an Idempotency-Key, and a read ignores it like any parameter', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const key = { 'idempotency-key': 'one' };
    const both = await api.put('/v1/vault/a?dry_run=true', { ciphertext: 'c2VhbGVk' }, key);
    assert.deepEqual([both.status, both.body.details[0].path], [400, '/header/idempotency-key']);
    assert.equal((await api.put('/v1/vault/a', { ciphertext: 'c2VhbGVk' }, key)).status, 201);
    const read = await api.get('/v1/vault/a?dry_run=true');
    assert.deepEqual([read.status, read.headers.get(HEADER)], [200, null]);
  });

  it('says what the rules refuse, under the status of the real call, and the audit log says that it was tried', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.put('/v1/budget', { daily: 1000 });
    const over = () => api.post('/v1/charge?dry_run=true', { amount: 2000 });
    const refused = await over();
    assert.deepEqual([refused.status, refused.headers.get(HEADER)], [402, 'true']);
    assert.deepEqual(await over().then(({ body }) => body), refused.body);
    const { api_key: spender } = (await api.post('/v1/account/keys', { name: 'reader', scopes: ['money:read'] })).body;
    assert.equal((await t.api(spender).post('/v1/charge?dry_run=true', { amount: 1 })).status, 403);
    await settle(t);
    const { entries } = (await api.get('/v1/audit?action=charge.made')).body;
    assert.deepEqual(
      entries.map(({ result, status }: { result: string; status: number }) => [result, status]),
      [
        ['dry_run', 403],
        ['dry_run', 402],
        ['dry_run', 402],
      ],
    );
  });

  it('uses up no quota of mails, counts as a request, and names who alone knows the rest', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const from = (await api.post('/v1/email/claim', { address: `tried-${t.engine}` })).body.address;
    const usage = async () => (await api.get('/v1/usage')).body;
    const before = await usage();
    const mail = { from, to: 'ada@example.com', subject: 'Hello', text: 'Hello.' };
    const tried = await api.post('/v1/email/send?dry_run=true', mail);
    assert.deepEqual([tried.status, tried.body.depends_on], [201, ['relay']], tried.text);
    const inside = await api.post('/v1/email/send?dry_run=true', { ...mail, to: from });
    assert.deepEqual([inside.status, inside.body.depends_on], [201, undefined], inside.text);
    const after = await usage();
    assert.deepEqual(after.emails, before.emails);
    assert.equal(after.requests.used, before.requests.used + 3);
    assert.equal((await api.get(`/v1/email/outbox`)).body.count, 0);
  });

  it('A6: 429 when it asks after too many addresses in an hour, and a refusal says nothing of them', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const [mine, bob] = [`asks-${t.engine}`, `asked-${t.engine}`];
    const from = (await api.post('/v1/email/claim', { address: mine })).body.address;
    const known = (await (await t.createAccount()).api.post('/v1/email/claim', { address: bob })).body.address;
    const ask = (to: string[]) =>
      api.post('/v1/email/send?dry_run=true', { from, to, subject: 'Hello', text: 'Hello.' });
    const both = [known, `none-${known}`];
    for (let asked = 0; asked < 100; asked += 2) {
      const { status, body } = await ask(both);
      assert.equal(status, 201);
      const takes = body.internal_recipients.map(({ delivered }: { delivered: boolean }) => delivered);
      assert.deepEqual(takes, [true, false]);
    }
    for (const to of both) {
      const refused = await ask([to]);
      const { limit, retry_after: seconds } = refused.body;
      assert.deepEqual([refused.status, refused.headers.get(HEADER)], [429, 'true']);
      assert.deepEqual(limit, { name: 'tried_recipients_per_hour', used: 100, max: 100 });
      assert.ok(seconds > 0 && !refused.text.includes(to));
    }
    assert.equal((await ask(['ada@example.com'])).status, 201, 'of others it tells nothing');
    const { entries } = (await api.get('/v1/audit?action=email.sent&result=dry_run&limit=100')).body;
    assert.deepEqual(entries.filter(({ status }: { status: number }) => status === 429).length, 2);
    t.clock.advance(HOUR_MS);
    assert.equal((await ask(both)).status, 201);
  });

  it('A9: every secret of a reply stands where it is looked for', () => {
    const faults = canBeTried(suite.t).flatMap((endpoint) =>
      Object.values(endpoint.replies)
        .filter((schema) => marksIn(schema) !== marksSeen(schema as Marked))
        .map(() => nameOf(endpoint)),
    );
    assert.deepEqual(faults, []);
    const inMap = { type: 'object', patternProperties: { '.': { type: 'string', 'x-secret': true } } };
    assert.notEqual(marksIn(inMap), marksSeen(inMap as Marked));
  });

  it('A9: a secret is hidden in headers too, and what is no object stays what it is', async () => {
    const audits: unknown[] = [];
    const ports = {
      database: { transaction: (work: (tx: unknown) => unknown) => work({}) },
      appendAudits: async (_tx: unknown, entries: unknown[]) => void audits.push(...entries),
    };
    const context = { principal: { accountId: 'acc_1' }, ip: '', requestId: '', now: 0 };
    const replies = { 200: { properties: { key: { 'x-secret': true } } } };
    const tried = (body: unknown, headers?: object) =>
      Reflect.apply(Attempt.prototype.run, new Attempt(), [
        { operation: 'test', replies },
        ports,
        context,
        {},
        async () => ({ status: 200, body, ...(headers && { headers }) }),
      ]);
    assert.deepEqual(await tried({ key: 'k1', n: 1 }, { location: '/keys#k1' }), {
      status: 200,
      body: { key: '…', n: 1 },
      headers: { location: '/keys#…' },
    });
    for (const body of [null, 'text', ['a'], Readable.from([])])
      assert.deepEqual(await tried(body), { status: 200, body }, String(body));
    assert.equal(audits.length, 5);
  });

  it('is no change that the owner looks through when the account is secured', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const named = { name: 'helper', scopes: ['mail:read'] };
    const tried = await api.post('/v1/account/keys?dry_run=true', named);
    assert.deepEqual([tried.status, tried.body.api_key], [201, '…']);
    assert.equal(
      (await api.post('/v1/webhooks', { url: 'https://example.com/', events: ['email.received'] })).status,
      201,
    );
    const { recent_changes: changes } = (await api.post('/v1/account/secure')).body;
    const what = changes.map(({ what: name }: { what: string }) => name);
    assert.ok(what.includes('webhook.created') && !what.includes('key.named_created'), String(what));
  });

  it('of a mail with a large file writes none of it', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const from = (await api.post('/v1/email/claim', { address: `large-${t.engine}` })).body.address;
    const public_key = Buffer.alloc(32, 9).toString('base64url');
    const sealed = await t.createAccount();
    const to = (await sealed.api.post('/v1/email/claim', { address: `sealed-${t.engine}`, public_key })).body.address;
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(2_000_000, 7).toString('base64') }];
    const mail = { from, to: [from, to], subject: 'Large', text: 'See the file.', attachments };
    // What is written ahead is removed again, so it is counted as it is written.
    const { transaction } = t.app.database;
    let written = 0;
    t.app.database.transaction = (work, options) => {
      written += 1;
      return Reflect.apply(transaction, t.app.database, [work, options]);
    };
    const counted = async (headers: Record<string, string>): Promise<number> => {
      written = 0;
      const { status, text } = await api.post('/v1/email/send', mail, headers);
      assert.equal(status, 201, text);
      return written;
    };
    try {
      const real = await counted({});
      const tried = await counted({ [HEADER]: 'true' });
      // Each piece has its own transaction, for the readable copy and for the sealed one.
      assert.ok(real > 20 && tried < 10, `${real} transactions, and ${tried} when tried`);
    } finally {
      t.app.database.transaction = transaction;
    }
  });
});
