import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import packageJson from '../../package.json' with { type: 'json' };
import type { Endpoint } from '../../src/api/endpoint.ts';
import { ERRORS } from '../../src/api/errors.ts';
import { errorsOf } from '../../src/apidocs/openapi/openapi-document.ts';
import { wholeDocument } from '../../tools/operation-snapshot.ts';
import { onEngines, startTestApp, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { send } from './contract-client.ts';
import {
  type ApiDocument,
  createDocumentCheck,
  errorCodesOf,
  everySchema,
  fieldNames,
  operationOf,
  replySchema,
  resolved,
  type SchemaNode,
} from './contract-document.ts';
import { SPECIFICATION, type SpecEndpoint } from './contract-table.ts';
import { inTurn } from './in-turn.ts';
import { nameOf, preparedOperations, requireSuccess, sampleOf, sendSample, wireOf } from './sample-requests.ts';

const isListed = (names: readonly string[] | undefined, schema: SchemaNode | undefined, what: string): string[] =>
  (names ?? []).flatMap((marked) => {
    const name = marked.replace('!', '');
    if (!schema?.properties?.[name]) return [`has no ${what} ${name}`];
    return marked.endsWith('!') === (schema.required ?? []).includes(name) ? [] : [`${what} ${name}: required or not`];
  });

/** The schema of a body. If the body can be one thing or a list, the schema of one. */
function bodyOfOne({ body }: Endpoint): SchemaNode | undefined {
  const schema = body as (SchemaNode & { else?: SchemaNode }) | undefined;
  return schema?.else ?? schema;
}

/** The differences between an endpoint and the specification. */
function departures(spec: SpecEndpoint, endpoint: Endpoint | undefined): string[] {
  if (!endpoint) return ['is missing'];
  const faults = isListed(spec.body, bodyOfOne(endpoint), 'body field');
  const query = endpoint.query as SchemaNode | undefined;
  faults.push(...isListed(spec.query, query, 'query parameter'));
  const reply = endpoint.replies[spec.status] as SchemaNode | undefined;
  if (!reply) faults.push(`does not answer ${spec.status}`);
  const fields = new Set(fieldNames(reply));
  faults.push(...spec.reply.filter((name) => !fields.has(name)).map((name) => `its reply has no ${name}`));
  const codes = errorsOf(endpoint);
  const statuses = new Set<number>(codes.map((code) => ERRORS[code].status));
  const known = (error: number | string): boolean =>
    typeof error === 'number' ? statuses.has(error) : codes.some((code) => code === error);
  const needed = spec.auth === 'none' ? spec.errors : [401, ...spec.errors];
  faults.push(...needed.filter((error) => !known(error)).map((error) => `does not declare ${error}`));
  const auth = endpoint.auth === 'backup' ? 'key' : endpoint.auth;
  if (auth !== spec.auth) faults.push(`needs ${endpoint.auth}, not ${spec.auth}`);
  const [byDefault, maximum] = spec.limit ?? [];
  const { default: given, maximum: most } = query?.properties?.limit ?? {};
  if (byDefault !== undefined && given !== byDefault) faults.push(`limit is ${given} by default, not ${byDefault}`);
  if (maximum !== undefined && most !== maximum) faults.push(`limit goes to ${most}, not ${maximum}`);
  return faults;
}

describe('the endpoint table', () => {
  let t: TestApp;
  let served: ApiDocument;
  let document: ApiDocument;
  let full: ApiDocument;
  before(async () => {
    t = await startTestApp('sqlite');
    served = (await send(t.baseUrl, { method: 'GET', path: '/api' })).body;
    document = resolved(served);
    full = await documentOf(t);
  });
  after(() => t.stop());

  it('has every endpoint of the specification, with its fields, statuses and limits', () => {
    const faults = SPECIFICATION.flatMap((spec) => {
      const endpoint = t.app.endpoints.find(({ method, path }) => method === spec.method && path === spec.path);
      return departures(spec, endpoint).map((fault) => `${nameOf(spec)} ${fault}`);
    });
    assert.deepEqual(faults, []);
  });

  it('is reported if an endpoint, a field, a status, an error or a limit of the specification is missing', () => {
    const spec = SPECIFICATION.find(({ path }) => path === '/v1/email/inbox') as SpecEndpoint;
    const endpoint = t.app.endpoints.find(({ path }) => path === spec.path) as Endpoint;
    assert.deepEqual(departures(spec, undefined), ['is missing']);
    assert.deepEqual(departures({ ...spec, reply: ['messages[].colour'] }, endpoint), [
      'its reply has no messages[].colour',
    ]);
    assert.deepEqual(departures({ ...spec, errors: [418, 'backup_exists'] }, endpoint), [
      'does not declare 418',
      'does not declare backup_exists',
    ]);
    assert.deepEqual(departures({ ...spec, query: ['limit!', 'page'], limit: [10, 50] }, endpoint), [
      'query parameter limit: required or not',
      'has no query parameter page',
      'limit is 20 by default, not 10',
      'limit goes to 100, not 50',
    ]);
    const { 200: _, ...replies } = endpoint.replies;
    assert.ok(departures(spec, { ...endpoint, replies }).includes('does not answer 200'));
  });

  it('makes GET /api a valid OpenAPI 3.1 document of version 0.18.3', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone({ ...served }));
    assert.ok(valid, JSON.stringify(errors));
    assert.match(document.openapi, /^3\.1\./);
    assert.equal(document.info.version, '0.18.3');
    assert.deepEqual(document.servers, [{ url: t.baseUrl }]);
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((op) => op.operationId));
    assert.equal(new Set(ids).size, ids.length, 'every operationId is its own');
  });

  it('is complete in GET /api: requests, replies and errors with their schemas', () => {
    for (const endpoint of t.app.endpoints) {
      const name = nameOf(endpoint);
      const operation = operationOf(document, endpoint);
      const parameters = new Set((operation.parameters ?? []).map((parameter) => parameter.name));
      for (const part of [endpoint.params, endpoint.query]) {
        for (const parameter of Object.keys(part?.properties ?? {})) assert.ok(parameters.has(parameter), name);
      }
      for (const [, parameter] of endpoint.path.matchAll(/\{(\w+)\}/g)) assert.ok(parameters.has(parameter), name);
      const body = operation.requestBody?.content['application/json']?.schema;
      const declared = endpoint.body && asDocumented(endpoint.body);
      assert.deepEqual(body, bare(declared), name);
      const { requestBody } = operationOf(full, endpoint);
      assert.deepEqual(requestBody?.content['application/json']?.schema, declared, name);
      assert.equal((operation.security ?? document.security).length > 0, endpoint.auth !== 'none', name);
      for (const status of Object.keys(endpoint.replies)) assert.ok(operation.responses[status], `${name} ${status}`);
      for (const code of errorsOf(endpoint)) {
        assert.ok(errorCodesOf(endpoint).includes(code), `${name} ${code}`);
        const { status, message } = ERRORS[code];
        // The whole document leaves the meanings to the errors when it would be too large.
        assert.ok([message, ''].includes(document['x-error-codes'][status]?.[code] ?? 'none'), `${name} ${code}`);
        assert.ok(replySchema(operation, status)?.properties?.error, `${name} ${code}`);
      }
    }
  });

  it('declares closed objects, and marks every field for people as guidance', () => {
    const prose = new Set(['message', 'note', 'hint', 'warning', 'next_steps', 'how_to_subscribe']);
    for (const endpoint of t.app.endpoints) {
      for (const [status, schema] of Object.entries(endpoint.replies)) {
        for (const { name, node } of everySchema(schema as SchemaNode)) {
          const at = `${nameOf(endpoint)} ${status} ${name}`;
          if (node.properties) assert.equal(node.additionalProperties, false, `${at} is an open object`);
          const isText = node.type === 'string' || node.type === 'array';
          if (prose.has(name) && isText && !isWithinGuidance(schema as SchemaNode, name))
            assert.fail(`${at} is not marked as guidance`);
        }
      }
      const body = bodyOfOne(endpoint);
      if (body) assert.equal(body.additionalProperties, false, nameOf(endpoint));
    }
  });

  it('is small enough to read: GET /api at most 250 KB, with ?format=full at most 600 KB', (test) => {
    const minified = Buffer.byteLength(JSON.stringify(served));
    const size = Buffer.byteLength(JSON.stringify(wholeDocument(t.app.endpoints)));
    test.diagnostic(`GET /api: ${minified} bytes; with ?format=full: ${size} bytes`);
    assert.ok(minified <= 250 * 1024, `GET /api has ${minified} bytes`);
    assert.ok(size <= 600 * 1024, `GET /api?format=full has ${size} bytes`);
  });
});

/** What `GET /api` leaves to `?format=full`: meanings, examples and the limits of values. */
const LEFT_OUT = /^(description|pattern|uniqueItems|(min|max)(imum|Length|Items|Properties))$/;

/** A schema with names and types alone. */
const bare = (schema: unknown): unknown =>
  schema &&
  JSON.parse(
    JSON.stringify(schema, (name, value) => {
      const isLeftOut =
        (LEFT_OUT.test(name) && typeof value !== 'object') ||
        (name === 'additionalProperties' && value === false) ||
        (name === 'examples' && Array.isArray(value));
      return isLeftOut ? undefined : value;
    }),
  );

/** A schema as the document has it once its references are resolved: a value or null has two types. */
const asDocumented = (schema: object): unknown =>
  JSON.parse(
    JSON.stringify(schema, (name, value) => {
      if (name === 'x-name') return undefined;
      const [first, second, third] = (value?.anyOf ?? []) as (SchemaNode & { description?: string })[];
      // A named schema stays a reference, which has no type.
      if (second?.type !== 'null' || third || !first?.type || 'const' in first || 'x-name' in first) return value;
      const { anyOf: _, ...outer } = value;
      if ('description' in outer && 'description' in first) return value;
      const values = first.enum ? { enum: [...first.enum, null] } : {};
      return { ...first, ...outer, type: [first.type, 'null'], ...values };
    }),
  );

/** True if every field of this name in the schema has the mark. */
function isWithinGuidance(schema: SchemaNode, name: string): boolean {
  return [...everySchema(schema)].every(({ node }) => {
    const property = node.properties?.[name];
    return !property || property['x-guidance'] === true || property.type === 'object';
  });
}

/** The places of the values in a reply: `keys[].prefix`. */
function placesOf(value: unknown, place = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => placesOf(item, `${place}[]`)))];
  if (typeof value !== 'object' || value === null) return [place];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    placesOf(member, place === '' ? name : `${place}.${name}`),
  );
  return inner.length === 0 ? [place] : inner;
}

/** The places a schema marks as guidance. */
function guidancePlaces(node: SchemaNode | undefined, place = ''): string[] {
  if (!node) return [];
  const inner = [
    ...(node.anyOf ?? []).flatMap((branch) => guidancePlaces(branch, place)),
    ...guidancePlaces(node.items, `${place}[]`),
    ...Object.entries(node.properties ?? {}).flatMap(([name, property]) =>
      guidancePlaces(property, place === '' ? name : `${place}.${name}`),
    ),
  ];
  return node['x-guidance'] ? [place] : inner;
}

const isUnder = (place: string, roots: readonly string[]): boolean =>
  roots.some((root) => place === root || place.startsWith(`${root}.`) || place.startsWith(`${root}[]`));

const terse = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}verbose=false`;

const documentOf = async (t: TestApp): Promise<ApiDocument> =>
  resolved((await send(t.baseUrl, { method: 'GET', path: '/api?format=full' })).body);

onEngines('both', 'every endpoint of the table, over HTTP', NAMED_HOST, (suite) => {
  it('replies to its sample with a status and a body that GET /api?format=full declares', async () => {
    const { t } = suite;
    const check = createDocumentCheck(await documentOf(t));
    for (const endpoint of t.engine === 'sqlite' ? t.app.endpoints : inTurn(t.app.endpoints)) {
      const reply = await sendSample(t, endpoint, await sampleOf(endpoint, t));
      requireSuccess(endpoint, reply);
      assert.equal(check(endpoint, reply), null, nameOf(endpoint));
    }
  });
});

onEngines('any', 'what every endpoint of the table replies', NAMED_HOST, (suite) => {
  let document: ApiDocument;
  before(async () => {
    document = await documentOf(suite.t);
  });

  it('reports an endpoint whose sample does not work, and a sample without an endpoint', () => {
    const { endpoints } = suite.t.app;
    const [endpoint] = endpoints as [Endpoint];
    const reply = { status: 404, headers: {}, body: { error: 'not_found' } };
    assert.throws(() => requireSuccess(endpoint, reply), /GET \/health has no working sample: it was answered 404/);
    const operations = new Set(endpoints.map(({ operation }) => operation));
    assert.deepEqual(
      preparedOperations().filter((operation) => !operations.has(operation)),
      [],
    );
  });

  it('reports an undeclared field or status, and a missing field', async () => {
    const { t } = suite;
    const check = createDocumentCheck(document);
    const at = { method: 'GET', path: '/health' };
    const good = await send(t.baseUrl, at);
    assert.equal(check(at, good), null);
    assert.match(check(at, { ...good, status: 202 }) ?? '', /status 202 is not declared/);
    assert.match(check(at, { ...good, body: { ...good.body, more: 1 } }) ?? '', /additional properties/);
    assert.deepEqual([good.body.version, good.body.release], ['0.18.3', packageJson.version]);
    const { version: _, ...less } = good.body;
    assert.match(check(at, { ...good, body: less }) ?? '', /required property 'version'/);
    assert.match(check(at, { ...good, body: { ...good.body, timestamp: 'soon' } }) ?? '', /date-time/);
  });

  it('?verbose=false removes the fields for people, and nothing else', async () => {
    const { t } = suite;
    for (const endpoint of t.app.endpoints) {
      const [sample, other] = [await sampleOf(endpoint, t), await sampleOf(endpoint, t)];
      // The service seals logs each second: the first seal does not come between the two requests.
      await t.app.provided.audit.flush();
      const full = await sendSample(t, endpoint, other);
      const short = await sendSample(t, endpoint, { ...sample, path: terse(sample.path) });
      requireSuccess(endpoint, full);
      assert.equal(short.status, full.status, nameOf(endpoint));
      const isJson = String(full.headers['content-type']).startsWith('application/json');
      if (!isJson || endpoint.path === '/api') {
        assert.equal(typeof short.body, typeof full.body, nameOf(endpoint));
        continue;
      }
      const prose = guidancePlaces(replySchema(operationOf(document, endpoint), full.status));
      const places = placesOf(full.body);
      const expected = places.filter((place) => !isUnder(place, prose));
      assert.deepEqual(placesOf(short.body).sort(), expected.sort(), nameOf(endpoint));
    }
  });

  it('?verbose=false removes the messages of an error, and keeps code, path and other fields', async () => {
    const { t } = suite;
    const check = createDocumentCheck(document);
    const takeBodies = t.app.endpoints.filter(({ method, anyBody }) => method !== 'GET' && !anyBody);
    for (const endpoint of takeBodies) {
      const sample = await sampleOf(endpoint, t);
      const wire = { ...wireOf(endpoint, sample), body: { 'no such field': 1 } };
      const full = await send(t.baseUrl, wire);
      const short = await send(t.baseUrl, { ...wire, path: terse(sample.path) });
      assert.equal(full.status, 400, nameOf(endpoint));
      assert.equal(check(endpoint, full), null, nameOf(endpoint));
      const { message, details = [], ...rest } = full.body;
      assert.equal(typeof message, 'string', nameOf(endpoint));
      const codes = details.map(({ message: _, ...kept }: { message: string }) => kept);
      assert.ok(codes.length > 0, nameOf(endpoint));
      assert.deepEqual(short.body, { ...rest, details: codes }, nameOf(endpoint));
    }
  });
});
