import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERRORS } from '../../src/api/errors.ts';
import { EVENT_TYPES, EVENTS, type EventType } from '../../src/api/events.ts';
import { errorsOf } from '../../src/apidocs/openapi/openapi-document.ts';
import { wholeDocument } from '../../tools/operation-snapshot.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { send } from './contract-client.ts';
import {
  type ApiDocument,
  type DocumentedReply,
  fieldNames,
  operationOf,
  replySchema,
  resolved,
} from './contract-document.ts';

/** Every `$ref` in a document. */
function* referencesIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === '$ref') yield String(value);
    else yield* referencesIn(value);
  }
}

interface WebhookSpec {
  summary: string;
  requestBody: {
    content: {
      'application/json': {
        schema: { $ref: string; properties: { data: { required: string[]; properties: object } } };
      };
    };
  };
}

/** Reads the index like a client: a path goes on from the one that it is indented under. */
function operationsOfIndex(index: string): string[] {
  let job = '';
  const paths: string[] = [];
  return index.split('\n').flatMap((line) => {
    if (line.startsWith('# ')) job = line.slice(2);
    const [, indent, part, operations = ''] = /^( *)(\/\S*) ?(.*)$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) return [];
    paths.splice(indent.length, paths.length, part);
    const named = operations === '' ? [] : operations.split('; ');
    return named.map((one) => one.replace(' ', ` ${paths.join('')} `)).map((one) => `${job} ${one}`);
  });
}

const bytes = (value: unknown): number => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

describe('the parts of GET /api', () => {
  const validator = new Validator();
  let t: TestApp;
  const get = (path: string, headers?: Record<string, string>) =>
    send(t.baseUrl, { method: 'GET', path, ...(headers ? { headers } : {}) });

  /** Checks that a part is a valid document and refers to nothing outside itself. */
  async function requireWhole(document: ApiDocument, name: string): Promise<void> {
    const { valid, errors } = await validator.validate(structuredClone({ ...document }));
    assert.ok(valid, `${name} ${JSON.stringify(errors)}`);
    for (const reference of referencesIn(document)) {
      const [, , kind = '', part = ''] = reference.split('/');
      const components = document.components as unknown as Record<string, Record<string, unknown>>;
      assert.ok(components[kind]?.[part], `${name}: ${reference}`);
    }
  }

  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  it('E: ?format=index has every operation by its job with its whole summary, in at most 16 KB', async (test) => {
    const { status, headers, body } = await get('/api?format=index');
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    const told = operationsOfIndex(body as string);
    test.diagnostic(`index: ${told.length} operations in ${bytes(body)} bytes`);
    assert.ok(bytes(body) <= 16 * 1024, 'shorten the longest summaries');
    const known = t.app.endpoints.map(({ tag, method, path, operation, summary }) =>
      [tag, method, path, operation, summary].join(' '),
    );
    assert.deepEqual(told.sort(), known.sort());
  });

  it('E: every operation of GET /api, of its parts and of dist/openapi.json has the error reply', async () => {
    const { body: whole } = await get('/api');
    const tags = whole.tags.map(({ name }: { name: string }) => `tag=${encodeURIComponent(name)}`);
    const queries = [...tags, ...t.app.endpoints.map(({ operation }) => `operation=${operation}`)];
    const parts = await Promise.all(queries.map(async (query) => (await get(`/api?${query}`)).body));
    const kept = wholeDocument(t.app.endpoints);
    for (const { paths, components } of [whole, kept, ...parts] as unknown as ApiDocument[]) {
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { responses }] of Object.entries(methods))
          assert.deepEqual(responses.default, { $ref: '#/components/responses/Error' }, `${method} ${path}`);
      const { content } = components.responses.Error as DocumentedReply;
      assert.deepEqual(content, { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
      assert.equal(components.schemas.Error?.properties?.error?.type, 'string');
    }
  });

  it('E: GET /api has the fields of every event and reply, and says in whole sentences what it leaves out', async () => {
    const [{ body: short }, { body: full }] = [await get('/api'), await get('/api?format=full')];
    const { description } = short.info;
    assert.ok(description.length < 800 && description.includes('`?operation=`'), description);
    for (const sentence of description.split(/(?<=\.) /)) assert.match(sentence, /^[A-Z`]\S* .*\.$/);
    assert.doesNotMatch(description, /(?:^|\. )And /);
    for (const type of EVENT_TYPES) {
      const { schema } = (short.webhooks[type] as { post: WebhookSpec }).post.requestBody.content['application/json'];
      assert.equal(schema.$ref, '#/components/schemas/DeliveredEvent');
      assert.deepEqual(Object.keys(schema.properties.data.properties), Object.keys(EVENTS[type].data.properties), type);
    }
    const { DeliveredEvent } = short.components.schemas;
    assert.deepEqual(Object.keys(DeliveredEvent.properties), ['id', 'type', 'event', 'created_at', 'address', 'data']);
    assert.deepEqual(DeliveredEvent.required, ['id', 'type', 'event', 'created_at', 'data']);
    const [shorts, fulls] = [resolved(short), resolved(full)];
    for (const endpoint of t.app.endpoints)
      for (const status of Object.keys(endpoint.replies)) {
        const [told, known] = [shorts, fulls].map((document) => replySchema(operationOf(document, endpoint), status));
        assert.deepEqual(fieldNames(told), fieldNames(known), `${endpoint.operation} ${status}`);
      }
    const { Health } = full.components.schemas;
    assert.deepEqual(Health.required, Object.keys(Health.properties));
  });

  it('?operation= has one operation with every error, in at most 6 KB, and needs no other document', async (test) => {
    let largest = { size: 0, operation: '' };
    for (const endpoint of t.app.endpoints) {
      const { operation, path, method } = endpoint;
      const { status, body } = await get(`/api?operation=${operation}`);
      assert.equal(status, 200, operation);
      if (bytes(body) > largest.size) largest = { size: bytes(body), operation };
      assert.ok(bytes(body) <= 6 * 1024, `${operation}: ${bytes(body)} bytes`);
      await requireWhole(body, operation);
      assert.deepEqual(Object.keys(body.paths), [path]);
      const shown = body.paths[path][method.toLowerCase()];
      assert.equal(shown.operationId, operation);
      assert.ok(shown.description, `${operation} has no description`);
      for (const code of errorsOf(endpoint))
        assert.ok(shown['x-errors'][ERRORS[code].status].includes(code), operation);
    }
    test.diagnostic(`largest operation: ${largest.operation}, ${largest.size} bytes`);
  });

  it('?tag= has the operations of the tag, and the tags together have all', async (test) => {
    const { body: whole } = await get('/api');
    const found: string[] = [];
    for (const { name } of whole.tags) {
      const { status, body } = await get(`/api?tag=${encodeURIComponent(name.toLowerCase())}`);
      assert.equal(status, 200, name);
      test.diagnostic(`tag ${name}: ${bytes(body)} bytes`);
      await requireWhole(body, name);
      for (const methods of Object.values(body.paths as ApiDocument['paths']))
        found.push(...Object.values(methods).map(({ operationId }) => operationId));
    }
    assert.deepEqual(found.sort(), t.app.endpoints.map(({ operation }) => operation).sort());
  });

  it('has the shape of every event that a webhook gets', async () => {
    const [{ body: whole }, { body: part }] = [await get('/api'), await get('/api?tag=webhooks')];
    assert.deepEqual(Object.keys(whole.webhooks), EVENT_TYPES);
    assert.deepEqual(Object.keys(part.webhooks), EVENT_TYPES);
    for (const [type, { post }] of Object.entries(part.webhooks as Record<string, { post: WebhookSpec }>)) {
      const { schema } = post.requestBody.content['application/json'];
      assert.equal(schema.$ref, '#/components/schemas/DeliveredEvent');
      assert.deepEqual(schema.properties.data.required, Object.keys(EVENTS[type as EventType].data.properties), type);
      assert.ok(post.summary.length > 10 && !post.summary.includes(']('), type);
    }
  });

  it('404 for an unknown tag or operation, with the name most like it', async () => {
    for (const [query, suggestion] of [
      ['operation=sendMail', 'sendEmail'],
      ['operation=getbudget', 'getBudget'],
      ['tag=Budgets', 'Budget'],
    ]) {
      const { status, body } = await get(`/api?${query}`);
      assert.deepEqual([status, body.error, body.suggestion], [404, 'not_found', suggestion], query);
    }
    assert.equal((await get('/api?format=yaml')).status, 400);
  });

  it('/openapi.json is the same document', async () => {
    const [one, other] = [await get('/api'), await get('/openapi.json')];
    assert.deepEqual(other.body, one.body);
    assert.equal(other.headers.etag, one.headers.etag);
  });

  it('is compressed as the client asks, and 304 for a current copy', async () => {
    const plain = await (await fetch(`${t.baseUrl}/api`, { headers: { 'accept-encoding': 'identity' } })).text();
    const codings = { br: brotliDecompressSync, gzip: gunzipSync, identity: (content: Buffer) => content };
    for (const [coding, decode] of Object.entries(codings)) {
      // A client of ours that decodes nothing.
      const { headers, raw } = await rawGet(t.baseUrl, '/api', coding);
      assert.equal(headers['content-encoding'] ?? 'identity', coding);
      assert.equal(headers.vary, 'accept-encoding');
      assert.equal(decode(raw).toString(), plain);
      const held = { 'if-none-match': headers.etag as string, 'accept-encoding': coding };
      const again = await get('/api', held);
      assert.deepEqual([again.status, again.body, again.headers.etag], [304, '', headers.etag]);
    }
    assert.equal((await get('/api', { 'if-none-match': '"other"' })).status, 200);
    const refused = await rawGet(t.baseUrl, '/api', 'br;q=0, gzip;q=0');
    assert.equal(refused.headers['content-encoding'], undefined);
  });
});

/** Gets a body as it was sent, without decoding it. */
function rawGet(baseUrl: string, path: string, coding: string) {
  return new Promise<{ headers: Record<string, string | string[] | undefined>; raw: Buffer }>((resolve, reject) => {
    request(baseUrl + path, { headers: { 'accept-encoding': coding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, raw: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}
