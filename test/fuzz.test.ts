import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { errorsOf } from '../src/http/openapi.ts';
import type { Endpoint } from '../src/kernel/endpoint.ts';
import { ERRORS, type ErrorCode } from '../src/kernel/errors.ts';
import { send, type WireReply } from './contract-client.ts';
import type { SchemaNode } from './contract-document.ts';
import { changes, openSnapshots, type Snapshots, settle } from './contract-snapshot.ts';
import { type Attack, bodyAttacks, FREE_TEXTS, fits, headerInjections, misfitCodes } from './fuzz-attacks.ts';
import { headerAttacks, pathAttacks, queryAttacks } from './fuzz-url-attacks.ts';
import { onBothDatabases, type TestApp } from './harness.ts';
import { nameOf, requireSuccess, sampleOf, sendSample, wireOf } from './sample-requests.ts';

/** Codes whose reply carries figures beside the envelope's own members. */
const WITH_FACTS = new Set<ErrorCode>(['too_many_recipients', 'address_limit', 'payment_required', 'rate_limited']);
/** What must never leave the service: its insides. */
const INSIDES = /node_modules|\.ts\b|sqlite|postgres|constraint|\bat [\w.]+ \(|ajv|fastify/i;

/** What is wrong with a refusal of this endpoint, or null. */
function refusalFault(endpoint: Endpoint, { status, headers, body }: WireReply): string | null {
  if (typeof body !== 'object' || body === null) return `is no JSON object: ${String(body).slice(0, 100)}`;
  const { error, message, details = [], ...facts } = body;
  const code = errorsOf(endpoint).find((known) => known === error);
  if (code === undefined) return `has the code ${error}, which is not declared`;
  if (ERRORS[code].status !== status) return `has the status ${status}, not that of ${code}`;
  if (typeof message !== 'string' || message === '') return 'has no message';
  if (INSIDES.test(message) || message.length > 1000) return `tells too much: ${message.slice(0, 200)}`;
  if (!WITH_FACTS.has(code) && Object.keys(facts).length > 0) return `has more members: ${Object.keys(facts)}`;
  if (!headers['x-request-id']) return 'has no X-Request-Id';
  const isDetail = (detail: Record<string, unknown>): boolean =>
    Object.keys(detail).sort().join() === 'code,message,path' &&
    Object.values(detail).every((v) => typeof v === 'string');
  return Array.isArray(details) && details.every(isDetail) ? null : `has odd details: ${JSON.stringify(details)}`;
}

/** What is wrong with the answer to an attack, or null. */
function answerFault(endpoint: Endpoint, { codes }: Pick<Attack, 'codes'>, reply: WireReply): string | null {
  const { status, body } = reply;
  if (codes === null && status < 400) return status in endpoint.replies ? null : `answered ${status}, not declared`;
  if (status < 400 || status >= 500) return `answered ${status} ${JSON.stringify(body).slice(0, 200)}`;
  if (codes !== null && !codes.includes(body.error))
    return `answered ${status} ${body.error}, not ${codes.join(' or ')}`;
  return refusalFault(endpoint, reply);
}

/** Sends attacks, a few at a time. @returns what was wrong with the answers */
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

const isLoneOrNul = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
const isHostile = (value: unknown): boolean =>
  typeof value === 'string'
    ? isLoneOrNul(value)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).some(([name, member]) => name === '__proto__' || isLoneOrNul(name) || isHostile(member))
      : false;

onBothDatabases('bad input, to every endpoint', {}, (suite) => {
  let snapshots: Snapshots;
  before(async () => {
    snapshots = await openSnapshots(suite.t);
  });
  after(() => snapshots.close());

  it('what cannot be meant is refused in the one envelope, changes nothing, and uses nothing up', async () => {
    const { t } = suite;
    const faults: string[] = [];
    for (const endpoint of t.app.endpoints) {
      const sample = await sampleOf(endpoint, t);
      const makers = [bodyAttacks, queryAttacks, pathAttacks, headerAttacks];
      const attacks = makers.flatMap((make) => [...make(endpoint, sample)]).filter(({ codes }) => codes !== null);
      await settle(t);
      const start = await snapshots.take();
      faults.push(...(await launch(t, endpoint, attacks)));
      const changed = changes(start, await snapshots.take());
      faults.push(...changed.map((change) => `${nameOf(endpoint)}: refused requests changed ${change}`));
      requireSuccess(endpoint, await sendSample(t, endpoint, sample));
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(t.faults, []);
  });

  it('what is odd but could be meant is taken or refused as declared, and never breaks the service', async () => {
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

  it('a line break in what becomes a header of a mail is refused; in the text of the mail it is text', async () => {
    const { t } = suite;
    const faults: string[] = [];
    const senders = t.app.endpoints.filter(({ action }) => action === 'email.sent');
    assert.ok(senders.length >= 2);
    for (const endpoint of senders) {
      const sample = await sampleOf(endpoint, t);
      const fields = Object.keys((endpoint.body as { properties?: object }).properties ?? {});
      assert.deepEqual(fields.sort(), Object.keys(sample.body as object).sort(), 'the sample has every field');
      const injections = [...headerInjections(endpoint, sample)];
      await settle(t);
      const start = await snapshots.take();
      faults.push(
        ...(await launch(
          t,
          endpoint,
          injections.filter(({ isFreeText }) => !isFreeText),
        )),
      );
      faults.push(...changes(start, await snapshots.take()).map((change) => `${nameOf(endpoint)} changed ${change}`));
      for (const name of FREE_TEXTS) {
        const taken = injections.find(({ isFreeText, name: at }) => isFreeText && at.startsWith(`${name} =`));
        if (taken) requireSuccess(endpoint, await send(t.baseUrl, taken.wire));
      }
    }
    assert.deepEqual(faults, []);
  });

  it('random JSON: taken only where it fits the declared schema, else refused and nothing changed', async (context) => {
    const { t } = suite;
    const writers = t.app.endpoints.filter(({ method }) => method !== 'GET');
    const names = [
      ...new Set(writers.flatMap(({ body }) => Object.keys((body as SchemaNode | undefined)?.properties ?? {}))),
    ];
    const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() });
    const value = fc.oneof(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\0', '\ud800', 'a', '\r\n') }),
    );
    const body = fc.oneof(
      { weight: 5, arbitrary: fc.dictionary(name, value) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const property = fc.asyncProperty(fc.nat(writers.length - 1), body, async (index, random) => {
      const endpoint = writers[index] as Endpoint;
      const sample = await sampleOf(endpoint, t);
      const mixed =
        typeof random === 'object' && !Array.isArray(random) ? { ...(sample.body as object), ...random } : random;
      await settle(t);
      const start = await snapshots.take();
      const mayFit = fits(endpoint, mixed) && !isHostile(mixed);
      const reply = await send(t.baseUrl, { ...wireOf(endpoint, sample), body: JSON.stringify(mixed) });
      const fault = answerFault(endpoint, { codes: mayFit ? null : misfitCodes(endpoint) }, reply);
      assert.equal(fault, null, nameOf(endpoint));
      if (reply.status >= 400) assert.deepEqual(changes(start, await snapshots.take()), [], nameOf(endpoint));
    });
    const seed = Number(process.env.SIGNET_FUZZ_SEED ?? Math.trunc(Math.random() * 2 ** 31));
    context.diagnostic(`seed ${seed}; SIGNET_FUZZ_SEED repeats it`);
    await fc.assert(property, { seed, numRuns: 120 });
  });

  it('431 in the envelope: headers, and so a query, too large to be read', async () => {
    const reply = await send(suite.t.baseUrl, { method: 'GET', path: `/v1/events?after=${'a'.repeat(20_000)}` });
    assert.equal(reply.status, 431);
    assert.deepEqual(Object.keys(reply.body).sort(), ['error', 'message']);
  });
});
