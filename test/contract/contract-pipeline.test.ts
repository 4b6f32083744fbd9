import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Endpoint, endpoint, reply } from '../../src/api/endpoint.ts';
import { record } from '../../src/api/fields.ts';
import { Type } from '../../src/base/schema.ts';
import { createServer, type HttpServer } from '../../src/http/server/http-server.ts';
import { createMetrics } from '../../src/http/server/metrics.ts';
import { send, type WireReply } from './contract-client.ts';

const never = async (): Promise<never> => {
  throw new Error('not in this test');
};

/** An endpoint whose handler replies with more than its descriptor declares. */
const liar = (path: string, answer: { status: number; body: unknown }): Endpoint =>
  endpoint({
    method: 'GET',
    path,
    operation: path.slice(1),
    tag: 'Test',
    summary: 'A reply of its own',
    auth: 'none',
    effect: 'none',
    replies: {
      200: record({
        name: Type.String(),
        nested: Type.Optional(record({ n: Type.Integer() })),
        payment_id: Type.Optional(Type.String()),
      }),
    },
    errors: [],
    handle: async () => answer as never,
  });

const ENDPOINTS = [
  liar('/good', reply(200, { name: 'a', nested: { n: 1 } })),
  liar('/undeclared-field', reply(200, { name: 'a', extra: 1 })),
  liar('/undeclared-nested-field', reply(200, { name: 'a', nested: { n: 1, m: 2 } })),
  liar('/undeclared-status', reply(201, { name: 'a' })),
  liar('/missing-field', reply(200, {})),
  liar('/wrong-type', reply(200, { name: 1 })),
  { ...liar('/paid', reply(200, { name: 'a', payment_id: 'pay_1' })), payable: true } satisfies Endpoint,
  { ...liar('/no-transaction', reply(200, { name: 'a' })), effect: 'write', action: 'test.forgot' } satisfies Endpoint,
];

describe('a pipeline that checks replies', () => {
  const faults: string[] = [];
  let server: HttpServer;
  let baseUrl: string;
  before(async () => {
    const database = { all: never, first: never, transaction: never, ping: never, close: never };
    const signals = {
      engine: 'sqlite' as const,
      signal: () => {},
      onSignal: () => () => {},
      pollForeignWrites: () => {},
      checkpointWal: () => {},
    };
    server = createServer({
      endpoints: ENDPOINTS,
      metrics: createMetrics(),
      trustProxy: false,
      ports: {
        database: { ...database, ...signals },
        requireLoginMethod: never,
        confirm: never,
        confirmKeys: never,
        reserveAudits: never,
        appendAudits: never,
        mayStore: () => true,
        noteRead: never,
        noteRefusal: () => {},
        noteLimit: () => {},
        idempotency: { find: never, begin: never, release: never, finish: never },
        authenticate: never,
        meter: never,
        uncount: never,
        receipt: never,
        now: () => 0,
        replyHeaders: {},
        onFault: (err) => void faults.push(String(err)),
        checkReplies: true,
        baseUrl: () => 'http://127.0.0.1',
        hashIp: (ip) => ip,
      },
    });
    baseUrl = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  });
  after(() => server.close());
  const get = (path: string): Promise<WireReply> => send(baseUrl, { method: 'GET', path });

  it('accepts a declared reply', async () => {
    const { status, body } = await get('/good');
    assert.deepEqual([status, body], [200, { name: 'a', nested: { n: 1 } }]);
  });

  it('delivers a paid reply even if its receipt fails, and logs the fault', async () => {
    faults.length = 0;
    const { status, body } = await get('/paid');
    assert.deepEqual([status, body, faults], [200, { name: 'a', payment_id: 'pay_1' }, ['Error: not in this test']]);
  });

  for (const [path, problem] of [
    ['/undeclared-field', /additional properties/],
    ['/undeclared-nested-field', /nested must NOT have additional properties/],
    ['/undeclared-status', /status 201 is not declared/],
    ['/missing-field', /required property 'name'/],
    ['/wrong-type', /must be string/],
    ['/no-transaction', /changed nothing through transact/],
  ] as const) {
    it(`500 internal, with the reason only in the log: ${path.slice(1)}`, async () => {
      faults.length = 0;
      const { status, body } = await get(path);
      assert.equal(status, 500);
      assert.equal(body.error, 'internal');
      assert.deepEqual(Object.keys(body).sort(), ['code', 'docs_url', 'error', 'message', 'request_id']);
      assert.match(faults.join(), problem);
    });
  }
});
