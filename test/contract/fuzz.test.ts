import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../src/api/errors.ts';
import { LIMIT_TABLE } from '../../src/api/limits.ts';
import { errorsOf } from '../../src/apidocs/openapi/openapi-document.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { send, type WireReply } from './contract-client.ts';
import type { SchemaNode } from './contract-document.ts';
import { changes, effects, type Snapshot, settle, withSnapshots } from './contract-snapshot.ts';
import { type Attack, bodyAttacks, FREE_TEXTS, fits, headerInjections, misfitCodes } from './fuzz-attacks.ts';
import { headerAttacks, pathAttacks, queryAttacks } from './fuzz-url-attacks.ts';
import { nameOf, namesOf, requireSuccess, sampleBatches, sampleOf, sendSample, wireOf } from './sample-requests.ts';

/** Codes whose reply has fields beside those of the envelope. */
const WITH_FIELDS = new Set<ErrorCode>([
  'stack_exists',
  'budget_exceeded',
  'single_tx_limit_exceeded',
  'already_resolved',
  'expired',
  'version_conflict',
  'body_too_large',
  ...Object.values(LIMIT_TABLE).flatMap((row) => ('code' in row ? [row.code] : [])),
]);
/** Internals that must never appear in a reply. */
const INSIDES = /node_modules|\.ts\b|sqlite|postgres|constraint|\bat [\w.]+ \(|\bajv\b|fastify/i;

/** Every code point, also halves of pairs. The library's own `binary` makes a table of them each time. */
const ANY_CHARACTER = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/** Removes what a message quotes from the request: a random name can equal an internal one. */
const ownWords = (message: string): string => message.replace(/"(?:[^"\\]|\\.)*"/g, '""');

/** What is wrong with an error reply of this endpoint, or null. */
function refusalFault(endpoint: Endpoint, { status, headers, body }: WireReply): string | null {
  if (typeof body !== 'object' || body === null) return `is no JSON object: ${String(body).slice(0, 100)}`;
  // OAuth clients read the sentence under its own name (RFC 6749 5.2).
  const { error, message, error_description: said = message, details = [], suggestion, ...more } = body;
  const { code: alias, docs_url: page, ...others } = more;
  if (said !== message) return `says two things: ${said}`;
  if (suggestion !== undefined && typeof suggestion !== 'string') return 'has a suggestion that is no text';
  const code = errorsOf(endpoint).find((known) => known === error);
  if (code === undefined) return `has the code ${error}, which is not declared`;
  if (ERRORS[code].status !== status) return `has the status ${status}, not that of ${code}`;
  if (typeof message !== 'string' || message === '') return 'has no message';
  if (INSIDES.test(ownWords(message)) || message.length > 1000) return `reveals too much: ${message.slice(0, 200)}`;
  if (!WITH_FIELDS.has(code) && Object.keys(others).length > 0) return `has more members: ${Object.keys(others)}`;
  if (alias !== error) return `has another code: ${alias}`;
  if (!/^https?:\/\/[^/]+\/docs\/[\w./-]+\.md$/.test(page)) return `names no page: ${page}`;
  if (!headers['x-request-id'] && !(101 in endpoint.replies)) return 'has no X-Request-Id';
  const isDetail = ({ allowed = [], ...detail }: Record<string, unknown>): boolean =>
    Array.isArray(allowed) &&
    /^code,message,path(,suggestion)?$/.test(Object.keys(detail).sort().join()) &&
    Object.values(detail).every((v) => typeof v === 'string');
  return Array.isArray(details) && details.every(isDetail) ? null : `has odd details: ${JSON.stringify(details)}`;
}

/** What is wrong with the reply to an attack, or null. */
function answerFault(endpoint: Endpoint, { codes }: Pick<Attack, 'codes'>, reply: WireReply): string | null {
  const { status, body } = reply;
  if (codes === null && status < 400) return status in endpoint.replies ? null : `answered ${status}, not declared`;
  if (status < 400 || status >= 500) return `answered ${status} ${JSON.stringify(body).slice(0, 200)}`;
  if (codes !== null && !codes.includes(body.error))
    return `answered ${status} ${body.error}, not ${codes.join(' or ')}`;
  return refusalFault(endpoint, reply);
}

/** Sends attacks, a few at a time. @returns what was wrong with the replies */
async function launch(t: TestApp, endpoint: Endpoint, attacks: readonly Attack[]): Promise<string[]> {
  const faults: string[] = [];
  const queue = attacks.values();
  const work = async (): Promise<void> => {
    for (const attack of queue) {
      const reply = await send(t.baseUrl, attack.wire);
      const fault = answerFault(endpoint, attack, reply);
      if (fault !== null) faults.push(`${nameOf(endpoint)}, ${attack.name}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return faults;
}

/** The same for attacks on a few endpoints that must not change any table. */
async function launchInVain(
  t: TestApp,
  targets: readonly { endpoint: Endpoint; attacks: readonly Attack[] }[],
  take: () => Promise<Snapshot>,
): Promise<string[]> {
  await settle(t);
  const start = await take();
  const faults: string[] = [];
  for (const { endpoint, attacks } of targets) faults.push(...(await launch(t, endpoint, attacks)));
  await settle(t);
  const changed = effects(start, await take());
  return [...faults, ...changed.map((change) => `refused requests changed ${change}, one to ${namesOf(targets)}`)];
}

const senders = (t: TestApp): Endpoint[] => {
  const found = t.app.endpoints.filter(({ action, body }) => action === 'email.sent' && body);
  assert.ok(found.length >= 2);
  return found;
};

const isLoneOrNul = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
const isHostile = (value: unknown): boolean =>
  typeof value === 'string'
    ? isLoneOrNul(value)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).some(([name, member]) => name === '__proto__' || isLoneOrNul(name) || isHostile(member))
      : false;

describe('the check of replies', () => {
  const endpoint = {
    method: 'POST',
    path: '/x',
    operation: 'x',
    tag: 'x',
    summary: 'x',
    auth: 'none',
    effect: 'none',
    replies: { 200: {} },
    errors: ['not_found'],
    handle: async () => ({ status: 200, body: null }),
  } satisfies Endpoint;
  const headers = { 'x-request-id': 'req_1' };
  const body = {
    error: 'invalid_request',
    code: 'invalid_request',
    message: 'No.',
    docs_url: 'http://localhost/docs/errors-and-limits.md',
  };
  const faultOf = (reply: Partial<WireReply>, codes: ErrorCode[] | null = ['invalid_request']) =>
    answerFault(endpoint, { codes }, { status: 400, headers, body, ...reply });

  it('accepts an error in the envelope, and a declared success where that is allowed', () => {
    assert.equal(faultOf({}), null);
    assert.equal(faultOf({ status: 404, body: { ...body, error: 'not_found', code: 'not_found' } }, null), null);
    assert.equal(faultOf({ status: 200, body: {} }, null), null);
  });

  it('finds a success that is not allowed, a 5xx, and an undeclared error', () => {
    assert.match(faultOf({ status: 200 }) ?? '', /answered 200/);
    assert.match(faultOf({ status: 201 }, null) ?? '', /not declared/);
    assert.match(faultOf({ status: 500 }, null) ?? '', /answered 500/);
    assert.match(faultOf({ body: { ...body, error: 'backup_exists' } }, null) ?? '', /not declared/);
    assert.match(faultOf({ status: 409 }) ?? '', /has the status 409/);
    assert.match(faultOf({ body: { ...body, error: 'not_found' }, status: 404 }) ?? '', /not invalid_request/);
  });

  it('finds another envelope, and one that reveals internals', () => {
    assert.match(faultOf({ body: 'Bad Request' }) ?? '', /answered 400/);
    assert.match(faultOf({ body: { error: 'invalid_request' } }) ?? '', /no message/);
    assert.match(faultOf({ body: { ...body, stack: 'x' } }) ?? '', /more members: stack/);
    assert.match(faultOf({ body: { ...body, details: [{ path: '/body' }] } }) ?? '', /odd details/);
    assert.match(faultOf({ body: { ...body, message: 'SQLITE_CONSTRAINT' } }) ?? '', /reveals too much/);
    assert.match(faultOf({ headers: {} }) ?? '', /X-Request-Id/);
  });

  it('finds an added, a removed and a changed row', () => {
    assert.deepEqual(changes({ a: ['1'], b: [] }, { a: ['1'], b: [] }), []);
    assert.deepEqual(changes({ a: ['1'] }, { a: ['1', '2'] }), ['a: gained 2']);
    assert.deepEqual(changes({ a: ['1', '2'] }, { a: ['1'] }), ['a: lost 2']);
    assert.deepEqual(changes({ a: ['1'] }, { a: ['3'] }), ['a: gained 3']);
    assert.equal(changes({ a: ['1'] }, { a: ['1', '1'] }).length, 1);
  });

  it('lets a refused request add its refusal to the audit log, and nothing else', () => {
    const refusal = '{"entry":"{\\"result\\":\\"refused\\"}"}';
    const success = '{"entry":"{\\"result\\":\\"success\\"}"}';
    const before = { audit_entries: [], audit_chains: ['1'], a: ['1'] };
    assert.deepEqual(effects(before, { audit_entries: [refusal], audit_chains: ['2'], a: ['1'] }), []);
    assert.deepEqual(
      effects(before, { audit_entries: ['("{""result"":""refused""}")'], audit_chains: [], a: ['1'] }),
      [],
    );
    assert.equal(effects(before, { audit_entries: [success], audit_chains: ['2'], a: ['1'] }).length, 1);
    assert.equal(effects(before, { audit_entries: [refusal], audit_chains: ['1'], a: [] }).length, 1);
  });
});

onEngines('any', 'bad input, to every endpoint', NAMED_HOST, (suite) => {
  it('refuses invalid requests in the one envelope; they change nothing and consume nothing', async () => {
    const { t } = suite;
    const faults: string[] = [];
    await withSnapshots(t, async (take) => {
      for await (const batch of sampleBatches(t, t.app.endpoints)) {
        const targets = batch.map(({ endpoint, sample }) => {
          const makers = [bodyAttacks, queryAttacks, pathAttacks, headerAttacks];
          const attacks = makers.flatMap((make) => [...make(endpoint, sample)]).filter(({ codes }) => codes !== null);
          // An upgrade has its own rules. Without one, the path of WebSockets is an endpoint like any other.
          if (101 in endpoint.replies) for (const { wire } of attacks) delete wire.headers;
          return { endpoint, attacks };
        });
        const found = await launchInVain(t, targets, take);
        faults.push(...found);
        if (found.length > 0) continue;
        for (const { endpoint, sample } of batch) requireSuccess(endpoint, await sendSample(t, endpoint, sample));
      }
    });
    assert.deepEqual(faults, []);
    assert.deepEqual(t.faults, []);
  });

  it('accepts or refuses odd but possible requests as declared, and never breaks', async () => {
    const { t } = suite;
    const faults: string[] = [];
    for (const endpoint of t.app.endpoints) {
      const sample = await sampleOf(endpoint, t);
      const attacks = [bodyAttacks, queryAttacks].flatMap((make) => [...make(endpoint, sample)]);
      faults.push(
        ...(await launch(
          t,
          endpoint,
          attacks.filter(({ codes }) => codes === null),
        )),
      );
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(t.faults, []);
  });

  it('refuses a line break in text that becomes a mail header', async () => {
    const { t } = suite;
    const faults: string[] = [];
    await withSnapshots(t, async (take) => {
      for (const endpoint of senders(t)) {
        const sample = await sampleOf(endpoint, t);
        const fields = Object.keys((endpoint.body as SchemaNode).properties ?? {});
        assert.deepEqual(fields.sort(), Object.keys(sample.body as object).sort(), 'the sample has every field');
        const attacks = [...headerInjections(endpoint, sample)].filter(({ field }) => !FREE_TEXTS.has(field));
        faults.push(...(await launchInVain(t, [{ endpoint, attacks }], take)));
      }
    });
    assert.deepEqual(faults, []);
  });

  it('accepts a line break in the text of a mail', async () => {
    const { t } = suite;
    for (const endpoint of senders(t)) {
      const attacks = [...headerInjections(endpoint, await sampleOf(endpoint, t))];
      const first = new Map(attacks.toReversed().map((attack) => [attack.field, attack]));
      for (const field of FREE_TEXTS) {
        const attack = first.get(field);
        if (attack) requireSuccess(endpoint, await send(t.baseUrl, attack.wire));
      }
    }
  });

  it('accepts random JSON only if it fits the declared schema; otherwise refuses it and changes nothing', async (context) => {
    const { t } = suite;
    const writers = t.app.endpoints.filter(({ method }) => method !== 'GET');
    const names = [
      ...new Set(writers.flatMap(({ body }) => Object.keys((body as SchemaNode | undefined)?.properties ?? {}))),
    ];
    const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() });
    const value = fc.oneof(
      fc.jsonValue({ stringUnit: ANY_CHARACTER }),
      fc.string({ unit: fc.constantFrom('\0', '\ud800', 'a', '\r\n') }),
    );
    const body = fc.oneof(
      { weight: 5, arbitrary: fc.dictionary(name, value) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const propertyOf = (take: () => Promise<Snapshot>) =>
      fc.asyncProperty(fc.nat(writers.length - 1), body, async (index, random) => {
        const endpoint = writers[index] as Endpoint;
        const sample = await sampleOf(endpoint, t);
        const mixed =
          typeof random === 'object' && !Array.isArray(random) ? { ...(sample.body as object), ...random } : random;
        await settle(t);
        const start = await take();
        const mayFit = endpoint.anyBody || (fits(endpoint, mixed) && !isHostile(mixed));
        const reply = await send(t.baseUrl, { ...wireOf(endpoint, sample), body: JSON.stringify(mixed) });
        const fault = answerFault(endpoint, { codes: mayFit ? null : misfitCodes(endpoint) }, reply);
        assert.equal(fault, null, nameOf(endpoint));
        if (reply.status >= 400) assert.deepEqual(effects(start, await take()), [], nameOf(endpoint));
      });
    const drawn = process.env.SIGNET_LONG ? Math.trunc(Math.random() * 2 ** 31) : 1;
    const seed = Number(process.env.SIGNET_FUZZ_SEED ?? drawn);
    context.diagnostic(`seed ${seed}; SIGNET_FUZZ_SEED repeats it`);
    await withSnapshots(t, (take) => fc.assert(propertyOf(take), { seed, numRuns: 80 }));
  });

  it('431 in the envelope for headers, or a query, that are too large', async () => {
    const reply = await send(suite.t.baseUrl, { method: 'GET', path: `/v1/events?after=${'a'.repeat(20_000)}` });
    assert.equal(reply.status, 431);
    assert.deepEqual(Object.keys(reply.body).sort(), ['code', 'error', 'message']);
  });
});
