import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../src/api/endpoint.ts';
import { guidance, named, nullable, oneOf, record } from '../../src/api/fields.ts';
import { Type } from '../../src/base/schema.ts';
import { OPERATIONS, type OperationName } from '../../src/client/generated/operations.ts';
import type { Operation } from '../../src/client/operation.ts';
import { SignetClient } from '../../src/client/signet-client.ts';
import { readClientModules } from '../../src/web/site/client-modules.ts';
import { clientSource } from '../../tools/client-source.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { nameOf, type Sample, sampleOf } from './sample-requests.ts';

const rowOf = ({ operation }: Endpoint): Operation => OPERATIONS[operation as OperationName];

/** The arguments of the client for this request. */
function inputOf(at: Endpoint, { path, body }: Sample): Record<string, unknown> {
  const { pathname, searchParams } = new URL(path, 'http://sample');
  const names = [...at.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const values = new RegExp(`^${at.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)?.slice(1) ?? [];
  const params = names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')]);
  const fields = rowOf(at).body === 'whole' ? { body } : (body ?? {});
  return { ...Object.fromEntries(params), ...Object.fromEntries(searchParams), ...fields };
}

/** Endpoints without a method by their name: streams, which do not end with a reply; pages and documents; aliases. */
const NOT_CALLED = [
  ...['openWebSocket', 'streamEvents', 'streamOperatorEvents'],
  ...['authorizeClient', 'getApprovePage', 'getConfirmPage', 'getCredentialsPage', 'getDashboardPage', 'getDevicePage'],
  ...['getLandingPage', 'getLoginPage', 'getRecoverPage', 'getReviewPage', 'getTryPage', 'getUnsubscribePage'],
  ...['unsubscribe'],
  ...['getAsset', 'getConsoleFile', 'getDocsPage', 'getJobPage', 'getOperationPage'],
  ...['getLlmsText', 'getLlmsFullText', 'getSkill', 'listAgentSkills'],
  ...['createKeyAlias', 'listVaultKeysAlias'],
];

describe('the client library', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite', NAMED_HOST);
  });
  after(() => t.stop());

  it('has a method for every endpoint that programs call, and each works with its sample request', async () => {
    const missing = t.app.endpoints.filter(({ operation }) => !(operation in OPERATIONS));
    assert.deepEqual(missing.map(({ operation }) => operation).sort(), NOT_CALLED.sort());
    for (const at of t.app.endpoints.filter(({ operation }) => operation in OPERATIONS)) {
      const sample = await sampleOf(at, t);
      const client = new SignetClient({ baseUrl: t.baseUrl, retries: 0, ...(sample.key ? { key: sample.key } : {}) });
      const input = inputOf(at, sample) as never;
      const name = at.operation as OperationName;
      const full = await client.call(name, input, { headers: sample.headers ?? {} });
      assert.ok(full.status in at.replies, nameOf(at));
      assert.equal(typeof client[name], 'function', name);
      const { reply: form } = rowOf(at);
      if (form === 'bytes') assert.ok(full.body instanceof Uint8Array, name);
      if (form === 'text') assert.equal(typeof full.body, 'string', name);
    }
  });

  it('is served by the service, as the modules of a package', async () => {
    const pages = ['api.js', 'dashboard.js', 'seal.js'];
    for (const [name, script] of readClientModules()) {
      assert.ok(!pages.includes(name), `${name} is a script of the pages`);
      const served = await t.api().get(`/assets/${name}`);
      assert.deepEqual([served.status, served.text], [200, script], name);
      assert.equal(served.headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.doesNotMatch(script, /from '(?!\.\/[\w-]+\.js')/, `${name} imports what a browser does not have`);
    }
  });
});

describe('the types of the client library', () => {
  const typesOf = (spec: { params?: TSchema; query?: TSchema; body?: TSchema; replies: Record<number, TSchema> }) =>
    clientSource([
      endpoint({
        method: 'POST',
        path: '/v1/things/{id}',
        operation: 'makeThing',
        tag: 'Things',
        summary: 'Make a thing',
        auth: 'key',
        effect: 'write',
        errors: [],
        handle: async () => reply(200, null) as never,
        ...spec,
      } as never),
    ]);
  const params = record({ id: Type.String() });

  it('match the schemas: words, nullable, lists, maps, literals, unions, optional fields', () => {
    const body = record({
      kind: oneOf(['a', 'b']),
      note: Type.Optional(nullable(Type.String({ description: 'Ends here: */ or not.' }))),
      tags: Type.Array(Type.Union([Type.String(), Type.Integer()])),
      extra: Type.Record(Type.String(), Type.Number()),
      exact: Type.Literal(1),
      'odd-name': Type.Boolean(),
    });
    const source = typesOf({ params, body, replies: { 200: record({ ok: Type.Boolean() }), 201: Type.Null() } });
    const input = source.slice(source.indexOf('MakeThingInput'), source.indexOf('export type MakeThingReply'));
    for (const line of [
      '  id: string;',
      '  kind: "a" | "b";',
      '  note?: string | null | undefined;',
      '  tags: (string | number)[];',
      '  extra: Record<string, number>;',
      '  exact: 1;',
      '  "odd-name": boolean;',
    ])
      assert.ok(input.includes(`${line}\n`), line);
    assert.match(source, /MakeThingReply = \{ ok: boolean \} \| null;/);
  });

  it('make fields for people optional, because verbose=false removes them', () => {
    const replies = { 200: record({ id: Type.String(), note: guidance(Type.String()) }) };
    assert.match(typesOf({ params, replies }), /MakeThingReply = \{ id: string; note\?: string \};/);
  });

  it('declare a schema once: under its name, or under that of its place if it does not fit on a line', () => {
    const entry = record({ id: Type.String({ description: 'Short.' }) });
    const body = record({ owner: entry });
    const replies = { 200: record({ list: Type.Array(named('Thing', entry)), first: named('Thing', entry) }) };
    const source = typesOf({ params: record({ id: Type.String(), tag: entry }), body, replies });
    assert.match(source, /MakeThingReply = \{ list: Thing\[\]; first: Thing \};/);
    assert.match(source, /MakeThingInput = \{ id: string; tag: MakeThingInputTag; owner: MakeThingInputTag \};/);
  });

  it('accept a body as `body` if it is a list, or if its fields have the names of the path', () => {
    const replies = { 200: Type.Null() };
    const list = typesOf({ params, body: Type.Array(record({ a: Type.Integer() })), replies });
    assert.match(list, /MakeThingInput = \{\n {2}id: string;\n {2}body: \{ a: number \}\[\];\n\}/);
    const clash = typesOf({ params, body: record({ id: Type.Integer() }), replies });
    assert.match(clash, /id: string;\n {2}body: \{ id: number \};/);
    assert.match(clash, /"body":"whole"/);
    const query = record({ folder: Type.Optional(Type.String()) });
    const both = typesOf({ params, query, body: record({ folder: Type.Integer() }), replies });
    assert.match(both, /query_folder\?: string \| undefined; folder: number /);
    assert.match(both, /"query":\["query_folder:folder"\],"body":"fields"/);
  });
});
